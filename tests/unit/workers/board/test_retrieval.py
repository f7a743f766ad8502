"""Questions whose answer was there and not found."""

import csv
import io
import json

from tests.fakes.board import NOW_MS, make_item
from workers.board.retrieval import COLUMNS, by_entry, jsonl, table


def test_by_entry():
    """Questions stand under their entry, tenants apart, the most often missed entry first."""
    items = [
        make_item(0, entry_id="few"),
        make_item(1, rank=11, masked_question="newest"),
        make_item(2, rank=30),
        make_item(3, rank=None),
        make_item(4, tenant_id="other"),
    ]
    found = by_entry(items)

    assert [(one.tenant_id, one.entry_id, one.count) for one in found] == [
        ("acme", "rope", 3),
        ("acme", "few", 1),
        ("other", "rope", 1),
    ]
    rope = found[0]
    assert (rope.best, rope.worst, rope.nowhere) == (12, 31, 1)
    assert rope.examples == ("newest", "what about rope")
    assert rope.last_ms == NOW_MS - 1_000
    assert sum(rope.days.values()) == 3
    assert [one.tenant_id for one in by_entry(items, tenant="other")] == ["other"]


def test_export():
    """Each question is a line, and none is a formula to a spreadsheet."""
    items = [make_item(masked_question='=1+1, "x"', rank=None), make_item(1)]
    rows = list(csv.reader(io.StringIO("".join(table(items)), newline="")))

    assert tuple(rows[0]) == COLUMNS
    assert rows[1][2] == ""
    assert rows[1][4] == '\'=1+1, "x"'
    assert [json.loads(line)["call_id"] for line in jsonl(items)] == ["call 0", "call 1"]
