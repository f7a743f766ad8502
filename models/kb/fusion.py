"""
One order from two ways of searching, fair to entries in any language.

Both ways prefer entries in the question's own script: an encoder puts texts of one language nearer
to each other whatever they say, and words are only shared within a script. Left alone, they bury an
answer in another language below everything in the question's own. So

* cosines are centred by script: how near an entry is among entries like it;
* words count within the question's script, sounds in the others, and where sounds find nothing, the
  rank by vector stands in for the rank by text.

The ranks are then fused by reciprocal rank. `EXPERIMENTS.md` has the numbers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Fused = npt.NDArray[np.float64]

#: Constant of reciprocal rank fusion. The published 60 is for lists of a thousand documents; eight
#: of about a hundred entries are wanted here.
_K = 10
#: What ranks by text count beside ranks by vector.
_TEXT = 0.5
#: Entries of the average that count in each script beside its own, so that one entry is not its
#: own mean.
_PRIOR = 1
#: Decimals of a cosine that count: what differs behind them is a tie.
_DECIMALS = 4

#: What the oldest entry loses. Less than one rank among the first eighty, so that freshness decides
#: between entries that search cannot tell apart and never against it.
FRESHNESS_SHARE = 0.01
#: Age at which half of it is lost, milliseconds: half a year.
FRESHNESS_HALF_LIFE_MS = 180 * 24 * 3_600_000


class Evidence(NamedTuple):
    """What each way of searching says of N entries; higher is better."""

    #: (N,) cosine with the question.
    cosines: Floats
    #: (N,) 0 where no word is shared.
    words: Floats
    #: (N,) 0 where no sound is shared.
    sounds: Floats
    #: (N,) script of each entry, as a small number.
    scripts: npt.NDArray[np.intp]
    #: (N,) bool: the entry is in the question's script.
    own: npt.NDArray[np.bool_]


def fuse(found: Evidence) -> Fused:
    """(N,) float64, above 0: what to order the entries by, before freshness."""
    by_vector = ranks(centred(found.cosines, found.scripts).round(_DECIMALS))
    by_words = ranks(np.where(found.own, found.words, 0), least=0)
    by_sounds = ranks(np.where(found.own, 0, found.sounds), least=0)
    by_text = np.where(found.own, by_words, np.minimum(by_sounds, by_vector))
    return 1 / (_K + by_vector) + _TEXT / (_K + by_text)


def ranks(scores: Floats, least: float = -np.inf) -> Fused:
    """
    Rank scores, the highest 1; equal ones share the rank of the first of them.

    Args:
        scores: (N,) higher is better.
        least: at or below it nothing is found.

    Returns:
        (N,) float64, infinite for what is not found.
    """
    falling = np.sort(-scores)
    places = np.searchsorted(falling, -scores) + 1.0
    return np.where(scores > least, places, np.inf)


def centred(cosines: Floats, scripts: npt.NDArray[np.intp]) -> Fused:
    """(N,) float64: cosines less the mean of their script, which leans on the mean of all."""
    counts = np.bincount(scripts)
    sums = np.bincount(scripts, weights=cosines)
    means = (sums + _PRIOR * cosines.mean()) / (counts + _PRIOR)
    centre: Fused = cosines - means[scripts]
    return centre


def freshness(updated_ms: npt.NDArray[np.int64], now_ms: int) -> Fused:
    """
    Work out the multiplier of each entry.

    Args:
        updated_ms: (N,) when each last changed, Unix epoch; negative where nobody knows, which
            counts as long ago.
        now_ms: the present, Unix epoch.

    Returns:
        (N,) float64 from 1, changed just now, down to 1 - `FRESHNESS_SHARE`.
    """
    age = np.maximum(now_ms - updated_ms, 0) / FRESHNESS_HALF_LIFE_MS
    kept = np.where(updated_ms < 0, 0.0, 0.5**age)
    return 1 - FRESHNESS_SHARE * (1 - kept)
