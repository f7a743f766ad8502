"""`turngate eval` for the thinking of the slow path; the last line is JSON."""

from pathlib import Path
from typing import Any

import click
import orjson

from models.evaluation.drafts import DraftRow, measure_drafts
from models.evaluation.labelled import read_labelled
from models.evaluation.pii import PiiRow, measure_pii
from workers.commands.tables import print_table

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_PII_COLUMNS = (
    "rows",
    "spans",
    "recall",
    "right_type",
    "precision",
    "leaked_characters",
    "over_masked_lines",
)


@click.command("pii")
@click.argument("file", type=_FILE)
def pii(file: Path) -> None:
    """
    Mask marked texts and count what leaks and what is masked for nothing.

    FILE is JSONL {"text","spans":[{"start","end","type"}]} with optional "language"; offsets
    are characters. Leaks are named by the number of their line; the output never shows a text.
    """
    found = measure_pii(read_labelled(file, PiiRow))
    groups = {"all": found} | _groups(found, "by_lang") | _groups(found, "by_type")
    print_table(groups, _PII_COLUMNS)
    for kind, numbers in found["leaks"].items():
        click.echo(f"leaks {kind}: lines {', '.join(map(str, numbers))}")
    if found["over_masked"]:
        click.echo(f"masked for nothing: lines {', '.join(map(str, found['over_masked']))}")
    click.echo(orjson.dumps(found).decode())


@click.command("drafts")
@click.argument("file", type=_FILE)
def drafts(file: Path) -> None:
    """
    Hold drafts of entries against their evidence, and count what is wrongly accepted.

    FILE is JSONL {"evidence":[…],"draft","ok"} with optional "kind". Rows are named by the number
    of their line; the output never shows a text.
    """
    found = measure_drafts(read_labelled(file, DraftRow))
    print_table(found["by_kind"], ("n", "accepted"))
    click.echo(orjson.dumps(found).decode())


def _groups(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {f"{name[3:]} {value}": part for value, part in found[name].items()}
