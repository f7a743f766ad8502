import msgspec
import numpy as np
import pytest

from models.evaluation.same import SameRow, best_cosine, measure_same
from models.gaps.same import Sameness, Why


def row(*, same, kind="paraphrase", language="en-en"):
    return SameRow(a="one", b="two", same=same, kind=kind, language=language)


def test_counts():
    """Right and wrong are counted beside the best cosine, by kind and by languages."""
    rows = [
        (1, row(same=True)),
        (2, row(same=False, kind="other_entity")),
        (3, row(same=True, kind="cross_language", language="ar-en")),
        (4, row(same=False, kind="other_entity", language="ar-en")),
    ]
    said = [Sameness(same, chance, Why.JUDGED) for same, chance in
            [(True, 0.9), (False, 0.1), (True, 0.8), (True, 0.7)]]  # fmt: skip

    found = measure_same(rows, lambda _: (said, np.array([0.9, 0.8, 0.5, 0.6])))

    assert (found["accuracy"], found["auc"]) == (0.75, 1.0)
    assert (found["joined_wrongly"], found["parted_wrongly"]) == (1, 0)
    assert found["cosine_accuracy"] == 0.75
    assert found["wrong_rows"] == [4]
    assert found["by_kind"]["other_entity"]["accuracy"] == 0.5
    assert found["by_languages"]["one"] == {
        "n": 2, "same": 1, "accuracy": 1.0, "cosine_accuracy": 1.0
    }  # fmt: skip
    assert found["reasons"] == {"judged": 4}


def test_best_cosine():
    """The best threshold may also be above everything."""
    assert best_cosine(np.array([0.9, 0.1]), np.array([True, False])) == (0.9, 1.0)
    assert best_cosine(np.array([0.9, 0.1]), np.array([False, False]))[1] == 1.0


@pytest.mark.parametrize("fields", ['"a":" ","b":"x","same":true', '"a":"x","b":"y","same":1'])
def test_refuses(fields):
    """A blank question or another label than true and false is refused."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f"{{{fields}}}", type=SameRow)
