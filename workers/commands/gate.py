"""`turngate gate`: the adversarial gate on a bundle's bytes."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from models.evaluation.suite import SUITE, Result, WrongHit, run_gate
from models.judge import Judge
from models.pipeline.pack import amend
from models.runtime import cpu_features
from workers.commands.tables import print_table
from workers.gate_record import write_record
from workers.settings import Settings

_COLUMNS = ("n", "positives", "recall", "false_accepts")


@click.command("gate")
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--suite",
    "suites",
    multiple=True,
    default=(SUITE,),
    show_default="the shipped suite",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Labelled pairs, JSONL; may be given several times.",
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

    The bundle proves itself on its own traps first, and runs with the options and threads that it
    serves with. A wrong hit is shown with both texts, which are the suite's own. The last line is
    JSON.
    """
    judge = Judge.load(bundle, threads=settings.inference_threads)
    judge.prove()
    result = run_gate(judge, suites, judge_only=judge_only, script_guard=script_guard)
    _print(result, judge)
    fingerprint = judge.fingerprint
    if write and result.passed:
        fingerprint = amend(bundle, gate=result.for_manifest).fingerprint
    if record is not None:
        write_record(
            record,
            fingerprint=fingerprint,
            passed=result.passed,
            wrong_hits=len(result.wrong_hits),
        )
    found = result.measures | {
        "gate": result.for_manifest,
        "judge_only": judge_only,
        "threshold": judge.threshold,
        "fingerprint": fingerprint,
        "cpu_features": cpu_features(),
        "written": write and result.passed,
    }
    click.echo(orjson.dumps(found).decode())
    sys.exit(0 if result.passed else 1)


def _print(result: Result, judge: Judge) -> None:
    here, there = cpu_features(), judge.manifest.cpu_features
    click.echo(f"cpu features of this machine: {' '.join(here) or 'not known'}")
    if here != there:
        click.echo(f"the bundle was made on one with: {' '.join(there) or 'not known'}")
    groups = {"all": result.measures}
    for name in ("by_language", "by_class"):
        groups |= {f"{name[3:]} {value}": part for value, part in result.measures[name].items()}
    print_table(groups, _COLUMNS)
    for hit in result.wrong_hits:
        _print_hit(hit)
    verdict = "passed" if result.passed else f"FAILED: {len(result.wrong_hits)} wrong hits"
    click.echo(f"gate at {judge.threshold:+.4f}: {verdict}")


def _print_hit(hit: WrongHit) -> None:
    known = ", ".join(name for name in (hit.language, hit.kind) if name)
    click.echo(
        f"wrong hit {hit.name} ({known}): {hit.logit:+.3f}, reversed {hit.reversed_logit:+.3f}"
    )
    click.echo(f"  said       {hit.utterance}")
    click.echo(f"  predicted  {hit.prediction}")
