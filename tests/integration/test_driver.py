"""The driver brings a schedule to a real broker, byte for byte, and strikes where it was told."""

from tests.faults.driver import play, validity_of
from tests.faults.poison import CANARY
from tests.faults.schedule import Mix, every_poison, schedule
from tests.records import create_topic, read_all
from tests.validity import problem


class TestPlay:
    async def test_stream_is_stored(self, broker, fresh_name):
        """
        A mixed stream lies on the topic as it was sent, and the driver knows where.
        """
        topic = fresh_name("topic")
        await create_topic(broker.address, topic, partitions=3)

        sent = await play(broker.address, topic, schedule(1, records=150, mix=Mix(odd_texts=0.01)))

        found = {(r.partition, r.offset): r for r in await read_all(broker.address, topic)}
        assert len(found) == 150
        for each in sent:
            stored = found[each.record.partition, each.record.offset]
            assert (stored.key, stored.value) == (each.record.key, each.record.value)
        assert validity_of(sent) == {
            place: problem(record.value) is None for place, record in found.items()
        }

    async def test_every_poison_is_stored(self, own_broker):
        """
        The embedded broker takes every kind of poison, also 6 MB, and logs nothing of it.
        """
        await create_topic(own_broker.address, "poison")

        sent = await play(own_broker.address, "poison", every_poison(1, large=True))

        found = await read_all(own_broker.address, "poison")
        # A list of kinds, so that a failure does not print megabytes.
        pairs = zip(sent, found, strict=True)
        assert [each.item.kind for each, got in pairs if got.value != each.record.value] == []
        assert CANARY.encode() not in own_broker.process.log_path.read_bytes()

    async def test_strikes(self, broker, fresh_name):
        """
        A strike happens between the record before its position and the one at it.
        """
        topic = fresh_name("topic")
        await create_topic(broker.address, topic)
        on_topic = []

        async def look():
            on_topic.append(len(await read_all(broker.address, topic)))

        await play(broker.address, topic, schedule(1, records=10), strikes={0: look, 7: look})

        assert on_topic == [0, 7]
