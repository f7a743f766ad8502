"""Names of verdicts, and how much one question may bring."""

import pytest

from tests.unit.topics.examples import NOW_MS
from topics.codec import DecodeError, decode, encode
from topics.decision import decision_id
from topics.question import MAX_CANDIDATES, CandidateEntry, KbQuestion
from topics.verdict import verdict_id


def test_a_name_is_of_one_question():
    """The same question has the same name; another tenant, call or turn another one."""
    names = [
        verdict_id(*parts)
        for parts in [("t", "c", 1), ("t", "c", 2), ("t", "d", 1), ("u", "c", 1), ("tc", "", 1)]
    ]

    assert verdict_id("t", "c", 1) == names[0]
    assert len(set(names)) == len(names)
    assert decision_id("t", "c", 1) not in names


def question(count):
    return KbQuestion(
        tenant_id="t",
        agent_id="a",
        call_id="c",
        seq=0,
        question="",
        asked_at_ms=NOW_MS,
        candidates=(CandidateEntry(entry_id="e", title="", content=""),) * count,
    )


def test_candidates_are_bounded():
    """A question with more candidates than a verdict may name is refused by field."""
    assert len(decode(KbQuestion, encode(question(MAX_CANDIDATES))).candidates) == MAX_CANDIDATES
    with pytest.raises(DecodeError, match="candidates"):
        decode(KbQuestion, encode(question(MAX_CANDIDATES + 1)))
