"""Questions with their candidates as search orders them, and what a judge made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from models.kb import JUDGED, Index
from models.kb.passages import passages
from models.kb.reading import question_text
from models.kb.verdict import answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from models.evaluation.kb.rows import Question
    from models.kb import Ruling
    from models.kb.index import Encodes
    from models.kb.verdict import Judged
    from topics.entry import KbEntry
    from topics.question import CandidateEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question before a judge."""

    question: Question
    #: The question as search and judge read it.
    text: str
    #: In search order.
    candidates: tuple[KbEntry | CandidateEntry, ...]
    #: Highest cosine of the question with any passage of a candidate: what search itself knows of
    #: whether there is an answer. 0 without candidates.
    cosine: float
    #: Cosine of the question with each, where search found them; else empty.
    cosines: tuple[float, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the candidates, in search order."""
        return tuple(one.entry_id for one in self.candidates)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A question with its verdict."""

    case: Case
    ruling: Ruling
    #: What the judge said of the candidates that it was asked about; empty where none was asked.
    judged: Judged
    #: Time of the judge, milliseconds; None where none was asked.
    took_ms: float | None

    @property
    def question(self) -> Question:
        """The question."""
        return self.case.question

    @property
    def sure(self) -> float | None:
        """Highest probability of an answer; None where nothing was judged."""
        return max((answers(one) for one in self.judged if one is not None), default=None)

    @property
    def whole(self) -> bool:
        """Whether everything that was to be judged was judged, and that is something."""
        asked = min(JUDGED, len(self.case.candidates))
        found = [one for one in self.judged[:asked] if one is not None]
        return 0 < asked == len(found)

    @property
    def searched_first(self) -> bool:
        """Whether search had an answer first."""
        return self._is_gold(self.case.ids[:1])

    @property
    def judged_first(self) -> bool:
        """Whether the verdict has an answer first."""
        return self._is_gold([one.entry_id for one in self.ruling.entries[:1]])

    @property
    def found(self) -> bool:
        """Whether an answer is among the candidates that are judged."""
        return self._is_gold(self.case.ids[:JUDGED])

    def _is_gold(self, ids: Sequence[str]) -> bool:
        return bool(self.question.gold and self.question.gold.intersection(ids))


def cases(
    questions: Sequence[Question], entries: Sequence[KbEntry], *, encoder: Encodes, top: int
) -> Iterator[Case]:
    """
    Find the candidates of each question: its own, or what search finds.

    Args:
        questions: what is asked.
        entries: what is searched; of each question its own tenant's.
        encoder: for search, and for the cosines of a question's own candidates.
        top: candidates that search brings.
    """
    index = Index(encoder)
    index.update(entries)
    # The same file gives the same order on any day.
    now_ms = max((one.updated_at_ms or 0 for one in entries), default=0)
    for question in questions:
        text = question_text(question.text)
        (vector,) = encoder.encode([text])
        if question.candidates is not None:
            texts = [
                passage
                for one in question.candidates
                for passage in passages(one.title, one.content)
            ]
            cosines = encoder.encode(texts) @ vector if texts else np.zeros(1)
            yield Case(
                question=question,
                text=text,
                candidates=question.candidates,
                cosine=float(cosines.max()),
            )
            continue
        found = index.search(question.tenant, text, now_ms=now_ms, limit=top, vector=vector)
        yield Case(
            question=question,
            text=text,
            candidates=tuple(one.entry for one in found),
            cosine=max((one.cosine for one in found), default=0.0),
            cosines=tuple(one.cosine for one in found),
        )
