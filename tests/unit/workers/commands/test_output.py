"""Files that commands write: what is in the way is a sentence, and said before the work."""

import errno
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner, Result

from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)
from topics.decision import Kind, decision_id
from workers.cli import main
from workers.commands.output import check_output, saving

#: Each command's arguments but for the file, and the option that names it.
OUTPUTS = {
    "audit fetch": ([], "--out"),
    "audit sample": (["LOG"], "--out"),
    "audit label": (["CASES"], "--labels"),
    "audit report": (["CASES", "--labels", "LABELS"], "--record"),
    "label export": (["LOG", "--labels", "LABELS"], "--out"),
    "gaps export": ([], "--out"),
    "eval match": (["PAIRS"], "--report"),
    "eval kb": (["--questions", "LOG", "--judge", "off"], "--report"),
    "profile check": (["PROFILES"], "--report"),
    "gate": (["tests/unit/models/fixtures/judge", "--suite", "PAIRS"], "--record"),
}
#: Folders and files that are named and never written.
ONLY_READ = {"eval router --data-folder"}


def options(group: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from options(command, *names, name)
        elif command is not None:
            for one in command.params:
                yield (*names, name), one


def test_every_file_that_a_command_writes_is_tried_here() -> None:
    """A path that need not exist is one to write."""
    assert isinstance(main, click.Group)
    found = {
        f"{' '.join(names)} {one.opts[-1]}"
        for names, one in options(main)
        if isinstance(one.type, click.Path) and not one.type.exists
    }

    assert found - ONLY_READ == {f"{name} {option}" for name, (_, option) in OUTPUTS.items()}


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    """Write what the commands read."""
    call = {"call_id": "c"}
    log = write_lines(
        tmp_path / "log.jsonl",
        make_decision(**call, kind=Kind.SERVE, prediction_id="p1"),
        make_said(**call),
        make_predicted(**call),
    )
    labels = write_lines(
        tmp_path / "labels.jsonl",
        {"tenant_id": "t", "seq": 1, "prediction_id": "p1", "label": 1} | call,
    )
    served = {"decision_id": decision_id("t", "c", 1), "prediction_id": "p1"} | call
    texts = {"utterance": "sure", "prediction": "yes"}
    cases = write_lines(tmp_path / "cases.jsonl", {"tenant_id": "t", "seq": 1} | served | texts)
    pairs = write_lines(
        tmp_path / "pairs.jsonl", {"id": "g", "utterance": "yes", "prediction": "no", "label": 0}
    )
    profiles = tmp_path / "profiles.json"
    profiles.write_text('{"tenant_id": "t", "agent_id": "a", "version": 1}', "utf-8")
    return {
        "LOG": str(log),
        "LABELS": str(labels),
        "CASES": str(cases),
        "PAIRS": str(pairs),
        "PROFILES": str(profiles),
    }


def invoked(name: str, files: dict[str, str], path: str) -> Result:
    arguments, option = OUTPUTS[name]
    given = [files.get(one, one) for one in arguments]
    return CliRunner(env={"KAFKA": "127.0.0.1:1"}).invoke(
        main, [*name.split(), *given, option, path], input="y\n"
    )


def assert_a_sentence(result: Result, option: str) -> None:
    assert result.exit_code in (1, 2), result.output
    assert isinstance(result.exception, SystemExit)
    assert option in result.stderr
    # A question of the command's may stand before it.
    assert "Error: " in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_folder_that_is_none_is_a_sentence(name, files, tmp_path) -> None:
    """It ends with 1 or 2, names the option, and shows no traceback."""
    (tmp_path / "file").write_bytes(b"")

    result = invoked(name, files, str(tmp_path / "file" / "new"))

    assert_a_sentence(result, OUTPUTS[name][1])


@pytest.mark.parametrize(
    "name", ["audit sample", "audit label", "audit report", "label export", "profile check", "gate"]
)
def test_a_file_that_cannot_be_made_is_a_sentence(name, files) -> None:
    """Nothing can tell beforehand: the kernel lets nobody make a file in /proc, not even root."""
    assert_a_sentence(invoked(name, files, "/proc/turngate"), OUTPUTS[name][1])


def test_a_full_disk_is_a_sentence_too(tmp_path) -> None:
    """What the system says while the file is written has the option and the path beside it."""
    with (
        pytest.raises(click.ClickException, match=r"--out: cannot write .*new: No space left"),
        saving(tmp_path / "new", "--out"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_that_can_be_written_is_no_matter(tmp_path) -> None:
    """A new one and one that is there."""
    (tmp_path / "old").write_bytes(b"")

    check_output(tmp_path / "old", "--out")
    check_output(tmp_path / "new", "--out")


def test_a_folder_that_is_not_ours_is_said_beforehand(tmp_path, monkeypatch) -> None:
    """Before work of minutes, and not after it."""
    monkeypatch.setattr("workers.commands.output.os.access", lambda *_: False)

    with pytest.raises(click.BadParameter):
        check_output(tmp_path / "new", "--out")
