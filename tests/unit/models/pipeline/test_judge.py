"""The run that makes the judge, as far as it needs no torch."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from models.judge import Judge
from models.pipeline.judge import main, stages_of, summary, verdict
from models.pipeline.stages import FOLDER

TINY = Path(__file__).parents[1] / "fixtures" / "judge"
DATA, RUN = Path("public"), Path("run")


def stages(*, tiny=False):
    return stages_of(DATA, RUN, version="1.2.3", tiny=tiny)


def within(path, folder) -> bool:
    return path == folder or folder in path.parents


def test_each_stage_is_a_module_of_the_pipeline():
    """What a stage runs is there; nothing of it is imported to know that."""
    assert all(importlib.util.find_spec(stage.module) for stage in stages())


def test_stages_have_names_of_their_own():
    """A name finds one stage, one log, one record."""
    names = [stage.name for stage in stages()]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("tiny", [False, True])
def test_a_stage_reads_what_an_earlier_one_wrote(tiny):
    """Everything that is read stands in the sources, or an earlier stage has written it."""
    written = []
    for stage in stages(tiny=tiny):
        for path in stage.reads:
            made = any(within(path, one) or within(one, path) for one in written)
            assert made or path == DATA or path.exists(), f"{stage.name} reads {path}"
        written += stage.writes


def test_a_stage_declares_the_files_of_its_command():
    """A path in the arguments that nobody declared would change unseen."""
    for stage in stages():
        known = (*stage.reads, *stage.writes)
        for argument in stage.arguments:
            if isinstance(argument, Path):
                declared = any(within(argument, one) or within(one, argument) for one in known)
                assert declared, f"{stage.name} does not declare {argument}"


def test_all_that_is_written_stays_in_the_folder_of_the_run():
    """Nothing is put in the place of a bundle that ships."""
    assert all(within(path, RUN) for stage in stages() for path in stage.writes)


def test_the_smoke_run_says_that_it_is_one():
    """Data and training are cut, and the bundle cannot be taken for a real one."""
    small = {stage.name for stage in stages(tiny=True) if "--tiny" in stage.arguments}
    pack = next(stage for stage in stages(tiny=True) if stage.name == "pack")

    assert small == {"data", "warm", "mix", "train"}
    assert "1.2.3" not in pack.arguments
    assert "0.0.0-tiny" in pack.arguments
    card = next(path for path in pack.reads if path.suffix == ".md")
    assert "Serve nothing" in card.read_text("utf-8")


def test_the_whole_run_is_not_cut():
    """No stage of it is tiny, and the version is the one that was asked for."""
    assert not any("--tiny" in stage.arguments for stage in stages())
    assert any("1.2.3" in stage.arguments for stage in stages())


def test_training_keeps_its_memory():
    """The allocator's settings are those of the training stages alone."""
    kept = {stage.name for stage in stages() if "MALLOC_TRIM_THRESHOLD_" in stage.environment}

    assert kept == {"warm", "train"}


def test_absent_data_stops_before_any_stage(tmp_path, capsys):
    """The message says where the public sets were looked for."""
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path / "sets"), "--out", str(tmp_path / "run")])

    assert f"no folder of public data sets at {tmp_path / 'sets'}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_an_unknown_stage_is_refused(tmp_path, capsys):
    """The message lists the stages in order."""
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path), "--out", str(tmp_path / "run"), "--from", "bake"])

    assert "one of base, trim, data, warm, mix, train, " in capsys.readouterr().err


def test_the_verdict_is_the_bundle_s():
    """The loaded bundle answers, and its threshold decides."""
    judge = Judge.load(TINY)

    found = verdict(TINY)

    logit = judge.logits([(found["utterance"], found["prediction"])])[0]
    assert found["logit"] == pytest.approx(float(logit), abs=1e-3)
    assert found["threshold"] == judge.threshold
    assert found["served"] == (found["logit"] >= judge.threshold)


def test_the_summary_holds_sizes_hashes_seconds_and_metrics(tmp_path):
    """Of all stages, those that were skipped too, and of the files of the bundle."""
    run = tmp_path / "run"
    shutil.copytree(TINY, run / "bundle")
    made = stages_of(DATA, run, version="1", tiny=True)
    (run / FOLDER).mkdir()
    results = {
        "train": {"last": {"validation_auc": {"all": 0.5}}},
        "export": {"max_difference": 1e-6},
        "quantise": {"parity": {"logit_error_max": 0.1}},
        "pack": {"fingerprint": "f" * 64},
    }
    for stage in made:
        record = {"seconds": 1.5, "result": results.get(stage.name, {"of": stage.name})}
        (run / FOLDER / f"{stage.name}.json").write_text(json.dumps(record))

    found = summary(made, run)

    manifest = json.loads((TINY / "manifest.json").read_bytes())
    assert {name: found["sha256"][name] for name in manifest["files"]} == manifest["files"]
    assert found["bytes"]["model.onnx"] == (TINY / "model.onnx").stat().st_size
    assert found["seconds"]["all"] == pytest.approx(1.5 * len(made))
    assert found["metrics"]["train"] == {"validation_auc": {"all": 0.5}}
    assert found["metrics"]["natural"] == {"of": "evaluate"}
