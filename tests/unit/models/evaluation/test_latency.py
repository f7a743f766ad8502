"""Timing batches."""

from models.evaluation.latency import BATCHES, CANDIDATES, batch_times
from tests.fakes.models import FakeJudge
from tests.unit.models.evaluation.factories import make_pair


class WarmJudge(FakeJudge):
    """Remembers the sizes of its batches, and that it was warmed before them."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []
        self.cold = True

    def warm(self):
        self.cold = False

    def judge(self, pairs, cancel=None):
        assert not self.cold
        self.batches.append(len(pairs))
        return super().judge(pairs, cancel)


def test_batches():
    """
    A warm judge of each number of threads gets full batches of one utterance each.
    """
    loaded = {}

    def load(threads):
        return loaded.setdefault(threads, WarmJudge())

    times = batch_times([make_pair(f"u{n}", f"p{n}") for n in range(3)], load)

    assert list(loaded) == [1, 2]
    assert list(times) == ["1", "2"]
    for judge in loaded.values():
        assert judge.batches == [CANDIDATES] * BATCHES
        first = judge.asked[:CANDIDATES]
        assert {utterance for utterance, _ in first} == {"u0"}
        assert [prediction for _, prediction in first[:4]] == ["p0", "p1", "p2", "p0"]
    assert all(0 <= took["p50"] <= took["p95"] for took in times.values())
