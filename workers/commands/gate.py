"""`turngate gate`: the adversarial gate on a bundle's bytes."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.bundle import read_file
from models.evaluation import answer_gate, suite
from models.evaluation.gate import Result
from models.judge import Judge
from models.kb.answer import AnswerModel
from models.manifest import MANIFEST, told_kind
from models.pipeline.pack import amend
from models.runtime import cpu_features
from workers.commands.gate_report import print_gate
from workers.commands.output import saving
from workers.gate_record import write_record
from workers.settings import Settings

_JUDGE, _ANSWER = "judge", "answer"

#: A proved judge, and what its gate says.
_Gated = tuple[Judge | AnswerModel, Result[Any]]


@click.command("gate")
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--suite",
    "suites",
    multiple=True,
    show_default="the shipped suite of the bundle's kind",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Labelled pairs, or questions with entries, JSONL; may be given several times.",
)
@click.option("--judge-only", is_flag=True, help="The bare model: no guard, no second opinion.")
@click.option("--script-guard", is_flag=True, help="Let the cross-script guard help too.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Put the result, passed or not, where a worker's TURNGATE_GATE_RECORD finds it.",
)
@click.option("--write", is_flag=True, help="Put a passed result into the bundle's manifest.")
@click.pass_obj
def gate(
    settings: Settings,
    bundle: Path,
    suites: Sequence[Path],
    *,
    judge_only: bool,
    script_guard: bool,
    record: Path | None,
    write: bool,
) -> None:
    """
    Hold BUNDLE, a judge, against pairs that must never match; one wrong hit fails it.

    An answer judge is held against entries that do not answer their question; it has no guards, and
    no worker shows a record of it, so only --suite and --write go with it.

    The bundle proves itself on its own known cases first, and runs with the options and threads
    that it serves with. A wrong hit is shown with its texts, which are the suite's own. The last
    line is JSON.
    """
    kind = _kind(bundle)
    if kind == _ANSWER:
        _refuse({"--judge-only": judge_only, "--script-guard": script_guard, "--record": record})
        judge, result = _gate_answer(bundle, suites, settings.inference_threads)
    else:
        judge, result = _gate_match(
            bundle,
            suites,
            settings.inference_threads,
            judge_only=judge_only,
            script_guard=script_guard,
        )
    print_gate(result, threshold=judge.threshold, made_on=judge.manifest.cpu_features)
    manifest = judge.manifest
    if write and result.passed:
        with saving(bundle, "--write"):
            manifest = amend(bundle, gate=result.for_manifest)
    if record is not None:
        with saving(record, "--record"):
            write_record(record, manifest, passed=result.passed, wrong_hits=len(result.wrong_hits))
    found = result.measures | {
        "gate": result.for_manifest,
        "kind": kind,
        "threshold": judge.threshold,
        "fingerprint": manifest.fingerprint,
        "cpu_features": cpu_features(),
        "written": write and result.passed,
    }
    if kind == _JUDGE:
        found["judge_only"] = judge_only
    click.echo(orjson.dumps(found).decode())
    sys.exit(0 if result.passed else 1)


def _gate_match(
    bundle: Path, suites: Sequence[Path], threads: int, *, judge_only: bool, script_guard: bool
) -> _Gated:
    judge = Judge.load(bundle, threads=threads)
    judge.prove()
    return judge, suite.run_gate(
        judge, suites or (suite.SUITE,), judge_only=judge_only, script_guard=script_guard
    )


def _gate_answer(bundle: Path, suites: Sequence[Path], threads: int) -> _Gated:
    judge = AnswerModel.load(bundle, threads=threads)
    judge.prove()
    return judge, answer_gate.run_answer_gate(judge, suites or (answer_gate.SUITE,))


def _kind(bundle: Path) -> str:
    """What the bundle is to be loaded as; whether it is that, loading says."""
    kind = told_kind(read_file(bundle, MANIFEST))
    if kind not in (_JUDGE, _ANSWER, None):
        message = f"is a bundle of kind {kind}; a gate is for judges and answer judges"
        raise click.BadParameter(message, param_hint="BUNDLE")
    return kind or _JUDGE


def _refuse(options: dict[str, object]) -> None:
    for name, value in options.items():
        if value:
            raise click.UsageError(f"{name} is for match judges, not for an answer judge")
