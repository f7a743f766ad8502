"""What `turngate gate` shows a person."""

from collections.abc import Sequence
from typing import Any

import click

from models.evaluation.answer_gate import WrongAnswer
from models.evaluation.gate import Result
from models.evaluation.suite import WrongHit
from models.runtime import cpu_features
from workers.commands.tables import print_table

_COLUMNS = ("n", "positives", "recall", "false_accepts")
_GROUPS = ("by_language", "by_language_pair", "by_class")


def print_gate(result: Result[Any], *, threshold: float, made_on: Sequence[str]) -> None:
    """
    Print the measures as a table, each wrong hit with its texts, and whether the bundle passed.

    Args:
        result: what the gate says.
        threshold: that the bundle serves at.
        made_on: features of the CPU that the bundle was made on.
    """
    here = cpu_features()
    click.echo(f"cpu features of this machine: {' '.join(here) or 'not known'}")
    if tuple(here) != tuple(made_on):
        click.echo(f"the bundle was made on one with: {' '.join(made_on) or 'not known'}")
    groups = {"all": result.measures}
    for name in _GROUPS:
        label = name.removeprefix("by_").replace("_", " ")
        parts = result.measures.get(name, {})
        groups |= {f"{label} {value}": part for value, part in parts.items()}
    print_table(groups, _COLUMNS)
    for hit in result.wrong_hits:
        click.echo("\n".join(_lines(hit)))
    verdict = "passed" if result.passed else f"FAILED: {len(result.wrong_hits)} wrong hits"
    click.echo(f"gate at {threshold:+.4f}: {verdict}")


def _lines(hit: WrongHit | WrongAnswer) -> list[str]:
    known = ", ".join(name for name in (hit.language, hit.kind) if name)
    head = f"wrong hit {hit.name} ({known}):"
    if isinstance(hit, WrongHit):
        return [
            f"{head} {hit.logit:+.3f}, reversed {hit.reversed_logit:+.3f}",
            f"  said       {hit.utterance}",
            f"  predicted  {hit.prediction}",
        ]
    return [
        f"{head} probability {hit.probability:.3f}",
        f"  asked    {hit.question}",
        f"  title    {hit.title}",
        f"  content  {hit.content}",
    ]
