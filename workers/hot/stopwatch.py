"""Times the stages of one decision."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from prometheus_client import Histogram

from workers import metrics


class Stopwatch:
    """Collects the time of each stage, milliseconds, and gives each to the stage metric."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a block; a block that raises is timed too."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.note(name, (time.perf_counter() - started) * 1e3)

    def note(self, name: str, took_ms: float) -> None:
        """Note a stage that was timed elsewhere."""
        self.timings_ms[name] = round(took_ms, 3)
        _histogram(name).observe(took_ms / 1e3)


@cache
def _histogram(stage: str) -> Histogram:
    """Look a stage's histogram up once; prometheus-client takes a lock for each look."""
    return metrics.STAGE_SECONDS.labels(stage)
