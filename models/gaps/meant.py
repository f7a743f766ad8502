"""How a clause means what it states: up to it, about it, until it; must or may; in or out."""

from collections.abc import Iterator, Sequence

from models.gaps.claim import Claim
from models.gaps.clause import Clause, segments
from models.gaps.evidence import Evidence
from models.gaps.held import held, says
from models.values import ValueKind

#: Which way a value bounds, and where it stands in time.
_BOUNDS = frozenset({"at least", "at most"})
_PLACES = frozenset({"from", "until", "before", "after"})
#: That neither evidence nor draft may have alone.
_EXACT = frozenset({"about", "working"})
#: In words of different languages the same: "up to 7 days", "7 din tak".
_UPWARD = frozenset({"at most", "within", "until"})
#: Kinds of which a clause without a word before them says nothing of where they stand.
_LENGTHS = frozenset({ValueKind.DURATION, ValueKind.NUMBER, ValueKind.MEASURE, ValueKind.MONEY})
#: Rates that no price needs to stand beside: "every week".
_OFTEN = frozenset({"day", "night", "week", "month", "year"})


def differently(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> Iterator[Claim]:
    """
    Give what a clause states as the evidence does, and means otherwise.

    Args:
        clause: of the draft.
        evidence: all of it.
        fitting: the clauses that the draft's speaks of; empty where that is not known.

    """
    near = fitting or evidence.clauses
    if _is_related_otherwise(clause, evidence) or _obliges_otherwise(clause, near):
        yield Claim.CONDITION
    if any(_is_other_side(part, evidence, fitting) for part in segments(clause) if part.sides):
        yield Claim.EXCHANGED
    often = clause.rates & _OFTEN
    if often - {rate for other in near for rate in other.rates}:
        yield Claim.DURATION


def _is_related_otherwise(clause: Clause, evidence: Evidence) -> bool:
    for part in segments(clause):
        if not part.values:
            continue
        whole = [one for one in evidence.parts if _has_all(one[1], part)]
        for value, meant in zip(part.values, part.relations, strict=True):
            own = [
                theirs | _then(one, theirs)
                for one, its in whole or evidence.parts
                for other, theirs in zip(its.values, its.relations, strict=True)
                if other.kind is value.kind and says(other, value)
            ]
            if own and not any(_agrees(meant, theirs, value.kind) for theirs in own):
                return True
    return False


def _has_all(one: Clause, part: Clause) -> bool:
    """Tell whether a part of the evidence has every value of a draft's."""
    return bool(part.values) and all(held(value, one.values) for value in part.values)


def _then(whole: Clause, meant: frozenset[str]) -> frozenset[str]:
    """Give "after" for a value whose clause goes on with "then"."""
    return frozenset({"then"} if "after" in whole.marks and not meant & _PLACES else ())


def _agrees(draft: frozenset[str], evidence: frozenset[str], kind: ValueKind) -> bool:
    """Tell whether a value that evidence means in one way may be said in another."""
    if draft & _EXACT != evidence & _EXACT:
        return False
    if draft & _UPWARD and evidence & _UPWARD and kind in _LENGTHS:
        return True
    if draft & _BOUNDS != evidence & _BOUNDS:
        return False
    placed, theirs = draft & _PLACES, evidence & _PLACES
    if placed and theirs:
        return placed == theirs
    if "then" in evidence:
        return "before" not in placed
    return not {"before", "after"} & (placed | theirs)


def _obliges_otherwise(clause: Clause, near: Sequence[Clause]) -> bool:
    modes = {mode for other in near for mode in other.modes}
    if "must" in clause.modes:
        return "must" not in modes
    return "may" in clause.modes and "must" in modes and "may" not in modes


def _is_other_side(part: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> bool:
    """Tell whether a part has one of two opposites where the evidence has only the other."""
    own = [one for _, one in evidence.parts if _has_all(one, part)]
    if not own:
        return any(_opposes(part, other) for other in fitting)
    return all(_opposes(part, other) for other in own)


def _opposes(part: Clause, other: Clause) -> bool:
    return any(
        (axis, side) not in other.sides and any(theirs == axis for theirs, _ in other.sides)
        for axis, side in part.sides
    )
