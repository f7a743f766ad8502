"""Topics on a real broker."""

import asyncio
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from tests.records import Raw, create_topic, produce, read_all
from tests.services import ExternalBroker
from topics.names import GAPS, PROFILES, TOPICS, UTTERANCES
from workers.admin import BrokerConnection, check_topics, create_topics
from workers.commands.topics import topics
from workers.embedded import Broker
from workers.errors import BrokerUnavailable
from workers.settings import Settings


@pytest.fixture
def connected(broker: Broker | ExternalBroker) -> BrokerConnection:
    """Give the way to the broker of all tests."""
    return BrokerConnection(address=broker.address)


def _names(prefix: str) -> tuple[str, ...]:
    return tuple(prefix + topic.name for topic in TOPICS)


async def test_topics_are_made_once(connected: BrokerConnection, topic_prefix: str) -> None:
    """The first run makes them all, the second finds them as they should be."""
    first = await create_topics(connected, prefix=topic_prefix)
    second = await create_topics(connected, prefix=topic_prefix)

    assert first.created == _names(topic_prefix)
    assert first.existing == first.warnings == first.failed == ()
    assert second.existing == _names(topic_prefix)
    assert second.created == second.warnings == second.failed == ()


async def test_only_what_is_missing_is_made(connected: BrokerConnection, topic_prefix: str) -> None:
    """A topic that is there keeps its records when the others are made."""
    name = topic_prefix + UTTERANCES.name
    await create_topics(connected, prefix=topic_prefix, topics=(UTTERANCES,))
    await produce(connected.address, name, [Raw(value=b"kept", key=b"call-1")])

    outcome = await create_topics(connected, prefix=topic_prefix)

    assert outcome.existing == (name,)
    assert [record.value for record in await read_all(connected.address, name)] == [b"kept"]


async def test_two_creators_at_once(connected: BrokerConnection, topic_prefix: str) -> None:
    """Two starting deployments do not disturb each other; each topic is made by one of them."""
    outcomes = await asyncio.gather(
        *(create_topics(connected, prefix=topic_prefix) for _ in range(2))
    )

    made = [name for outcome in outcomes for name in outcome.created]
    assert sorted(made) == sorted(_names(topic_prefix))
    assert [outcome.failed for outcome in outcomes] == [(), ()]
    assert await check_topics(connected, prefix=topic_prefix) == ()


async def test_what_does_not_fit_is_said_and_left(
    connected: BrokerConnection, topic_prefix: str
) -> None:
    """Other partitions or another cleanup are warnings, and stay as somebody made them."""
    address = connected.address
    await create_topic(
        address,
        topic_prefix + PROFILES.name,
        config={"cleanup.policy": "delete", "retention.ms": "3600000"},
    )
    await create_topic(address, topic_prefix + UTTERANCES.name, partitions=3)

    for _ in range(2):
        outcome = await create_topics(connected, prefix=topic_prefix, topics=(PROFILES, UTTERANCES))

        assert outcome.warnings == (
            f"{topic_prefix}agent.profiles has cleanup.policy=delete where it must be compact",
            f"{topic_prefix}turn.utterances has 3 partitions where we would make 8",
        )


async def test_topic_that_does_not_say_is_reported(own_broker: Broker, topic_prefix: str) -> None:
    """The embedded broker describes only settings that were given; ours must have been."""
    connected = BrokerConnection(address=own_broker.address)
    await create_topic(own_broker.address, topic_prefix + GAPS.name)

    outcome = await create_topics(connected, prefix=topic_prefix, topics=(GAPS,))

    assert outcome.warnings == (
        f"{topic_prefix}kb.gaps must be compacted, and the broker does not say whether it is",
    )


async def test_check_makes_nothing(connected: BrokerConnection, topic_prefix: str) -> None:
    """Looking for topics that are missing does not create them."""
    missing = tuple(f"topic {name} does not exist" for name in _names(topic_prefix))

    assert await check_topics(connected, prefix=topic_prefix) == missing
    assert await check_topics(connected, prefix=topic_prefix) == missing


async def test_check_wants_equal_partition_counts(
    connected: BrokerConnection, topic_prefix: str
) -> None:
    """A worker learns at its start that a call's topics do not go together."""
    await create_topic(connected.address, topic_prefix + UTTERANCES.name, partitions=3)
    await create_topics(connected, prefix=topic_prefix)

    (problem,) = await check_topics(connected, prefix=topic_prefix)

    assert f"{topic_prefix}turn.utterances has 3" in problem
    assert f"{topic_prefix}turn.predictions has 8" in problem


async def test_frozen_broker_is_an_error_in_bounded_time(own_broker: Broker) -> None:
    """A broker that stands still is given up after the limit."""
    own_broker.process.pause()

    with pytest.raises(BrokerUnavailable, match="no answer"):
        await create_topics(BrokerConnection(address=own_broker.address, limit_s=0.3))


def test_command_makes_topics(
    broker: Broker | ExternalBroker, fresh_name: Callable[[str], str]
) -> None:
    """`turngate topics create` makes them under the prefix, and again says that they exist."""
    settings = Settings(kafka=broker.address)
    prefix = f"{fresh_name('command')}."

    first = CliRunner().invoke(topics, ["create", "--prefix", prefix], obj=settings)
    second = CliRunner().invoke(topics, ["create", "--prefix", prefix], obj=settings)

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == "".join(f"created {name}\n" for name in _names(prefix))
    assert second.stdout == "".join(f"exists  {name}\n" for name in _names(prefix))
