"""Reads what the workers answer: decisions and dead letters."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiokafka import AIOKafkaConsumer, ConsumerRecord

from topics.codec import decode
from topics.dead_letter import DeadLetter
from topics.decision import Decision
from topics.names import DEAD_LETTERS, DECISIONS, Topic
from workers.background import beside
from workers.demo.play import Place, Sent, TurnKey
from workers.kafka import security_options, stop_consumer
from workers.settings import Settings
from workers.stream.settings import stream_settings

#: Pause between two looks at what has come, seconds.
_LOOK_AGAIN_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One decision, as it came."""

    decision: Decision
    #: The record's bytes.
    value: bytes
    #: When it came, seconds on the monotonic clock.
    at_s: float

    @property
    def key(self) -> TurnKey:
        """Which turn it decides."""
        return (self.decision.tenant_id, self.decision.call_id, self.decision.seq)


@dataclass(slots=True)
class Answers:
    """What has come so far."""

    #: Decisions of each turn, in the order of their coming.
    decisions: dict[TurnKey, list[Received]] = field(default_factory=lambda: defaultdict(list))
    #: Where the record of each dead letter lies.
    dead: list[Place] = field(default_factory=list)

    def take(self, received: Received) -> None:
        """Add one decision."""
        self.decisions[received.key].append(received)


@asynccontextmanager
async def collecting(
    settings: Settings, on_decision: Callable[[Received], None]
) -> AsyncIterator[Answers]:
    """
    Collect from the beginning of both topics for the time of the block.

    Args:
        settings: where the broker is.
        on_decision: called with each decision, as it comes.

    """
    answers = Answers()
    decisions = settings.prefix + DECISIONS.name

    def take(record: ConsumerRecord) -> None:
        if record.topic == decisions:
            received = _decision(record)
            answers.take(received)
            on_decision(received)
        else:
            letter = decode(DeadLetter, record.value)
            answers.dead.append((letter.topic, letter.partition, letter.offset))

    async with reading(settings, (DECISIONS, DEAD_LETTERS), take, name="demo-answers"):
        yield answers


@asynccontextmanager
async def reading(
    settings: Settings,
    topics: Iterable[Topic],
    take: Callable[[ConsumerRecord], None],
    *,
    name: str,
) -> AsyncIterator[None]:
    """
    Read topics from their beginning for the time of the block.

    Args:
        settings: where the broker is.
        topics: what is read.
        take: called with each record, as it comes.
        name: of the task that reads.

    """
    stream = stream_settings(settings, client_id="turngate-demo")
    consumer = AIOKafkaConsumer(
        *(settings.prefix + topic.name for topic in topics),
        bootstrap_servers=stream.brokers,
        client_id=stream.client_id,
        group_id=None,
        auto_offset_reset="earliest",
        fetch_max_wait_ms=stream.fetch_wait_ms,
        **security_options(stream.security),
    )
    await consumer.start()
    try:
        async with beside(_read(consumer, take), name=name):
            yield
    finally:
        await stop_consumer(consumer)


async def _read(consumer: AIOKafkaConsumer, take: Callable[[ConsumerRecord], None]) -> None:
    async for record in consumer:
        take(record)


def _decision(record: ConsumerRecord) -> Received:
    return Received(
        decision=decode(Decision, record.value), value=record.value, at_s=time.monotonic()
    )


def complete(sent: Sent, answers: Answers) -> bool:
    """Tell whether everything that was sent is answered."""
    return len(answers.dead) >= len(sent.bad) and all(
        len(answers.decisions.get(key, ())) >= times for key, times in sent.times.items()
    )


async def until(condition: Callable[[], bool], limit_s: float) -> bool:
    """Wait until `condition` holds, for at most `limit_s` seconds; tell whether it does."""
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(_LOOK_AGAIN_S)
    return True
