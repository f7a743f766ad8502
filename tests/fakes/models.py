"""An encoder and a judge that answer from tables and record what they were asked."""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from models.errors import InferenceCancelled, InferenceError
from models.judge import Judged


class FakeEncoder:
    """Gives each text the vector of its table, or one that is far from all others."""

    def __init__(self, vectors: Mapping[str, Sequence[float]] | None = None) -> None:
        self.fingerprint = "encoder-1"
        self.dimension = 4
        self.conservative = 0.98
        self.vectors = dict(vectors or {})
        self.asked: list[str] = []
        self.failing = False
        #: How long an encoding takes, seconds, unless it is stopped.
        self.slow_s = 0.0
        #: Texts that are too long to be read.
        self.unreadable: set[str] = set()

    def encode(self, texts, cancel=None):
        """Encode from the table."""
        self.asked += texts
        if self.failing:
            raise InferenceError("broken")
        _take_time(self.slow_s, cancel)
        rows = [self.vectors.get(text, (0.0, 0.0, 0.0, 1.0)) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.dimension)

    def truncated(self, texts):
        """Tell which texts are too long to be read."""
        return np.array([text in self.unreadable for text in texts], np.bool_)


class FakeJudge:
    """Gives a pair the logit of its table, in both orders unless told otherwise; else -5."""

    def __init__(self, logits: Mapping[tuple[str, str], float] | None = None) -> None:
        self.fingerprint = "judge-1"
        self.threshold = 1.0
        self.known = dict(logits or {})
        self.asked: list[tuple[str, str]] = []
        self.failing = False
        self.slow_s = 0.0
        #: Texts that are too long to be read.
        self.unreadable: set[str] = set()

    def judge(self, pairs, cancel=None):
        """Judge from the table."""
        self.asked += pairs
        if self.failing:
            raise InferenceError("broken")
        _take_time(self.slow_s, cancel)
        logits = [self.known.get((a, b), self.known.get((b, a), -5.0)) for a, b in pairs]
        cut = [bool({a, b} & self.unreadable) for a, b in pairs]
        return Judged(np.array(logits, np.float32), np.array(cut, np.bool_))

    def logits(self, pairs, cancel=None):
        """Judge from the table."""
        return self.judge(pairs, cancel).logits


def _take_time(seconds, cancel):
    """Take so long, as a run would, and notice when it is stopped."""
    until_s = time.monotonic() + seconds
    while True:
        if cancel is not None and cancel.is_set:
            raise InferenceCancelled("stopped")
        if time.monotonic() >= until_s:
            return
        time.sleep(0.001)
