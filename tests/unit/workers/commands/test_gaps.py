"""`turngate gaps` on a backlog in memory."""

import codecs
import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from topics.codec import decode, encode
from topics.gap import Gap, GapMember, GapMemory, GapReason, GapState, GapSuggestion, Tally
from workers.commands import gaps as command
from workers.gaps_export import COLUMNS
from workers.settings import Settings

AT_MS = 1_796_040_000_000


def _member(text: str) -> GapMember:
    tally = Tally(count=2, first_seen_ms=AT_MS, last_seen_ms=AT_MS)
    return GapMember(text=text, language="en", tally=tally)


def make_gap(gap_id: str, **overrides: Any) -> Gap:
    """Make a gap that two callers asked."""
    fields: dict[str, Any] = {
        "tenant_id": "acme",
        "state": GapState.OPEN,
        "count": 2,
        "languages": ("en",),
        "examples": (f"about {gap_id}",),
        "first_seen_ms": AT_MS,
        "last_seen_ms": AT_MS,
        "memory": GapMemory(members=(_member(f"about {gap_id}"),)),
    } | overrides
    return Gap(gap_id=gap_id, **fields)


BACKLOG = [
    make_gap("aaa1", count=9),
    make_gap("aab2", count=5, tenant_id="other", reason=GapReason.NOT_JUDGED),
    make_gap("ccc3", count=3, state=GapState.DISMISSED),
    make_gap("ddd4", count=0, merged_into="aaa1"),
    make_gap(
        "eee5",
        count=1,
        tenant_id="third",
        state=GapState.ADDED,
        examples=("-2 degrees", "is it cold"),
        memory=GapMemory(members=(_member("-2 degrees"), _member("is it cold"))),
    ),
]


@pytest.fixture
def run(monkeypatch):
    """Run the command on the backlog; also tells the actions that it published."""
    acted = []

    async def read(_):
        return BACKLOG

    async def act(_, action, *, wait_s):
        acted.append(action)
        return wait_s > 0

    monkeypatch.setattr(command, "read_backlog", read)
    monkeypatch.setattr(command, "act", act)

    def invoke(*arguments: str):
        result = CliRunner().invoke(command.gaps, arguments, obj=Settings())
        return result, acted

    return invoke


def last(result) -> Any:
    """Read the last line as JSON."""
    return json.loads(result.stdout.splitlines()[-1])


class TestList:
    @pytest.mark.parametrize(
        ("arguments", "listed"),
        [
            pytest.param((), 2, id="open by default"),
            pytest.param(("--tenant", "acme"), 1, id="of a tenant"),
            pytest.param(("--state", "dismissed"), 1, id="state"),
            pytest.param(("--reason", "not_judged"), 1, id="reason"),
            pytest.param(("--limit", "1"), 1, id="limit"),
            pytest.param(("--tenant", "nobody"), 0, id="nobody"),
        ],
    )
    def test_filters(self, run, arguments, listed):
        """What is asked for is listed, and merged gaps never are."""
        result, _ = run("list", *arguments)

        assert last(result)["listed"] == listed
        assert "ddd4" not in result.stdout

    def test_most_asked_first(self, run):
        """What most callers miss stands on top."""
        result, _ = run("list")

        assert result.stdout.index("aaa1") < result.stdout.index("aab2")


