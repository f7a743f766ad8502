"""The judge above an exchange that does as the test says."""

import asyncio
import logging

import orjson
import pytest

from tests.fakes.judging import Entry, entry_of_level
from tests.faults.system_one import honest_answer
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.settings import load
from workers.system_one.endpoint import endpoint_of
from workers.system_one.errors import Failure, JudgeUnavailable
from workers.system_one.judge import SystemOneJudge

_KEY = "sk-hunter2-0001"


class FakeExchange:
    """Answers honestly, or as it is told; keeps what it was asked."""

    def __init__(self):
        self.asked = []
        #: Raised instead of an answer.
        self.failure = None
        #: Put over the honest answer.
        self.changes = {}
        #: Never answers.
        self.hangs = False

    async def post(self, body):
        """Answer one call."""
        self.asked.append(body)
        if self.failure:
            raise JudgeUnavailable(self.failure)
        if self.hangs:
            await asyncio.Event().wait()
        return orjson.dumps(honest_answer(orjson.loads(body)) | self.changes)

    async def touch(self):
        """Do nothing."""


@pytest.fixture
def exchange():
    """Give the exchange below the judge."""
    return FakeExchange()


@pytest.fixture
def judge(exchange):
    """Give a judge for an endpoint with a key and a short limit of its own."""
    settings = {"URL": "https://j.example", "KEY": _KEY, "TIMEOUT_S": "0.05"}
    endpoint = endpoint_of(
        load({f"TURNGATE_SYSTEM_ONE_{name}": value for name, value in settings.items()})
    )
    return SystemOneJudge(exchange, endpoint)


def later() -> Deadline:
    """Make a deadline that no test reaches."""
    return Deadline.after(60)


def events(caplog):
    """List what was logged, as event names."""
    return [record.getMessage() for record in caplog.records]


class TestJudge:
    async def test_levels_in_the_order_of_the_candidates(self, judge):
        """
        Each candidate gets the probabilities of its own question.
        """
        levels = [3, 0, 2, 1, 1, 3, 0, 2]

        judged = await judge.judge("q", [entry_of_level(level) for level in levels], later())

        assert [shares.index(max(shares)) for shares in judged] == levels

    async def test_no_candidates_ask_nobody(self, judge, exchange):
        """
        Where there is nothing to judge, nothing leaves.
        """
        assert await judge.judge("q", [], later()) == ()
        assert exchange.asked == []

    async def test_a_passed_deadline_asks_nobody(self, judge, exchange):
        """
        A question that is already late never leaves.
        """
        with pytest.raises(TooLate):
            await judge.judge("q", [Entry()], Deadline.after(-1))

        assert exchange.asked == []

    @pytest.mark.parametrize("deadline_s", [0.01, 60])
    async def test_the_earlier_of_two_limits_counts(self, judge, exchange, deadline_s):
        """
        The caller's deadline ends a call, and so does the endpoint's own limit.
        """
        exchange.hangs = True

        with pytest.raises(TooLate) as excinfo:
            await judge.judge("q", [Entry()], Deadline.after(deadline_s))

        assert excinfo.value.__context__ is None
        assert len(asyncio.all_tasks()) == 1

    async def test_a_failure_is_passed_on_and_asked_once(self, judge, exchange):
        """
        There are no second attempts.
        """
        exchange.failure = Failure.RATE_LIMITED

        with pytest.raises(JudgeUnavailable, match="rate_limited"):
            await judge.judge("q", [Entry()], later())

        assert len(exchange.asked) == 1


class TestNews:
    async def test_a_lasting_failure_is_logged_once(self, judge, exchange, caplog):
        """
        The log says when the endpoint begins to fail, how, and when it is back.
        """
        caplog.set_level(logging.INFO)
        for failure in (Failure.BROKEN, Failure.BROKEN, Failure.RATE_LIMITED, None, None):
            exchange.failure = failure
            try:
                await judge.judge("q", [Entry()], later())
            except JudgeUnavailable:
                continue

        assert [name for name in events(caplog) if name != "system_one_model"] == [
            "system_one_failing",
            "system_one_failing",
            "system_one_recovered",
        ]
        assert caplog.records[0].outcome == "broken"

    async def test_the_answering_model_is_logged_once(self, judge, exchange, caplog):
        """
        What really answered is known, also where it changes.
        """
        caplog.set_level(logging.INFO)
        for model in ("clef-flash", "clef-flash-2026-10", "clef-flash-2026-10", "clef-flash"):
            exchange.changes = {"model": model}
            await judge.judge("q", [Entry()], later())

        answered = [record.answered for record in caplog.records]
        assert answered == ["clef-flash", "clef-flash-2026-10"]

    @pytest.mark.parametrize(
        "model",
        [
            pytest.param("pineapple", id="word of the question"),
            pytest.param("Gold", id="word of an entry"),
            pytest.param(_KEY, id="key"),
            pytest.param(f"x{_KEY}x", id="key inside"),
            pytest.param(_KEY[3:], id="part of the key"),
            pytest.param("is there pineapple on it", id="sentence"),
            pytest.param("क्लेफ़", id="another script"),
            pytest.param("x" * 10_000, id="long"),
            pytest.param("", id="none"),
            pytest.param(None, id="null"),
        ],
    )
    async def test_a_model_name_cannot_carry_what_we_sent(self, judge, exchange, caplog, model):
        """
        A server that echoes text or key as its model does not get them into the log.
        """
        caplog.set_level(logging.INFO)
        exchange.changes = {"model": model}

        await judge.judge("is there pineapple on it", [Entry()], later())

        assert [record.answered for record in caplog.records] == ["unnamed"]

    async def test_made_up_models_do_not_flood_the_log(self, judge, exchange, caplog):
        """
        A server with a new name a call is not a line a call.
        """
        caplog.set_level(logging.INFO)
        for number in range(50):
            exchange.changes = {"model": f"m-{number}"}
            await judge.judge("q", [Entry()], later())

        assert len(caplog.records) == 8
