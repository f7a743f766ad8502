"""
Scenes: what callers may say at one moment of a call, meaning by meaning.

Each file `scenes/LANGUAGE-PART-NUMBER.txt` holds scenes, written by hand as::

    # solar survey, morning call | natural
    > Hi, this is Maya from Northline Solar. Is this a good time to talk?
    = busy, call later
    not really i'm in a meeting right now
    I'm in the middle of a meeting, so no, not a good time
    = free, go ahead
    ...

Any two surfaces of one meaning are interchangeable, any two of two meanings of a scene are not.
Surfaces of one meaning share few words, those of two meanings many. Nothing is known across scenes,
so no pair crosses them, and a scene is held out as a whole.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.pipeline.data.overlap import jaccard
from models.pipeline.data.romanise import romanise
from models.pipeline.data.row import Row
from models.pipeline.data.tables import HERE

#: Classes of a scene; each but "natural" and "short" says in what its meanings differ.
CLASSES = (
    "natural", "polarity", "negation", "scope", "role", "question", "hedge", "condition", "defer",
    "order", "antonym", "entity", "topic", "tense", "acts", "short", "long", "value",
)  # fmt: skip
#: Loss weight of a negative by class; polarity is the worst to get wrong.
WEIGHTS = {"polarity": 2.0, "negation": 2.0, "scope": 2.0, "role": 1.5, "order": 1.5}
#: Variant that each language's surfaces count as; Arabic ones mix dialects within a meaning.
VARIANTS = {"en": "en", "hi": "hi", "hinglish": "hinglish", "ar": "ar-EG"}
#: Negatives of each surface: those of other meanings that share most words, and any.
_NEAR, _ANY = 2, 2


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of a call: surfaces by meaning."""

    title: str
    kind: str
    language: str
    #: What the agent had just said; empty where nothing is given.
    agent: str
    meanings: dict[str, list[str]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Split key."""
        return f"scene:{self.language}/{self.title}"


class SceneError(ValueError):
    """A file of scenes is not as described; says file and line, never the text."""


def scenes(folder: Path = HERE / "scenes") -> list[Scene]:
    """
    Return the scenes of all files, in the order of the files' names.

    Raises:
        SceneError: a line is out of place, or a scene has fewer than two meanings.
    """
    return [scene for path in sorted(folder.glob("*.txt")) for scene in read_scenes(path)]


def read_scenes(path: Path) -> Iterator[Scene]:
    """Yield the scenes of one file; raises as `scenes` does."""
    language = path.name.split("-", 1)[0]
    if language not in VARIANTS:
        raise SceneError(f"{path.name}: unknown language")
    scene: Scene | None = None
    surfaces: list[str] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.strip()
        mark, rest = text[:1], text[1:].strip()
        if mark == "#":
            yield from _whole(scene, path)
            title, _, kind = (part.strip() for part in rest.rpartition("|"))
            if kind not in CLASSES or not title:
                raise SceneError(f"{path.name}:{number}: needs a title and a class")
            scene, surfaces = Scene(title, kind, language, ""), None
        elif not text:
            continue
        elif scene is None:
            raise SceneError(f"{path.name}:{number}: outside a scene")
        elif mark == ">" and surfaces is None:
            scene = Scene(scene.title, scene.kind, language, rest)
        elif mark == "=" and rest not in scene.meanings:
            surfaces = scene.meanings[rest] = []
        elif surfaces is None or mark in ("=", ">"):
            raise SceneError(f"{path.name}:{number}: out of place")
        else:
            surfaces.append(text)
    yield from _whole(scene, path)


def _whole(scene: Scene | None, path: Path) -> Iterator[Scene]:
    if scene is not None:
        if len(scene.meanings) < 2 or not all(scene.meanings.values()):  # noqa: PLR2004
            raise SceneError(f"{path.name}: a scene with fewer than two meanings, or an empty one")
        yield scene


def spelled(scene: Scene, rng: random.Random) -> Scene:
    """Return a Hindi scene romanised, each surface in one of the usual spellings."""
    meanings = {
        meaning: [romanise(text, rng) for text in surfaces]
        for meaning, surfaces in scene.meanings.items()
    }
    return Scene(scene.title, scene.kind, "hinglish", scene.agent, meanings)


def rows(rng: random.Random, found: Sequence[Scene] | None = None) -> Iterator[Row]:
    """
    Yield all positives of each meaning, and for each surface up to four negatives.

    Half of the negatives share most words with the surface, the others are drawn. Hindi scenes come
    a second time romanised, under the key of the original.

    Args:
        rng: source of every choice.
        found: the scenes; those of the folder by default.
    """
    for scene in scenes() if found is None else found:
        yield from _rows(scene, scene.key, rng)
        if scene.language == "hi":
            yield from _rows(spelled(scene, rng), scene.key, rng)


def _rows(scene: Scene, key: str, rng: random.Random) -> Iterator[Row]:
    said = [(meaning, text) for meaning, texts in scene.meanings.items() for text in texts]
    pairs = list(itertools.combinations(said, 2))
    yield from (_row(scene, key, a, b, 1) for (one, a), (other, b) in pairs if one == other)
    drawn: set[tuple[str, str]] = set()
    for meaning, text in said:
        others = [other for name, other in said if name != meaning]
        rng.shuffle(others)
        near = sorted(others, key=lambda other: -jaccard(text, other))[:_NEAR]
        for other in dict.fromkeys((*near, *others[:_ANY])):
            if (other, text) not in drawn:
                drawn.add((text, other))
                yield _row(scene, key, text, other, 0)


def _row(scene: Scene, key: str, a: str, b: str, label: int) -> Row:
    variant = VARIANTS[scene.language]
    return Row(
        a=a,
        b=b,
        label=label,
        layer="scenes",
        kind=scene.kind,
        language_a=variant,
        language_b=variant,
        group=(key,),
        source="scenes",
        weight=1.0 if label else WEIGHTS.get(scene.kind, 1.0),
    )
