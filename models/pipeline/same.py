"""
Stage of the slow path: the decider of "is this the same question?".

    python -m models.pipeline.same --data ../shared/data --out models/bundles/same
    python -m models.pipeline.same ... --tiny        a few pairs, to see that it runs

One command makes the whole bundle; run it again whenever encoder or match judge change. It draws
pairs (`same_pairs`), gives each its columns (`models.gaps.same.features`), leaves out those that a
rule decides, weighs the columns by logistic regression in `FOLDS` folds that share no set, name,
scene or paragraph, chooses the threshold on what held-out pairs got, and learns again
from all. Sources and labels weigh alike, however many pairs they have.

`models/suites/same.jsonl` is not read: it measures (`turngate eval same`). The last line of stdout
is one JSON document, what cross-validation found.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.encoder import Encoder
from models.gaps.clause import clauses
from models.gaps.same.bundle import write_bundle
from models.gaps.same.decider import JudgedSame, both_orders, rule
from models.gaps.same.features import LANGUAGES, NAMES, columns, language_of, read_question
from models.judge import Judge
from models.pipeline.data.overlap import auc
from models.pipeline.data.tables import HERE
from models.pipeline.same_pairs import (
    LabelledPair,
    question_pairs,
    scene_pairs,
    twin_pairs,
    xquad_pairs,
)
from models.router.regression import Regression, fit_regression
from models.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from models.encoder import Vectors
    from models.gaps.same.features import Read

FOLDS = 5
#: Pairs of each source and label at most, and how many times as many of sets of questions: they are
#: what the slow path meets, in all languages.
_PAIRS, _TINY_PAIRS = 500, 30
_ASKED = 4
_SEED = 7

_CARD = """\
# turngate-same

Says whether two masked questions are the same question. A logistic regression over what the match
judge says of them (the lower of both orders), the encoder's cosine, raw and from the mean of each
language, the words, values, facts, denials and conditions that both or one have; `manifest.json`
holds its weights and what held-out training pairs gave. Rules come before it: what is spelled alike
is the same, other values and other named entities are another question.

## Origin

Learned by `python -m models.pipeline.same` from the project's sets of questions, unanswered
questions and scenes (Apache-2.0), those that the judge was not trained on, and from XQuAD (CC BY-SA
4.0); none of their texts is in the bundle. It belongs to one encoder and one judge, whose
fingerprints it holds.

## Limits

* Most of what it joins wrongly differs in a name that is spelled in two scripts, or in polarity.
* Wrongly joined questions hide one another in the backlog: a person must be able to part them.
"""


class Vectoriser:
    """Encodes each text once, and knows the mean of each language."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, Vectors] = {}

    def of(self, texts: Sequence[str]) -> Vectors:
        """(N, D) of raw texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        encoded = self._encoder.encode([clean(text).text for text in new])
        self._vectors |= dict(zip(new, encoded, strict=True))
        return np.array([self._vectors[text] for text in texts])

    def centres(self) -> dict[str, Vectors]:
        """Mean vector of each language; of one without texts, of all."""
        by_language: defaultdict[str, list[Vectors]] = defaultdict(list)
        for text, vector in self._vectors.items():
            by_language[language(text)].append(vector)
        everything = np.mean(list(self._vectors.values()), axis=0)
        return {
            name: np.asarray(np.mean(by_language[name], axis=0), np.float32)
            if by_language[name]
            else np.asarray(everything, np.float32)
            for name in (*LANGUAGES, "other")
        }


def language(text: str) -> str:
    """Language of a raw text."""
    cleaned = clean(text).text
    return language_of(cleaned, clauses(cleaned))


def draw(pairs: Iterable[LabelledPair], rng: np.random.Generator, most: int) -> list[LabelledPair]:
    """Draw pairs of each label, at most so many."""
    found = list(pairs)
    drawn = []
    for same in (True, False):
        own = [pair for pair in found if pair.same is same]
        drawn += [own[at] for at in rng.permutation(len(own))[:most]]
    return drawn


def rows_of(
    pairs: Sequence[LabelledPair], vectoriser: Vectoriser, judge: Judge
) -> tuple[list[LabelledPair], NDArray[np.float64]]:
    """Give the columns of the pairs that no rule decides."""
    centres = vectoriser.centres()
    read = [(_read(one.a, vectoriser, centres), _read(one.b, vectoriser, centres)) for one in pairs]
    left = [at for at, (a, b) in enumerate(read) if rule(a, b) is None]
    logits = both_orders(judge, [read[at] for at in left])
    rows = [columns(*read[at], logit) for at, logit in zip(left, logits, strict=True)]
    return [pairs[at] for at in left], np.array(rows)


def _read(text: str, vectoriser: Vectoriser, centres: Mapping[str, Vectors]) -> Read:
    return read_question(text, vectoriser.of([text])[0], centres)


def weights_of(pairs: Sequence[LabelledPair]) -> NDArray[np.float64]:
    """(N,) so that every source and label counts alike."""
    counts = Counter((pair.source, pair.same) for pair in pairs)
    return np.array([1 / counts[pair.source, pair.same] for pair in pairs])


def held_out(
    pairs: Sequence[LabelledPair], rows: NDArray[np.float64], labels: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(N,) chances of each pair, by a regression that had not seen its group."""
    folds = np.array([zlib.crc32(pair.group.encode()) % FOLDS for pair in pairs])
    weights = weights_of(pairs)
    chances = np.zeros(len(pairs))
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        if test.any():
            found = fit_regression(rows[train], labels[train], weights[train])
            chances[test] = found.chances(rows[test])
    return chances


