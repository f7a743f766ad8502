"""All that the demo finds, and the JSON on its last line."""

from dataclasses import dataclass, fields

import orjson

from workers.demo.gaps.summary import GapSummary
from workers.demo.knowledge.summary import KnowledgeSummary
from workers.demo.routes.summary import RouteSummary
from workers.demo.summary import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the demo found."""

    turns: Summary
    #: None where there were no agents with intents.
    routes: RouteSummary | None
    #: None where nothing was asked.
    knowledge: KnowledgeSummary | None
    #: None where nothing was asked.
    gaps: GapSummary | None

    @property
    def ok(self) -> bool:
        """Nothing is missing and nothing differs."""
        parts = (self.turns, self.routes, self.knowledge, self.gaps)
        return all(part.ok for part in parts if part is not None)

    def as_json(self) -> bytes:
        """Write it: what was found of the turns at the top, the other parts beside it."""
        turns = {field.name: getattr(self.turns, field.name) for field in fields(self.turns)}
        parts = {"routes": self.routes, "knowledge": self.knowledge, "gaps": self.gaps}
        return orjson.dumps(turns | {"ok": self.ok} | parts)
