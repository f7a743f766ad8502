"""What the hot worker counts of its turns and records."""

import time

import pytest
from prometheus_client import REGISTRY

from tests.fakes.hot import make_utterance
from tests.fakes.stream import make_record
from topics.codec import DecodeError, decode
from topics.utterance import Utterance
from workers.letters import fault_of


def overruns() -> dict[str, float]:
    return {
        where: REGISTRY.get_sample_value("turngate_deadline_overruns_total", {"where": where}) or 0
        for where in ("arrival", "decision", "publish")
    }


class TestOverruns:
    async def test_a_turn_in_time_is_none(self, hot):
        """
        Most turns change nothing.
        """
        before = overruns()

        await hot.utterances.handle(make_record(make_utterance()))

        assert overruns() == before

    async def test_a_turn_that_is_too_old_on_arrival(self, hot):
        """
        What waited too long before us is told apart from what we were slow with.
        """
        hot.rewire(budget_ms=1_000)
        before = overruns()

        said_at_ms = int(time.time() * 1e3) - 5_000
        await hot.utterances.handle(make_record(make_utterance(said_at_ms=said_at_ms)))

        assert overruns() == before | {"arrival": before["arrival"] + 1}

    async def test_a_judge_that_is_too_slow(self, hot):
        """
        A turn that was not decided within its budget.
        """
        hot.judge.slow_s = 5
        hot.rewire(budget_ms=150)
        await hot.predict("let us begin")
        before = overruns()

        await hot.utterances.handle(make_record(make_utterance()))

        assert overruns()["decision"] == before["decision"] + 1

    async def test_a_decision_that_was_stored_too_late(self, hot):
        """
        Decided in time and published after it is an overrun too.
        """
        hot.rewire(budget_ms=1)
        hot.profiles.clear()
        before = overruns()

        await hot.utterances.handle(make_record(make_utterance(), fetched_s=0.0))

        assert overruns()["publish"] == before["publish"] + 1


async def test_predictions_that_a_guard_took_out(hot) -> None:
    """Each guard counts what it takes."""
    labels = {"guard": "value"}
    before = REGISTRY.get_sample_value("turngate_guarded_predictions_total", labels) or 0
    await hot.predict("call me at 8 pm", "call me at 9 pm")

    await hot.utterances.handle(make_record(make_utterance(text="call me at 7 pm")))

    assert REGISTRY.get_sample_value("turngate_guarded_predictions_total", labels) == before + 2


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        pytest.param(None, "empty", id="null"),
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"{" + b" " * 1_048_576 + b"}", "too_large", id="too large"),
        pytest.param(b'{"a":' * 70 + b"1" + b"}" * 70, "too_large", id="too deep"),
        pytest.param(b"nonsense", "no_json_object", id="no JSON"),
        pytest.param(b"[]", "no_json_object", id="no object"),
        pytest.param(b'{"a":1,"a":2}', "no_json_object", id="duplicate key"),
        pytest.param(b"{}", "missing_field", id="missing field"),
        pytest.param(
            b'{"tenant_id":"t","agent_id":"a","call_id":"c","seq":1,"text":"x","said_at_ms":1,'
            b'"schema_version":99}',
            "unknown_version",
            id="unknown version",
        ),
        pytest.param(b'{"tenant_id":7}', "wrong_value", id="wrong type"),
    ],
)
def test_kinds_of_dead_letters(raw, fault) -> None:
    """Each reason of the codec has its kind, and the kinds are few."""
    with pytest.raises(DecodeError) as excinfo:
        decode(Utterance, raw)

    assert fault_of(excinfo.value.reason) == fault
