"""`turngate calibrate`: the threshold of a bundle, from labelled pairs."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from models.evaluation.pairs import decide_pairs
from models.evaluation.rows import read_pairs
from models.evaluation.threshold import Choice, Rule, bare_scores, choose, write
from models.judge import Judge
from workers.commands.output import saving
from workers.commands.ranges import Between
from workers.commands.tables import print_table
from workers.settings import Settings

_COLUMNS = (
    "recall",
    "false_accept_rate",
    "false_accept_upper95",
    "n_positive",
    "n_negative",
    "own_threshold",
    "own_recall",
)


@click.command("calibrate")
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--pairs",
    "files",
    required=True,
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Labelled pairs, JSONL: validation, never test. With several, each must hold by itself.",
)
@click.option(
    "--max-false-accept",
    "ceiling",
    default=0.01,
    show_default=True,
    type=Between(0, 1, min_open=True, max_open=True),
    help="Largest false accept rate.",
)
@click.option("--by-language-bound", is_flag=True, help="Prove the ceiling in every language too.")
@click.option("--write", "writing", is_flag=True, help="Put the threshold into the bundle.")
@click.pass_obj
def calibrate(
    settings: Settings,
    bundle: Path,
    files: Sequence[Path],
    ceiling: float,
    *,
    by_language_bound: bool,
    writing: bool,
) -> None:
    """
    Choose the threshold of BUNDLE, a judge, under a false accept ceiling.

    The ceiling holds for the upper bound (Clopper-Pearson, one-sided, 95 %) over all pairs and for
    the rate in every language; pairs are decided as in the hot path. Beside it stand the threshold
    that each language alone would have, and the one that the bare model would need. Nothing is
    written without --write; the gate must be run again after it. The last line is JSON.
    """
    rule = Rule(ceiling=ceiling, by_language_bound=by_language_bound)
    judge = Judge.load(bundle, threads=settings.inference_threads)
    parts = [read_pairs([file]) for file in files]
    pairs = [pair for part in parts for pair in part]
    sizes = [len(part) for part in parts]
    decided = decide_pairs(pairs, judge)
    choice = choose(pairs, decided.scores, rule, parts=sizes)
    bare = choose(pairs, bare_scores(decided), rule, parts=sizes)
    _print(choice, bare, judge.threshold)
    found: dict[str, Any] = {
        **_rates(choice),
        "threshold": choice.value,
        "threshold_before": judge.threshold,
        "max_false_accept": ceiling,
        "by_language": _by_language(choice),
        "without_guards": _rates(bare) | {"threshold": bare.value},
        "fingerprint": judge.fingerprint,
        "written": writing,
    }
    if writing:
        data = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
        with saving(bundle, "--write"):
            found["fingerprint"] = write(bundle, choice, rule, data).fingerprint
    click.echo(orjson.dumps(found).decode())


def _rates(choice: Choice) -> dict[str, Any]:
    return {
        name: value for name, value in choice.entry.items() if name not in ("value", "languages")
    }


def _by_language(choice: Choice) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for language, own in choice.own.items():
        value, recall = (None, None) if own is None else (round(own[0], 4), round(own[1], 4))
        rates = choice.entry["languages"].get(language, {})
        found[language] = {**rates, "own_threshold": value, "own_recall": recall}
    return found


def _print(choice: Choice, bare: Choice, before: float) -> None:
    click.echo(f"threshold {choice.value:+.4f} (was {before:+.4f})")
    rows = {"all": _rates(choice), **_by_language(choice)}
    rows[f"without guards, at {bare.value:+.4f}"] = _rates(bare)
    print_table(rows, _COLUMNS)
    if None in choice.own.values():
        click.echo("a language without its own threshold has too few negatives to prove one")
