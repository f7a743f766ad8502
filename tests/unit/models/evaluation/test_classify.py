import msgspec
import pytest

from models.evaluation.classify import ReasonRow, measure_reasons
from models.gaps.reasons import REASONS, Classified, Reason


def said(*reasons, share=0.7):
    """What a classifier said, each with one share."""
    return [
        Classified(
            one,
            share,
            tuple(share if one is other else (1 - share) / 3 for other in REASONS),
            unsure=False,
        )
        for one in reasons
    ]


def rows(*reasons):
    return [
        (at, ReasonRow(question=f"q{at}", reason=one, language="en" if at < 3 else "ar"))
        for at, one in enumerate(reasons, 1)
    ]


def test_counts():
    """Right and wrong are counted, also by language, and named by their line."""
    off, live, unclear, missing = REASONS

    found = measure_reasons(
        rows(off, live, unclear, missing),
        lambda _: said(off, live, missing, missing),
    )

    assert found["accuracy"] == 0.75
    assert found["macro_f1"] == pytest.approx((1 + 1 + 0 + 2 / 3) / 4)
    assert found["confusion"]["unclear"]["missing_knowledge"] == 1
    assert found["wrong_rows"] == [3]
    assert found["by_lang"]["en"]["accuracy"] == 1.0
    assert found["by_lang"]["ar"]["accuracy"] == 0.5
    assert found["calibration_error"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    "row",
    ['{"question":"a"}', '{"reason":"unclear"}', '{"question":" ","reason":"unclear"}',
     '{"question":"a","reason":"secret"}'],
    ids=["no reason", "no question", "blank", "unknown"],
)  # fmt: skip
def test_refuses(row):
    """A row without question or reason is refused."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(row, type=ReasonRow)


def test_suite_fields():
    """The suite's own names of the fields are read too."""
    row = msgspec.json.decode('{"text":"a","class":"off_topic"}', type=ReasonRow)

    assert (row.asked, row.right) == ("a", Reason.OFF_TOPIC)
