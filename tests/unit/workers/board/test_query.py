"""Views of the backlog."""

from datetime import UTC, datetime

import pytest

from tests.fakes.board import NOW, NOW_MS, make_gap
from topics.gap import GapReason, GapState
from workers.board.query import PAGE, Query, WrongQuery, page_of, read_query, select
from workers.gaps import ordered

TODAY = datetime.now(UTC).date()
GAPS = ordered(
    [
        make_gap("a", count=9, days={}, last_seen_ms=NOW_MS - 50),
        make_gap("b", count=5, tenant_id="other", languages=("ar", "en"), examples=("أين الفرع",)),
        make_gap("c", count=3, reason=GapReason.NOT_JUDGED, days={NOW.date().isoformat(): 8}),
        make_gap("d", count=2, state=GapState.DISMISSED, examples=("do you sell STRAẞE maps",)),
        make_gap("e", count=0, merged_into="a"),
    ]
)


def found(**given) -> str:
    """Return the ids of what a view shows."""
    return "".join(gap.gap_id for gap in select(GAPS, read_query(given), TODAY))


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        pytest.param({}, "abc", id="open, by reach"),
        pytest.param({"state": "any"}, "abcd", id="any state"),
        pytest.param({"state": "dismissed"}, "d", id="a state"),
        pytest.param({"tenant": "other"}, "b", id="a tenant"),
        pytest.param({"tenant": "nobody"}, "", id="nobody"),
        pytest.param({"language": "ar"}, "b", id="a language"),
        pytest.param({"reason": "not_judged"}, "c", id="a reason"),
        pytest.param({"order": "week"}, "cba", id="asked this week"),
        pytest.param({"order": "latest"}, "bca", id="asked last"),
        pytest.param({"text": "الفرع"}, "b", id="words in another script"),
        pytest.param({"text": "strasse", "state": "any"}, "d", id="words in another case"),
        pytest.param({"text": "c"}, "c", id="the beginning of an id"),
    ],
)
def test_select(given, ids):
    """Filters hold together, merged gaps never show, and the order is what was asked for."""
    assert found(**given) == ids


@pytest.mark.parametrize(
    "given",
    [{"state": "x"}, {"reason": "x"}, {"order": "x"}, {"page": "0"}, {"page": "x"}, {"page": "٣"}],
)
def test_what_there_is_not(given):
    """An address that asks for what there is not says so, without repeating it."""
    with pytest.raises(WrongQuery) as excinfo:
        read_query(given)

    assert "there is no such" in str(excinfo.value)


def test_an_address_reads_back():
    """What a page's links carry is the same view; what is usual is left out."""
    query = Query(tenant="a&b=ت", state="any", text="<x>", page=3)

    assert query.address().count("=") == 4
    assert Query().address() == ""
    assert "page" not in query.address(page=1)


@pytest.mark.parametrize(
    ("count", "number", "shown", "pages"),
    [
        pytest.param(0, 1, 0, 1, id="none"),
        pytest.param(PAGE, 1, PAGE, 1, id="just one"),
        pytest.param(PAGE + 1, 2, 1, 2, id="one more"),
        pytest.param(PAGE + 1, 9, 1, 2, id="beyond the last"),
        pytest.param(3 * PAGE, 2, PAGE, 3, id="between"),
    ],
)
def test_pages(count, number, shown, pages):
    """Every row is on one page; beyond the last page is the last one."""
    page = page_of(range(count), number)

    assert (len(page.rows), page.pages, page.found) == (shown, pages, count)
