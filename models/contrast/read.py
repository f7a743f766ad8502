"""What a text says that an opposite of it could not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.contrast.table import opposites
from models.contrast.words import DENIALS, FILLERS, NO, SOUNDS, THANKS, YES, meant, plain, tokens

#: A kind of opposites, and a side of it.
Side = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Read:
    """One text, ready to be held against others."""

    #: Its words without fillers, a denial apart from what it was written together with.
    words: tuple[str, ...]
    #: What it states of each kind of opposites.
    sides: dict[str, set[int]]
    #: How many of its words deny.
    denials: int
    #: True or false where it says yes or no, and nothing else.
    answer: bool | None


def read(text: str) -> Read:
    """Read a cleaned text."""
    said = tokens(text)
    words = meant(said)
    sides: dict[str, set[int]] = {}
    for kind, side in _sides(words):
        sides.setdefault(kind, set()).add(side)
    return Read(tuple(words), sides, sum(word in DENIALS for word in words), _answer(said))


def named(word: str) -> str:
    """Return a word without article, or what it is a name of: other names of it are the same."""
    bare = plain(word)
    for rest, kind, side in _TABLE.get(bare, ()):
        if not rest:
            return f"{kind} {side}"
    return bare


def _answer(said: Sequence[str]) -> bool | None:
    """What a reply of nothing but yes or no says."""
    yes = no = False
    place = 0
    while place < len(said):
        sound = SOUNDS.get((said[place], said[place + 1])) if place + 1 < len(said) else None
        word = sound or said[place]
        place += 2 if sound else 1
        if word in YES:
            yes = True
        elif word in NO:
            no = True
        elif word not in FILLERS and word not in THANKS:
            return None
    return yes if yes != no else None


def _sides(words: Sequence[str]) -> Iterator[Side]:
    """The sides that the phrases of a text state, the longest phrase at each place."""
    bare = [plain(word) for word in words]
    place = 0
    while place < len(bare):
        length = 0
        for rest, kind, side in _TABLE.get(bare[place], ()):
            end = place + 1 + len(rest)
            # Longer phrases come first, and nothing shorter counts beside one.
            if len(rest) + 1 >= length and tuple(bare[place + 1 : end]) == rest:
                length = len(rest) + 1
                yield kind, side
        place += length or 1


def _table() -> dict[str, list[tuple[tuple[str, ...], str, int]]]:
    """Phrases by their first word: the rest, the kind and the side; the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str, int]]] = {}
    for kind, sides in opposites().items():
        for side, phrases in enumerate(sides):
            for phrase in phrases:
                first, *rest = (plain(word) for word in tokens(phrase))
                found.setdefault(first, []).append((tuple(rest), kind, side))
    for rows in found.values():
        rows.sort(key=lambda row: -len(row[0]))
    return found


_TABLE = _table()
