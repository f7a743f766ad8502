"""Verdicts over an endpoint that misbehaves: search order, the right status, on time, no text."""

import asyncio
import contextlib
import io
import logging
import time

import pytest

from tests.fakes.kb import Knowledge, make_question
from tests.faults.system_one import KEY
from tests.remote_judges import fresh_token, running_fault_server
from topics.review import ReviewCause
from topics.verdict import VerdictStatus
from workers.inference import Inference
from workers.kb.judges import RemoteJudge
from workers.log import JsonFormatter
from workers.settings import load
from workers.system_one import connect, endpoint_of

#: What a question has, milliseconds, and what it may take beyond on a busy machine, seconds.
BUDGET_MS, SLACK_S = 600, 1.5
#: Levels in search order; the honest server reads them in the content.
LEVELS = (0, 1, 3, 2)
CONTENTS = tuple(f"marked-content level {level}" for level in LEVELS)
QUESTION = "marked-question كم السعر"


@pytest.fixture(scope="module")
def server():
    with running_fault_server() as running:
        yield running


@contextlib.asynccontextmanager
async def knowledge_at(url: str, **settings):
    """Give the knowledge-base parts of a worker whose judge is this endpoint."""
    given = {"url": url, "key": KEY, "warm_s": "0"} | settings
    endpoint = endpoint_of(
        load({f"TURNGATE_SYSTEM_ONE_{name.upper()}": value for name, value in given.items()})
    )
    async with Inference(capacity=8) as inference, connect(endpoint) as remote:
        kb = Knowledge(inference)
        kb.rewire(judge=RemoteJudge(remote, model="clef", threshold=0.5), budget_ms=BUDGET_MS)
        yield kb


@contextlib.contextmanager
def logged():
    """Collect every log line of the process as the worker writes it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


async def test_an_honest_endpoint(server):
    """Levels, order and answer are the endpoint's, and it is asked once."""
    token = fresh_token()
    async with knowledge_at(server.url("honest", token)) as kb:
        kb.rewire(judge=kb.desk.judge, budget_ms=20_000)
        verdict = await kb.ask(make_question(*CONTENTS, question=QUESTION))

    assert (verdict.status, verdict.answerable) == (VerdictStatus.APPLIED, True)
    assert [one.level for one in verdict.entries] == [3, 2, 1, 0]
    assert [one.entry_id for one in verdict.entries] == ["c2", "c3", "c1", "c0"]
    assert server.seen(token)["posts"] == 1


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("silent", VerdictStatus.TIMEOUT),
        ("slow-head", VerdictStatus.TIMEOUT),
        ("slow-body", VerdictStatus.TIMEOUT),
        ("half-then-silent", VerdictStatus.TIMEOUT),
        ("late", VerdictStatus.TIMEOUT),
        ("closes-at-once", VerdictStatus.ERROR),
        ("resets-in-body", VerdictStatus.ERROR),
        ("endless-body", VerdictStatus.ERROR),
        ("nan", VerdictStatus.ERROR),
    ],
)
async def test_a_fault(server, fault, status):
    """Search order and a status, when the budget is over or before, and no text in the log."""
    token = fresh_token()
    async with knowledge_at(server.url(fault, token)) as kb:
        started = time.monotonic()
        with logged() as lines:
            verdict = await kb.ask(make_question(*CONTENTS, question=QUESTION))
        took_s = time.monotonic() - started

    assert (verdict.status, verdict.answerable) == (status, None)
    assert [one.entry_id for one in verdict.entries] == ["c0", "c1", "c2", "c3"]
    assert {one.level for one in verdict.entries} == {None}
    assert took_s < BUDGET_MS / 1e3 + SLACK_S
    assert kb.reviews()[0].cause is ReviewCause.LATE
    assert "marked-" not in lines.getvalue()
    assert "السعر" not in lines.getvalue()
    assert server.seen(token)["posts"] <= 1


async def test_a_storm_of_questions_at_a_silent_endpoint(server):
    """However many questions hang at once, each has its verdict on time, and nothing is left."""
    async with knowledge_at(server.url("silent", fresh_token()), connections="4") as kb:
        started = time.monotonic()
        await asyncio.gather(
            *(kb.ask(make_question("x", seq=seq, call_id=str(seq))) for seq in range(30))
        )
        took_s = time.monotonic() - started

    verdicts = kb.verdicts()
    assert {one.status for one in verdicts} == {VerdictStatus.TIMEOUT}
    assert len(verdicts) == 30
    assert took_s < BUDGET_MS / 1e3 + SLACK_S
