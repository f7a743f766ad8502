"""Making and checking topics, against an admin client that answers as told."""

import asyncio
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from aiokafka.admin import NewTopic
from aiokafka.admin.config_resource import ConfigResource
from aiokafka.errors import KafkaConnectionError, TopicAuthorizationFailedError

from topics.names import DECISIONS, PREDICTIONS, PROFILES, TOPICS, UTTERANCES
from workers import admin
from workers.admin import BrokerConnection, check_topics, connection, create_topics
from workers.errors import BrokerUnavailable, SettingsError
from workers.settings import Secret, Settings
from workers.stream.settings import Security

_EXISTS = 36
_BROKER = BrokerConnection(address="kafka.test:9092", limit_s=5.0)


class _Created(NamedTuple):
    topic_errors: list[tuple[str, int, str | None]]


class _Described(NamedTuple):
    resources: list[tuple[int, str, int, str, list[tuple[str, str]]]]


@dataclass(slots=True)
class AdminStub:
    """A cluster in memory, with the part of aiokafka's admin client that we use."""

    #: Partition counts of the topics that exist.
    topics: dict[str, int] = field(default_factory=dict)
    #: Cleanup policies of those that say one.
    policies: dict[str, str] = field(default_factory=dict)
    #: How many brokers there are.
    brokers: int = 1
    #: Error codes of topics that cannot be created.
    refused: dict[str, int] = field(default_factory=dict)
    #: Raised when settings are described.
    describe_error: Exception | None = None
    #: Settings are never described.
    describe_hangs: bool = False
    #: What was asked to be created.
    asked: list[NewTopic] = field(default_factory=list)
    #: Options that the client was made with.
    options: dict[str, Any] = field(default_factory=dict)
    #: Whether the client was closed.
    closed: bool = False

    def __call__(self, **options: Any) -> "AdminStub":
        self.options = options
        return self

    async def start(self) -> None:
        """Connect."""

    async def close(self) -> None:
        """Note that it happened."""
        self.closed = True

    async def describe_topics(self) -> list[dict[str, Any]]:
        """List all topics."""
        return [{"topic": n, "partitions": [{}] * count} for n, count in self.topics.items()]

    async def describe_cluster(self) -> dict[str, Any]:
        """List the brokers."""
        return {"brokers": [{}] * self.brokers}

    async def create_topics(self, new: list[NewTopic]) -> _Created:
        """Create what is not refused."""
        self.asked += new
        for topic in new:
            if topic.name not in self.refused:
                self.topics[topic.name] = topic.num_partitions
                self.policies[topic.name] = topic.topic_configs["cleanup.policy"]
        return _Created([(topic.name, self.refused.get(topic.name, 0), None) for topic in new])

    async def describe_configs(self, resources: list[ConfigResource]) -> list[_Described]:
        """Describe the settings of topics."""
        if self.describe_error is not None:
            raise self.describe_error
        if self.describe_hangs:
            await asyncio.Event().wait()
        return [
            _Described(
                [
                    (0, "", 2, each.name, [("cleanup.policy", self.policies[each.name])])
                    for each in resources
                    if each.name in self.policies
                ]
            )
        ]

    def fill(self, prefix: str = "") -> None:
        """Make every topic as it should be."""
        self.topics = {prefix + topic.name: topic.partitions for topic in TOPICS}
        self.policies = {prefix + topic.name: topic.config["cleanup.policy"] for topic in TOPICS}


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[AdminStub]:
    """Give a cluster without topics; the client must be closed at the end."""
    stub = AdminStub()
    monkeypatch.setattr(admin, "AIOKafkaAdminClient", stub)
    yield stub
    assert stub.closed == bool(stub.options)


async def test_missing_topics_are_created(cluster: AdminStub) -> None:
    """Every topic is made with its partitions and settings."""
    outcome = await create_topics(_BROKER)

    assert outcome.created == tuple(topic.name for topic in TOPICS)
    assert outcome.existing == outcome.warnings == outcome.failed == ()
    assert {new.name: (new.num_partitions, new.topic_configs) for new in cluster.asked} == {
        topic.name: (topic.partitions, topic.config) for topic in TOPICS
    }


async def test_existing_topics_are_left(cluster: AdminStub) -> None:
    """Where everything is as it should be, nothing is asked of the broker and nothing said."""
    cluster.fill()

    outcome = await create_topics(_BROKER)

    assert cluster.asked == []
    assert outcome.existing == tuple(topic.name for topic in TOPICS)
    assert outcome.created == outcome.warnings == outcome.failed == ()


async def test_prefix_is_part_of_the_names(cluster: AdminStub) -> None:
    """Two deployments on one broker have topics of their own."""
    cluster.fill()

    outcome = await create_topics(_BROKER, prefix="blue.", topics=(UTTERANCES,))

    assert outcome.created == ("blue.turn.utterances",)


