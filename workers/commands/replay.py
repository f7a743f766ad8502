"""`turngate replay`: logged decisions under other thresholds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.evaluation.replay import read_log, summarise
from workers.commands.ranges import Between
from workers.commands.tables import print_table

#: Changes that are printed for each threshold; the last line has all of them.
_SHOWN = 20


@click.command("replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--min-logit",
    "thresholds",
    multiple=True,
    required=True,
    type=Between(-100, 100),
    help="A threshold to try; may be given several times.",
)
def replay(file: Path, thresholds: Sequence[float]) -> None:
    """
    Decide the turns of FILE again, JSONL of `turn.decisions`, and show what would change.

    No model runs: the decisions carry the logits of their best candidates. The second opinion is
    not replayed, so a turn that depends on it is "open": a turn that would newly reach the
    threshold, or a serve that a higher threshold might still allow. The last line is JSON.
    """
    found = summarise(read_log(file), thresholds)
    _print(found)
    click.echo(orjson.dumps(found).decode())


def _print(found: dict[str, Any]) -> None:
    click.echo(
        f"{found['decisions']} decisions ({found['repeated']} lines repeated one), "
        f"{found['replayable']} of them follow from logits"
    )
    if len(found["judges"]) > 1:
        click.echo(f"of {len(found['judges'])} judges, whose logits do not compare: split the file")
    rows = {"as logged": found["answers"]}
    for tried in found["thresholds"]:
        rows[f"at {tried['min_logit']:+g}"] = tried["answers"] | {"changes": len(tried["changes"])}
    print_table(rows, ("serve", "miss", "open", "changes"))
    for tried in found["thresholds"]:
        for change in tried["changes"][:_SHOWN]:
            click.echo(
                f"at {tried['min_logit']:+g}  {change['decision_id']}  "
                f"{change['before']} -> {change['after']}  best logit {change['logit']:+.3f}"
            )
        left = len(tried["changes"]) - _SHOWN
        if left > 0:
            click.echo(f"at {tried['min_logit']:+g}  and {left} more")
