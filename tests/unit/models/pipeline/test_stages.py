"""The order of stages, and which of them run again."""

import json
import textwrap

import pytest

from models.pipeline.stages import Stage, StageFailed, log_of, record_of, run_stages, why_run

SCRIPT = """
import json, os, sys
from pathlib import Path

source, target, *flags = sys.argv[1:]
print("working")
if "fail" in flags:
    sys.exit(3)
text = Path(source).read_text() + target[-5:]
if "lazy" not in flags:
    Path(target).write_text(text)
with (Path(__file__).parent / "ran.txt").open("a") as file:
    file.write(Path(target).stem + os.environ.get("MARK", "") + "\\n")
print("no JSON" if "mute" in flags else json.dumps({"length": len(text)}))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a module that reads a file and writes another, and with the first file."""
    (tmp_path / "copy_stage.py").write_text(textwrap.dedent(SCRIPT))
    (tmp_path / "start.txt").write_text("start")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def chain(folder, *, flags=None, names=("a", "b", "c")) -> list[Stage]:
    """Stages of which each reads what the one before it wrote."""
    files = [folder / "start.txt", *(folder / f"{name}.txt" for name in names)]
    return [
        Stage(
            name=name,
            module="copy_stage",
            arguments=(source, target, *(flags or {}).get(name, ())),
            reads=(source,),
            writes=(target,),
        )
        for name, source, target in zip(names, files, files[1:], strict=False)
    ]


def ran(folder) -> list[str]:
    """The stages that ran since this was last asked."""
    found = (folder / "ran.txt").read_text().split() if (folder / "ran.txt").exists() else []
    (folder / "ran.txt").unlink(missing_ok=True)
    return found


def test_stages_run_in_order(folder, capsys):
    """Each stage sees what the one before wrote, is announced, and leaves its log and result."""
    run_stages(chain(folder), folder / "run")

    assert ran(folder) == ["a", "b", "c"]
    assert record_of(folder / "run", "c")["result"] == {"length": 20}
    assert log_of(folder / "run", "b").read_text() == 'working\n{"length": 15}\n'
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("[1/3] a: python -m copy_stage ")
    assert shown[1] == "    working"
    assert shown[3].startswith("[1/3] a: ")
    assert shown[3].endswith(" s")


def test_without_from_all_stages_run_again(folder):
    """A run from the beginning trusts nothing that lies there."""
    run_stages(chain(folder), folder / "run")
    ran(folder)

    run_stages(chain(folder), folder / "run")

    assert ran(folder) == ["a", "b", "c"]


def test_going_on_skips_what_is_unchanged(folder, capsys):
    """From the named stage on all run; before it, none that is finished and unchanged."""
    run_stages(chain(folder), folder / "run")
    ran(folder)
    capsys.readouterr()

    run_stages(chain(folder), folder / "run", "b")

    assert ran(folder) == ["b", "c"]
    assert "[1/3] a: unchanged, skipped" in capsys.readouterr().out


def change_input(folder):
    (folder / "start.txt").write_text("other")
    return chain(folder)


def change_output(folder):
    (folder / "a.txt").write_text("torn")
    return chain(folder)


def remove_output(folder):
    (folder / "a.txt").unlink()
    return chain(folder)


def change_arguments(folder):
    return chain(folder, flags={"a": ("more",)})


def tear_record(folder):
    (folder / "run" / "stages" / "a.json").write_text('{"command": [')
    return chain(folder)


@pytest.mark.parametrize(
    "change", [change_input, change_output, remove_output, change_arguments, tear_record]
)
def test_what_changed_runs_again(folder, change):
    """An earlier stage whose files, arguments or record changed is run when going on."""
    run_stages(chain(folder), folder / "run")
    ran(folder)

    run_stages(change(folder), folder / "run", "c")

    assert ran(folder)[0] == "a"
    assert ran(folder) == []
    assert why_run(chain(folder)[2], folder / "run") is None


def test_a_change_is_followed_as_far_as_it_reaches(folder):
    """A stage that runs again and writes the same leaves the later ones unchanged."""
    run_stages(chain(folder), folder / "run")
    ran(folder)
    (folder / "a.txt").write_text("torn")

    run_stages(chain(folder), folder / "run", "c")

    assert ran(folder) == ["a", "c"]


def test_a_change_inside_a_folder_is_seen(folder):
    """A folder is as good as its files; compiled code in it is no content."""
    sets = folder / "sets"
    sets.mkdir()
    (sets / "one.txt").write_text("one")
    stage = chain(folder, names=("a",))[0]
    stage = Stage(
        name="a",
        module=stage.module,
        arguments=stage.arguments,
        reads=(*stage.reads, sets),
        writes=stage.writes,
    )
    run_stages([stage], folder / "run")

    (sets / "code.pyc").write_text("cache")
    assert why_run(stage, folder / "run") is None

    (sets / "one.txt").rename(sets / "two.txt")
    assert why_run(stage, folder / "run") == f"{sets} changed"


@pytest.mark.parametrize(
    ("flag", "reason"),
    [
        ("fail", "b failed with exit status 3"),
        ("mute", "b did not end with a JSON document"),
        ("lazy", "b did not write"),
    ],
)
def test_a_failed_stage_stops_the_run(folder, flag, reason):
    """Nothing runs after it, and going on begins with it."""
    with pytest.raises(StageFailed, match=reason):
        run_stages(chain(folder, flags={"b": (flag,)}), folder / "run")

    assert "c" not in ran(folder)
    assert why_run(chain(folder)[0], folder / "run") is None
    assert why_run(chain(folder, flags={"b": (flag,)})[1], folder / "run") == "not finished"


def test_a_stage_that_fails_now_is_no_longer_finished(folder):
    """Its old record is gone before it starts."""
    run_stages(chain(folder), folder / "run")
    (folder / "start.txt").unlink()

    with pytest.raises(StageFailed):
        run_stages(chain(folder), folder / "run", "a")

    assert record_of(folder / "run", "a") is None


def test_a_stage_has_its_environment(folder):
    """The variables of a stage reach its process, and another value is a change."""
    plain = chain(folder, names=("a",))[0]
    marked = Stage(
        name="a",
        module=plain.module,
        arguments=plain.arguments,
        reads=plain.reads,
        writes=plain.writes,
        environment={"MARK": "!"},
    )

    run_stages([marked], folder / "run")

    assert ran(folder) == ["a!"]
    assert why_run(marked, folder / "run") is None
    assert why_run(plain, folder / "run") == "other arguments"


def test_a_record_says_what_was_read_and_written(folder):
    """The record names files with their hashes, so a run can be told from another."""
    run_stages(chain(folder, names=("a",)), folder / "run")

    record = json.loads((folder / "run" / "stages" / "a.json").read_text())
    assert list(record["reads"]) == [str(folder / "start.txt")]
    assert [len(digest) for digest in record["writes"].values()] == [64]
