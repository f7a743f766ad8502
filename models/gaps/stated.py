"""What a clause of a draft states outright: values, days and rates, links, addresses of mail."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from models.gaps import cues
from models.gaps.claim import Claim, claim_of
from models.gaps.clause import Clause, segments
from models.gaps.evidence import Evidence
from models.gaps.held import held, says
from models.values import Value, ValueKind

#: Letters of an unread unit: "l", "lb", "mAh".
_UNIT = 3


def unheld(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> Iterator[Claim]:
    """
    Give what a clause states and no evidence holds.

    Args:
        clause: of the draft.
        evidence: all of it.
        fitting: the clauses that the draft's speaks of; empty where that is not known.

    """
    for value in stated(clause):
        if not held(value, evidence.values):
            yield claim_of(value)
    if any(_is_measured_otherwise(clause, value, evidence) for value in clause.values):
        yield Claim.QUANTITY
    if clause.links - {link for other in evidence.clauses for link in other.links}:
        yield Claim.LINK
    if clause.emails - {email for other in evidence.clauses for email in other.emails}:
        yield Claim.EMAIL
    near = fitting or evidence.clauses
    if clause.marks - {mark for other in near for mark in other.marks}:
        yield Claim.DATE
    if any(_is_rated_otherwise(clause, part, evidence) for part in segments(clause)):
        yield Claim.PRICE


def _is_measured_otherwise(clause: Clause, value: Value, evidence: Evidence) -> bool:
    """Tell whether a number has a unit that no reader of values knows, nor the evidence."""
    if value.kind is not ValueKind.NUMBER or any(
        other.kind is ValueKind.NUMBER and says(other, value) for other in evidence.values
    ):
        return False
    behind = next((word.text for word in clause.words if word.start >= value.span[1]), "")
    if not (0 < len(behind) <= _UNIT and behind.isascii() and behind.isalpha()):
        return False
    known = behind in cues.STOPWORDS or behind in cues.CUE_WORDS
    return not known and all(word.text != behind for word in evidence.words)


def _is_rated_otherwise(clause: Clause, part: Clause, evidence: Evidence) -> bool:
    """Tell whether a price is for one of something else: "a month", and not "a visit"."""
    for value in part.values:
        own = [one for _, one in evidence.parts if any(says(other, value) for other in one.values)]
        if value.kind is not ValueKind.MONEY or not own:
            continue
        if not any(part.rates <= one.rates <= clause.rates for one in own):
            return True
    return False


def stated(clause: Clause) -> list[Value]:
    """The values of a clause, without a "first" that only begins a count: "the first 12 months"."""
    return [
        value
        for value, behind in zip_longest(clause.values, clause.values[1:])
        if value.kind is not ValueKind.ORDINAL
        or value.canonical != {1}
        or behind is None
        or behind.span[0] - value.span[1] > 1
    ]
