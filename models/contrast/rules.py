"""
Whether two texts contradict by one word, or by where it stands.

A judge that has read whole sentences is surest of two that share nearly all words, and it is there
that one word makes another request of it: "my son's fees", "my daughter's fees". These rules know
few words, and only say no: what they part is never served, whatever the judge says.
"""

from collections.abc import Iterable
from enum import StrEnum

from models.contrast.persons import swapped
from models.contrast.read import Read, named
from models.contrast.words import DENIALS, EVEN, alike, denied

#: Words that change places: with more of them it is another sentence.
_PLACES = 2
Words = tuple[str, ...]


class Contrast(StrEnum):
    """How two texts contradict."""

    #: One says yes and nothing else, the other no.
    ANSWER = "answer"
    #: They state opposites: "front tyre", "rear tyre".
    OPPOSITE = "opposite"
    #: One denies what the other says in the same words.
    DENIAL = "denial"
    #: Each denies what the other asks for: "the phone, not the net", "the net, not the phone".
    SCOPE = "scope"
    #: Persons have changed their parts: "I'll call you", "you call me".
    PERSONS = "persons"
    #: Two words have changed places: "the phone works, the net does not".
    ORDER = "order"


def conflict(one: Read, other: Read) -> Contrast | None:
    """Name how two texts contradict; None where these rules see nothing."""
    if one.answer is not None and other.answer is not None:
        return Contrast.ANSWER if one.answer != other.answer else None
    if one.denials and other.denials and _scope(one.words, other.words):
        return Contrast.SCOPE
    if (one.denials - other.denials) % 2:
        # Opposites, of which one is denied, may well mean the same.
        return Contrast.DENIAL if _same_but_denied(one.words, other.words) else None
    if _opposite(one, other):
        return Contrast.OPPOSITE
    if swapped(one.words, other.words):
        return Contrast.PERSONS
    return Contrast.ORDER if _changed_places(one.words, other.words) else None


def _opposite(one: Read, other: Read) -> bool:
    """Both state a side of one kind, and none that the other states too."""
    return any(
        kind in other.sides and not sides & other.sides[kind] for kind, sides in one.sides.items()
    )


def _scope(one: Words, other: Words) -> bool:
    """What one denies the other affirms, and the other way round."""
    first, second = _named(denied(one)), _named(denied(other))
    if not first or not second:
        return False
    return bool(first & (_named(other) - second)) and bool(second & (_named(one) - first))


def _named(words: Iterable[str]) -> set[str]:
    return {named(word) for word in words}


def _same_but_denied(one: Words, other: Words) -> bool:
    left = [word for word in one if word not in DENIALS]
    right = [word for word in other if word not in DENIALS]
    # One word alone, denied or not, is an idiom as often as not: "problem", "no problem".
    return len(left) == len(right) > 1 and all(map(alike, left, right))


def _changed_places(left: Words, right: Words) -> bool:
    """Two words stand at each other's place, and all others at their own."""
    if len(left) != len(right):
        return False
    apart = []
    for place, pair in enumerate(zip(left, right, strict=True)):
        if not alike(*pair):
            apart.append(place)
            if len(apart) > _PLACES:
                return False
    if len(apart) < _PLACES:
        return False
    first, last = apart
    if not (alike(left[first], right[last]) and alike(left[last], right[first])):
        return False
    # "monday or tuesday" is "tuesday or monday"; so are neighbours, where order is free.
    return any(word not in EVEN for word in left[first + 1 : last])
