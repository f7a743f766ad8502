"""`turngate audit`: what was served, and whether people call it right."""

import asyncio
import getpass
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import orjson

from models.evaluation.events import Problem, read_logged
from models.evaluation.labels import read_labels, settle
from workers.admin import connection
from workers.audit.case import Case, cases, read_cases, write_cases
from workers.audit.fetch import fetch
from workers.audit.report import Precision, report
from workers.audit.sample import sample
from workers.audit.terminal import ANSWERS, STOP, go_through, left
from workers.audit_record import write_record
from workers.commands.output import check_output, saving
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)
#: Lines without sense that are named of one file; the rest is counted.
_NAMED = 20
_COLUMNS = ("labelled", "right", "wrong", "precision", "low95", "high95", "population")


@click.group("audit")
def audit() -> None:
    """
    Sample what was served, have people judge it, and report; the last line is JSON.

    Everything here is personal data: files are readable by their owner alone.
    """


@audit.command("fetch")
@click.option("--out", required=True, type=_NEW_FILE, help="Log to write, JSONL; replaced.")
@click.option("--hours", default=24.0, show_default=True, type=Between(min=0.01))
@click.option(
    "--limit",
    "limit_s",
    default=300.0,
    show_default=True,
    type=Between(min=1),
    help="Seconds that it may take.",
)
@click.pass_obj
def fetch_log(settings: Settings, out: Path, hours: float, limit_s: float) -> None:
    """
    Write the turns on the broker as a log for the other commands, `label export` and `replay`.

    Predictions stay on their topic for an hour, so a log worth sampling is fetched every hour.
    """
    check_output(out, "--out")
    broker = replace(connection(settings), limit_s=limit_s)
    with saving(out, "--out"):
        written = asyncio.run(fetch(broker, out, prefix=settings.prefix, hours=hours))
    click.echo(orjson.dumps({"written": written}).decode())


@audit.command("sample")
@click.argument("events", metavar="LOG...", nargs=-1, required=True, type=_FILE)
@click.option("--out", required=True, type=_NEW_FILE, help="Cases to write, JSONL; replaced.")
@click.option("--size", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default="1", show_default=True, help="Another one gives another sample.")
def draw(events: Sequence[Path], out: Path, size: int, seed: str) -> None:
    """
    Draw served decisions of LOG, and what shadow mode would have served.

    Each language and each distance from the threshold gets its share; pairs near the threshold get
    twice theirs. The same log and seed give the same sample.
    """
    if out.resolve() in {path.resolve() for path in events}:
        raise click.BadParameter("would overwrite a file that is read", param_hint="--out")
    check_output(out, "--out")
    logged = read_logged(events)
    _name(logged.problems)
    found = cases(logged)
    drawn = sample(found.cases, size=size, seed=seed)
    if not drawn:
        raise click.ClickException("no served decision with its texts is in the log")
    with saving(out, "--out"):
        write_cases(out, drawn)
    strata = {f"{one.language} {one.band}": one for one in drawn}
    print_table(
        {
            name: {"drawn": strata[name].drawn, "population": strata[name].population}
            for name in sorted(strata)
        },
        ("drawn", "population"),
    )
    counts = {
        "drawn": len(drawn),
        "served": len(found.cases) + found.without_texts,
        "without_texts": found.without_texts,
    }
    click.echo(orjson.dumps(counts).decode())


@audit.command("label")
@click.argument("sampled", metavar="CASES", type=_FILE)
@click.option("--labels", required=True, type=_NEW_FILE, help="Labels, JSONL; appended to.")
@click.option("--by", default=getpass.getuser, help="Who says so; your user name by default.")
def label(sampled: Path, labels: Path, by: str) -> None:
    """
    Judge CASES one by one; each answer is kept at once, and what has a label is not asked again.

    The labels are rows for `turngate label export`, `audit report` and `deny labelled`.
    """
    check_output(labels, "--labels")
    found, problems = read_cases(sampled)
    _name(problems)
    if not found:
        raise click.ClickException(f"{sampled} holds no case of `turngate audit sample`")
    waiting = left(found, labels)
    if not waiting:
        click.echo("every case has a label", err=True)
    with saving(labels, "--labels"):
        counts = go_through(waiting, labels, by=by, ask=_ask, show=click.echo)
    click.echo(orjson.dumps(counts | {"left": len(left(found, labels))}).decode())


def _ask(question: str) -> str:
    while True:
        click.echo(question, nl=False, err=True)
        line = sys.stdin.readline()
        answer = line.strip().lower()[:1] if line else STOP
        if answer in (*ANSWERS, STOP):
            return answer


@audit.command("report")
@click.argument("sampled", metavar="CASES", type=_FILE)
@click.option("--labels", "labels", multiple=True, required=True, type=_FILE, help="Labels, JSONL.")
@click.option(
    "--record",
    type=_NEW_FILE,
    help="Put the counts by language where a worker's TURNGATE_AUDIT_RECORD finds them.",
)
def show_report(sampled: Path, labels: Sequence[Path], record: Path | None) -> None:
    """
    Say how many of the served CASES were right, by language and distance from the threshold.

    Intervals are Clopper-Pearson, 95 %. The share of all served replies counts each group by its
    size in the log. Pairs on which labels do not agree count as wrong. A file with lines that are
    no case, or no label, is refused: one of them may have been the wrong serve.
    """
    found = _whole_cases(sampled)
    given, bad = read_labels(labels)
    _refuse(bad, "no labels")
    served = {one.decision_id: one.prediction_id for one in found}
    named = [
        (one.label.prediction_id or served[one.turn], one) for one in given if one.turn in served
    ]
    settled = settle(named)
    agreed = {pair: one.label.label for pair, one in settled.labels.items()}
    disputed = {
        (one.turn, prediction): 0
        for prediction, one in named
        if (one.turn, prediction) not in agreed
    }
    made = report(found, agreed | disputed)
    if not any(part.labelled for part in made.by_language.values()):
        raise click.ClickException(f"no label speaks of a case of {sampled}")
    tables: dict[str, Precision] = {f"language {name}": p for name, p in made.by_language.items()}
    tables |= {f"band {name}": part for name, part in made.by_band.items()}
    tables |= {f"{language} {band}": p for (language, band), p in made.by_stratum.items()}
    print_table({name: part.document for name, part in tables.items()}, _COLUMNS)
    document: dict[str, Any] = {
        "weighted_precision": made.weighted,
        "disputed_pairs": len(disputed),
        "by_language": {name: part.document for name, part in made.by_language.items()},
        "by_band": {name: part.document for name, part in made.by_band.items()},
        "by_stratum": [
            {"language": language, "band": band} | part.document
            for (language, band), part in made.by_stratum.items()
        ],
    }
    if record is not None:
        with saving(record, "--record"):
            write_record(record, made.by_language)
    click.echo(orjson.dumps(document).decode())


def _whole_cases(sampled: Path) -> list[Case]:
    found, problems = read_cases(sampled)
    _refuse(problems, "no cases of `turngate audit sample`")
    if not found:
        raise click.ClickException(f"{sampled} holds no case of `turngate audit sample`")
    return found


def _refuse(problems: Sequence[Problem], what: str) -> None:
    """Name the lines that are not what they should be, and end."""
    if not problems:
        return
    _name(problems[:_NAMED])
    raise click.ClickException(
        f"{len(problems)} lines are {what}, the first of them line {problems[0].line} of "
        f"{problems[0].path}: nothing is reported"
    )


def _name(problems: Sequence[Problem]) -> None:
    for problem in problems:
        click.echo(str(problem), err=True)
