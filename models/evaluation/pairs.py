"""
Labelled pairs, decided one by one as the hot path would decide a turn with this one prediction.

The rules are those of `models.match`; the judge reads all pairs in both orders at once, so that a
score can be given to each pair and held against any threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from models import match
from models.match import Match, Option, Scores
from models.screen import Screened, screen
from models.script import Writing, writing
from models.text import clean, match_key
from topics.decision import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.evaluation.rows import Pair
    from models.judge import Judge

#: A pair that no threshold would serve, and one that is served whatever the threshold.
NEVER, ALWAYS = -np.inf, np.inf
#: Why a prediction that is empty or too long once cleaned is not served.
UNUSABLE = "unusable"
#: Fits every other writing, so that the cross-script guard says nothing.
_ANY_WRITING = Writing("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of N pairs."""

    pairs: Sequence[Pair]
    #: (N,) 1 or 0.
    labels: NDArray[np.int64]
    #: (N,) the judge's logit; NEVER where there is nothing to read, or too much.
    logits: NDArray[np.float32]
    #: (N,) the same of the reversed order.
    reversed_logits: NDArray[np.float32]
    #: (N,) the lower logit of both orders, as both must reach the threshold; NEVER where a guard or
    #: a bypass took the pair out, ALWAYS where both texts are the same.
    scores: NDArray[np.float32]
    #: (N,) bool: served at the threshold.
    served: NDArray[np.bool_]
    #: (N,) why, or why not: a reason of the decision, of the bypass, or the guard's name.
    reasons: tuple[str, ...]
    #: What the logits were held against.
    threshold: float


@dataclass(frozen=True, slots=True)
class _Ready:
    screened: Screened
    option: Option | None

    @property
    def texts(self) -> tuple[str, str] | None:
        """What the judge reads, or None where there is nothing to read."""
        if self.option is None or not self.screened.text:
            return None
        return self.screened.text, self.option.text


def decide_pairs(pairs: Sequence[Pair], judge: Judge, *, script_guard: bool = False) -> Decided:
    """
    Decide each pair at the judge's own threshold.

    Args:
        pairs: N pairs.
        judge: reads every pair twice, also those that a guard takes out.
        script_guard: let the cross-script guard speak too.

    Raises:
        InferenceError: the judge failed.
    """
    ready = [_prepare(pair, script_guard=script_guard) for pair in pairs]
    forward, backward = _read_both(ready, judge)
    found = [
        _decide(one, float(logit), float(reversed_logit), judge.threshold)
        for one, logit, reversed_logit in zip(ready, forward, backward, strict=True)
    ]
    return Decided(
        pairs=pairs,
        labels=np.array([pair.label for pair in pairs], np.int64),
        logits=forward,
        reversed_logits=backward,
        scores=np.array([score for score, _, _ in found], np.float32),
        served=np.array([served for _, served, _ in found], np.bool_),
        reasons=tuple(reason for _, _, reason in found),
        threshold=judge.threshold,
    )


def make_option(text: str, name: str, *, script_guard: bool) -> Option | None:
    """Make a prediction comparable as the worker does; None where it can match nothing."""
    cleaned = clean(text)
    if cleaned.too_long or not cleaned.text:
        return None
    key = match_key(cleaned.text)
    return Option(
        prediction_id=name,
        text=cleaned.text,
        key=key,
        writing=writing(cleaned.text) if script_guard else _ANY_WRITING,
        # Who predicts one text twice has prepared one reply.
        response_ref=key,
    )


def _prepare(pair: Pair, *, script_guard: bool) -> _Ready:
    option = make_option(pair.prediction, "prediction", script_guard=script_guard)
    return _Ready(screen(pair.utterance), option)


def _read_both(
    ready: Sequence[_Ready], judge: Judge
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    places = [place for place, one in enumerate(ready) if one.texts is not None]
    texts = [one.texts for one in ready if one.texts is not None]
    forward = np.full(len(ready), NEVER, np.float32)
    backward = forward.copy()
    if texts:
        judged = judge.judge(texts)
        # What the judge could not read to its end is not eligible.
        forward[places] = np.where(judged.truncated, NEVER, judged.logits)
        reversed_logits = judge.logits([(other, text) for text, other in texts])
        backward[places] = np.where(judged.truncated, NEVER, reversed_logits)
    return forward, backward


def _decide(
    ready: _Ready, logit: float, reversed_logit: float, threshold: float
) -> tuple[float, bool, str]:
    """Score, whether it is served, and why."""
    screened, option = ready.screened, ready.option
    if screened.reason is not None:
        return NEVER, False, screened.reason
    if option is None:
        return NEVER, False, UNUSABLE
    same = match.exact(screened, [option])
    if same is not None:
        return ALWAYS, same.index is not None, same.reason
    guard = match.guards(screened, [option])[0]
    if guard is not None:
        return NEVER, False, guard
    found = _choose(option, logit, reversed_logit, threshold)
    return min(logit, reversed_logit), found.index is not None, found.reason


def _choose(option: Option, logit: float, reversed_logit: float, threshold: float) -> Match:
    if logit == NEVER:
        return Match(Reason.BELOW_THRESHOLD)
    scores = Scores(order=(0,), cosines=(0.0,), logits=(logit,), reversed_logit=reversed_logit)
    return match.choose([option], scores, min_logit=threshold)
