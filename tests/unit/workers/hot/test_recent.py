"""Recently published decisions."""

from workers.cached import StoredDecision
from workers.hot.recent import RecentDecisions


def stored(key: str, decision: str = "{}") -> StoredDecision:
    return StoredDecision(key=key, text_digest="d", decision=decision)


class TestRecentDecisions:
    def test_the_first_decision_of_a_turn_stays(self):
        """
        What was published first is what a redelivery gets.
        """
        recent = RecentDecisions()

        recent.put(stored("a", "1"))
        recent.put(stored("a", "2"))

        assert recent.get("a") == stored("a", "1")

    def test_the_oldest_is_forgotten_first(self):
        """
        The memory is bounded.
        """
        recent = RecentDecisions(capacity=2)

        for key in ("a", "b", "c"):
            recent.put(stored(key))

        assert len(recent) == 2
        assert recent.get("a") is None
        assert recent.get("c") is not None
