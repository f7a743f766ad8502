"""`turngate eval` for the thinking of the slow path; the last line is JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import orjson

from models.encoder import Encoder
from models.evaluation.classify import ReasonRow, measure_reasons
from models.evaluation.drafts import DraftRow, measure_drafts
from models.evaluation.labelled import read_labelled
from models.evaluation.nearness import Entry, Nearness
from models.evaluation.pii import PiiRow, measure_pii
from models.evaluation.same import SameRow, measure_same
from models.gaps.reasons import Classified, Classifier
from models.gaps.same import Asked, JudgedSame, Sameness
from models.judge import Judge
from models.masking import mask
from models.text import clean
from workers.commands.tables import print_table
from workers.settings import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_ENCODER = click.option(
    "--encoder-bundle", type=_FOLDER, help="Encoder; the worker's own by default."
)
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


@click.command("classify")
@click.argument("file", type=_FILE)
@click.option("--bundle", type=_FOLDER, help="Classifier; the worker's own by default.")
@_ENCODER
@click.option(
    "--entries", type=_FILE, help='The tenants\' entries, JSONL {"tenant","title","content"}.'
)
@click.pass_obj
def classify(
    settings: Settings,
    file: Path,
    bundle: Path | None,
    encoder_bundle: Path | None,
    entries: Path | None,
) -> None:
    """
    Say why questions stayed unanswered, and compare.

    FILE is JSONL {"tenant","question","reason"} with optional "language"; "text" and "class" are
    read too. Questions are masked first, as the worker does. Rows are named by the number of their
    line; the output never shows a text.
    """
    rows = read_labelled(file, ReasonRow)
    encoder = Encoder.load(encoder_bundle or settings.encoder, threads=settings.inference_threads)
    classifier = Classifier.load(bundle or settings.reasons, encoder.fingerprint)
    nearness = Nearness(
        [entry for _, entry in read_labelled(entries, Entry)] if entries else [], encoder
    )

    def said(asked: Sequence[ReasonRow]) -> list[Classified]:
        questions = [clean(mask(row.asked).text).text for row in asked]
        vectors = encoder.encode(questions)
        near = nearness.of([row.tenant for row in asked], vectors)
        return classifier.classify(questions, vectors, near)

    found = measure_reasons(rows, said) | {
        "threshold": classifier.manifest.threshold,
        "bundles": {
            "reasons": classifier.manifest.fingerprint,
            "encoder": encoder.fingerprint,
        },
    }
    print_table({"all": found} | _groups(found, "by_lang"), ("rows", "macro_f1", "accuracy"))
    print_table(found["confusion"], tuple(found["confusion"]))
    click.echo(orjson.dumps(found).decode())


@click.command("same")
@click.argument("file", type=_FILE)
@click.option("--bundle", type=_FOLDER, help="Decider; the worker's own by default.")
@click.option("--judge-bundle", type=_FOLDER, help="Judge; the worker's own by default.")
@_ENCODER
@click.pass_obj
def same(
    settings: Settings,
    file: Path,
    bundle: Path | None,
    judge_bundle: Path | None,
    encoder_bundle: Path | None,
) -> None:
    """
    Say of pairs of questions whether they are one, and compare.

    FILE is JSONL {"a","b","same"} with optional "kind" and "language" ("ar-en"). Beside the decider
    stands the best that any cosine threshold could do, chosen on the very same rows. Rows are named
    by the number of their line; the output never shows a text.
    """
    rows = read_labelled(file, SameRow)
    threads = settings.inference_threads
    encoder = Encoder.load(encoder_bundle or settings.encoder, threads=threads)
    judge = Judge.load(judge_bundle or settings.judge, threads=threads)
    decider = JudgedSame.load(bundle or settings.same, encoder, judge)

    def decide(asked: Sequence[SameRow]) -> tuple[list[Sameness], npt.NDArray[np.float64]]:
        texts = [clean(mask(text).text).text for row in asked for text in (row.a, row.b)]
        vectors = encoder.encode(texts)
        both = [Asked(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        cosines = (vectors[::2] * vectors[1::2]).sum(axis=1).astype(np.float64)
        return decider.decide(list(zip(both[::2], both[1::2], strict=True))), cosines

    found = measure_same(rows, decide) | {
        "threshold": decider.manifest.threshold,
        "bundles": {
            "same": decider.manifest.fingerprint,
            "encoder": encoder.fingerprint,
            "judge": judge.fingerprint,
        },
    }
    groups = {"all": found} | _groups(found, "by_languages") | _groups(found, "by_kind")
    print_table(groups, ("n", "same", "accuracy", "cosine_accuracy"))
    click.echo(orjson.dumps(found).decode())


def _groups(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {f"{name[3:]} {value}": part for value, part in found[name].items()}
