"""Puts the demo's knowledge base on the broker and asks its questions."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer

from topics.codec import encode
from topics.entry import KbEntry
from topics.names import ENTRIES, QUESTIONS, pair_key
from topics.profile import AgentProfile, KnowledgeProfile, Mode
from topics.question import CandidateEntry, KbQuestion
from workers.demo.knowledge.data import DemoQuestion, KnowledgeData
from workers.demo.play import TurnKey

#: The agent that asks, in every tenant.
AGENT = "desk"
#: Questions a second. The judge reads up to eight entries for one, so it is busy for a good part of
#: that time, on the cores that all the rest runs on too.
RATE = 3.0
#: Every so-manyth question is delivered again at the end.
REDELIVERED_EVERY = 9


@dataclass(slots=True)
class Asked:
    """What has been asked so far."""

    #: When each question was sent, seconds on the monotonic clock.
    sent_s: dict[TurnKey, float] = field(default_factory=dict)
    #: How often each question was sent.
    times: dict[TurnKey, int] = field(default_factory=dict)


def profiles(tenants: Iterable[str]) -> list[AgentProfile]:
    """Make the profiles of the agents that ask."""
    knowledge = KnowledgeProfile(mode=Mode.LIVE)
    return [
        AgentProfile(tenant_id=tenant, agent_id=AGENT, version=1, knowledge=knowledge)
        for tenant in tenants
    ]


def question_event(
    question: DemoQuestion, entries: dict[tuple[str, str], KbEntry], asked_at_ms: int
) -> KbQuestion:
    """Make the event of a question, with the candidates that its agent brings."""
    brought = [entries[question.tenant, name] for name in question.candidates]
    tenant_id, call_id, seq = question.key
    return KbQuestion(
        tenant_id=tenant_id,
        agent_id=AGENT,
        call_id=call_id,
        seq=seq,
        question=question.text,
        asked_at_ms=asked_at_ms,
        candidates=tuple(
            CandidateEntry(
                entry_id=entry.entry_id,
                title=entry.title,
                content=entry.content,
                category=entry.category,
                lang=entry.lang,
            )
            for entry in brought
        ),
    )


class Asker:
    """Loads the knowledge base and asks."""

    def __init__(self, producer: AIOKafkaProducer, prefix: str, data: KnowledgeData) -> None:
        self._producer = producer
        self._prefix = prefix
        self._data = data
        self._values: dict[TurnKey, bytes] = {}
        #: What has been asked so far.
        self.asked = Asked()

    async def load(self) -> None:
        """Publish all entries."""
        for entry in self._data.entries:
            await self._producer.send_and_wait(
                self._prefix + ENTRIES.name,
                encode(entry),
                key=pair_key(entry.tenant_id, entry.entry_id),
            )

    async def ask(self, rate: float = RATE) -> None:
        """Ask all questions, so many a second, and at the end a few of them once more."""
        entries = {(entry.tenant_id, entry.entry_id): entry for entry in self._data.entries}
        started_s = time.monotonic()
        for place, question in enumerate(self._data.questions):
            await asyncio.sleep(max(0.0, started_s + place / rate - time.monotonic()))
            event = question_event(question, entries, int(time.time() * 1e3))
            self._values[question.key] = encode(event)
            self.asked.sent_s[question.key] = time.monotonic()
            await self._send(question)
        for question in self._data.questions[::REDELIVERED_EVERY]:
            await self._send(question)

    async def _send(self, question: DemoQuestion) -> None:
        key = question.key
        self.asked.times[key] = self.asked.times.get(key, 0) + 1
        await self._producer.send_and_wait(
            self._prefix + QUESTIONS.name, self._values[key], key=question.question_id.encode()
        )
