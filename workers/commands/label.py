"""`turngate label`: logged decisions and human labels as rows."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.evaluation.call import SIDES
from models.evaluation.mined import Mined, export, to_line
from workers.commands.output import saving
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.own_file import own_file

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("label")
def label() -> None:
    """Make rows of what people say of logged decisions; the last line is JSON."""


@label.command("export")
@click.argument("events", metavar="DECISIONS...", nargs=-1, required=True, type=_FILE)
@click.option(
    "--labels",
    "labels",
    multiple=True,
    required=True,
    type=_FILE,
    help="Labels, JSONL; may be given several times.",
)
@click.option(
    "--out",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for validation.jsonl and test.jsonl, which are overwritten.",
)
@click.option(
    "--validation-share",
    default=0.5,
    show_default=True,
    type=Between(0, 1),
    help="Part of the calls that goes to validation; the rest is test.",
)
def export_rows(
    events: Sequence[Path], labels: Sequence[Path], folder: Path, validation_share: float
) -> None:
    """
    Write labelled decisions as rows for validation and test, split by call; never for training.

    DECISIONS are JSONL of `turn.decisions`, and of the `turn.utterances` and `turn.predictions`
    that hold the texts; a file may mix them. A label is {"decision_id","prediction_id","label"}
    with optional "labeller" and "note"; "tenant_id", "call_id" and "seq" may stand in place of the
    id, and without a prediction the served one is meant. A pair on which labels do not agree is
    left out. What gives no row is named on stderr by file and line, and counted.

    The rows are personal data: they hold what callers said. They are never printed, and the files
    are readable by their owner alone. `turngate eval match` and `turngate calibrate` read them.
    """
    outputs = {side: folder / f"{side}.jsonl" for side in SIDES}
    _refuse_inputs(outputs.values(), (*events, *labels))
    found = export(events, labels, validation_share=validation_share)
    for problem in found.problems:
        click.echo(str(problem), err=True)
    if found.rows:
        with saving(folder, "--out"):
            folder.mkdir(parents=True, exist_ok=True)
            for side, path in outputs.items():
                _write(path, (row for row in found.rows if row.side == side))
    else:
        click.echo("no label gives a row: nothing was written", err=True)
    _print(found.counts)
    click.echo(orjson.dumps(found.counts).decode())
    sys.exit(0 if found.rows else 1)


def _refuse_inputs(outputs: Iterable[Path], inputs: Sequence[Path]) -> None:
    taken = {path.resolve() for path in inputs}
    if any(path.resolve() in taken for path in outputs):
        raise click.BadParameter("would overwrite a file that is read", param_hint="--out")


def _write(path: Path, rows: Iterable[Mined]) -> None:
    with own_file(path) as file:
        for row in rows:
            file.write(to_line(row) + b"\n")


def _print(counts: dict[str, Any]) -> None:
    print_table({side: counts[side] for side in SIDES}, ("rows", "positives", "calls"))
    for why, count in counts["left_out"].items():
        if count:
            click.echo(f"left out: {count} {why.replace('_', ' ')}")
    if counts["repeated"]:
        click.echo(f"{counts['repeated']} labels repeated another")
    if counts["bad_events"]:
        click.echo(f"{counts['bad_events']} lines of the log are no event of a turn")
