"""
Questions of callers that are easily confused, in all languages at once.

Each file `questions/PART-NUMBER.txt` holds sets, written by hand as::

    # metro of a large city, lost property | transport
    = where is the lost property office of line 1
    en: I left my bag on line one, where do I pick it up?
    ar: مكتب المفقودات بتاع الخط الأول فين
    hi: लाइन एक का खोया-पाया दफ़्तर कहाँ है
    hinglish: line one ka lost and found kidhar milega
    = where is the lost property office of line 2
    ...

Any two surfaces of one meaning are one question, in one language or two; any two of two meanings of
a set are not. A set is held out as a whole.

`questions/frames.txt` holds questions with a place for a name, by the kind of name, and
`questions/names.tsv` the names in each language, so that a name must be known by its sound across
scripts. Held-out frames meet held-out names only.
"""

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from models.pipeline.data.grids import slots
from models.pipeline.data.kb import QUESTION_VARIANTS
from models.pipeline.data.overlap import jaccard
from models.pipeline.data.row import LANGUAGE_OF, Row
from models.pipeline.data.split import Side
from models.pipeline.data.tables import HERE, read_table

FOLDER = HERE / "questions"
#: Negatives of each surface: those of its language that share most words, any of the others.
_NEAR, _ACROSS = 2, 2
#: Rows of each kind for each frame, name and variant, and the share of them in two languages.
_PER_CELL, _CROSSED = 1, 0.6


@dataclass(frozen=True, slots=True)
class Surface:
    """One wording of a question."""

    text: str
    #: A key of `LANGUAGE_OF`.
    variant: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions that are easily confused, each in several wordings."""

    title: str
    domain: str
    meanings: dict[str, list[Surface]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Split key."""
        return f"questions:{self.title}"


class QuestionError(ValueError):
    """A file of questions is not as described; says file and line, never the text."""


def question_sets(folder: Path = FOLDER) -> list[QuestionSet]:
    """
    Return the sets of all files, in the order of the files' names.

    Raises:
        QuestionError: a line is out of place, a set has one meaning only, or a title recurs.
    """
    found: dict[str, QuestionSet] = {}
    for path in sorted(folder.glob("?-*.txt")):
        for one in _sets(path):
            if len(one.meanings) < 2 or not all(one.meanings.values()):  # noqa: PLR2004
                raise QuestionError(f"{path.name}: a set with one meaning, or an empty one")
            if found.setdefault(one.title, one) is not one:
                raise QuestionError(f"{path.name}: a title that another set has too")
    return list(found.values())


def _sets(path: Path) -> Iterator[QuestionSet]:
    current: QuestionSet | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        mark, _, rest = line.strip().partition(" ")
        if mark == "#":
            if current is not None:
                yield current
            title, _, domain = (part.strip() for part in rest.partition("|"))
            if not title:
                raise QuestionError(f"{path.name}:{number}: needs a title")
            current = QuestionSet(title, domain)
        elif mark:
            try:
                _take(mark, rest.strip(), current.meanings if current else None)
            except ValueError as error:
                raise QuestionError(f"{path.name}:{number}: {error}") from None
    if current is not None:
        yield current


def _take(mark: str, rest: str, meanings: dict[str, list[Surface]] | None) -> None:
    """Take a meaning or a surface of the last meaning."""
    if meanings is None:
        raise ValueError("outside a set")
    if mark == "=":
        if not rest or rest in meanings:
            raise ValueError("a meaning without a note, or twice")
        meanings[rest] = []
        return
    variant = QUESTION_VARIANTS.get(mark.removesuffix(":"))
    if variant is None or not mark.endswith(":") or not rest:
        raise ValueError("no surface: needs language: text")
    if not meanings:
        raise ValueError("a surface without a meaning")
    list(meanings.values())[-1].append(Surface(rest, variant))


def rows(rng: random.Random, side: Side) -> Iterator[Row]:
    """
    Yield the pairs of every set, and of every frame with every name.

    Args:
        rng: source of every choice.
        side: the split of a key.
    """
    for one in question_sets():
        yield from _rows(one, rng)
    names = slot_names()
    for slot, found in slot_frames().items():
        grid = f"asked_{slot}"
        for row in slots.rows(grid, found, names[slot], rng, side, _PER_CELL, crossed=_CROSSED):
            yield replace(row, layer="questions", source="questions")


def _rows(one: QuestionSet, rng: random.Random) -> Iterator[Row]:
    said = [(meaning, text) for meaning, texts in one.meanings.items() for text in texts]
    pairs = itertools.combinations(said, 2)
    yield from (_row(one.key, a, b, 1) for (left, a), (right, b) in pairs if left == right)
    drawn: set[frozenset[Surface]] = set()
    for meaning, text in said:
        others = [other for name, other in said if name != meaning]
        rng.shuffle(others)
        own = [other for other in others if _language(other) == _language(text)]
        across = [other for other in others if _language(other) != _language(text)]
        near = sorted(own, key=lambda other: -jaccard(text.text, other.text))[:_NEAR]
        for other in (*near, *across[:_ACROSS]):
            if (pair := frozenset((text, other))) not in drawn:
                drawn.add(pair)
                yield _row(one.key, text, other, 0)


def _language(one: Surface) -> str:
    return LANGUAGE_OF[one.variant]


def _row(key: str, a: Surface, b: Surface, label: int) -> Row:
    return Row(
        a=a.text,
        b=b.text,
        label=label,
        layer="questions",
        kind="questions",
        language_a=a.variant,
        language_b=b.variant,
        group=(key,),
        source="questions",
    )


def slot_frames(path: Path = FOLDER / "frames.txt") -> dict[str, list[slots.Frame]]:
    """
    Return the questions with a place for a name, by the kind of name.

    Raises:
        QuestionError: the file is not as described, or a surface has not one place.
    """
    found: dict[str, list[slots.Frame]] = {}
    for one in _sets(path):
        for meaning, surfaces in one.meanings.items():
            texts: defaultdict[str, list[str]] = defaultdict(list)
            for surface in surfaces:
                if surface.text.count("{}") != 1 or surface.text.count("{") != 1:
                    raise QuestionError(f"{path.name}: a surface without its one place")
                texts[surface.variant].append(surface.text.replace("{}", "{v}"))
            found.setdefault(one.title, []).append(slots.Frame(meaning, texts))
    return found


def slot_names(path: Path = FOLDER / "names.tsv") -> dict[str, list[slots.Value]]:
    """Return the names by their kind."""
    found: dict[str, list[slots.Value]] = {}
    for cells in read_table(path):
        aliases: Mapping[str, list[str]] = {
            variant: [cells["ar" if language == "msa" else language]]
            for language, variant in QUESTION_VARIANTS.items()
        }
        found.setdefault(cells["slot"], []).append(slots.Value(cells["en"], aliases))
    return found