@pytest.mark.parametrize("prefix", ["two words ", "a/b", "x" * 240, "é", "a\n"], ids=ascii)
async def test_prefix_must_make_allowed_names(cluster: AdminStub, prefix: str) -> None:
    """A prefix that Kafka would not take is refused before anything is asked."""
    with pytest.raises(SettingsError, match="prefix"):
        await create_topics(_BROKER, prefix=prefix)
    with pytest.raises(SettingsError, match="prefix"):
        await check_topics(_BROKER, prefix=prefix)
    assert cluster.options == {}


async def test_other_partition_count_is_reported_not_altered(cluster: AdminStub) -> None:
    """A count that differs is a warning that names both."""
    cluster.fill()
    cluster.topics["turn.utterances"] = 3

    outcome = await create_topics(_BROKER)

    assert outcome.warnings == ("turn.utterances has 3 partitions where we would make 8",)
    assert cluster.topics["turn.utterances"] == 3


@pytest.mark.parametrize(
    ("topic", "policy", "warning"),
    [
        pytest.param(
            "agent.profiles",
            "delete",
            "agent.profiles has cleanup.policy=delete where it must be compact",
            id="not_compacted",
        ),
        pytest.param(
            "agent.profiles",
            "compact,delete",
            "agent.profiles has cleanup.policy=compact,delete where it must be compact",
            id="compacted_but_expires",
        ),
        pytest.param(
            "turn.decisions",
            "compact",
            "turn.decisions has cleanup.policy=compact where it must be delete",
            id="compacted_by_mistake",
        ),
    ],
)
async def test_other_cleanup_is_reported(
    cluster: AdminStub, topic: str, policy: str, warning: str
) -> None:
    """A topic that would lose records, or keep them for ever, is a warning."""
    cluster.fill()
    cluster.policies[topic] = policy

    outcome = await create_topics(_BROKER)

    assert outcome.warnings == (warning,)


async def test_silent_broker_is_reported_where_it_matters(cluster: AdminStub) -> None:
    """A topic without a stated policy is a warning only if it must be compacted."""
    cluster.fill()
    cluster.policies = {}

    outcome = await create_topics(_BROKER, topics=(PROFILES, UTTERANCES))

    assert outcome.warnings == (
        "agent.profiles must be compacted, and the broker does not say whether it is",
    )