def best_threshold(
    scores: NDArray[np.float64], labels: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, float]:
    """Give the score from which on "same" is right most often, and how often."""
    order = np.argsort(-scores, kind="stable")
    gains = np.where(labels[order], weights[order], -weights[order]).cumsum()
    # Between two equal scores no threshold lies.
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    best = ends[gains[ends].argmax()]
    right = gains[best] + weights[~labels].sum()
    below = scores[order][best + 1] if best + 1 < len(scores) else scores[order][best] - 1e-6
    return float((scores[order][best] + below) / 2), float(right / weights.sum())


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the bundle."""
    parser = argparse.ArgumentParser(description="Make the decider of the same question.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--encoder", type=Path, default=Path("models/bundles/encoder"))
    parser.add_argument("--judge", type=Path, default=Path("models/bundles/judge"))
    parser.add_argument("--out", type=Path, default=Path("models/bundles/same"))
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args(arguments)
    encoder = Encoder.load(options.encoder, threads=options.threads)
    judge = Judge.load(options.judge, threads=options.threads)
    pairs, rows, centres = _data(options, encoder, judge)
    labels = np.array([pair.same for pair in pairs])
    weights = weights_of(pairs)
    chances = held_out(pairs, rows, labels)
    threshold, accuracy = best_threshold(chances, labels, weights)
    found = {
        "pairs": len(pairs),
        "accuracy": accuracy,
        "auc": auc(chances.tolist(), labels.astype(int).tolist()),
        "cosine_accuracy": best_threshold(rows[:, 0], labels, weights)[1],
    }
    regression = fit_regression(rows, labels, weights)
    _write(options, found | {"threshold": threshold}, regression, centres, (encoder, judge))
    by_source = {
        source: _accuracy(pairs, chances >= threshold, source)
        for source in sorted({pair.source for pair in pairs})
    }
    print(json.dumps(found | {"threshold": threshold, "by_source": by_source}))


def _data(
    options: argparse.Namespace, encoder: Encoder, judge: Judge
) -> tuple[list[LabelledPair], NDArray[np.float64], dict[str, Vectors]]:
    rng = np.random.default_rng(_SEED)
    most = _TINY_PAIRS if options.tiny else _PAIRS
    vectoriser = Vectoriser(encoder)
    print("drawing pairs")
    asked = list(question_pairs(rng))
    pairs = draw((pair for pair in asked if pair.source == "questions"), rng, _ASKED * most)
    pairs += draw((pair for pair in asked if pair.source == "named"), rng, most)
    pairs += draw(twin_pairs(rng), rng, most)
    pairs += draw(scene_pairs(rng), rng, most)
    pairs += draw(xquad_pairs(rng, options.data), rng, most)
    vectoriser.of([text for pair in pairs for text in (pair.a, pair.b)])
    print(f"{len(pairs)} pairs; judging")
    left, rows = rows_of(pairs, vectoriser, judge)
    print(f"{len(pairs) - len(left)} decided by a rule; learning from {len(left)}")
    return left, rows, vectoriser.centres()


def _accuracy(pairs: Sequence[LabelledPair], said: NDArray[np.bool_], source: str) -> float:
    own = [at for at, pair in enumerate(pairs) if pair.source == source]
    return float(np.mean([said[at] == pairs[at].same for at in own]))


def _write(
    options: argparse.Namespace,
    found: dict[str, Any],
    regression: Regression,
    centres: Mapping[str, Vectors],
    models: tuple[Encoder, Judge],
) -> None:
    encoder, judge = models
    threshold = found.pop("threshold")
    inputs = [
        *sorted((HERE / "questions").glob("*.t*")),
        *(options.data / "xquad" / f"xquad.{name}.json.gz" for name in ("ar", "en", "hi")),
        *sorted((HERE / "unanswered").glob("*.tsv")),
        *sorted((HERE / "scenes").glob("*.txt")),
    ]
    fields = {
        "name": "turngate-same",
        "version": options.version,
        "encoder_fingerprint": encoder.fingerprint,
        "judge_fingerprint": judge.fingerprint,
        "weights": dict(zip(NAMES, map(float, regression.weights), strict=True)),
        "bias": regression.bias,
        "threshold": threshold,
        "cross_validated": found,
        "training_data": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in inputs
        },
        "licence": "Apache-2.0",
    }
    own = {name: centres[name] for name in LANGUAGES}
    write_bundle(options.out, own, _CARD, fields)
    JudgedSame.load(options.out, encoder, judge)


if __name__ == "__main__":
    main()
