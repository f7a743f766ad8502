"""How long the judge takes for the shortlist of one turn, on the pairs of the evaluation."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from models.evaluation.rows import Pair
    from models.judge import Judge

#: Candidates of a batch: the shortlist at its longest.
CANDIDATES = 20
#: Batches that are timed for each number of threads: enough for a p95, a few seconds of work.
BATCHES = 40
THREADS = (1, 2)


def batch_times(pairs: Sequence[Pair], load: Callable[[int], Judge]) -> dict[str, dict[str, float]]:
    """
    Time batches of one utterance against 20 predictions, all from the given pairs.

    Args:
        pairs: at least one.
        load: loads the judge for a number of threads.

    Returns:
        By number of threads: `p50` and `p95`, milliseconds a batch.
    """
    batches = _batches(pairs)
    return {str(threads): _timed(load(threads), batches) for threads in THREADS}


def _batches(pairs: Sequence[Pair]) -> list[list[tuple[str, str]]]:
    # Spread over the file, since files are sorted by class and classes differ in length.
    starts = [number * len(pairs) // BATCHES for number in range(BATCHES)]
    return [
        [
            (pairs[start].utterance, pairs[(start + offset) % len(pairs)].prediction)
            for offset in range(CANDIDATES)
        ]
        for start in starts
    ]


def _timed(judge: Judge, batches: Sequence[list[tuple[str, str]]]) -> dict[str, float]:
    judge.warm()
    took_ms = []
    for batch in batches:
        started = time.perf_counter()
        judge.judge(batch)
        took_ms.append((time.perf_counter() - started) * 1e3)
    p50, p95 = np.percentile(took_ms, (50, 95))
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
