"""
What a gate says of a bundle: one wrong hit fails it.

A suite also holds rows that may be served, so that a judge that serves nothing is seen for what it
is; a miss fails nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from models.errors import ModelError
from models.evaluation import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from models.evaluation.measure import Scored

#: What is shown of a wrong hit.
Hit = TypeVar("Hit")


class SuiteError(ModelError):
    """A suite cannot prove anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Generic[Hit]):
    """What the gate says of a bundle."""

    wrong_hits: tuple[Hit, ...]
    #: As `measure` gives them, by which the wrong hits are counted too.
    measures: dict[str, Any]
    #: SHA-256 of each suite.
    suites: dict[str, str]

    @property
    def passed(self) -> bool:
        """Whether the bundle may ship."""
        return not self.wrong_hits

    @property
    def for_manifest(self) -> dict[str, Any]:
        """The block `gate` of a manifest."""
        return {
            "passed": self.passed,
            "cases": self.measures["n"],
            "wrong_hits": len(self.wrong_hits),
            "suites": self.suites,
        }


def result_of(
    scored: Scored, suites: Sequence[Path], hit: Callable[[int], Hit], **more: Any
) -> Result[Hit]:
    """
    Return what follows from decided rows.

    Args:
        scored: the rows, with what was served.
        suites: the files that they come from.
        hit: gives what is shown of the row at a place.
        more: further measures.
    """
    return Result(
        wrong_hits=tuple(hit(place) for place in measure.wrong_places(scored)),
        measures=measure.measure(scored) | more,
        suites={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in suites},
    )
