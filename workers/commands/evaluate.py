"""`turngate eval`: measurements on files."""

from pathlib import Path

import click
import orjson

from models.script_report import evaluate_scripts


@click.group("eval")
def evaluate() -> None:
    """Measure a part on a file of rows; the last line is JSON."""


@evaluate.command("scripts")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def scripts(file: Path) -> None:
    """Share of each language's rows in FILE, JSONL {"text","language"}, that may be judged."""
    click.echo(orjson.dumps(evaluate_scripts(file)).decode())
