"""Denials and conditions: those of a draft's clause are those of the clause that it speaks of."""

from collections.abc import Iterator, Sequence

from models.gaps.claim import Claim
from models.gaps.clause import Clause, favoured, known, segments
from models.gaps.evidence import Evidence

#: Words shared with a clause from which on its conditions are the draft's too.
_SHARED = 2


def changed(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> Iterator[Claim]:
    """
    Give what a clause denies or limits otherwise than the evidence.

    Args:
        clause: of the draft.
        evidence: all of it.
        fitting: the clauses that the draft's speaks of; empty where that is not known.

    """
    if _is_denied_otherwise(clause, evidence, fitting):
        yield Claim.NEGATION
    if _is_limited_otherwise(clause, evidence, fitting):
        yield Claim.CONDITION


def _is_denied_otherwise(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> bool:
    if fitting:
        return all(other.negative is not clause.negative for other in fitting)
    # Nothing ties the clause to any other: only what is denied nowhere may be affirmed.
    return clause.negative or any(other.negative for other in evidence.clauses)


def _is_limited_otherwise(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> bool:
    own = fitting or evidence.clauses
    if any(clause.conditions - other.conditions for other in fitting):
        return True
    if clause.conditions and not fitting:
        return True
    if clause.universal and not any(other.universal for other in own):
        return True
    return any(_is_left_out(clause, other) for other in own)


def _is_left_out(clause: Clause, other: Clause) -> bool:
    """Tell whether a clause leaves out on what conditions the evidence holds."""
    if other.conditions - clause.conditions:
        return True
    if "free" in clause.marks & other.marks and clause.language == other.language:
        free = [part for part in segments(other) if "free" in part.marks]
        if any(not known(word.text, clause.words) for part in free for word in favoured(part)):
            return True
    if clause.values:
        return False
    if "free" in clause.marks & other.marks:
        gratis = [part for part in segments(other) if "free" in part.marks]
        if gratis and all(part.limited and part.values for part in gratis):
            return True
    if clause.limited or clause.language != other.language:
        return False
    return any(
        part.limited
        and part.values
        and sum(known(word.text, part.content) for word in clause.content) >= _SHARED
        for part in segments(other)
    )
