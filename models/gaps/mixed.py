"""New claims made of old ones: a value with another's words, words of several clauses in one."""

from collections.abc import Iterator, Sequence

from models.gaps import cues
from models.gaps.claim import Claim
from models.gaps.clause import Clause, Word, beside, favoured, is_heard, known, same_word, segments
from models.gaps.evidence import Evidence
from models.gaps.held import held, says
from models.gaps.stated import stated
from models.kb.words import script
from models.values import Value, ValueKind

#: What a position may be asked to have: "the second costs 75 rupees".
_AMOUNTS = frozenset({ValueKind.MONEY, ValueKind.PERCENT})
#: Words of a clause for each one that evidence in its own language need not have.
_WORDS_A_STRANGER = 4

Part = tuple[Clause, Clause]


def is_exchanged(clause: Clause, evidence: Evidence) -> bool:
    """Tell whether a value stands with words that the evidence has with another value."""
    return any(
        _is_exchanged(clause, part, value, evidence.parts)
        or _is_elsewhere(part, value, evidence.parts)
        for part in segments(clause)
        for value in stated(part)
    )


def _is_elsewhere(part: Clause, value: Value, parts: Sequence[Part]) -> bool:
    """Tell whether a position and a value said in one breath are in two parts of the evidence."""
    if value.kind is not ValueKind.ORDINAL:
        return False
    others = [other for other in part.values if other.kind in _AMOUNTS]
    own = [one for _, one in parts if held(value, one.values)]
    return bool(own and others) and not any(
        all(held(other, one.values) for other in others) for one in own
    )


def _is_exchanged(clause: Clause, part: Clause, value: Value, parts: Sequence[Part]) -> bool:
    same = [one for one in parts if one[1].language == clause.language]
    own = [one for one in same if any(says(other, value) for other in one[1].values)]
    rivals = [
        (whole, one, other)
        for whole, one in same
        for other in one.values
        if other.kind is value.kind and not says(other, value)
    ]
    return bool(own) and all(
        any(_fits_better(clause, part, value, mine, rival) for rival in rivals) for mine in own
    )


def _fits_better(
    clause: Clause,
    part: Clause,
    value: Value,
    own: tuple[Clause, Clause],
    rival: tuple[Clause, Clause, Value],
) -> bool:
    """Tell whether the words beside a value are those of another value, and not of its own."""
    (mine, my_part), (theirs, their_part, other) = own, rival
    if my_part is their_part or _is_in_company(part, value, my_part, their_part):
        return False
    if mine is not theirs:
        return _fit(clause, mine) < _fit(clause, theirs)
    if not _fit(part, my_part) and _fit(part, their_part):
        return True
    return any(
        word is not None
        and word_there is not None
        and same_word(word.text, word_there.text)
        and not known(word.text, my_part.words)
        for word, word_there in zip(beside(part, value), beside(their_part, other), strict=True)
    )


def _is_in_company(part: Clause, value: Value, own: Clause, rival: Clause) -> bool:
    """Tell whether a part has all that stands with a value, or another value that does."""
    return any(
        held(other, own.values) and not held(other, rival.values)
        for other in part.values
        if other.kind is not value.kind
    ) or (bool(own.content) and all(known(word.text, part.content) for word in own.content))


def _fit(part: Clause, other: Clause) -> float:
    """Share of a part's words that another has."""
    if not part.content:
        return 0.0
    return sum(known(word.text, other.content) for word in part.content) / len(part.content)


def strangers(clause: Clause, evidence: Evidence) -> Claim | None:
    """
    Hold the words of a clause against evidence in its own language: they all come from one clause.

    A word that only another clause has makes a new claim of two old ones; a few words that no
    clause has may be another wording, but not of what the clause speaks of.
    """
    own = [other for other in evidence.clauses if other.language == clause.language]
    said = [word for other in own for word in other.words]
    scripts = {script(word.text) for word in said}
    content = [
        word
        for word in clause.content
        if word.text not in cues.NEUTRAL
        and word.text not in cues.COURTESY
        and (script(word.text) in scripts or is_heard(word.text))
    ]
    if not own or not content:
        return None
    unknown = [word for word in content if not known(word.text, said)]
    if any(word in unknown for word in favoured(clause)):
        return Claim.UNKNOWN
    if content[0] in unknown or len(unknown) > len(content) // _WORDS_A_STRANGER:
        return Claim.UNKNOWN
    left = [word for word in content if word not in unknown]
    holds = any(
        all(known(word.text, (*other.words, *_topics(own[:at], other, clause))) for word in left)
        and all(held(value, other.values) for value in stated(clause))
        and clause.negative in {one.negative for one in (other, *other.parts)}
        for at, other in enumerate(own)
    )
    return None if holds else Claim.EXCHANGED


def _topics(before: Sequence[Clause], clause: Clause, draft: Clause) -> Iterator[Word]:
    """
    Give what clauses before one in the same text are about: names, and their first words.

    Not for a draft that leaves out what the clause itself is about or names: it would put one
    subject in another's place.
    """
    names = [word for word in clause.content if word.named]
    if not all(known(word.text, draft.words) for word in names):
        return
    if not all(known(word.text, draft.words) for word in clause.content[:1] if word.capital):
        return
    for other in before:
        if other.source == clause.source:
            yield from other.content[:1]
            yield from (word for word in other.content if word.named)
