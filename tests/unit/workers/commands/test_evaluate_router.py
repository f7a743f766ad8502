"""`turngate eval router` as a user runs it."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from tests.unit.models.router.factories import World
from workers.cli import main
from workers.commands import evaluate_router


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files of a small world, whose encoder stands in for the bundle."""
    world = World(spread=0.15)
    parts = {
        "train": world.intents,
        "validation": world.validation | {"oos": world.out_of_scope},
        "test": {
            **{
                f"intent {axis}": world.phrases(f"test {axis}", axis, 10, 0.15, 300 + axis)
                for axis in range(4)
            },
            "oos": world.phrases("test else", 15, 10, 0.3, 401),
        },
    }
    for name, lists in parts.items():
        rows = [{"text": t, "intent": intent} for intent, texts in lists.items() for t in texts]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(evaluate_router, "_encoder", lambda *_: world.encoder)
    return tmp_path


def call(*arguments):
    """Run the command."""
    return CliRunner().invoke(main, ["eval", "router", *map(str, arguments)])


def options(files):
    """Name all three files."""
    return [
        word
        for part in ("train", "validation", "test")
        for word in (f"--{part}", files / f"{part}.jsonl")
    ]


@pytest.mark.parametrize("gate", ["margin", "default"])
def test_files(files, gate):
    """
    The last line is JSON with the means over the draws; no text is shown.
    """
    result = call(*options(files), "-k", 5, "--draws", 2, "--gate", gate)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert found["top1"] > 0.9
    assert found["answered"] > 0.8
    assert found["accuracy_with_oos"] > 0.8
    assert 0 < found["mcc"] <= 1
    assert found["threshold"] > 0
    assert (found["gate"], found["k"], found["draws"]) == (gate, 5, 2)
    assert "number" not in result.output


def test_what_the_guards_take_out(files):
    """
    Answers that a worker withholds by the language are told as a share, beside the numbers.
    """
    rows = (files / "validation.jsonl").read_text().splitlines()
    few = [row for row in rows if '"oos"' in row or any(f'number {n}"' in row for n in range(4))]
    said = [json.loads(row) for row in few]
    more = [one | {"text": f"यह {one['text']} नहीं"} for one in said if one["intent"] != "oos"]
    world = evaluate_router._encoder()
    for one, copy in zip([x for x in said if x["intent"] != "oos"], more, strict=True):
        world.vectors[copy["text"]] = world.vectors[one["text"]]
    (files / "validation.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in (*said, *more))
    )

    result = call(*options(files), "--draws", 1)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert found["answered"] > 0
    assert found["language_withheld"] == 1.0
    assert "language_withheld" in result.output.splitlines()[-4]


def test_a_router_that_abstains(files):
    """
    A draw whose router routes nothing is told with its reason, and the numbers say null.
    """
    (files / "validation.jsonl").write_text('{"text":"said 0 number 0","intent":"intent 0"}\n')

    result = call(*options(files), "--draws", 1)

    assert result.exit_code == 0, result.output
    assert "test draw 0: too_few_phrases" in result.output
    found = json.loads(result.output.splitlines()[-1])
    assert (found["answered"], found["accuracy"], found["threshold"]) == (0.0, None, None)
    assert found["abstained"] == ["too_few_phrases"]


def test_vectors_are_kept(files):
    """
    With a folder for them, vectors lie in a file after the run.
    """
    kept = files / "kept"
    kept.mkdir()

    result = call(*options(files), "--draws", 1, "--vectors", kept)

    assert result.exit_code == 0, result.output
    assert [file.name for file in kept.iterdir()] == ["vectors-encoder-1.npz"]


def test_several_sets_under_one_name(files, monkeypatch):
    """
    Of sets that go by one name the means lead, and each stands beside them.
    """
    (one,) = evaluate_router._sets(
        None, files, tuple(files / f"{part}.jsonl" for part in ("train", "validation", "test"))
    )
    other = replace(one, name="other", test=one.test[:20])
    monkeypatch.setattr(evaluate_router, "read_set", lambda *_: [one, other])

    result = call("--data", "hint3", "--draws", 1)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert set(found["parts"]) == {"test", "other"}
    for name in ("top1", "macro_f1", "mcc"):
        each = [part[name] for part in found["parts"].values()]
        assert found[name] == pytest.approx(sum(each) / 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--data", "nothing"], "is not one of", id="unknown set"),
        pytest.param([], "name a set with --data, or files", id="nothing named"),
        pytest.param(
            ["--data-folder", "/nowhere", "--data", "clinc150"], "cannot be", id="no data"
        ),
        pytest.param(["--data", "hint3", "-k", "0"], "0 is not in the range", id="k"),
        pytest.param(
            ["--data", "hint3", "--target", "1.5"], "1.5 is not in the range", id="target"
        ),
    ],
)
def test_mistakes(arguments, message):
    """
    A mistake is a sentence and no traceback.
    """
    result = call(*arguments)

    assert result.exit_code != 0
    assert message in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_set_and_files(files):
    """
    A set takes no files beside it.
    """
    result = call("--data", "clinc150", *options(files))

    assert "takes no files" in result.output


def test_a_test_part_without_intents(files):
    """
    The share of out of scope cannot come from it, which is said of the file and not of an option.
    """
    (files / "test.jsonl").write_text('{"text":"test else number 1","intent":"oos"}\n')

    result = call(*options(files), "--draws", 1)

    assert result.exit_code == 1
    assert "no row of the test part has an intent of the train part" in result.output


def test_damaged_vectors(files):
    """
    A file of vectors that is none is a sentence.
    """
    kept = files / "kept"
    kept.mkdir()
    (kept / "vectors-encoder-1.npz").write_text("no vectors")

    result = call(*options(files), "--draws", 1, "--vectors", kept)

    assert result.exit_code == 1
    assert "no vectors that were kept" in result.output
