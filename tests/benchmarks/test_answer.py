"""Turns and questions at once: what judging answers, and loading entries, cost the match gate."""

import asyncio
import contextlib
import itertools
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from models.encoder import Encoder
from models.judge import Judge
from models.kb import Index
from models.kb.answer import AnswerModel
from models.kb.reading import entry_texts
from models.suites_kb import load
from tests.benchmarks.machine import percentiles, report
from tests.fakes.hot import Hot, make_utterance
from tests.fakes.kb import Knowledge, entry_record, make_entry, make_question
from tests.fakes.stream import make_record
from topics.codec import decode
from topics.decision import Decision
from topics.question import CandidateEntry
from workers.background import beside
from workers.inference import Inference
from workers.settings import load as load_settings

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(600)]

#: Turns of one round, a second, and rounds of each kind, taken in turn so that whatever else the
#: machine does hits all kinds alike.
TURNS, PACE, ROUNDS = 60, 10, 2
#: Questions a second, each with eight candidates.
QUESTIONS_PACE = 2.0
THREADS = 2
_EXPECTED = (
    "yes please go ahead",
    "no thank you not today",
    "can you call me back tomorrow",
    "how much does it cost",
    "I have already paid that",
    "please send me the details",
)


class Took(NamedTuple):
    """Times of one turn, milliseconds."""

    #: From receipt to decision.
    total: float
    #: Spent neither in the encoder nor in the judge, but waiting for them.
    waited: float


class StandIn:
    """The match judge's weights in place of an answer judge's: the same work, no meaning."""

    fingerprint = "stand-in"
    threshold = 0.5

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judge(self, question, entries, cancel=None):
        """Judge each entry as a pair."""
        pairs = [(question, entry_texts(entry)[0]) for entry in entries]
        logits = self._judge.logits(pairs, cancel)
        shares = 1 / (1 + np.exp(-logits))
        return tuple((float(1 - one), 0.0, 0.0, float(one)) for one in shares)


def answer_model(settings, judge: Judge) -> Any:
    """Load the shipped answer judge, or its stand-in while there is none."""
    if Path(settings.answer).is_dir():
        model = AnswerModel.load(settings.answer, threads=THREADS)
        model.warm()
        return model
    return StandIn(judge)


@pytest.fixture
async def parts():
    """A match gate and a knowledge base on real models, sharing one executor."""
    settings = load_settings({})
    encoder = Encoder.load(settings.encoder, threads=THREADS)
    judge = Judge.load(settings.judge, threads=THREADS)
    encoder.warm()
    judge.warm()
    async with Inference(capacity=64) as inference:
        hot, kb = Hot(inference), Knowledge(inference)
        hot.encoder, hot.judge = encoder, judge
        hot.rewire(budget_ms=2_000)
        kb.encoder = encoder
        kb.model = answer_model(settings, judge)
        kb.index = Index(encoder)
        kb.entries = kb.new_entries(tenant=100_000, every=100_000)
        kb.rewire(budget_ms=400)
        yield hot, kb


async def turns(hot: Hot, numbers) -> list[Took]:
    """Play one round of turns."""
    took = []
    for number in itertools.islice(numbers, TURNS):
        began = time.monotonic()
        call = f"call {number}"
        await hot.predict(*_EXPECTED, call_id=call)
        said = make_utterance(call_id=call, text="sure that would be fine")
        await hot.utterances.handle(make_record(said))
        (value,) = hot.publisher.on("turn.decisions")
        hot.publisher.records.clear()
        stages = decode(Decision, value).timings_ms
        waited = stages["inference"] - stages["encode"] - stages["judge"]
        took.append(Took(stages["total"], waited))
        await asyncio.sleep(max(0.0, 1 / PACE - (time.monotonic() - began)))
    return took


async def ask_for_ever(kb: Knowledge) -> None:
    """Ask questions with eight candidates each, at their pace."""
    entries = load().entries
    candidates = tuple(
        CandidateEntry(entry_id=one.id, title=one.title, content=one.content) for one in entries[:8]
    )
    async with asyncio.TaskGroup() as tasks:
        for number in itertools.count():
            question = make_question(
                call_id=str(number),
                question="how much is the gold plan for a month",
                candidates=candidates,
            )
            tasks.create_task(kb.ask(question))
            await asyncio.sleep(1 / QUESTIONS_PACE)


async def load_for_ever(kb: Knowledge) -> None:
    """Change entries without end, a hundred a second."""
    texts = [one.content for one in load().entries]
    for number in itertools.count():
        entry = make_entry(f"e{number % 1_000}", content=f"{number} {texts[number % len(texts)]}")
        await kb.entries.take(entry_record(entry))
        await asyncio.sleep(0.01)


async def test_match_latency_beside_questions(parts):
    """
    Match latency beside questions; alone and beside entries that change without end with it.
    """
    hot, kb = parts
    numbers = itertools.count()
    found: dict[str, list[Took]] = {"alone": [], "questions": [], "entries": []}
    await turns(hot, numbers)  # not measured
    for _ in range(ROUNDS):
        found["alone"] += await turns(hot, numbers)
        with contextlib.suppress(asyncio.CancelledError):
            async with beside(ask_for_ever(kb), name="questions"):
                found["questions"] += await turns(hot, numbers)
        async with (
            beside(kb.entries.keep_up(), name="index"),
            beside(load_for_ever(kb), name="entries"),
        ):
            found["entries"] += await turns(hot, numbers)

    verdicts = kb.verdicts()
    assert verdicts, "no question had a verdict"
    report(
        benchmark="match beside answers",
        unit="ms",
        turns={name: len(took) for name, took in found.items()},
        turns_a_second=PACE,
        questions_a_second=QUESTIONS_PACE,
        questions=len(verdicts),
        answer_judge=kb.model.fingerprint,
        times=[one.total for one in found["questions"]],
        **{
            f"{name}_{what}": percentiles([getattr(one, what) for one in took])
            for name, took in found.items()
            for what in Took._fields
        },
        verdict=percentiles([one.timings_ms["total"] for one in verdicts]),
        statuses={
            status: sum(one.status == status for one in verdicts)
            for status in {one.status for one in verdicts}
        },
        entries=len(kb.index.entries("t")),
    )
