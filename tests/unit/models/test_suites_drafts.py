import pytest

from models.evaluation.drafts import DraftRow, measure_drafts
from models.evaluation.labelled import read_labelled
from models.suites import FOLDER


@pytest.fixture(scope="module")
def rows():
    """The committed suite."""
    return read_labelled(FOLDER / "drafts.jsonl", DraftRow)


def test_sizes(rows):
    """There are enough drafts, most of them bad, each once with its evidence."""
    drafts = [(row.draft, row.evidence) for _, row in rows]

    assert len(rows) >= 150
    assert sum(not row.ok for _, row in rows) >= 0.6 * len(rows)
    assert len(set(drafts)) == len(drafts)


def test_no_bad_one_is_accepted(rows):
    """The validator accepts none of the bad ones and most of the good ones."""
    found = measure_drafts(rows)

    assert found["bad_accepted"] == 0
    assert found["good_accepted_rate"] >= 0.85
