"""One item on its way to a finding."""

from typing import Any

import pytest

from models.gaps.reasons import Classified, Reason
from tests.fakes.kb import NEAR, OTHER, WHOLE, make_entry
from tests.fakes.slow import Slow, make_item
from topics.question import CandidateEntry
from topics.review import ReviewCause
from topics.reviewed import ReviewResult
from topics.verdict import JudgedEntry
from workers.deadline import Deadline
from workers.slow.review import DEPTH, review


class FakeClassifier:
    """Says one reason, and remembers what it was asked."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        self.asked: list[Any] = []

    def classify(self, questions, vectors, nearness=None):
        """Say the reason of each."""
        self.asked.append((list(questions), vectors.shape, nearness))
        return [Classified(self.reason, 1.0, (0, 0, 0, 1), unsure=False) for _ in questions]


def candidates(*contents: str) -> tuple[CandidateEntry, ...]:
    """Make an agent's own candidates, ids c0, c1."""
    return tuple(
        CandidateEntry(entry_id=f"c{place}", title="T", content=content)
        for place, content in enumerate(contents)
    )


@pytest.fixture
async def slow(inference) -> Slow:
    """Give a worker whose judge finds the answer in what says so."""
    return Slow(inference, known={"The answer.": WHOLE, "Near.": NEAR})


async def find(slow, **overrides):
    """Review one item."""
    item = make_item(overrides.pop("question", "how much is it"), **overrides)
    return await review(slow.reviewer, item, Deadline.after(0))


async def test_agents_own_candidate_answers(slow):
    """What was late is judged again, without a deadline."""
    found = await find(slow, candidates=candidates("Near.", "The answer."))

    assert (found.result, found.entry_id) == (ReviewResult.ANSWERED, "c1")


async def test_answer_behind_the_top_is_a_retrieval_failure(slow):
    """An entry that search did not bring holds the answer: not a gap, and it says where it lies."""
    await slow.entries(
        *(make_entry(f"e{number:02}", content=f"Other {number}.") for number in range(20)),
        make_entry("z", content="The answer."),
    )
    found = await find(slow)

    assert (found.result, found.entry_id) == (ReviewResult.NOT_RETRIEVED, "z")
    assert found.rank == 20


async def test_answer_among_what_search_brings_is_answered(slow):
    """Late, and found where the hot path would have looked."""
    await slow.entries(make_entry("a", content="The answer."))

    assert (await find(slow)).result is ReviewResult.ANSWERED


async def test_agents_list_that_lacks_the_answer_is_a_retrieval_failure(slow):
    """The agent's own search did not bring what ours finds first."""
    await slow.entries(make_entry("a", content="The answer."))
    found = await find(slow, candidates=candidates("Near."))

    assert (found.result, found.entry_id, found.rank) == (ReviewResult.NOT_RETRIEVED, "a", 0)


async def test_looks_no_deeper_than_it_says(slow):
    """The search has an end."""
    await slow.entries(
        *(make_entry(f"e{number:03}", content=f"Other {number}.") for number in range(DEPTH)),
        make_entry("z", content="The answer."),
    )
    found = await find(slow)

    assert found.result is ReviewResult.MISSING_KNOWLEDGE
    assert sum(len(entries) for _, entries in slow.model.asked) == DEPTH


async def test_what_this_judge_has_read_is_not_read_again(slow):
    """An unanswerable item of the same judge costs only what lies deeper."""
    await slow.entries(*(make_entry(f"e{n:02}", content=f"Other {n}.") for n in range(10)))
    read = tuple(
        JudgedEntry(entry_id=f"e{n:02}", rank=n, level=0, probabilities=OTHER) for n in range(8)
    )
    await find(
        slow,
        cause=ReviewCause.UNANSWERABLE,
        answerable=False,
        judge=slow.judge.name,
        entries=read,
    )

    assert sum(len(entries) for _, entries in slow.model.asked) == 2


async def test_shadow_that_was_answered(slow):
    """In shadow mode what live would have answered is answered."""
    found = await find(
        slow,
        cause=ReviewCause.SHADOW,
        answerable=True,
        entries=(JudgedEntry(entry_id="e", rank=3, level=3, probabilities=WHOLE),),
    )

    assert (found.result, found.entry_id) == (ReviewResult.ANSWERED, "e")
    assert slow.model.asked == []


@pytest.mark.parametrize("question", ["", "?!", "\u200b", "\ud800"])
async def test_nothing_asked_is_unclear(slow, question):
    """What says nothing reaches no model."""
    assert (await find(slow, question=question)).result is ReviewResult.UNCLEAR
    assert slow.encoder.asked == []


@pytest.mark.parametrize(
    ("reason", "result"),
    [
        (Reason.OFF_TOPIC, ReviewResult.OFF_TOPIC),
        (Reason.NEEDS_LIVE_DATA, ReviewResult.NEEDS_LIVE_DATA),
        (Reason.UNCLEAR, ReviewResult.UNCLEAR),
        (Reason.MISSING_KNOWLEDGE, ReviewResult.MISSING_KNOWLEDGE),
    ],
)
async def test_what_stays_unanswered_is_classified(inference, reason, result):
    """The classifier sees the masked question, its vector and how near the entries are."""
    slow = Slow(inference)
    classifier = FakeClassifier(reason)
    slow.reviewer = slow.reviewer.__class__(
        **{name: getattr(slow.reviewer, name) for name in slow.reviewer.__slots__}
        | {"classifier": classifier}
    )
    await slow.entries(make_entry("a"))
    found = await find(slow, question="call 98765 43210 about it")

    assert found.result is result
    assert classifier.asked == [(["call [PHONE] about it"], (1, 4), [pytest.approx(1.0)])]


async def test_models_see_only_the_masked_question(slow):
    """Neither encoder nor judge is given what was said in the clear."""
    await slow.entries(make_entry("a"))
    slow.encoder.asked.clear()
    await find(slow, question="call 98765 43210", candidates=candidates("Near."))

    assert set(slow.encoder.asked) == {"call [PHONE]"}
    assert {question for question, _ in slow.model.asked} == {"call [PHONE]"}
