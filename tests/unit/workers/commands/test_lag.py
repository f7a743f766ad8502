"""`turngate lag`, as a person types it."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from workers.cli import main
from workers.commands import lag as command
from workers.errors import BrokerUnavailable
from workers.lag import GroupLag, PartitionLag, Reader

_ENVIRONMENT = {"KAFKA": "kafka.test:9092", "TURNGATE_PREFIX": "blue."}


def make_partition(**overrides) -> PartitionLag:
    fields: dict[str, Any] = {
        "group": "g",
        "topic": "t",
        "partition": 0,
        "committed": 5,
        "end": 8,
        "unread": 3,
        "oldest_at_ms": 1_000,
        "oldest_age_s": 185.0,
    } | overrides
    return PartitionLag(**fields)


def make_group(*partitions: PartitionLag, **overrides) -> GroupLag:
    fields: dict[str, Any] = {"group": "g", "state": "Stable", "members": 2} | overrides
    return GroupLag(partitions=partitions, **fields)


@pytest.fixture
def answers(monkeypatch) -> list[Any]:
    """Give a list from which each reading takes its answer; the last one ends a watch."""
    given: list[Any] = []

    async def read(_broker, _wanted):
        answer = given.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(command, "read_lag", read)
    return given


def run(*arguments: str) -> Result:
    return CliRunner(env=_ENVIRONMENT).invoke(main, ["lag", *arguments])


def test_a_table(answers) -> None:
    """Each partition has a line, and the group's sum stands above."""
    answers.append((make_group(make_partition(), make_partition(partition=1, committed=None)),))

    result = run()

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "g: members: 2, Stable; 6 unread, the oldest 3 min 05 s"
    assert lines[2].split() == ["t", "0", "5", "8", "3", "3", "min", "05", "s"]
    assert lines[3].split()[:3] == ["t", "1", "-"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.04, "0.0 s"), (59.9, "59.9 s"), (60, "1 min 00 s"), (7_865, "2 h 11 min")],
)
def test_ages_are_for_people(answers, seconds, shown) -> None:
    """An age has the unit that a person would use."""
    answers.append((make_group(make_partition(oldest_age_s=seconds)),))

    assert run().stdout.splitlines()[-1].endswith(shown)


def test_out_of_range_is_a_warning(answers) -> None:
    """A commit outside the log is said beside the table."""
    answers.append((make_group(make_partition(out_of_range=True)),))

    result = run()

    assert "t 0: the committed offset is not in the log" in result.stderr


def test_json(answers) -> None:
    """One document holds groups, sums and partitions."""
    answers.append((make_group(make_partition()),))

    (group,) = json.loads(run("--json").stdout)["groups"]

    assert (group["unread"], group["oldest_age_s"], group["members"]) == (3, 185.0, 2)
    assert group["partitions"][0]["committed"] == 5


def test_watching_outlives_the_broker(answers) -> None:
    """A broker that goes is a line on stderr, and the next reading is shown."""
    answers += [
        (make_group(make_partition()),),
        BrokerUnavailable("no answer from Kafka"),
        (make_group(make_partition(unread=9)),),
        KeyboardInterrupt(),
    ]

    result = run("--watch", "0.2", "--json")

    readings = [json.loads(line)["groups"][0]["unread"] for line in result.stdout.splitlines()]
    assert readings == [3, 9]
    assert "no answer from Kafka" in result.stderr


def test_without_watching_an_error_is_the_end(answers) -> None:
    """A script sees the exit code, a person the sentence."""
    answers.append(BrokerUnavailable("no answer from Kafka"))

    result = run()

    assert result.exit_code == 1
    assert result.stderr == "Error: no answer from Kafka\n"


def test_our_own_group_needs_no_look_up(answers, monkeypatch) -> None:
    """A group of this deployment has its topics; only another one's are asked for."""
    asked = []

    async def look_up(_broker, group, *, prefix):
        asked.append((group, prefix))
        return Reader(group=group, topics=("t",))

    monkeypatch.setattr(command, "committed_topics", look_up)
    answers.append((make_group(make_partition()),))

    assert run("--group", "blue.turngate-hot", "--group", "other").exit_code == 0
    assert asked == [("other", "blue.")]
