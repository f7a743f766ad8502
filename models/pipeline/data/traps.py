"""The hand-written pairs of `traps.tsv`: the first gate, never trained on."""

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
