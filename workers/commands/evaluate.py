"""`turngate eval`: measurements on files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from models.encoder import Encoder
from models.evaluation import measure, turns
from models.evaluation.cosine import by_cosine
from models.evaluation.latency import batch_times
from models.evaluation.pairs import decide_pairs
from models.evaluation.report import Report, render
from models.evaluation.rows import read_pairs, read_turns
from models.judge import Judge
from models.script_report import evaluate_scripts
from workers.commands import evaluate_slow
from workers.commands.evaluate_kb import kb
from workers.commands.evaluate_router import router
from workers.commands.output import check_output, saving
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_BUNDLE = click.option("--bundle", type=_FOLDER, help="Judge; the worker's own by default.")
_ENCODER = click.option(
    "--encoder-bundle", type=_FOLDER, help="Encoder; the worker's own by default."
)
_COLUMNS = ("n", "positives", "auc", "recall", "false_accept_rate", "false_accept_upper95")
_TURN_COLUMNS = ("turns", "with_match", "served", "served_wrong", "precision", "conversion")


@click.group("eval")
def evaluate() -> None:
    """Measure a part on a file of rows; the last line is JSON."""


evaluate.add_command(router)
evaluate.add_command(kb)
evaluate.add_command(evaluate_slow.pii)
evaluate.add_command(evaluate_slow.drafts)
evaluate.add_command(evaluate_slow.classify)
evaluate.add_command(evaluate_slow.same)


@evaluate.command("scripts")
@click.argument("file", type=_FILE)
def scripts(file: Path) -> None:
    """Share of each language's rows in FILE, JSONL {"text","language"}, that may be judged."""
    click.echo(orjson.dumps(evaluate_scripts(file)).decode())


@evaluate.command("match")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_FILE)
@_BUNDLE
@_ENCODER
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="HTML to write.")
@click.option("--script-guard", is_flag=True, help="Let the cross-script guard speak too.")
@click.pass_obj
def match(
    settings: Settings,
    files: Sequence[Path],
    bundle: Path | None,
    encoder_bundle: Path | None,
    report: Path | None,
    *,
    script_guard: bool,
) -> None:
    """
    Decide labelled pairs as the hot path would, and measure.

    FILE is JSONL {"utterance","prediction","label"} with optional "class", "agent", "id" and
    "language"; the predictions of `eval turns` are read as such pairs. Guards, exact tier and
    second opinion count; `judge_only` has the bare model. The report shows the texts of the worst
    pairs; the output never does.
    """
    if report is not None:
        check_output(report, "--report")
    pairs = read_pairs(files)
    folder = bundle or settings.judge
    judge = Judge.load(folder, threads=settings.inference_threads)
    encoder = Encoder.load(encoder_bundle or settings.encoder, threads=settings.inference_threads)
    decided = decide_pairs(pairs, judge, script_guard=script_guard)
    cosine = by_cosine(pairs, encoder)
    found = measure.measure(measure.as_served(decided)) | {
        "judge_only": measure.measure(measure.judge_only(decided)),
        "cosine": measure.measure(cosine),
        "reasons": measure.ends(decided),
        "script_guard": script_guard,
        "batch20_ms": batch_times(pairs, partial(Judge.load, folder)),
        "threshold": judge.threshold,
        "bundles": {"judge": judge.fingerprint, "encoder": encoder.fingerprint},
    }
    _print_groups(found, _COLUMNS)
    if report is not None:
        name = f"{judge.manifest.name} {judge.manifest.version}"
        content = Report(judge=name, decided=decided, cosine=cosine, measures=found)
        with saving(report, "--report"):
            report.write_text(render(content), "utf-8")
        click.echo(f"report: {report}")
    click.echo(orjson.dumps(found).decode())


@evaluate.command("turns")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_FILE)
@_BUNDLE
@_ENCODER
@click.pass_obj
def whole_turns(
    settings: Settings, files: Sequence[Path], bundle: Path | None, encoder_bundle: Path | None
) -> None:
    """
    Decide whole labelled turns as the hot path would, and count right and wrong serves.

    FILE is JSONL {"agent","utterance","predictions":[{"text","label"}]} with optional "id" and
    "language". Each prediction counts as having a reply of its own.
    """
    rows = read_turns(files)
    threads = settings.inference_threads
    gate = turns.Gate(
        encoder=Encoder.load(encoder_bundle or settings.encoder, threads=threads),
        judge=Judge.load(bundle or settings.judge, threads=threads),
        shortlist=settings.shortlist,
    )
    found = turns.measure(turns.decide_turns(rows, gate)) | {
        "threshold": gate.judge.threshold,
        "bundles": {"judge": gate.judge.fingerprint, "encoder": gate.encoder.fingerprint},
    }
    _print_groups(found, _TURN_COLUMNS)
    click.echo(orjson.dumps(found).decode())


def _print_groups(found: dict[str, Any], columns: Sequence[str]) -> None:
    groups = {"all": found}
    for name in ("by_file", "by_language", "by_class"):
        groups |= {f"{name[3:]} {value}": part for value, part in found.get(name, {}).items()}
    if "judge_only" in found:
        groups["judge only"] = found["judge_only"]
    print_table(groups, columns)
