"""A short demo through real processes: broker, cache, worker, all of it as a user starts it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_TURNS = 20
#: Settings of the test session itself must not reach the demo; and how fast a busy test machine is
#: is not what is tested here.
_ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("TURNGATE_")
} | {"TURNGATE_BUDGET_MS": "5000", "TURNGATE_REDIS_TIMEOUT_S": "1"}


def start(*arguments):
    """Start the command line in a process."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "workers.cli", *arguments],
        cwd=_ROOT,
        env=_ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    """Wait for the end; hand back the exit code and both outputs."""
    output, errors = process.communicate(timeout=150)
    return process.returncode, output, errors


@pytest.fixture(scope="module")
def demo():
    """Play a short demo once, for all tests of its outcome."""
    code, output, errors = ended(start("demo", "--turns", str(_TURNS), "--rate", "4"))
    assert code == 0, f"{output}\n{errors}"
    return output, json.loads(output.splitlines()[-1])


@pytest.mark.timeout(180)
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
        assert "Traceback" not in output


@pytest.mark.timeout(180)
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
