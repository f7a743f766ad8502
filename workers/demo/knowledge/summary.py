"""What the demo finds of the knowledge base, as values."""

from dataclasses import dataclass
from enum import StrEnum

from workers.demo.summary import Spread


class AnswerMark(StrEnum):
    """How one question went."""

    #: The entry that answers stands first, and the verdict says that it answers.
    RIGHT_ENTRY = "right_entry"
    #: An entry answers, and the verdict puts another one first.
    WRONG_ENTRY = "wrong_entry"
    #: An entry answers, and the verdict says that none does.
    SAID_NONE = "said_none"
    #: No entry answers, and the verdict says so.
    RIGHT_NONE = "right_none"
    #: No entry answers, and the verdict says that one does.
    WRONG_ANSWER = "wrong_answer"
    #: The verdict does not know: late, or without a judge.
    NOT_KNOWN = "not_known"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSummary:
    """What the judge did to the order, where an entry answers."""

    #: Questions whose answer is among their entries.
    of: int
    #: Of those: the answer was first as searched, or as the agent brought it.
    first_before: int
    #: Of those: it is first in the verdict.
    first_after: int
    #: Verdicts, of all questions, whose order is not the search's.
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeSummary:
    """What became of the questions."""

    #: Nothing is missing and nothing differs.
    ok: bool
    entries: int
    questions: int
    #: How many of the questions brought candidates of their agent.
    own_candidates: int
    redelivered: int
    #: What judged; None where nobody did.
    judge: str | None
    #: Questions without a verdict, or with fewer than they were sent.
    without_verdict: list[str]
    #: Questions whose verdicts differ in a byte.
    different_verdicts: list[str]
    #: Questions by status of their verdict.
    statuses: dict[str, int]
    #: Entries in verdicts by level, `unjudged` among them.
    levels: dict[str, int]
    order: OrderSummary
    #: Questions by group and mark.
    marks: dict[str, dict[str, int]]
    #: Time of each stage.
    stages_ms: dict[str, Spread]
    #: Question sent to verdict in hand.
    end_to_end_ms: Spread