class TestActions:
    @pytest.mark.parametrize(
        ("arguments", "kind", "fields"),
        [
            (("add", "aaa", "--entry", "e1"), "added", {"entry_id": "e1"}),
            (("dismiss", "aaa1"), "dismissed", {}),
            (("reopen", "ccc"), "reopen", {"gap_id": "ccc3"}),
            (("merge", "ccc3", "aaa1"), "merge", {"gap_id": "ccc3", "into": "aaa1"}),
        ],
    )
    def test_is_an_event_with_the_gaps_tenant(self, run, arguments, kind, fields):
        """An action names gap and tenant, so that it reaches the worker that has them."""
        result, (action,) = run(*arguments)

        assert result.exit_code == 0
        assert (action.kind, action.tenant_id) == (kind, "acme")
        assert all(getattr(action, name) == value for name, value in fields.items())
        assert last(result)["applied"] is True

    @pytest.mark.parametrize(
        "arguments",
        [
            pytest.param(("dismiss", "zzz"), id="unknown"),
            pytest.param(("dismiss", "aa"), id="two begin so"),
            pytest.param(("dismiss", ""), id="empty"),
            pytest.param(("merge", "aaa1", "aab2"), id="two tenants"),
            pytest.param(("merge", "aaa1", "aaa1"), id="itself"),
            pytest.param(("merge", "ddd4", "aaa1"), id="a part already"),
            pytest.param(("merge", "aaa1", "ddd4"), id="a part of itself"),
            pytest.param(("split", "aaa1", "something else"), id="no such example"),
            pytest.param(("split", "aaa1", "about aaa1"), id="nothing would be left"),
        ],
    )
    def test_mistakes_publish_nothing(self, run, arguments):
        """What makes no sense is said, and nothing is published."""
        result, acted = run(*arguments)

        assert result.exit_code == 1
        assert acted == []

    def test_what_was_merged_is_merged_as_a_whole(self, run):
        """An old id leads to the gap that it is a part of, and that one is named."""
        result, (action,) = run("merge", "ddd4", "ccc3")

        assert (action.gap_id, action.into) == ("aaa1", "ccc3")
        assert last(result)["gap_id"] == "aaa1"

    def test_an_example_may_begin_with_a_dash(self, run):
        """What callers say is no option; what is meant as one, and is none, is a mistake."""
        result, (action,) = run("split", "eee5", "-2 degrees")
        mistaken, acted = run("split", "eee5", "-2 degrees", "--wiat", "3")

        assert (result.exit_code, action.example) == (0, "-2 degrees")
        assert (mistaken.exit_code, len(acted)) == (2, 1)

    def test_not_applied_is_said(self, run):
        """Without a worker the action waits, and the user is told so."""
        result, _ = run("dismiss", "aaa1", "--wait", "0")

        assert result.exit_code == 0
        assert "not applied yet" in result.stderr


class TestExport:
    def test_jsonl_holds_all_but_the_memory(self, run):
        """Each line is a gap as the topic has it, without what is the worker's own."""
        result, _ = run("export", "--format", "jsonl")
        rows = [json.loads(line) for line in result.stdout.splitlines()]

        assert [row["gap_id"] for row in rows] == ["aaa1", "aab2", "ccc3", "eee5"]
        assert "memory" not in rows[0]
        assert decode(Gap, json.dumps(rows[0]).encode()) == replace(BACKLOG[0], memory=GapMemory())

    def test_csv_opens_in_a_spreadsheet(self, run, monkeypatch, tmp_path):
        """Every column is there, several lines are one cell, and no caller writes a formula."""
        gap = make_gap(
            "eee5",
            examples=("=HYPERLINK(1)", 'say "hi", ok', "سؤال"),
            suggestion=GapSuggestion(title="+1", questions={}, quotes=("a", "b"), blanks=("c",)),
        )
        monkeypatch.setitem(globals(), "BACKLOG", [gap])
        out = tmp_path / "gaps.csv"
        result, _ = run("export", "--out", str(out))
        # As a spreadsheet takes it: without the mark it reads bytes of Arabic as Western letters.
        assert out.read_bytes().startswith(codecs.BOM_UTF8)
        header, row = csv.reader(io.StringIO(out.read_text("utf-8-sig"), newline=""))

        assert tuple(header) == COLUMNS
        cells = dict(zip(header, row, strict=True))
        assert cells["title"] == "'+1"
        assert cells["examples"].splitlines() == ["'=HYPERLINK(1)", 'say "hi", ok', "سؤال"]
        assert cells["quotes"] == "a\nb"
        assert last(result) == {"exported": 1}

    def test_memory_is_not_shown(self, run):
        """`show` prints what a reader can use."""
        result, _ = run("show", "aaa1")

        assert "memory" not in result.stdout
        assert json.loads(result.stdout)["count"] == 9
        assert b"memory" in encode(BACKLOG[0])
