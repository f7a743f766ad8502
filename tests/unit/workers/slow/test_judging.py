"""Judging without a deadline."""

import pytest

from models.kb import Shown
from tests.fakes.kb import NEAR, OTHER, PART, WHOLE
from workers.deadline import Deadline
from workers.kb.judges import NoJudge, Opinion
from workers.slow import judging
from workers.slow.judging import BATCH, Answered, PatientJudge


class ScriptedJudge:
    """Gives opinions one after the other, then says of every entry what its content says."""

    name = "scripted"
    threshold = 0.5

    def __init__(self, *opinions: Opinion) -> None:
        self.opinions = list(opinions)
        self.asked: list[int] = []

    async def judge(self, question, entries, deadline):
        """Give the next opinion."""
        assert question
        assert not deadline.passed
        self.asked.append(len(entries))
        if self.opinions:
            return self.opinions.pop(0)
        table = {"whole": WHOLE, "part": PART, "near": NEAR, "long": None}
        return Opinion(tuple(table.get(one.content, OTHER) for one in entries))


def entries(*contents: str) -> list[Shown]:
    """Make entries of these contents."""
    return [Shown(title="", content=one, category=None, lang=None) for one in contents]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(judging, "PAUSES_S", (0.0,))


async def ask(judge, *contents: str, give_up_s: float = 30) -> Answered:
    """Ask for the first answer."""
    patient = PatientJudge(judge)
    return await patient.first_answer("q", entries(*contents), Deadline.after(give_up_s))


async def test_best_of_the_first_batch_that_answers():
    """Nothing behind an answer is judged, and of a batch the surest one counts."""
    judge = ScriptedJudge()
    contents = ["other"] * BATCH + ["part", "near", "whole"] + ["whole"] * 30
    found = await ask(judge, *contents)

    assert found.place == BATCH + 2
    assert judge.asked == [BATCH, BATCH]


async def test_late_and_broken_judges_are_asked_again():
    """A judge that is away for a moment costs a pause and no question."""
    late = Opinion((OTHER,))
    judge = ScriptedJudge(Opinion(failed=True), Opinion(), late)

    assert await ask(judge, "other", "whole") == Answered(1)
    assert judge.asked == [2, 2, 2, 2]


async def test_judge_that_stays_away_is_given_up():
    """Beyond the patience nothing is known, and that is what is said."""
    judge = ScriptedJudge(*[Opinion(failed=True)] * 5)

    assert await ask(judge, "whole", give_up_s=0) == Answered(None, judged=False)
    assert judge.asked == [1]


async def test_entry_too_long_to_be_read_is_no_answer():
    """What the judge does not read to its end does not hang the question."""
    assert await ask(ScriptedJudge(), "long", "near") == Answered(None)


async def test_nobody_judges():
    """Without a judge nothing is known; where there is nothing to judge, everything is."""
    assert await ask(NoJudge(), "whole") == Answered(None, judged=False)
    assert await ask(NoJudge()) == Answered(None)