@pytest.mark.parametrize("way", ["fails", "hangs"])
async def test_settings_that_cannot_be_described_stop_nothing(
    cluster: AdminStub, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Topics are made all the same, and what could not be checked is said."""
    monkeypatch.setattr(admin, "_DESCRIBE_LIMIT_S", 0.01)
    cluster.topics = {"agent.profiles": 1}
    cluster.describe_error = KafkaConnectionError("closed") if way == "fails" else None
    cluster.describe_hangs = way == "hangs"

    outcome = await create_topics(_BROKER, topics=(PROFILES, UTTERANCES))

    assert outcome.created == ("turn.utterances",)
    assert outcome.warnings == (
        "agent.profiles must be compacted, and the broker does not say whether it is",
    )


async def test_another_creator_may_be_faster(cluster: AdminStub) -> None:
    """A topic that appears between our look and our request counts as existing."""
    cluster.refused = {"turn.utterances": _EXISTS}

    outcome = await create_topics(_BROKER, topics=(UTTERANCES, DECISIONS))

    assert outcome.created == ("turn.decisions",)
    assert outcome.existing == ("turn.utterances",)
    assert outcome.failed == ()


async def test_refusal_is_reported_and_the_rest_is_made(cluster: AdminStub) -> None:
    """A topic that we may not create is named with the broker's reason."""
    cluster.refused = {"turn.utterances": TopicAuthorizationFailedError.errno}

    outcome = await create_topics(_BROKER, topics=(UTTERANCES, DECISIONS))

    assert outcome.created == ("turn.decisions",)
    assert outcome.failed == ("turn.utterances was not created: TopicAuthorizationFailedError",)


@pytest.mark.parametrize(
    ("brokers", "asked", "copies"),
    [(1, None, 1), (2, None, 2), (5, None, 3), (0, None, 1), (5, 1, 1)],
    ids=["one", "two", "five", "none_listed", "given"],
)
async def test_copies_fit_the_cluster(
    cluster: AdminStub, brokers: int, asked: int | None, copies: int
) -> None:
    """Three copies where there are brokers for them, fewer on a small cluster."""
    cluster.brokers = brokers

    await create_topics(_BROKER, topics=(UTTERANCES,), copies=asked)

    assert [new.replication_factor for new in cluster.asked] == [copies]


@pytest.mark.usefixtures("cluster")
async def test_check_is_content_with_what_create_made() -> None:
    """After creation a worker misses nothing."""
    await create_topics(_BROKER, prefix="blue.")

    assert await check_topics(_BROKER, prefix="blue.") == ()


async def test_check_names_missing_topics(cluster: AdminStub) -> None:
    """Each topic that a worker needs and does not find is named."""
    cluster.fill()
    del cluster.topics["turn.decisions"]
    del cluster.topics["kb.gaps"]

    assert await check_topics(_BROKER, topics=(UTTERANCES, DECISIONS)) == (
        "topic turn.decisions does not exist",
    )


async def test_check_wants_equal_partition_counts(cluster: AdminStub) -> None:
    """Predictions and utterances of one call must reach one worker."""
    cluster.fill()
    cluster.topics["turn.predictions"] = 4

    (problem,) = await check_topics(_BROKER)

    assert problem == (
        "topics of one call need equal partition counts: turn.predictions has 4, "
        "turn.utterances has 8, turn.decisions has 8"
    )


async def test_check_takes_any_equal_count(cluster: AdminStub) -> None:
    """Another count than ours is fine as long as it is one count."""
    cluster.fill()
    cluster.topics |= {"turn.predictions": 24, "turn.utterances": 24, "turn.decisions": 24}

    assert await check_topics(_BROKER, topics=(PREDICTIONS, UTTERANCES, DECISIONS)) == ()


@pytest.mark.parametrize("ask", [create_topics, check_topics])
async def test_closed_port_is_a_clear_error(ask: Callable[..., Any], unused_tcp_port: int) -> None:
    """Nobody listening is said at once, with the address."""
    with pytest.raises(BrokerUnavailable, match=f"127.0.0.1:{unused_tcp_port}"):
        await ask(BrokerConnection(address=f"127.0.0.1:{unused_tcp_port}"))


@pytest.mark.parametrize("ask", [create_topics, check_topics])
async def test_silent_port_is_an_error_in_bounded_time(ask: Callable[..., Any]) -> None:
    """A listener that never answers is given up after the limit."""

    gone = asyncio.Event()

    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        gone.set()

    async with await asyncio.start_server(swallow, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrokerUnavailable, match=r"no answer .* within 0\.2 s"):
            await ask(BrokerConnection(address=f"127.0.0.1:{port}", limit_s=0.2))
        await gone.wait()


@pytest.mark.usefixtures("cluster")
async def test_error_holds_no_words_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the kind of a foreign error goes into ours."""

    async def fail(_self: AdminStub) -> None:
        raise KafkaConnectionError("sent hunter2 and failed")

    monkeypatch.setattr(AdminStub, "start", fail)

    with pytest.raises(BrokerUnavailable) as unavailable:
        await create_topics(_BROKER)

    assert str(unavailable.value) == "Kafka at kafka.test:9092 failed: KafkaConnectionError"


_TLS = ssl.create_default_context()
_SASL = Security(mechanism="SCRAM-SHA-512", user="turngate", password=Secret("hunter2"))
_SASL_TLS = Security(tls=_TLS, mechanism="PLAIN", user="turngate", password=Secret("hunter2"))


@pytest.mark.parametrize(
    ("security", "options"),
    [
        pytest.param(
            Security(), {"security_protocol": "PLAINTEXT", "ssl_context": None}, id="plaintext"
        ),
        pytest.param(
            Security(tls=_TLS), {"security_protocol": "SSL", "ssl_context": _TLS}, id="ssl"
        ),
        pytest.param(
            _SASL,
            {
                "security_protocol": "SASL_PLAINTEXT",
                "ssl_context": None,
                "sasl_mechanism": "SCRAM-SHA-512",
                "sasl_plain_username": "turngate",
                "sasl_plain_password": "hunter2",
            },
            id="sasl_plaintext",
        ),
        pytest.param(
            _SASL_TLS,
            {
                "security_protocol": "SASL_SSL",
                "ssl_context": _TLS,
                "sasl_mechanism": "PLAIN",
                "sasl_plain_username": "turngate",
                "sasl_plain_password": "hunter2",
            },
            id="sasl_ssl",
        ),
    ],
)
async def test_security_reaches_the_client(
    cluster: AdminStub, security: Security, options: dict[str, Any]
) -> None:
    """TLS and SASL are passed on as the client calls them, and never left to its defaults."""
    await check_topics(BrokerConnection(address="kafka.test:9092", security=security))

    assert cluster.options.items() >= options.items()


def test_connection_comes_from_the_settings_and_hides_the_password() -> None:
    """Address and credentials are the worker's own; printing them shows no secret."""
    settings = Settings(
        kafka="kafka.test:9092",
        kafka_security="SASL_PLAINTEXT",
        kafka_user="turngate",
        kafka_password=Secret("hunter2"),
    )

    made = connection(settings)

    assert made.address == "kafka.test:9092"
    assert made.security.password.reveal() == "hunter2"
    assert "hunter2" not in repr(made)
