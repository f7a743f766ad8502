"""
What a judge's logit is worth, given the form of the pair.

A cross-encoder is surest where two texts share nearly all their words, and that is also where one
word makes another request of it: "call me at eight", "call me at nine". So one threshold on its
logit either lets such pairs through or refuses paraphrases that share little. The logit is
therefore weighed once more, with how much of the two is spelled alike and how long they are: a
logistic regression of eight columns, learned on held-out pairs for the very bytes that ship
(`models.pipeline.form`) and kept in the bundle's manifest. A higher logit always means a higher
result, whatever the form; a manifest for which that is not so is refused.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from models.errors import BundleError
from models.manifest import MANIFEST, Form
from models.text import match_key

#: Letters in a row that are compared; words would tell too little of inflected languages.
_GRAM = 3
#: Longer texts count as this long, words.
_MOST_WORDS = 30

Numbers = npt.NDArray[np.float64]


def forms(pairs: Sequence[tuple[str, str]]) -> Numbers:
    """
    Read the form of cleaned pairs.

    Returns:
        (N, 3) float64: share of the two texts' letter trigrams that both have, 0 to 1; logarithm of
        the words of the shorter and of the longer one, plus 1. Equal for both orders of a pair.
    """
    return np.array([_form(a, b) for a, b in pairs], np.float64).reshape(-1, 3)


def columns(logits: npt.NDArray[np.floating], forms: Numbers) -> Numbers:
    """What the regression weighs, in the order of `Form.weights`: (N,) and (N, 3) to (N, 8)."""
    raw = np.asarray(logits, np.float64)
    alike, shorter, longer = forms.T
    found = (raw, alike, alike**2, raw * alike, shorter, raw * shorter, longer, raw * longer)
    return np.stack(found, axis=1)


def weighed(
    form: Form | None, pairs: Sequence[tuple[str, str]], logits: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """
    Return the logits of N cleaned pairs (N,), weighed by form; as they are where there is no form.
    """
    if form is None:
        return logits
    found = columns(logits, forms(pairs)) @ np.array(form.weights) + form.bias
    return np.asarray(found, np.float32)


def check(form: Form) -> None:
    """
    Refuse weights for which a surer judge could mean a lower result.

    Raises:
        BundleError: names the field.
    """
    logit, _, _, by_alike, _, by_shorter, _, by_longer = form.weights
    longest = np.log1p(_MOST_WORDS)
    # The slope is linear in each, so that its least value lies at a corner.
    for alike, shorter, longer in product((0, 1), (0, longest), (0, longest)):
        if logit + alike * by_alike + shorter * by_shorter + longer * by_longer <= 0:
            raise BundleError(f"{MANIFEST}: form.weights", "a higher logit would count less")


def _form(a: str, b: str) -> tuple[float, float, float]:
    one, other = match_key(a), match_key(b)
    left, right = _grams(one), _grams(other)
    union = len(left | right)
    lengths = sorted(min(len(key.split()), _MOST_WORDS) for key in (one, other))
    return (
        len(left & right) / union if union else 0.0,
        float(np.log1p(lengths[0])),
        float(np.log1p(lengths[1])),
    )


def _grams(key: str) -> set[str]:
    padded = f" {key} "
    return {padded[at : at + _GRAM] for at in range(len(padded) - _GRAM + 1)}
