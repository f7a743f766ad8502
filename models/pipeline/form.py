"""
Stage: how a judge's logits are weighed by the form of the pair (`models.form`).

    python -m models.pipeline.form --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --pairs data/natural.tsv data/adversarial.tsv scenes.jsonl validation.jsonl --out form.json

A logistic regression over held-out pairs, in both orders, by the exact bytes that ship; each file
counts alike, however many pairs it has, so that easy and hard ones are held against each other:
alone, either would teach a shortcut. Pairs that a guard takes out teach nothing, since the judge is
not asked for them.

Writes the regression as the manifest holds it. The last line of stdout is one JSON document: for
each file the AUC and the recall at 1 and 2 % false accepts, of the logits as they were and of
weighed ones from a regression that had not seen the utterance (`FOLDS` folds).
"""

from __future__ import annotations

import argparse
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.form import check, columns, forms
from models.manifest import Form
from models.match import Option, guards
from models.pipeline.data.overlap import auc
from models.pipeline.evaluate import graph_scorer, read_pairs, recall_at
from models.router.regression import fit_regression
from models.screen import screen
from models.script import writing
from models.text import clean, match_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.pipeline.evaluate import Labelled, Scorer
    from models.router.regression import Regression

#: Parts that the pairs are cut into, by utterance, to see what a regression does on unseen ones.
FOLDS = 5
#: Shares of false accepts at which recall is reported.
_CEILINGS = (0.01, 0.02)


class Weighed:
    """The pairs of one file with what the judge says of them."""

    def __init__(self, data: Labelled, score: Scorer) -> None:
        cleaned = [(clean(a).text, clean(b).text) for a, b in data.pairs]
        kept = [place for place, pair in enumerate(cleaned) if is_judged(*pair)]
        pairs = [cleaned[place] for place in kept]
        #: (N,) 1 or 0.
        self.labels = np.array([data.labels[place] for place in kept])
        #: (N,) part of each pair.
        self.parts = np.array([zlib.crc32(a.encode()) % FOLDS for a, _ in pairs])
        self._forms = forms(pairs)
        self._orders = (score(pairs), score([(b, a) for a, b in pairs]))

    @property
    def plain(self) -> NDArray[np.float64]:
        """(N,) the lower logit of both orders, as it is served."""
        return np.minimum(*self._orders).astype(np.float64)

    @property
    def mean(self) -> NDArray[np.float64]:
        """(N, 8) columns of the mean of both orders."""
        return columns((self._orders[0] + self._orders[1]) / 2, self._forms)

    def by(self, found: Regression) -> NDArray[np.float64]:
        """(N,) the lower weighed logit of both orders."""
        both = [columns(one, self._forms) @ found.weights + found.bias for one in self._orders]
        return np.minimum(*both)


def is_judged(utterance: str, prediction: str) -> bool:
    """Tell whether the pair guards let a cleaned pair through to the judge."""
    other = Option(
        prediction_id="", text=prediction, key=match_key(prediction), writing=writing(prediction)
    )
    return guards(screen(utterance), [other]) == [None]


def fit(files: Sequence[Weighed], *, without: int | None = None) -> Regression:
    """Fit a regression to all files, or to all but one of the parts."""
    kept = [one.parts != without for one in files]
    rows = np.concatenate([one.mean[keep] for one, keep in zip(files, kept, strict=True)])
    labels = np.concatenate([one.labels[keep] for one, keep in zip(files, kept, strict=True)])
    weights = np.concatenate([np.full(keep.sum(), 1 / keep.sum()) for keep in kept])
    return fit_regression(rows, labels == 1, weights)


def unseen(files: Sequence[Weighed]) -> list[NDArray[np.float64]]:
    """Weigh each pair by a regression that had not seen its utterance; one (N,) a file."""
    found = [np.zeros(len(one.labels)) for one in files]
    for part in range(FOLDS):
        regression = fit(files, without=part)
        for scores, one in zip(found, files, strict=True):
            scores[one.parts == part] = one.by(regression)[one.parts == part]
    return found


def measures(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> dict[str, float | None]:
    """AUC and recalls of one file's scores."""
    area = auc(scores.tolist(), labels.tolist())
    recalls = {
        f"recall_at_{100 * ceiling:g}pct": recall_at(
            scores.astype(np.float32), labels.tolist(), ceiling
        )
        for ceiling in _CEILINGS
    }
    found = {"auc": area} | recalls
    return {name: None if value is None else round(value, 4) for name, value in found.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="int8 graph")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="held-out pairs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    score = graph_scorer(args.model, args.tokenizer, args.threads)
    files = {path.stem: Weighed(read_pairs(path), score) for path in args.pairs}
    found = fit(list(files.values()))
    form = Form(bias=found.bias, weights=tuple(found.weights.tolist()))
    check(form)
    args.out.write_text(json.dumps({"bias": form.bias, "weights": form.weights}))
    report: dict[str, Any] = {}
    for (name, one), scores in zip(files.items(), unseen(list(files.values())), strict=True):
        report[name] = {
            "n": len(one.labels),
            "plain": measures(one.plain, one.labels),
            "weighed": measures(scores, one.labels),
        }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
