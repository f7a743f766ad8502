"""Reads what becomes of the questions: verdicts, results of the slow worker, gaps."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiokafka import ConsumerRecord

from topics.codec import decode
from topics.gap import Gap
from topics.names import GAPS, REVIEWED, VERDICTS
from topics.reviewed import ReviewedItem
from topics.verdict import KbVerdict
from workers.demo.collect import reading
from workers.demo.play import TurnKey
from workers.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One verdict, as it came."""

    verdict: KbVerdict
    #: The record's bytes.
    value: bytes
    #: When it came, seconds on the monotonic clock.
    at_s: float


@dataclass(slots=True)
class Heard:
    """What has come so far."""

    #: Verdicts on each question, in the order of their coming.
    verdicts: dict[TurnKey, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    #: The last result of each question that was reviewed.
    reviewed: dict[TurnKey, ReviewedItem] = field(default_factory=dict)
    #: The last record of each gap.
    gaps: dict[str, Gap] = field(default_factory=dict)
    #: Bytes of all results and gaps, to look for what must not be in them.
    written: list[bytes] = field(default_factory=list)


@asynccontextmanager
async def hearing(settings: Settings) -> AsyncIterator[Heard]:
    """Collect from the beginning of the three topics for the time of the block."""
    heard = Heard()
    verdicts, reviewed = settings.prefix + VERDICTS.name, settings.prefix + REVIEWED.name

    def take(record: ConsumerRecord) -> None:
        if record.topic == verdicts:
            answer = Answer(
                verdict=decode(KbVerdict, record.value), value=record.value, at_s=time.monotonic()
            )
            verdict = answer.verdict
            heard.verdicts[verdict.tenant_id, verdict.call_id, verdict.seq].append(answer)
            return
        heard.written.append(record.value)
        if record.topic == reviewed:
            item = decode(ReviewedItem, record.value)
            heard.reviewed[item.tenant_id, item.call_id, item.seq] = item
        else:
            gap = decode(Gap, record.value)
            heard.gaps[gap.gap_id] = gap

    async with reading(settings, (VERDICTS, REVIEWED, GAPS), take, name="demo-knowledge"):
        yield heard
