"""The traps that a bundle proves itself with."""

from models.pipeline.data.traps import Trap
from models.pipeline.pack import TOLERANCE
from models.pipeline.proof import proof

THRESHOLD = 2.0


def trap(label: int) -> Trap:
    return Trap("en", "polarity", "sure", "of course" if label else "of course not", label)


def test_what_must_not_be_served_is_always_part():
    """A judge that would serve it must not get past its proof, so it is not left out."""
    rows = proof([trap(0), trap(0)], [-5.0, THRESHOLD + 1], THRESHOLD)

    assert [row["match"] for row in rows] == [False, False]


def test_a_paraphrase_is_part_only_where_it_is_accepted_for_sure():
    """One that another machine's rounding could refuse would stop a worker for nothing."""
    sure = THRESHOLD + TOLERANCE["judge"]

    rows = proof([trap(1), trap(1), trap(1)], [THRESHOLD - 1, sure - 0.01, sure], THRESHOLD)

    assert rows == [{"utterance": "sure", "prediction": "of course", "match": True}]
