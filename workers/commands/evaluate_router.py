"""`turngate eval router`: the intent router on labelled sets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.encoder import Encoder
from models.evaluation.router.measure import mean
from models.evaluation.router.reference import REFERENCES, ReferenceEncoder
from models.evaluation.router.rows import read_rows
from models.evaluation.router.run import Plan, run, summary
from models.evaluation.router.sets import SETS, RoutingSet, read_set
from models.evaluation.router.vectors import KeptVectors
from models.router import Gate, Options
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_COLUMNS = (
    "top1",
    "answered",
    "accuracy",
    "oos_answered",
    "accuracy_with_oos",
    "mcc",
    "language_withheld",
    "denial_withheld",
    "threshold",
    "route_p99_ms",
)
_BUNDLE = "bundle"


@click.command("router")
@click.option("--data", "name", type=click.Choice(list(SETS)), help="Public set.")
@click.option(
    "--data-folder",
    default=Path("../shared/data"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the public sets.",
)
@click.option("--train", type=_FILE, help='Examples, JSONL {"text","intent"}; "oos" is no intent.')
@click.option("--validation", type=_FILE, help="Likewise; chooses the threshold.")
@click.option("--test", type=_FILE, help="Likewise; measured only.")
@click.option(
    "--encoder",
    "encoder_name",
    default=_BUNDLE,
    show_default=True,
    type=click.Choice([_BUNDLE, *REFERENCES]),
    help="The worker's own, or an English reference (extra `reference`).",
)
@click.option(
    "-k", default=10, show_default=True, type=click.IntRange(1), help="Examples an intent."
)
@click.option("--draws", default=5, show_default=True, type=click.IntRange(1))
@click.option(
    "--gate",
    default=Gate.DEFAULT.value,
    show_default=True,
    type=click.Choice([gate.value for gate in Gate]),
    help="`margin` is the published baseline.",
)
@click.option(
    "--target",
    default=Options().target,
    show_default=True,
    type=Between(0, 1, min_open=True),
    help="Right answers among all answers, on validation.",
)
@click.option(
    "--oos-share",
    type=Between(0, 1, max_open=True),
    help="Share of out of scope in production; by default that of the test rows, "
    "and for `margin` validation phrases as they are.",
)
@click.option(
    "--examples-only", is_flag=True, help="Validation phrases only judge; they teach nothing."
)
@click.option("--vectors", type=_FOLDER, help="Folder to keep vectors in between runs.")
@click.pass_obj
def router(
    settings: Settings,
    *,
    name: str | None,
    data_folder: Path,
    train: Path | None,
    validation: Path | None,
    test: Path | None,
    encoder_name: str,
    k: int,
    draws: int,
    gate: str,
    target: float,
    oos_share: float | None,
    examples_only: bool,
    vectors: Path | None,
) -> None:
    """
    Compile routers and measure them on test rows that they never saw.

    Examples are drawn k an intent, once a draw. Rows of train and validation with intent `oos` are
    the out-of-scope phrases. Without validation rows, a quarter of each intent's train phrases is
    held back for it. The default gate learns from validation rows too, each judged by
    what did not see it, unless --examples-only. The last line is JSON: means over the draws.

    Answers are counted as the router gives them. What a worker's guards would take out of them
    stands beside them: language_withheld (too few validation phrases in the turn's language, or no
    example of the intent) and denial_withheld, shares of all answers.
    """
    sets = _sets(name, data_folder, (train, validation, test))
    plan = Plan(
        k=k,
        draws=draws,
        gate=Gate(gate),
        target=target,
        out_of_scope_share=oos_share,
        examples_only=examples_only,
    )
    encoder = KeptVectors(_encoder(encoder_name, settings), vectors)
    parts: dict[str, dict[str, Any]] = {}
    shown: dict[str, Mapping[str, Any]] = {}
    for rows in sets:
        drawn = []
        for one in run(rows, encoder, plan):
            drawn.append(one)
            label = f"{rows.name} draw {one.seed}"
            shown[label] = one.numbers
            click.echo(f"{label}: {one.compiled.router.state}", err=True)
        shown[rows.name] = parts[rows.name] = summary(drawn)
    print_table(shown, _COLUMNS)
    click.echo(orjson.dumps(_found(parts, plan, encoder)).decode())


def _sets(
    name: str | None, folder: Path, files: tuple[Path | None, Path | None, Path | None]
) -> Sequence[RoutingSet]:
    train, validation, test = files
    if name is not None:
        if any(files):
            raise click.UsageError("--data takes no files beside it")
        return read_set(name, folder)
    if train is None or test is None:
        raise click.UsageError("name a set with --data, or files with --train and --test")
    examples = read_rows(train)
    return [
        RoutingSet(
            name=test.stem,
            train=examples,
            validation=read_rows(validation, examples) if validation else (),
            test=read_rows(test, examples),
        )
    ]


def _encoder(name: str, settings: Settings) -> Encoder | ReferenceEncoder:
    if name == _BUNDLE:
        return Encoder.load(settings.encoder, threads=settings.inference_threads)
    return ReferenceEncoder.load(name, threads=settings.inference_threads)


def _found(parts: dict[str, dict[str, Any]], plan: Plan, encoder: KeptVectors) -> dict[str, Any]:
    """One set's numbers as they are; of several their mean, with each beside it."""
    numbers = next(iter(parts.values()))
    if len(parts) > 1:
        names = numbers["by_draw"][0]
        shown = [{name: part[name] for name in names} for part in parts.values()]
        numbers = {**mean(shown), "parts": parts}
    return numbers | {
        "gate": plan.gate,
        "k": plan.k,
        "draws": plan.draws,
        "target": plan.target,
        "examples_only": plan.examples_only,
        "encoder": encoder.fingerprint,
    }
