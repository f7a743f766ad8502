"""`turngate deny`: pairs that are never served again."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from topics.denial import Denial
from workers.audit.wrong import wrong_pairs
from workers.denial_publish import Pair, denial, publish_denials
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_BY = click.option("--by", default=None, help="Who bans it, as they name themselves.")
_TENANT = click.option("--tenant", required=True, help="Whose callers it is about.")


@click.group("deny")
def deny() -> None:
    """
    Ban pairs from being served, at once and on all workers; the last line is JSON.

    A ban holds for one tenant, for both directions of the pair, and however the texts are written
    that the exact tier takes for one. It can only make serving rarer. `pair.denials` keeps a digest
    of the pair and no text.
    """


@deny.command("add")
@_TENANT
@click.argument("utterance")
@click.argument("prediction")
@_BY
@click.pass_obj
def add(settings: Settings, tenant: str, utterance: str, prediction: str, by: str | None) -> None:
    """
    Never serve PREDICTION's reply where the caller says UTTERANCE.

    What is typed here stays in the shell's history; `-` reads that text from standard input, one a
    line.
    """
    _publish(settings, [denial(_pair(tenant, utterance, prediction), by=by)])


@deny.command("remove")
@_TENANT
@click.argument("utterance")
@click.argument("prediction")
@click.pass_obj
def remove(settings: Settings, tenant: str, utterance: str, prediction: str) -> None:
    """Lift the ban of a pair, both texts as for `add`."""
    _publish(settings, [denial(_pair(tenant, utterance, prediction), by=None)], lift=True)


@deny.command("labelled")
@click.argument("events", metavar="LOG...", nargs=-1, required=True, type=_FILE)
@click.option("--labels", "labels", multiple=True, required=True, type=_FILE, help="Labels, JSONL.")
@_BY
@click.pass_obj
def labelled(
    settings: Settings, events: Sequence[Path], labels: Sequence[Path], by: str | None
) -> None:
    """
    Ban every pair that a label of 0 says was wrong.

    LOG are JSONL of decisions, utterances and predictions, and labels rows of `turngate audit
    label`, as for `turngate label export`. Pairs on which labels do not agree are banned too: in
    doubt it is not served.
    """
    found = wrong_pairs(events, labels)
    for problem in found.problems:
        click.echo(str(problem), err=True)
    pairs = [
        Pair(
            tenant_id=each.tenant_id,
            utterance=each.utterance,
            prediction=each.prediction,
            decision_id=each.decision_id,
        )
        for each in found.pairs
    ]
    if found.problems and not pairs:
        raise click.ClickException("nothing was banned: no label of 0 has its texts in the log")
    _publish(settings, [denial(pair, by=by) for pair in pairs])


def _pair(tenant: str, utterance: str, prediction: str) -> Pair:
    texts = [
        sys.stdin.readline().rstrip("\r\n") if text == "-" else text
        for text in (utterance, prediction)
    ]
    return Pair(tenant_id=tenant, utterance=texts[0], prediction=texts[1])


def _publish(settings: Settings, denials: Sequence[Denial], *, lift: bool = False) -> None:
    asyncio.run(publish_denials(settings, denials, lift=lift))
    pairs = sorted({each.pair for each in denials})
    click.echo(orjson.dumps({"lifted" if lift else "denied": pairs}).decode())
