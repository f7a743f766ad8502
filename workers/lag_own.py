"""
How far this worker is behind on the partitions that are its own, from what it knows anyway.

* own_lag        records and age of each partition
* fetch_age_s    how long the broker has been silent
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from workers.metrics import Behind
from workers.stream.app import StreamApp

if TYPE_CHECKING:
    from workers.stream.acks import FetchedMessage


def fetch_age_s(app: StreamApp) -> float | None:
    """
    Tell how long ago the broker last answered a fetch, seconds; None where nothing is read.

    An answer comes every fetch wait even where no record does, so a long silence is a broker that
    is away, or a consumer that died without a word. Before the first one it counts from the moment
    from which records may flow.
    """
    consumer = app.started_consumer
    if consumer is None:
        return None
    answers = [state.fetched_at_ms or 0 for state in consumer.read_state().values()]
    last_ms = max(answers, default=0)
    if last_ms:
        return max(0.0, time.time() - last_ms / 1e3)
    if answers and consumer.flows_since_s is not None:
        return time.monotonic() - consumer.flows_since_s
    return None


def own_lag(app: StreamApp) -> Iterator[Behind]:
    """
    Tell each assigned partition's lag; for the event loop only.

    A record counts until it is handled, not until its commit. Partitions are left out until a first
    fetch has told where they end, and all of them are while the group is not joined.
    """
    consumer = app.started_consumer
    if consumer is None:
        return
    now_s = time.time()
    for tp, state in sorted(consumer.read_state().items()):
        start = app.prefix.next_of(tp)
        if start is None:
            start = state.position
        if state.end is None or start is None:
            continue
        oldest = cast("FetchedMessage | None", app.prefix.oldest_of(tp))
        written_s = now_s if oldest is None or not oldest.timestamp else oldest.timestamp
        yield Behind(
            topic=tp.topic,
            partition=str(tp.partition),
            records=max(0, state.end - start),
            oldest_s=max(0.0, now_s - written_s),
        )
