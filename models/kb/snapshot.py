"""One tenant's knowledge base at one moment, ready to be searched; nothing in it changes."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.encoder import Vectors
from models.kb.bm25 import Bm25
from models.kb.fusion import Evidence, freshness, fuse
from models.kb.reading import long_text
from models.kb.sounds import sounds
from models.kb.words import pieces, script
from topics.entry import KbEntry

_UNKNOWN_MS = -1


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """An entry with what search compares."""

    entry: KbEntry
    #: Number of its script, as `script` gives it.
    script: int
    pieces: list[str]
    sounds: list[str]
    #: (P, D) unit rows, one for each passage, at least one.
    vectors: Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry in search order."""

    entry: KbEntry
    #: Place in the order, from 0.
    rank: int
    #: What it was ordered by; comparable within one search only.
    score: float
    #: Cosine of the question and its nearest passage; comparable across searches.
    cosine: float


def prepare(entry: KbEntry, vectors: Vectors) -> Prepared:
    """Prepare an entry whose passages are encoded already, (P, D)."""
    text = f"{long_text(entry.title)}\n{long_text(entry.content)}"
    return Prepared(entry, script(text), _shared(pieces(text)), _shared(sounds(text)), vectors)


def _shared(found: list[str]) -> list[str]:
    """Keep each word once, however many entries have it: a fifth of the memory."""
    return [sys.intern(one) for one in found]


class Snapshot:
    """
    A tenant's entries, indexed; any number of threads may search it.

    Args:
        prepared: the entries, at least one; their order does not matter.
    """

    def __init__(self, prepared: Iterable[Prepared]) -> None:
        found = sorted(prepared, key=lambda one: one.entry.entry_id)
        #: By id: what search cannot tell apart stays in this order.
        self.entries = tuple(one.entry for one in found)
        self._pieces = Bm25([one.pieces for one in found])
        self._sounds = Bm25([one.sounds for one in found])
        self._vectors = np.concatenate([one.vectors for one in found])
        self._scripts = np.array([one.script for one in found], np.intp)
        lengths = [len(one.vectors) for one in found]
        self._starts: npt.NDArray[np.intp] = np.cumsum([0, *lengths[:-1]])
        updated = [one.entry.updated_at_ms for one in found]
        self._updated_ms = np.array([_UNKNOWN_MS if at is None else at for at in updated], np.int64)

    def search(
        self, question: str, vector: Vectors, *, now_ms: int, limit: int
    ) -> tuple[Found, ...]:
        """
        Order the entries by how near they are to a question.

        Args:
            question: what the caller asked, cleaned.
            vector: (D,) the question's, of the encoder that made the entries'.
            now_ms: the present, Unix epoch; ages count from here.
            limit: entries, at most.
        """
        cosines = np.maximum.reduceat(self._vectors @ vector, self._starts)  # (N,)
        fused = fuse(
            Evidence(
                cosines=cosines,
                words=self._pieces.scores(pieces(question)),
                sounds=self._sounds.scores(sounds(question)),
                scripts=self._scripts,
                own=self._scripts == script(question),
            )
        )
        scores = fused * freshness(self._updated_ms, now_ms)
        order = np.argsort(-scores, kind="stable")[:limit]
        return tuple(
            Found(
                entry=self.entries[place],
                rank=rank,
                score=float(scores[place]),
                cosine=float(cosines[place]),
            )
            for rank, place in enumerate(order)
        )
