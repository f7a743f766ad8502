"""
Topics on the broker: made when they are missing, never altered.

* create_topics   make what is missing, and say what does not fit
* check_topics    say what a worker would miss, before it starts
* admin_client    what other questions to the brokers start with
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, UnknownError, for_code

from topics.names import COPARTITIONED, TOPICS, Topic
from workers.errors import BrokerUnavailable, SettingsError
from workers.kafka import security_options
from workers.settings import Settings
from workers.stream.settings import Security, stream_settings

_log = logging.getLogger(__name__)

_CLIENT_ID = "turngate-admin"
_PLAIN_TEXT = Security()

#: Copies of each partition, where there are as many brokers: one may be down for maintenance while
#: another fails.
COPIES = 3
#: How long a broker may take over describing its topics' settings, seconds; we can do without.
_DESCRIBE_LIMIT_S = 3.0
_POLICY = "cleanup.policy"
#: What Kafka allows in names; the embedded broker would take anything.
_NAME = re.compile(r"[a-zA-Z0-9._-]{1,249}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConnection:
    """How to reach the brokers."""

    #: `host:port`, several separated by commas.
    address: str
    #: How to talk to them.
    security: Security = _PLAIN_TEXT
    #: Everything that one function here does takes at most this long, seconds.
    limit_s: float = 15.0


def connection(settings: Settings) -> BrokerConnection:
    """
    Take the connection out of the settings.

    Raises:
        SettingsError: SASL without a user or password, or an unreadable certificate authority.

    """
    stream = stream_settings(settings, client_id=_CLIENT_ID)
    return BrokerConnection(address=stream.brokers, security=stream.security)


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """What became of each topic; names are with the prefix."""

    #: Topics that were missing and now exist.
    created: tuple[str, ...] = ()
    #: Topics that were there, and were left as they are.
    existing: tuple[str, ...] = ()
    #: What does not fit about those, a sentence each.
    warnings: tuple[str, ...] = ()
    #: Topics that are still missing, a sentence each.
    failed: tuple[str, ...] = ()


async def create_topics(
    broker: BrokerConnection,
    *,
    prefix: str = "",
    topics: Sequence[Topic] = TOPICS,
    copies: int | None = None,
) -> Creation:
    """
    Create the topics that are missing; safe to repeat, and to run twice at once.

    Args:
        broker: where.
        prefix: put before each name.
        topics: which.
        copies: of each partition; by default `COPIES`, or as many as there are brokers.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: the prefix makes names that Kafka does not allow.

    """
    wanted = _named(topics, prefix)
    async with admin_client(broker) as admin:
        before = await partition_counts(admin)
        missing = {name: topic for name, topic in wanted.items() if name not in before}
        errors = await _create(admin, missing, copies or await _affordable_copies(admin))
        created = tuple(name for name, code in errors.items() if code == 0)
        failed = {name: code for name, code in errors.items() if code not in _MADE}
        existing = {n: t for n, t in wanted.items() if n not in created and n not in failed}
        partitions = await partition_counts(admin)
        policies = await _policies(admin, existing) if existing else {}
    return Creation(
        created=created,
        existing=tuple(existing),
        warnings=tuple(_misfits(existing, partitions, policies)),
        failed=tuple(
            f"{name} was not created: {for_code(code).__name__}" for name, code in failed.items()
        ),
    )


async def check_topics(
    broker: BrokerConnection, *, prefix: str = "", topics: Sequence[Topic] = TOPICS
) -> tuple[str, ...]:
    """
    Say what is wrong with the topics that a worker needs, a sentence each; empty if nothing is.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: the prefix makes names that Kafka does not allow.

    """
    wanted = _named(topics, prefix)
    async with admin_client(broker) as admin:
        partitions = await partition_counts(admin)
    missing = [f"topic {name} does not exist" for name in wanted if name not in partitions]
    together = {
        name: partitions[name]
        for name, topic in wanted.items()
        if topic in COPARTITIONED and name in partitions
    }
    if len(set(together.values())) > 1:
        counts = ", ".join(f"{name} has {count}" for name, count in together.items())
        return (*missing, f"topics of one call need equal partition counts: {counts}")
    return tuple(missing)


async def need_topics(
    broker: BrokerConnection, *, prefix: str = "", topics: Sequence[Topic] = TOPICS
) -> None:
    """
    Make sure of the topics that are needed.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: what is wrong with them, or with the prefix.

    """
    problems = await check_topics(broker, prefix=prefix, topics=topics)
    if problems:
        raise SettingsError("; ".join(problems))


def _named(topics: Iterable[Topic], prefix: str) -> dict[str, Topic]:
    named = {prefix + topic.name: topic for topic in topics}
    for name in named:
        if not _NAME.fullmatch(name):
            raise SettingsError(
                "the prefix makes topic names that Kafka does not allow: they hold at most 249 "
                "letters, digits, dots, underscores and hyphens"
            )
    return named


@asynccontextmanager
async def admin_client(broker: BrokerConnection) -> AsyncIterator[AIOKafkaAdminClient]:
    """
    Open the admin client; everything inside the block shares its time limit.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.

    """
    client = AIOKafkaAdminClient(
        bootstrap_servers=broker.address,
        client_id=_CLIENT_ID,
        request_timeout_ms=int(broker.limit_s * 1000),
        **security_options(broker.security),
    )
    try:
        async with bounded(broker):
            await client.start()
            yield client
    finally:
        await client.close()


@asynccontextmanager
async def bounded(broker: BrokerConnection) -> AsyncIterator[None]:
    """
    Give the block the connection's time limit, and whatever Kafka raises in it a name of ours.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.

    """
    try:
        async with asyncio.timeout(broker.limit_s):
            yield
    except TimeoutError:
        raise BrokerUnavailable(
            f"no answer from Kafka at {broker.address} within {broker.limit_s:g} s"
        ) from None
    except (KafkaError, OSError) as error:
        # The library's own words may hold what we sent; its error names say enough.
        raise BrokerUnavailable(
            f"Kafka at {broker.address} failed: {type(error).__name__}"
        ) from error


async def partition_counts(admin: AIOKafkaAdminClient) -> dict[str, int]:
    """Count the partitions of all topics; a broker may create one that is asked for by name."""
    return {
        topic["topic"]: len(topic["partitions"])
        for topic in await admin.describe_topics()
        if topic["partitions"]
    }


async def _affordable_copies(admin: AIOKafkaAdminClient) -> int:
    cluster = await admin.describe_cluster()
    return max(1, min(COPIES, len(cluster["brokers"])))


#: Codes after which a topic exists: made by us, or by another creator in the meantime.
_MADE = {0, TopicAlreadyExistsError.errno}


async def _create(
    admin: AIOKafkaAdminClient, missing: Mapping[str, Topic], copies: int
) -> dict[str, int]:
    if not missing:
        return {}
    answer = await admin.create_topics(
        [
            NewTopic(name, topic.partitions, copies, topic_configs=topic.config)
            for name, topic in missing.items()
        ]
    )
    codes = {name: code for name, code, *_ in answer.topic_errors}
    return {name: codes.get(name, UnknownError.errno) for name in missing}


async def _policies(admin: AIOKafkaAdminClient, names: Iterable[str]) -> dict[str, str]:
    """
    Read how each topic is cleaned; empty if the broker does not say.

    All settings are asked for, not only the one: the embedded broker drops the connection when a
    setting is named.
    """
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    try:
        async with asyncio.timeout(_DESCRIBE_LIMIT_S):
            answers = await admin.describe_configs(resources)
    except (KafkaError, TimeoutError) as error:
        _log.warning("topic_settings_not_described error=%s", type(error).__name__)
        return {}
    return dict(_read_policies(answers))


def _read_policies(answers: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for answer in answers:
        for code, _message, _type, name, entries in answer.resources:
            for setting, value, *_ in entries:
                if code == 0 and setting == _POLICY:
                    yield name, value


def _misfits(
    existing: Mapping[str, Topic], partitions: Mapping[str, int], policies: Mapping[str, str]
) -> Iterable[str]:
    for name, topic in existing.items():
        found = partitions.get(name, topic.partitions)
        if found != topic.partitions:
            yield f"{name} has {found} partitions where we would make {topic.partitions}"
        policy, needed = policies.get(name), topic.config[_POLICY]
        if policy is None and topic.compacted:
            yield f"{name} must be compacted, and the broker does not say whether it is"
        elif policy not in {None, needed}:
            yield f"{name} has {_POLICY}={policy} where it must be {needed}"
