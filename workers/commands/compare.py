"""`turngate compare`: two judges on the same traffic."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import orjson

from models.encoder import Encoder
from models.evaluation import compare as comparing
from models.evaluation.traffic import read_traffic
from models.evaluation.turns import Gate
from models.judge import Judge
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_SIDE_COLUMNS = (
    "threshold",
    "served",
    "served_right",
    "served_wrong",
    "served_unlabelled",
    "precision",
    "conversion",
    "judge_p50_ms",
    "judge_p95_ms",
)
_END_COLUMNS = ("turns", "a_right", "a_wrong", "b_right", "b_wrong")
#: Differences that are printed; the last line has all of them.
_SHOWN = 20


@click.command("compare")
@click.argument("bundle_a", type=_FOLDER)
@click.argument("bundle_b", type=_FOLDER)
@click.option(
    "--turns",
    "files",
    multiple=True,
    required=True,
    type=_FILE,
    help="Labelled turns or logged events, JSONL; may be given several times.",
)
@click.option(
    "--labels",
    "labels",
    multiple=True,
    type=_FILE,
    help="Labels of logged turns, as `label export` reads them; may be given several times.",
)
@click.option("--encoder-bundle", type=_FOLDER, help="Encoder; the worker's own by default.")
@click.pass_obj
def compare(
    settings: Settings,
    bundle_a: Path,
    bundle_b: Path,
    *,
    files: Sequence[Path],
    labels: Sequence[Path],
    encoder_bundle: Path | None,
) -> None:
    """
    Decide the same turns with two judges, BUNDLE_A and BUNDLE_B, and show where they part.

    Each judge serves at its own threshold; guards, exact tier and shortlist are the same. A file
    has turns as `eval turns` reads them, or logged events: `turn.utterances`, `turn.predictions`
    and, for their ids and languages, `turn.decisions`. Differing turns are shown by id or row, with
    both logits of the prediction that was served, numbered from 1; texts are not. The last line is
    JSON.
    """
    traffic = read_traffic(files, labels)
    threads = settings.inference_threads
    encoder = Encoder.load(encoder_bundle or settings.encoder, threads=threads)
    a = Gate(
        encoder=encoder,
        judge=Judge.load(bundle_a, threads=threads),
        shortlist=settings.shortlist,
    )
    b = replace(a, judge=Judge.load(bundle_b, threads=threads))
    for model in (encoder, a.judge, b.judge):
        model.warm()
    found = comparing.summarise(comparing.compare(traffic.cases, a, b))
    for name, gate in (("a", a), ("b", b)):
        found[name] |= {"threshold": gate.judge.threshold, "judge": gate.judge.fingerprint}
    found |= {"encoder": encoder.fingerprint, "traffic": traffic.counts}
    _print(found)
    click.echo(orjson.dumps(found).decode())


def _print(found: dict[str, Any]) -> None:
    for name, count in found["traffic"].items():
        if count:
            click.echo(f"{count} {name.replace('_', ' ')}")
    click.echo(f"{found['turns']} turns: both agree on {found['agree']}, not on {found['differ']}")
    print_table({"A": found["a"], "B": found["b"]}, _SIDE_COLUMNS)
    print_table(
        {name.replace("_", " "): part for name, part in found["ends"].items()}, _END_COLUMNS
    )
    for one in found["differences"][:_SHOWN]:
        click.echo(_shown(one))
    left = len(found["differences"]) - _SHOWN
    if left > 0:
        click.echo(f"and {left} more")


def _shown(one: dict[str, Any]) -> str:
    logits = "; ".join(
        f"prediction {each['prediction']}: A {_logit(each['logit_a'])}, B {_logit(each['logit_b'])}"
        + ("" if each["label"] is None else f", label {each['label']}")
        for each in one["predictions"]
    )
    reasons = f"A {one['a']['reason']}, B {one['b']['reason']}"
    return f"{one['id']}  {one['end'].replace('_', ' ')}  {logits}  ({reasons})"


def _logit(logit: float | None) -> str:
    return "not read" if logit is None else f"{logit:+.3f}"
