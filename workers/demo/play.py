"""Plays on the broker: profiles, and each step of a script at its time."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer

from topics.codec import encode
from topics.names import PREDICTIONS, PROFILES, UTTERANCES, pair_key
from topics.profile import AgentProfile
from workers.demo import events
from workers.demo.data import BadRecord
from workers.demo.script import Script, SendBad, SendPredictions, SendUtterance, Step

#: Tenant, call and turn.
TurnKey = tuple[str, str, int]
#: Topic, partition and offset.
Place = tuple[str, int, int]


@dataclass(slots=True)
class Sent:
    """What has been sent so far."""

    #: When each turn's utterance was sent, seconds on the monotonic clock.
    utterances: dict[TurnKey, float] = field(default_factory=dict)
    #: How often each turn's utterance was sent.
    times: dict[TurnKey, int] = field(default_factory=dict)
    #: Predictions, not records.
    predictions: int = 0
    #: Where each bad record lies.
    bad: dict[str, Place] = field(default_factory=dict)


async def announce(
    producer: AIOKafkaProducer, prefix: str, profiles: Iterable[AgentProfile]
) -> None:
    """Publish profiles."""
    for profile in profiles:
        key = pair_key(profile.tenant_id, profile.agent_id)
        await producer.send_and_wait(prefix + PROFILES.name, encode(profile), key=key)


class Player:
    """Sends what the script says."""

    def __init__(self, producer: AIOKafkaProducer, prefix: str) -> None:
        self._producer = producer
        self._prefix = prefix
        self._values: dict[TurnKey, bytes] = {}
        #: What has been sent so far.
        self.sent = Sent()

    async def play(self, script: Script) -> None:
        """Send every step at its time; what is late is sent at once, never left out."""
        started_s = time.monotonic()
        for step in script.steps:
            await asyncio.sleep(max(0.0, started_s + step.at_s - time.monotonic()))
            await self._send(step)

    async def _send(self, step: Step) -> None:
        match step:
            case SendPredictions():
                await self._predictions(step)
            case SendUtterance():
                await self._utterance(step)
            case SendBad():
                await self._bad(step.record)

    async def _predictions(self, step: SendPredictions) -> None:
        event = events.predictions(step.planned, _now_ms())
        await self._store(PREDICTIONS.name, step.planned.call_id, encode(event))
        self.sent.predictions += len(event.predictions)

    async def _utterance(self, step: SendUtterance) -> None:
        key = step.planned.key
        if not step.again:
            self._values[key] = encode(events.utterance(step.planned, _now_ms()))
            self.sent.utterances[key] = time.monotonic()
        self.sent.times[key] = self.sent.times.get(key, 0) + 1
        await self._store(UTTERANCES.name, step.planned.call_id, self._values[key])

    async def _store(self, topic: str, call_id: str, value: bytes) -> None:
        await self._producer.send_and_wait(self._prefix + topic, value, key=call_id.encode())

    async def _bad(self, record: BadRecord) -> None:
        topic = self._prefix + record.topic
        stored = await self._producer.send_and_wait(topic, record.value, key=b"bad-record")
        self.sent.bad[record.record_id] = (topic, stored.partition, stored.offset)


def _now_ms() -> int:
    return int(time.time() * 1e3)
