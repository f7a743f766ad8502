"""The decisions that this worker published last, for turns that come again while Redis is away."""

from collections import OrderedDict

from workers.cached import StoredDecision

#: Decisions that are remembered: more than a worker commits late, a few megabytes.
CAPACITY = 2_000


class RecentDecisions:
    """A bounded memory; the oldest decision is forgotten first."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._by_key: OrderedDict[str, StoredDecision] = OrderedDict()

    def __len__(self) -> int:
        """Return how many are remembered."""
        return len(self._by_key)

    def get(self, key: str) -> StoredDecision | None:
        """Return the decision that was published under a key, if it is still known."""
        return self._by_key.get(key)

    def put(self, stored: StoredDecision) -> None:
        """Remember a decision; the first one of a turn stays."""
        self._by_key.setdefault(stored.key, stored)
        while len(self._by_key) > self._capacity:
            self._by_key.popitem(last=False)
