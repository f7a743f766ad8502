"""The slow worker's topics: whether they fit, and what it reads and stores there."""

from dataclasses import replace

import pytest
from aiokafka.errors import KafkaError

from tests.fakes.slow import make_asked
from tests.records import Raw, create_topic, produce, read_all
from tests.waiting import wait_until
from topics.codec import encode
from topics.gap import GapReason
from topics.names import TOPICS
from workers.background import beside
from workers.errors import SettingsError
from workers.settings import Settings
from workers.slow.app import _check
from workers.slow.errors import OwnershipLost
from workers.slow.gap import found
from workers.slow.outbox import open_outbox
from workers.slow.pulse import Pulse
from workers.slow.read_back import GapsTopic
from workers.slow.standing import Standing
from workers.stream.settings import StreamSettings


async def test_missing_topics_stop_the_start(broker, topic_prefix):
    """A worker that has nowhere to write says which topics are missing."""
    with pytest.raises(SettingsError, match=r"kb\.gap\.actions does not exist"):
        await _check(Settings(kafka=broker.address, prefix=topic_prefix))


async def test_items_and_actions_must_meet(broker, topic_prefix):
    """With unequal partition counts an action could reach a worker that has not the gap."""
    for topic in TOPICS:
        count = 3 if topic.name == "kb.review" else 2
        await create_topic(broker.address, topic_prefix + topic.name, partitions=count)
    with pytest.raises(SettingsError, match="equal partition counts"):
        await _check(Settings(kafka=broker.address, prefix=topic_prefix))


async def test_gaps_are_read_back_and_followed(broker, topic_prefix):
    """What the topic holds is read when asked for; what comes then is seen, until asked again."""
    topic = f"{topic_prefix}kb.gaps"
    await create_topic(broker.address, topic, partitions=2)
    standing = Standing()
    gaps = GapsTopic(StreamSettings(brokers=broker.address, group="none"), topic, standing)

    async def put(gap_id: str, count: int | None) -> None:
        gap = found("t", gap_id, make_asked("do you ship"), reason=GapReason.NOT_JUDGED)
        value = None if count is None else encode(replace(gap, count=count))
        await produce(broker.address, topic, [Raw(key=gap_id.encode(), value=value)])

    for gap_id, count in (("a", 1), ("b", 5), ("a", 2), ("c", 1), ("c", None)):
        await put(gap_id, count)
    async with beside(gaps.keep_reading(), name="gaps"):
        first = await gaps.read_back()
        assert len(standing) == 0
        await put("d", 7)
        await wait_until(lambda: len(standing) == 1, "the new record to be seen")
        again = await gaps.read_back()

    assert {gap.gap_id: gap.count for gap in first} == {"a": 2, "b": 5}
    assert {gap.gap_id: gap.count for gap in again} == {"a": 2, "b": 5, "d": 7}
    assert len(standing) == 0


async def test_nothing_is_sent_after_a_standstill(broker, topic_prefix):
    """What the producer held when the partitions were lost is dropped, also when it is closed."""
    topic = f"{topic_prefix}kb.gaps"
    await create_topic(broker.address, topic)
    stream = StreamSettings(brokers=broker.address, group="none")
    pulse = Pulse(stream.session_s)
    async with open_outbox(stream, pulse, letters="none") as outbox:
        place = await outbox.store(topic, key=b"g", value=b"before")
        held = await outbox._producer.send(topic, b"held", key=b"g")
        pulse.lose()
        with pytest.raises(OwnershipLost):
            await outbox.store(topic, key=b"g", value=b"after")

    assert isinstance(held.exception(), KafkaError)
    stored = await read_all(broker.address, topic)
    assert [(one.offset, one.value) for one in stored] == [(place.offset, b"before")]
