"""A short demo through real processes: broker, cache, worker, all of it as a user starts it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.hot import ANSWER

_ROOT = Path(__file__).parents[2]
_TURNS = 20
_ROUTES = 30
_QUESTIONS = 24
#: A demo may take this long on a machine that runs other tests beside, seconds.
_LIMIT_S = 400
#: Settings of the test session itself must not reach the demo; and how fast a busy test machine is
#: is not what is tested here.
_ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("TURNGATE_")
} | {
    "TURNGATE_BUDGET_MS": "10000",
    "TURNGATE_REDIS_TIMEOUT_S": "1",
    "TURNGATE_KB_BUDGET_MS": "10000",
    "TURNGATE_ANSWER": str(ANSWER),
}


def start(*arguments, **settings):
    """Start the command line in a process."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "workers.cli", *arguments],
        cwd=_ROOT,
        env=_ENVIRONMENT | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    """Wait for the end; hand back the exit code and both outputs."""
    output, errors = process.communicate(timeout=_LIMIT_S)
    return process.returncode, output, errors


@pytest.fixture(scope="module")
def demo():
    """Play a short demo once, for all tests of its outcome."""
    return play(turns=_TURNS, routes=_ROUTES, questions=_QUESTIONS)


def play(*, turns, routes, questions, **settings):
    """Play a demo; hand back its output and its last line."""
    numbers = {"turns": turns, "routes": routes, "questions": questions, "rate": 4}
    options = [part for name, value in numbers.items() for part in (f"--{name}", str(value))]
    code, output, errors = ended(start("demo", *options, **settings))
    assert code == 0, f"{output}\n{errors}"
    return output, json.loads(output.splitlines()[-1])


@pytest.mark.timeout(_LIMIT_S + 30)
class TestDemo:
    def test_every_turn_has_one_decision(self, demo):
        """
        Each turn has one decision, and those delivered twice have the same bytes twice.
        """
        _, summary = demo

        assert summary["ok"]
        assert summary["events"]["turns"] == _TURNS == sum(summary["kinds"].values())
        assert summary["events"]["redelivered"] >= 1
        assert summary["decisions"] >= _TURNS + summary["events"]["redelivered"]
        assert summary["without_decision"] == summary["different_decisions"] == []

    def test_every_bad_record_has_a_dead_letter(self, demo):
        """
        Each bad record has a dead letter, and no good one has.
        """
        _, summary = demo

        assert summary["events"]["bad_records"] == 11
        assert summary["without_dead_letter"] == []
        assert summary["wrong_dead_letters"] == 0

    def test_something_is_served_and_something_is_not(self, demo):
        """
        The gate works: replies are served, turns are missed, strangers pass by.
        """
        _, summary = demo

        assert set(summary["kinds"]) == {"serve", "miss", "bypass"}
        assert summary["marks"]["all"]["right_serve"] > 0
        assert summary["marks"]["strangers"]["right_bypass"] > 0

    def test_no_faults(self, demo):
        """
        On a healthy machine no decision is an error, and the judge is in use.
        """
        _, summary = demo

        reasons = {reason for kind in summary["reasons"].values() for reason in kind}
        faults = {"internal", "inference_failed", "cache_unavailable", "cache_garbage"}
        assert not reasons & (faults | {"unknown_agent", "conservative"})

    def test_people_can_read_it(self, demo):
        """
        Before the JSON there is a summary for people, and no bare traceback.
        """
        output, _ = demo

        assert "What was decided" in output
        assert "Every turn has one decision" in output
        assert "Routes against the labels" in output
        assert "Questions against the labels" in output
        assert "What callers ask and no entry answers" in output
        assert "Traceback" not in output

    def test_some_turns_are_routed(self, demo):
        """
        Agents with intents have their routers, and some of their turns are routed, rightly.
        """
        routes = demo[1]["routes"]

        assert routes["ok"]
        assert routes["routers_ready"]
        assert routes["turns"] == _ROUTES == sum(routes["kinds"].values())
        assert routes["marks"]["all"]["right_route"] > 0

    def test_every_question_has_one_verdict(self, demo):
        """
        Each question is judged by the answer judge, with and without candidates of its agent.
        """
        knowledge = demo[1]["knowledge"]

        assert knowledge["ok"]
        assert knowledge["questions"] == _QUESTIONS
        assert 0 < knowledge["own_candidates"] < _QUESTIONS
        assert knowledge["redelivered"] > 0
        assert knowledge["statuses"] == {"applied": _QUESTIONS}
        assert knowledge["judge"].startswith("onnx:")
        assert knowledge["levels"]["unjudged"] == 0

    def test_what_is_not_answered_becomes_gaps(self, demo):
        """
        The slow worker has a result for all that it got, and masks the personal data in it.
        """
        gaps = demo[1]["gaps"]

        assert gaps["ok"]
        assert gaps["handed_on"] == sum(gaps["results"].values()) > 0
        assert gaps["gaps"]
        assert gaps["personal"] > 0
        assert gaps["not_masked"] == []
        assert "[PHONE]" in json.dumps(gaps)


@pytest.mark.timeout(_LIMIT_S + 30)
class TestOtherWays:
    def test_without_an_answer_judge(self, tmp_path):
        """
        Without the bundle the demo says so, and every question is kept as not judged.
        """
        nowhere = {"TURNGATE_ANSWER": str(tmp_path)}
        output, summary = play(turns=1, routes=0, questions=6, **nowhere)

        assert "No answer judge" in output
        assert summary["knowledge"]["judge"] is None
        assert summary["knowledge"]["statuses"] == {"error": 6}
        assert summary["gaps"]["handed_on"] == 6
        assert {gap["reason"] for gap in summary["gaps"]["gaps"]} == {"not_judged"}
        assert summary["routes"] is None

    def test_ctrl_c_stops_everything(self):
        """
        SIGINT in the middle ends the demo and all of its processes, without a traceback.
        """
        process = start("demo", "--turns", "400", "--rate", "1")
        lines: list[str] = []
        while not lines or "turns  serve" not in lines[-1]:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            lines.append(line)
        children = children_of(process.pid)

        process.send_signal(signal.SIGINT)
        code, output, errors = ended(process)

        assert len(children) == 4, "broker, cache, hot worker, slow worker"
        assert code == 130
        assert "Traceback" not in output + errors
        assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


def children_of(pid):
    """Read the ids of a process's children."""
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if parent_of(path) == pid
    ]


def parent_of(path):
    """Read the parent from a process's `stat`; None where the process is gone."""
    try:
        return int(path.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


@pytest.mark.timeout(_LIMIT_S + 30)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_up_stops_cleanly(number):
    """
    `turngate up` says where everything is, and a signal stops it all with exit code 0.
    """
    process = start("up")
    lines: list[str] = []
    while not lines or "Ctrl-C" not in lines[-1]:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        lines.append(line)

    process.send_signal(number)
    code, output, _ = ended(process)

    assert any("/readyz" in line for line in lines)
    assert code == 0
    assert output.splitlines()[-1] == "stopped"
