"""
Judging without a deadline: what is late or fails is asked again, for as long as it is worth while.

A judge that is away for a moment costs a pause, and the questions behind it wait. One that is not
there at all, or stays away, ends in "not judged", which loses nothing: it is judged when there is a
judge again.
"""

import asyncio
import itertools
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from models.kb import Probabilities, Shown
from models.kb.verdict import answers
from workers.deadline import Deadline
from workers.kb.judges import AnswerJudge, NoJudge

_log = logging.getLogger(__name__)

#: Entries of one call: as many as a question's candidates, for which remote judges are made.
BATCH = 8
#: One call may take this long before it is tried again, seconds; far beyond any healthy one.
_CALL_S = 60.0
#: Pauses before the next tries, seconds; the last one is repeated.
PAUSES_S = (0.2, 1.0, 5.0, 15.0, 30.0)


@dataclass(frozen=True, slots=True)
class Answered:
    """What the judge says of a question and some entries, in their order."""

    #: Place of the first entry that answers; None where none does.
    place: int | None
    #: False where nobody could judge; then nothing is known.
    judged: bool = True


class PatientJudge:
    """Asks a judge until it has answered."""

    def __init__(self, judge: AnswerJudge) -> None:
        self._judge = judge

    @property
    def name(self) -> str | None:
        """What judges; None where nobody does."""
        return self._judge.name

    @property
    def present(self) -> bool:
        """Whether there is a judge at all."""
        return not isinstance(self._judge, NoJudge)

    def answers(self, probabilities: Probabilities) -> bool:
        """Tell whether an entry of these probabilities answers."""
        return answers(probabilities) >= self._judge.threshold

    async def first_answer(
        self, question: str, entries: Sequence[Shown], give_up: Deadline
    ) -> Answered:
        """
        Look for an entry that answers, in their order, and stop at the first batch that has one.

        Args:
            question: masked and cleaned.
            entries: what may be shown of them.
            give_up: when a judge that does not answer is given up; at least one try is made.

        """
        if entries and not self.present:
            return Answered(None, judged=False)
        for start in range(0, len(entries), BATCH):
            said = await self._ask(question, entries[start : start + BATCH], give_up)
            if said is None:
                return Answered(None, judged=False)
            best = max(range(len(said)), key=lambda place: _share(said[place]))
            found = said[best]
            if found is not None and self.answers(found):
                return Answered(start + best)
        return Answered(None)

    async def _ask(
        self, question: str, entries: Sequence[Shown], give_up: Deadline
    ) -> Sequence[Probabilities | None] | None:
        """What is said of each entry, None for one too long to be read; None where nobody says."""
        for tries in itertools.count():
            opinion = await self._judge.judge(question, entries, Deadline.after(_CALL_S))
            if not opinion.failed and len(opinion.judged) == len(entries):
                return opinion.judged
            if give_up.passed:
                _log.error("slow_question_not_judged", extra={"tries": tries + 1})
                return None
            await asyncio.sleep(PAUSES_S[min(tries, len(PAUSES_S) - 1)])
        raise AssertionError("unreachable")


def _share(probabilities: Probabilities | None) -> float:
    return -1.0 if probabilities is None else answers(probabilities)
