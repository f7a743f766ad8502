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
from workers.audit.case import cases, read_cases, write_cases
from workers.audit.fetch import fetch
from workers.audit.report import Precision, report
from workers.audit.sample import sample
from workers.audit.terminal import ANSWERS, STOP, go_through, left
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)
_COLUMNS = ("labelled", "right", "wrong", "precision", "low95", "high95", "population")


@click.group("audit")
def audit() -> None:
    """
    Sample what was served, have people judge it, and report; the last line is JSON.

    Everything here is personal data: files are readable by their owner alone.
    """


@audit.command("fetch")
@click.option("--out", required=True, type=_NEW_FILE, help="Log to write, JSONL; replaced.")
@click.option("--hours", default=24.0, show_default=True, type=click.FloatRange(min=0.01))
@click.option(
    "--limit", "limit_s", default=300.0, show_default=True, help="Seconds that it may take."
)
@click.pass_obj
def fetch_log(settings: Settings, out: Path, hours: float, limit_s: float) -> None:
    """
    Write the turns on the broker as a log for the other commands, `label export` and `replay`.

    Predictions stay on their topic for an hour, so a log worth sampling is fetched every hour.
    """
    broker = replace(connection(settings), limit_s=limit_s)
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
    logged = read_logged(events)
    _name(logged.problems)
    found = cases(logged)
    drawn = sample(found.cases, size=size, seed=seed)
    if not drawn:
        raise click.ClickException("no served decision with its texts is in the log")
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
    found, problems = read_cases(sampled)
    _name(problems)
    waiting = left(found, labels)
    if not waiting:
        click.echo("every case has a label", err=True)
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
def show_report(sampled: Path, labels: Sequence[Path]) -> None:
    """
    Say how many of the served CASES were right, by language and distance from the threshold.

    Intervals are Clopper-Pearson, 95 %. The share of all served replies counts each group by its
    size in the log. Pairs on which labels do not agree count as wrong.
    """
    found, problems = read_cases(sampled)
    _name(problems)
    given, bad = read_labels(labels)
    _name(bad)
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
    click.echo(orjson.dumps(document).decode())


def _name(problems: Sequence[Problem]) -> None:
    for problem in problems:
        click.echo(str(problem), err=True)
