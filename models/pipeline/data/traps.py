"""
The hand-written pairs that are never trained on.

`traps.tsv` is the first gate: pairs that look alike and differ, and true paraphrases; a bundle
proves itself with them at every start. `adversarial.tsv` is its larger brother, by a hand that had
read no training data; thresholds are chosen on it, the gate of `models/suites` then tests them.
`natural.tsv` holds whole turns as a shortlist brings them: what the agent said, one utterance, and
the predictions of that moment, of which at most one matches.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from models.pipeline.data.tables import HERE, read_table

#: The tables.
TRAPS, NATURAL, ADVERSARIAL = (
    HERE / name for name in ("traps.tsv", "natural.tsv", "adversarial.tsv")
)


@dataclass(frozen=True, slots=True)
class Trap:
    """One pair that a judge must get right before it may serve."""

    language: str
    #: What the pair tests, such as "polarity".
    kind: str
    utterance: str
    prediction: str
    #: 1 interchangeable, 0 not.
    label: int


def load(path: Path) -> list[Trap]:
    """Return the pairs of one of the tables, in its order; those of turns have class "natural"."""
    return [
        Trap(
            cells["language"],
            cells.get("class", "natural"),
            cells["utterance"],
            cells["prediction"],
            int(cells["label"]),
        )
        for cells in read_table(path)
    ]


def write_rows(path: Path, traps: Iterable[Trap]) -> None:
    """Write pairs as `turngate eval match` and `turngate calibrate` read them."""
    rows = (
        {
            "language": trap.language,
            "class": trap.kind,
            "utterance": trap.utterance,
            "prediction": trap.prediction,
            "label": trap.label,
        }
        for trap in traps
    )
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def held_apart() -> list[Trap]:
    """Return every pair that no training row may repeat."""
    return [trap for path in (TRAPS, ADVERSARIAL, NATURAL) for trap in load(path)]
