"""Things that the evidence says side by side, each with its own: a draft may not cross them."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations

from models.gaps import align, cues
from models.gaps.clause import Clause, Word, beside, known, same_word, segments
from models.gaps.evidence import Evidence
from models.gaps.held import held, says
from models.gaps.stated import stated
from models.values import Value, ValueKind


def is_crossed(clause: Clause, evidence: Evidence) -> bool:
    """Tell whether a clause says of one thing what the evidence says of another beside it."""
    return any(
        _is_of_two_parts(part, evidence)
        or _is_of_two_values(part, evidence)
        or _is_of_two_ranges(part, evidence)
        or _is_turned(part, evidence)
        or _is_of_other_noun(part, evidence)
        or _is_behind_another(part, evidence)
        or _is_of_other_name(clause, part, evidence)
        for part in segments(clause)
    )


def _is_of_two_parts(part: Clause, evidence: Evidence) -> bool:
    """Tell whether a part has the words of two parts that say the same of two things."""
    own = [one for one in evidence.clauses if one.language == part.language]
    said = [word for word in part.content if any(known(word.text, one.content) for one in own)]
    values = [value for value in part.values if held(value, evidence.values)]
    if any(_holds(said, values, one) for _, one in evidence.parts):
        return False
    return any(
        _holds(said, values, whole)
        and any(_crosses(part, said, values, *two) for two in combinations(whole.parts, 2))
        for whole in own
    )


def _holds(said: Sequence[Word], values: Sequence[Value], other: Clause) -> bool:
    return all(known(word.text, other.content) for word in said) and all(
        held(value, other.values) for value in values
    )


def _crosses(
    part: Clause, said: Sequence[Word], values: Sequence[Value], one: Clause, other: Clause
) -> bool:
    """Tell whether two parts that are alike both give something, and both lack something."""
    kinds = {value.kind for value in one.values} & {value.kind for value in other.values}
    alike = any(known(word.text, other.content) for word in one.content)
    lack = not any(_holds(each.content, each.values, part) for each in (one, other))
    here, there = (
        {word.text for word in said if known(word.text, each.content)}
        | {value.span for value in values if held(value, each.values)}
        for each in (one, other)
    )
    if not alike:  # the later may go on with words of the earlier, and not the other way round
        alike = bool(kinds) and any(held(value, one.values) for value in values)
    return bool(alike and lack and here - there and there - here)


def _is_of_two_values(part: Clause, evidence: Evidence) -> bool:
    """Tell whether two values stand together that the evidence has each with another's like."""
    return any(
        _is_apart(one, other, part.values, evidence) for one, other in combinations(part.values, 2)
    )


def _is_apart(one: Value, other: Value, said: Sequence[Value], evidence: Evidence) -> bool:
    parts = [each.values for _, each in evidence.parts]
    if one.kind is other.kind or any(held(one, all_) and held(other, all_) for all_ in parts):
        return False
    return all(
        any(
            held(value, all_)
            and any(rival.kind is beside.kind and not held(rival, said) for rival in all_)
            for all_ in parts
        )
        for value, beside in permutations((one, other))
    )


def _is_of_two_ranges(part: Clause, evidence: Evidence) -> bool:
    """Tell whether a range has the beginning of one and the end of another."""
    ends = tuple(zip(part.values, part.relations, strict=True))
    return any(
        not any(held(one, own.values) and held(other, own.values) for _, own in evidence.parts)
        for (one, first), (other, last) in pairwise(ends)
        if one.kind is other.kind and "from" in first and "until" in last
    )


def _is_turned(part: Clause, evidence: Evidence) -> bool:
    """Tell whether a way goes from where the evidence's ends to where it begins."""
    theirs = [way for one in evidence.clauses for way in _ways(one)]
    return any(
        any(same_word(start, there) and same_word(end, here) for here, there in theirs)
        and not any(same_word(start, here) and same_word(end, there) for here, there in theirs)
        for start, end in _ways(part)
    )


def _ways(clause: Clause) -> Iterator[tuple[str, str]]:
    behind = zip(clause.words, clause.words[1:], clause.words[2:], strict=False)
    return (
        (one.text, last.text)
        for one, middle, last in behind
        if middle.text in cues.ROUTES and one.content and last.content
    )


def _is_of_other_noun(part: Clause, evidence: Evidence) -> bool:
    """Tell whether a number counts what the evidence has elsewhere, and not with that number."""
    said = [word for one in evidence.clauses if one.language == part.language for word in one.words]
    for value in stated(part):
        noun = next((word for word in part.content if word.start >= value.span[1]), None)
        if noun is None or value.kind is not ValueKind.NUMBER or not known(noun.text, said):
            continue
        own = [one for _, one in evidence.parts if held(value, one.values)]
        if own and not any(
            one.language != part.language or known(noun.text, one.words) for one in own
        ):
            return True
    return False


def _is_behind_another(part: Clause, evidence: Evidence) -> bool:
    """Tell whether a word that is nowhere in the evidence replaces the one behind a value."""
    own = [
        (one, other)
        for _, one in evidence.parts
        if one.language == part.language
        for other in one.values
    ]
    for value in stated(part):
        behind = beside(part, value)[1]
        if behind is None or behind.text in cues.NEUTRAL or known(behind.text, evidence.words):
            continue
        theirs = [beside(one, other)[1] for one, other in own if says(other, value)]
        if theirs and all(word and not known(word.text, part.words) for word in theirs):
            return True
    return False


def _is_of_other_name(clause: Clause, part: Clause, evidence: Evidence) -> bool:
    """Tell whether a value is given to a name that another clause of another language names."""
    others = [one for one in evidence.clauses if one.language != clause.language]
    if not any(_is_named(clause, one) for one in others):
        return False
    for value in stated(part):
        own = [one for one in others if held(value, one.values)]
        if own and all(_has_name(one) and not _is_named(clause, one) for one in own):
            return True
    return False


def _is_named(clause: Clause, other: Clause) -> bool:
    """Tell whether a clause has a name of another, by its sound."""
    return any(word.named and align.heard(word, clause.content) for word in other.content)


def _has_name(clause: Clause) -> bool:
    return any(word.named for word in clause.content)
