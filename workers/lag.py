"""
How far consumer groups are behind, from the broker's side: unread records and the oldest one's age.

It reads what the group has committed and never joins it, so looking changes nothing.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from topics.names import (
    GAP_ACTIONS,
    PREDICTIONS,
    QUESTIONS,
    REVIEW,
    TOPICS,
    UTTERANCES,
    Topic,
)
from workers.admin import BrokerConnection, admin_client, partition_counts
from workers.errors import SettingsError
from workers.lag_offsets import committed_offsets, end_of, group_consumer, oldest_unread
from workers.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A consumer group and the topics that it reads; names are with the prefix."""

    group: str
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionLag:
    """How far a group is behind on one partition."""

    group: str
    topic: str
    partition: int
    #: Offset that the group reads next; None where it has never committed here.
    committed: int | None
    #: Offset after the newest record.
    end: int
    #: Records from there to the end; holes in the offsets count too.
    unread: int
    #: When the oldest unread record was written, Unix epoch, milliseconds; None if nothing is
    #: unread, or if its record could not be had.
    oldest_at_ms: int | None
    #: Its age when this was read, seconds; never negative.
    oldest_age_s: float | None
    #: The committed offset is not in the log any more, or not yet: records expired unread, or the
    #: topic was made anew.
    out_of_range: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLag:
    """How far a group is behind."""

    group: str
    #: The group's state as the broker names it, as `Stable` or `Empty`; None if it does not say.
    state: str | None
    #: How many workers are in the group; None if the broker does not say.
    members: int | None
    partitions: tuple[PartitionLag, ...]

    @property
    def unread(self) -> int:
        """All unread records."""
        return sum(one.unread for one in self.partitions)

    @property
    def oldest_age_s(self) -> float | None:
        """Age of the oldest unread record, seconds."""
        ages = [one.oldest_age_s for one in self.partitions if one.oldest_age_s is not None]
        return max(ages, default=None)


def readers(settings: Settings) -> tuple[Reader, ...]:
    """Return the groups of this deployment's workers; a new kind of worker has its line here."""
    named = (
        (settings.group, (PREDICTIONS, UTTERANCES, QUESTIONS)),
        (settings.slow_group, (REVIEW, GAP_ACTIONS)),
    )
    return tuple(
        Reader(
            group=settings.prefix + group,
            topics=tuple(settings.prefix + topic.name for topic in topics),
        )
        for group, topics in named
    )


async def read_lag(broker: BrokerConnection, wanted: Sequence[Reader]) -> tuple[GroupLag, ...]:
    """
    Say how far groups are behind on the topics that they read.

    Args:
        broker: where; its time limit is for all groups together.
        wanted: which.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: a topic does not exist.

    """
    async with admin_client(broker) as admin:
        counts = await partition_counts(admin)
        missing = sorted({name for one in wanted for name in one.topics} - set(counts))
        if missing:
            raise SettingsError(
                f"no topic {', '.join(missing)} at {broker.address}: "
                "`turngate topics create` makes them, TURNGATE_PREFIX names another deployment's"
            )
        return tuple([await _of_group(broker, admin, one, counts) for one in wanted])


async def committed_topics(
    broker: BrokerConnection, group: str, *, prefix: str = "", topics: Sequence[Topic] = TOPICS
) -> Reader:
    """
    Find out which of our topics a group reads: those on which it has committed.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: it has committed on none.

    """
    async with admin_client(broker) as admin:
        counts = await partition_counts(admin)
    names = [prefix + topic.name for topic in topics if prefix + topic.name in counts]
    async with group_consumer(broker, group) as consumer:
        offsets = await committed_offsets(consumer, _partitions(names, counts))
    found = {place.topic for place, offset in offsets.items() if offset is not None}
    if not found:
        raise SettingsError(
            f"group {group} has read none of this deployment's topics at {broker.address}"
        )
    return Reader(group=group, topics=tuple(name for name in names if name in found))


async def _of_group(
    broker: BrokerConnection, admin: AIOKafkaAdminClient, reader: Reader, counts: Mapping[str, int]
) -> GroupLag:
    state, members = await _membership(admin, reader.group)
    places = _partitions(reader.topics, counts)
    async with group_consumer(broker, reader.group) as consumer:
        committed = await committed_offsets(consumer, places)
        begins = await consumer.beginning_offsets(places)
        starts = {place: max(begins[place], committed[place] or 0) for place in places}
        oldest_at_ms = await oldest_unread(consumer, starts, begins)
        ends = {place: end_of(consumer, place, starts[place]) for place in places}
    now_ms = int(time.time() * 1e3)
    return GroupLag(
        group=reader.group,
        state=state,
        members=members,
        partitions=tuple(
            _lag(
                reader.group,
                place,
                committed=committed[place],
                begin=begins[place],
                end=ends[place],
                oldest_at_ms=oldest_at_ms.get(place),
                now_ms=now_ms,
            )
            for place in places
        ),
    )


def _lag(
    group: str,
    place: TopicPartition,
    *,
    committed: int | None,
    begin: int,
    end: int,
    oldest_at_ms: int | None,
    now_ms: int,
) -> PartitionLag:
    # Without a commit that is in range, a group starts at the beginning.
    inside = committed is not None and begin <= committed <= end
    start = committed if inside and committed is not None else begin
    unread = max(0, end - start)
    age_s = None if oldest_at_ms is None or not unread else max(0, now_ms - oldest_at_ms) / 1e3
    return PartitionLag(
        group=group,
        topic=place.topic,
        partition=place.partition,
        committed=committed,
        end=end,
        unread=unread,
        oldest_at_ms=oldest_at_ms if unread else None,
        oldest_age_s=age_s,
        out_of_range=committed is not None and not inside,
    )


def _partitions(names: Sequence[str], counts: Mapping[str, int]) -> list[TopicPartition]:
    return [TopicPartition(name, number) for name in names for number in range(counts[name])]


async def _membership(admin: AIOKafkaAdminClient, group: str) -> tuple[str | None, int | None]:
    """Ask for the group's state and size; whoever may not describe groups still sees its lag."""
    try:
        answers = await admin.describe_consumer_groups([group])
    except KafkaError:
        return None, None
    for answer in answers:
        for code, name, state, _protocol_type, _protocol, members, *_ in answer.groups:
            if code == 0 and name == group:
                return state or None, len(members)
    return None, None
