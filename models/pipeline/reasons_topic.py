"""What the nearness of a tenant's entries says of a question: is it off topic?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.encoder import Encoder, Vectors
from models.gaps.reasons.classifier import Weights
from models.gaps.reasons.features import Floats, features
from models.gaps.reasons.reason import REASONS, Reason
from models.kb.passages import passages
from models.masking import mask
from models.pipeline.data.kb import Target, knowledge_bases
from models.pipeline.reasons_rows import Rows
from models.router.head import softmax
from models.router.regression import Regression, fit_regression
from models.text import clean

#: Unanswered questions of knowledge bases, and off-topic rows, that are learned from.
TOPIC_ROWS = 1200
_SEED = 7


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned from the training rows, and what it says of them."""

    weights: Weights
    #: (N, D) of the training rows.
    vectors: Vectors
    #: (N, 4) of the training rows, by models that had not seen them, divided by the temperature.
    held_out: Floats
    temperature: float


def topic_regression(
    rows: Rows, learned: Learned, encoder: Encoder, count: int = TOPIC_ROWS
) -> Regression:
    """
    Learn how the nearness of entries tells what is off topic.

    Off-topic rows stand beside the entries of any knowledge base, and say what a model that had
    not seen them said; unanswered questions of a knowledge base stand beside its own entries, and
    no model has seen them.
    """
    rng = np.random.default_rng(_SEED)
    bases = [base for base in knowledge_bases() if base.entries]
    asked = [
        (one.text, at)
        for at, base in enumerate(bases)
        for one in base.questions
        if one.target is Target.NOTHING
    ]
    asked = [asked[at] for at in rng.permutation(len(asked))[:count]]
    off = np.flatnonzero(rows.labels == REASONS.index(Reason.OFF_TOPIC))
    off = rng.permutation(off)[:count]
    beside = rng.integers(len(bases), size=len(off))
    needed = {at for _, at in asked} | set(beside.tolist())
    near = {
        at: encoder.encode(
            [text for one in bases[at].entries for text in passages(one.title, one.content)]
        )
        for at in sorted(needed)
    }
    texts = [clean(mask(text).text).text for text, _ in asked]
    own = encoder.encode(texts)
    seen = features(texts, own, learned.weights.centre)
    on_logits = learned.weights.logits(seen) / np.float32(learned.temperature)
    columns = np.concatenate(
        [
            _columns(on_logits, [(own[i] @ near[at].T).max() for i, (_, at) in enumerate(asked)]),
            _columns(
                learned.held_out[off],
                [
                    (learned.vectors[i] @ near[int(at)].T).max()
                    for i, at in zip(off, beside, strict=True)
                ],
            ),
        ]
    )
    is_off = np.arange(len(columns)) >= len(asked)
    return fit_regression(columns, is_off, np.ones(len(columns)))


def _columns(logits: Floats, nearness: Sequence[float]) -> npt.NDArray[np.float64]:
    """(N, 2): log odds of off topic against on topic, and nearness."""
    shares = softmax(logits)
    off = shares[:, REASONS.index(Reason.OFF_TOPIC)]
    on = (
        shares[:, REASONS.index(Reason.NEEDS_LIVE_DATA)]
        + shares[:, REASONS.index(Reason.MISSING_KNOWLEDGE)]
    )
    odds = np.log(off + 1e-9) - np.log(on + 1e-9)
    return np.stack([odds, np.asarray(nearness)], axis=1).astype(np.float64)
