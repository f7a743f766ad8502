"""Denials and conditions: those of a draft's clause are those of the clause that it speaks of."""

from collections.abc import Iterator, Sequence

from models.gaps import align, cues
from models.gaps.claim import Claim
from models.gaps.clause import Clause, favoured, known, segments
from models.gaps.evidence import Evidence
from models.gaps.held import held
from models.values import ValueKind

#: Words shared with a clause from which on its conditions are the draft's too.
_SHARED = 2
#: How often, or how many, said without a number.
_COUNTS = frozenset({"once", "twice", "one", "two"})
#: Make a word its opposite, where it has letters enough to be one.
_OPPOSITES = ("un", "in", "im", "ir", "dis", "non")
_STEM = 3
#: What sets a day or an hour as a limit.
_DEADLINES = frozenset({"before", "after"})
_CALENDAR = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.WEEKDAY, ValueKind.MONTH})


def changed(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> Iterator[Claim]:
    """
    Give what a clause denies or limits otherwise than the evidence.

    Args:
        clause: of the draft.
        evidence: all of it.
        fitting: the clauses that the draft's speaks of; empty where that is not known.

    """
    if (
        _is_denied_otherwise(clause, evidence, fitting)
        or _is_denied_beside(clause, fitting)
        or _has_opposite(clause, evidence)
    ):
        yield Claim.NEGATION
    if _is_limited_otherwise(clause, evidence, fitting):
        yield Claim.CONDITION


def _is_denied_otherwise(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> bool:
    if fitting:
        return not any(
            other.negative is clause.negative or _is_affirmed_before(clause, other)
            for other in fitting
        )
    # Nothing ties the clause to any other: only what is denied nowhere may be affirmed.
    return clause.negative or any(other.negative for other in evidence.clauses)


def _has_opposite(clause: Clause, evidence: Evidence) -> bool:
    """Tell whether a clause says "worn" where the evidence only says "unworn", or so around."""
    theirs = {word.text for word in evidence.words}
    mine = {word.text for word in clause.content} - theirs
    return any(
        prefix + word in theirs or (word.startswith(prefix) and word[len(prefix) :] in theirs)
        for word in mine
        if len(word) > _STEM
        for prefix in _OPPOSITES
    )


def _is_affirmed_before(clause: Clause, other: Clause) -> bool:
    """
    Tell whether a clause says only what another affirms before it denies something else.

    Every word and value is of one part that is a sentence by itself, with no denial before it and
    no exception behind it: "but not at night".
    """
    excepts = any(part.negative and cues.excepts(part.words[0].text) for part in other.parts)
    if clause.negative or excepts or clause.language != other.language:
        return False
    for part in other.parts:
        if part.negative:
            return False
        whole = any(word.text in cues.PREDICATES for word in part.words)
        if not whole and not (part.language == "ar" and part.values):
            continue
        if (
            len(clause.content) + len(clause.values) >= _SHARED
            and all(known(word.text, part.content) for word in clause.content)
            and all(held(value, part.values) for value in clause.values)
        ):
            return True
    return False


def _is_denied_beside(clause: Clause, fitting: Sequence[Clause]) -> bool:
    """Tell whether a clause denies what another part of the evidence's sentence denies."""
    return any(
        clause.negative
        and any(not part.negative and _has_more(clause, part, other) for part in other.parts)
        for other in fitting
    )


def _has_more(clause: Clause, part: Clause, other: Clause) -> bool:
    """Tell whether a part has all that a clause shares with it all, and none that denies does."""
    denied = [one for one in other.parts if one.negative]
    return (
        bool(denied)
        and align.score(clause, part) >= align.score(clause, other)
        and all(align.score(clause, one) < align.score(clause, part) for one in denied)
    )


def _is_limited_otherwise(clause: Clause, evidence: Evidence, fitting: Sequence[Clause]) -> bool:
    own = fitting or evidence.clauses
    if any(clause.conditions - other.conditions for other in fitting):
        return True
    if clause.conditions and not fitting:
        return True
    if clause.universal and not any(other.universal for other in own):
        return True
    halves = any("half" in one.marks for one in (clause, *fitting))
    if halves and any(_is_halved(part, fitting) for part in segments(clause)):
        return True
    return any(
        _is_left_out(clause, other) or any(_is_undated(clause, part) for part in segments(other))
        for other in own
    )


def _is_halved(part: Clause, fitting: Sequence[Clause]) -> bool:
    """Tell whether a part says half, and the one that it speaks of does not, or so around."""
    parts = [one for other in fitting for one in segments(other) if one.language == part.language]
    near = align.anchored(part, parts)
    return any(("half" in part.marks) is not ("half" in one.marks) for one in near)


def _is_left_out(clause: Clause, other: Clause) -> bool:
    """Tell whether a clause leaves out on what conditions the evidence holds."""
    uncounted = _shares(clause, other) and (_COUNTS & other.marks) - clause.marks
    if other.conditions - clause.conditions or uncounted:
        return True
    if "free" in clause.marks & other.marks and clause.language == other.language:
        free = [part for part in segments(other) if "free" in part.marks]
        if any(not known(word.text, clause.words) for part in free for word in favoured(part)):
            return True
    if clause.values:
        return False
    if "free" in clause.marks & other.marks:
        gratis = [part for part in segments(other) if "free" in part.marks]
        if gratis and all(part.values for part in gratis):
            return True
    if clause.limited or clause.language != other.language:
        return False
    return any(part.limited and part.values and _shares(clause, part) for part in segments(other))


def _is_undated(clause: Clause, part: Clause) -> bool:
    """Tell whether a clause gives a part's values, but not before or after which day or hour."""
    if clause.language != part.language or not _shares(clause, part):
        return False
    given = any(held(value, part.values) for value in clause.values)
    ranges = any("from" in meant for meant in part.relations)
    limits = _DEADLINES if ranges else _DEADLINES | {"until"}
    return given and any(
        value.kind in _CALENDAR and limits & meant and not held(value, clause.values)
        for value, meant in zip(part.values, part.relations, strict=True)
    )


def _shares(clause: Clause, other: Clause) -> bool:
    return sum(known(word.text, other.content) for word in clause.content) >= _SHARED
