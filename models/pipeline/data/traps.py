"""
The hand-written pairs that are never trained on.

`traps.tsv` is the first gate: pairs that look alike and differ, and true paraphrases.
`natural.tsv` holds whole turns as a shortlist brings them: what the agent said, one utterance, and
the predictions of that moment, of which at most one matches.
"""

from dataclasses import dataclass

from models.pipeline.data.tables import HERE, read_table


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


def load_natural() -> list[Trap]:
    """Return every pair of the natural turns, in the order of the table."""
    return [
        Trap(
            cells["language"],
            "natural",
            cells["utterance"],
            cells["prediction"],
            int(cells["label"]),
        )
        for cells in read_table(HERE / "natural.tsv")
    ]


def load_traps() -> list[Trap]:
    """Return the traps in the order of the table."""
    return [
        Trap(
            cells["language"],
            cells["class"],
            cells["utterance"],
            cells["prediction"],
            int(cells["label"]),
        )
        for cells in read_table(HERE / "traps.tsv")
    ]
