"""What the demo finds, as values: for the screen, and for the JSON on its last line."""

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How one turn went."""

    #: Served a prediction that may be served.
    RIGHT_SERVE = "right_serve"
    #: Served one that may not: the worst that can happen.
    WRONG_SERVE = "wrong_serve"
    #: Served nothing where something could have been.
    MISSED = "missed"
    #: Served nothing, as it should be.
    RIGHT_MISS = "right_miss"
    #: Let pass by, as it should be.
    RIGHT_BYPASS = "right_bypass"
    #: Let pass by where it should have been judged.
    WRONG_BYPASS = "wrong_bypass"
    #: Judged, and nothing served, where it should have been let pass by.
    NOT_BYPASSED = "not_bypassed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Where half and nearly all of the times lie, milliseconds."""

    n: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongServe:
    """A serve that should not have been; public text, so it may be shown."""

    turn: str
    language: str
    caller: str
    prediction: str
    #: The prediction's kind; `stale` where the turn had been overtaken, `foreign` where the
    #: prediction is not one of this turn's.
    kind: str
    #: In shadow mode nothing was played.
    played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A turn whose decisions are not byte for byte the same."""

    turn: str
    #: Kind, status and reasons of each, in the order of their coming.
    decisions: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the demo found."""

    #: Nothing is missing and nothing differs.
    ok: bool
    #: What was sent: turns, redelivered, bad_records, predictions.
    events: dict[str, int]
    #: Decision records that came.
    decisions: int
    #: Turns without a decision, or with fewer than their utterance was sent.
    without_decision: list[str]
    #: Turns whose decisions differ in a byte.
    different_decisions: list[Difference]
    #: Bad records without a dead letter.
    without_dead_letter: list[str]
    #: Dead letters of records that were events.
    wrong_dead_letters: int
    #: Turns by kind of decision.
    kinds: dict[str, int]
    #: Turns by status of their decision.
    statuses: dict[str, int]
    #: Turns by kind of decision and first reason.
    reasons: dict[str, dict[str, int]]
    #: Turns by group and mark: all, each language, strangers, and what shadow mode would have done.
    marks: dict[str, dict[str, int]]
    #: Names of the turns with each mark that is not right, but for wrong serves, which follow.
    not_right: dict[str, list[str]]
    #: Every wrong serve.
    wrong_serves: list[WrongServe]
    #: Time of each stage.
    stages_ms: dict[str, Spread]
    #: Utterance sent to decision in hand.
    end_to_end_ms: Spread
