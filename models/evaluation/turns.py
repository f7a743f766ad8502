"""Whole turns through the gate: screen, guards, exact tier, shortlist, judge, choice."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models import match
from models.errors import InferenceError
from models.evaluation.pairs import make_option
from models.evaluation.rows import name_of
from models.pipeline.bounds import upper_bound
from models.screen import Screened, screen
from topics.decision import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.encoder import Encoder
    from models.evaluation.rows import Turn
    from models.judge import Judge
    from models.match import Match, Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What deciding a turn takes."""

    encoder: Encoder
    judge: Judge
    #: Predictions that the judge reads at most, best by cosine.
    shortlist: int
    #: Let the cross-script guard speak, as it does in the worker.
    script_guard: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one turn ended."""

    turn: Turn
    #: Why: of the bypass or of the decision.
    reason: str
    #: The turn was not eligible.
    bypassed: bool = False
    #: Index of the prediction that was served.
    served: int | None = None

    @property
    def right(self) -> bool:
        """Whether the served prediction may be played."""
        return self.served is not None and self.turn.predictions[self.served][1] == 1

    @property
    def has_match(self) -> bool:
        """Whether any prediction may be played."""
        return any(label for _, label in self.turn.predictions)


def decide_turns(turns: Iterable[Turn], gate: Gate) -> list[Outcome]:
    """
    Decide each turn as the worker does.

    Raises:
        InferenceError: a model failed.
    """
    return [_decide(turn, gate) for turn in turns]


def measure(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """
    Count the turns and their ends.

    Returns:
        Counts and rates over all turns, the same `by_file` and `by_language`, how many turns ended
        for each reason, and the wrong serves by id or row.
    """
    by_file: dict[str, list[Outcome]] = defaultdict(list)
    by_language: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_file[outcome.turn.file].append(outcome)
        if outcome.turn.language is not None:
            by_language[outcome.turn.language].append(outcome)
    wrong = [one.turn for one in outcomes if one.served is not None and not one.right]
    return _counts(outcomes) | {
        "by_file": {name: _counts(part) for name, part in sorted(by_file.items())},
        "by_language": {name: _counts(part) for name, part in sorted(by_language.items())},
        "reasons": dict(Counter(outcome.reason for outcome in outcomes).most_common()),
        "wrong_serves": [name_of(turn, several=len(by_file) > 1) for turn in wrong],
    }


def _decide(turn: Turn, gate: Gate) -> Outcome:
    screened = screen(turn.utterance)
    if screened.reason is not None:
        return Outcome(turn=turn, reason=str(screened.reason), bypassed=True)
    made = [
        make_option(text, str(place), script_guard=gate.script_guard)
        for place, (text, _) in enumerate(turn.predictions)
    ]
    options = [option for option in made if option is not None]
    if not options:
        return Outcome(turn=turn, reason=str(Reason.NO_PREDICTIONS))
    found = _match(screened, options, gate)
    served = None if found.index is None else int(options[found.index].prediction_id)
    return Outcome(turn=turn, reason=str(found.reason), served=served)


def _match(screened: Screened, options: Sequence[Option], gate: Gate) -> Match:
    same = match.exact(screened, options)
    if same is not None:
        return same
    guarded = match.guards(screened, options)
    eligible = [place for place, guard in enumerate(guarded) if guard is None]
    if not eligible:
        return match.Match(Reason.GUARDED)
    vectors = gate.encoder.encode([option.text for option in options])
    scores = match.score(
        screened.text,
        options,
        vectors,
        eligible,
        encoder=gate.encoder,
        judge=gate.judge,
        shortlist=gate.shortlist,
    )
    if scores.logits is None:
        # The worker would go on by cosine; here that would measure something else.
        raise InferenceError("the judge failed")
    return match.choose(options, scores, min_logit=gate.judge.threshold)


def _counts(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    with_match = sum(outcome.has_match for outcome in outcomes)
    served = sum(outcome.served is not None for outcome in outcomes)
    right = sum(outcome.right for outcome in outcomes)
    wrong = served - right
    return {
        "turns": len(outcomes),
        "with_match": with_match,
        "served": served,
        "served_right": right,
        "served_wrong": wrong,
        "precision": round(right / served, 4) if served else None,
        # The least that the share of right serves is, at 95 %.
        "precision_lower95": round(1 - upper_bound(wrong, served), 4) if served else None,
        "conversion": round(right / with_match, 4) if with_match else None,
        "bypassed": sum(outcome.bypassed for outcome in outcomes),
    }
