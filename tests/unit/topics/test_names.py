"""The table of topics."""

import pytest

from topics.names import COPARTITIONED, TOPICS, Topic, pair_key


def test_names_and_events_are_unique() -> None:
    """Each topic has a name and an event of its own."""
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)
    assert len({topic.event for topic in TOPICS}) == len(TOPICS)


def test_what_is_looked_up_for_ever_is_compacted() -> None:
    """Profiles, bans, entries and gaps stay; everything else expires."""
    compacted = {topic.name for topic in TOPICS if topic.compacted}

    assert compacted == {"agent.profiles", "kb.entries", "kb.gaps", "pair.denials"}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_settings_are_for_a_broker(topic: Topic) -> None:
    """A topic is either compacted without an end, or deleted after a stated time."""
    if topic.compacted:
        assert topic.config == {"cleanup.policy": "compact"}
    else:
        assert topic.config == {
            "cleanup.policy": "delete",
            "retention.ms": str(topic.retention_ms),
        }


def test_a_call_is_in_one_partition_number() -> None:
    """What belongs to one call has one key and one partition count."""
    assert {topic.key for topic in COPARTITIONED} == {"call_id"}
    assert len({topic.partitions for topic in COPARTITIONED}) == 1


def test_internal_topic_is_kept_briefly() -> None:
    """Unmasked questions for the slow path are gone within a day."""
    (review,) = (topic for topic in TOPICS if topic.direction == "internal")

    assert review.retention_ms <= 24 * 3_600_000


def test_everyday_pair_key_is_readable() -> None:
    """Plain ids are joined as the contract shows them."""
    assert pair_key("acme", "desk-1") == b"acme/desk-1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("a/b", "c"), ("a", "b/c"), id="slash"),
        pytest.param(("a%2Fb", "c"), ("a/b", "c"), id="escaped"),
        pytest.param(("a", "b "), ("a", "b+"), id="space"),
        pytest.param(("é", "b"), ("e\u0301", "b"), id="decomposed"),
    ],
)
def test_pair_keys_never_meet(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Compaction never takes one tenant's record for another's."""
    assert pair_key(*one) != pair_key(*other)
