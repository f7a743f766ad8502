"""Files of entries: all of them right, or what is wrong by line."""

import json

import pytest

from models.kb.limits import Limits
from workers.kb.rows import read_rows

LIMITS = Limits(tenant=100, all=200)
GOOD = {"id": "a", "tenant": "t", "title": "Title", "content": "Content."}


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def write(content, name="entries.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def lines(*rows):
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


def problems(path, **options):
    return [(one.line, one.reason) for one in read_rows(path, LIMITS, **options).problems]


class TestJsonl:
    def test_good(self, write):
        """
        Short names and the event's own are read alike; blank lines, a BOM and nulls do not matter.
        """
        raw = "\ufeff" + lines(
            GOOD | {"category": "c", "lang": "ar", "updated": "2026-03-04"},
            "",
            {"entry_id": "b", "tenant_id": "t", "title": "عنوان", "content": "", "lang": None,
             "updated_at_ms": 7},
        )  # fmt: skip

        rows = read_rows(write(raw), LIMITS)

        assert rows.problems == ()
        first, second = rows.entries
        assert (first.tenant_id, first.entry_id, first.category) == ("t", "a", "c")
        assert first.updated_at_ms == 1_772_582_400_000
        assert (second.title, second.lang, second.updated_at_ms) == ("عنوان", None, 7)

    def test_tenant_of_rows_that_name_none(self, write):
        """
        A tenant may be given for the whole file; a row's own wins.
        """
        path = write(lines({"id": "a", "title": "x"}, GOOD | {"tenant": "u"}))

        found = read_rows(path, LIMITS, tenant="t").entries

        assert [one.tenant_id for one in found] == ["t", "u"]

    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            pytest.param("{", "not JSON", id="not JSON"),
            pytest.param("[]", "not an object", id="list"),
            pytest.param(
                {"title": "x", "id": "a"}, "missing required field tenant", id="no tenant"
            ),
            pytest.param({"title": "x", "tenant": "t"}, "required field id", id="no id"),
            pytest.param(GOOD | {"id": ""}, "at id", id="empty id"),
            pytest.param(GOOD | {"id": 7}, "Expected str, got int", id="id is a number"),
            pytest.param(GOOD | {"title": ["x"]}, "at title", id="title is a list"),
            pytest.param(GOOD | {"titel": "x"}, "no entry has", id="unknown field"),
            pytest.param(GOOD | {"entry_id": "b"}, "another name", id="two ids"),
            pytest.param(GOOD | {"title": " ", "content": "\n"}, "neither", id="says nothing"),
            pytest.param(GOOD | {"content": "x" * 20_001}, "content is longer", id="long"),
            pytest.param(GOOD | {"updated": "soon"}, "no date", id="no date"),
            pytest.param(GOOD | {"updated": 5}, "no date", id="date is a number"),
            pytest.param(GOOD | {"updated": "1969-12-31"}, "updated_at_ms", id="before 1970"),
            pytest.param(GOOD | {"updated_at_ms": "x"}, "whole number", id="no number"),
        ],
    )
    def test_wrong(self, write, row, reason):
        """
        A wrong row is named by line and fault, and its texts stay out of the reason.
        """
        path = write(lines(GOOD, "", row))

        ((line, said),) = problems(path)

        assert line == 3
        assert reason in said
        assert "soon" not in said

    def test_not_utf8(self, write):
        """
        Bytes of another encoding are refused.
        """
        assert problems(write(json.dumps(GOOD).encode() + b'\n{"id": "\xff"}')) == [
            (2, "not JSON in UTF-8")
        ]

    def test_the_same_entry_twice(self, write):
        """
        An entry twice in one file is a mistake; of two tenants it is two entries.
        """
        path = write(lines(GOOD, GOOD | {"tenant": "u"}, GOOD | {"title": "other"}))

        assert problems(path) == [(3, "the entry of line 1 again")]

    def test_nothing(self, write):
        """
        A file without rows is a mistake too.
        """
        assert problems(write("\n\n")) == [(1, "no rows in this file")]

    def test_more_than_fits(self, write):
        """
        What a worker would refuse is refused here, at the row that is too much.
        """
        rows = [GOOD | {"id": str(n), "content": "word " * 800} for n in range(6)]

        assert [line for line, _ in problems(write(lines(*rows)))] == [5]
        many = [row | {"tenant": f"t{n}"} for n, row in enumerate(rows * 2)]
        assert [reason for _, reason in problems(write(lines(*many)))] == [
            "all rows together have more than 200 passages"
        ]


class TestCsv:
    def test_good(self, write):
        """
        Columns in any order and case; empty fields are absent, quoted fields hold anything.
        """
        raw = (
            '\ufeffTitle,id,tenant,content,updated\r\n"Gold, plan",a,t,"two\r\nlines ""x""",\r\n'
            "\r\nمسبح,b,t,,2026-01-02T03:04:05+00:00\r\n"
        )

        rows = read_rows(write(raw, "e.CSV"), LIMITS)

        assert rows.problems == ()
        first, second = rows.entries
        assert (first.title, first.content) == ("Gold, plan", 'two\r\nlines "x"')
        assert first.updated_at_ms is None
        assert (second.title, second.content) == ("مسبح", "")

    @pytest.mark.parametrize(
        ("raw", "line", "reason"),
        [
            pytest.param("id,tenant,title\na,t\n", 2, "2 fields where", id="too few fields"),
            pytest.param("id,tenant,title\na,t,x,y\n", 2, "4 fields where", id="too many"),
            pytest.param("id,id,title\na,t,x\n", 1, "two columns", id="column twice"),
            pytest.param("id,tenant,titel\na,t,x\n", 2, "no entry has", id="unknown column"),
            pytest.param('id,tenant,title\na,t,"x\n', 2, "not CSV", id="open quote"),
            pytest.param('id,tenant,title\na,t,"x"y\n', 2, "not CSV", id="stray quote"),
            pytest.param("id,tenant,title\n", 1, "no rows", id="header alone"),
            pytest.param("", 1, "no rows", id="empty"),
        ],
    )
    def test_wrong(self, write, raw, line, reason):
        """
        What is wrong with a table is said by line.
        """
        ((found, said),) = problems(write(raw, "e.csv"))

        assert found == line
        assert reason in said

    def test_not_utf8(self, write):
        """
        A table of another encoding is refused at its first strange byte.
        """
        raw = b"id,tenant,title\na,t,x\nb,t,caf\xe9\n"

        assert problems(write(raw, "e.csv")) == [(3, "not UTF-8")]
