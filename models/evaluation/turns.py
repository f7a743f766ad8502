"""Whole turns through the gate: screen, guards, exact tier, shortlist, judge, choice."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models import match
from models.errors import InferenceError
from models.evaluation.pairs import make_option
from models.evaluation.rows import name_of
from models.language_hint import names_a_stranger
from models.pipeline.bounds import upper_bound
from models.screen import Screened, screen
from topics.decision import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.encoder import Encoder
    from models.evaluation.rows import Turn
    from models.judge import Judge
    from models.match import Match, Option, Scores, Vectors


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
class Ready:
    """A turn before any model."""

    turn: Turn
    screened: Screened
    #: Its usable predictions; `prediction_id` is the index among all of the turn's.
    options: Sequence[Option] = ()
    #: Indices of the options that no guard took out.
    eligible: Sequence[int] = ()
    #: How the turn ends without a model; None where the models must look.
    ended: Outcome | None = None


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
    #: What the models said, where they were asked; its indices are those of the options.
    scores: Scores | None = None

    @property
    def label(self) -> int | None:
        """The served prediction's label; None where nothing was served, or nobody knows."""
        return None if self.served is None else self.turn.predictions[self.served][1]

    @property
    def right(self) -> bool:
        """Whether the served prediction may be played."""
        return self.label == 1

    @property
    def wrong(self) -> bool:
        """Whether a prediction was served that must not be played."""
        return self.label == 0

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


def options_of(turn: Turn, *, script_guard: bool) -> list[Option]:
    """Make the usable predictions of a turn comparable."""
    made = [
        make_option(text, str(place), script_guard=script_guard)
        for place, (text, _) in enumerate(turn.predictions)
    ]
    return [option for option in made if option is not None]


def prepare(turn: Turn, options: Sequence[Option], *, hint: str | None = None) -> Ready:
    """
    Decide as much of a turn as needs no model.

    Args:
        turn: what was said.
        options: its usable predictions, as `options_of` makes them.
        hint: what the recogniser took the language to be.
    """
    screened = screen(turn.utterance)
    if screened.reason is not None or names_a_stranger(hint):
        reason = screened.reason or Reason.LANGUAGE
        return _ended(turn, screened, reason, bypassed=True)
    if not options:
        return _ended(turn, screened, Reason.NO_PREDICTIONS)
    same = match.exact(screened, options)
    if same is not None:
        return _ended(turn, screened, same.reason, served=_served(same, options))
    guarded = match.guards(screened, options)
    eligible = [place for place, guard in enumerate(guarded) if guard is None]
    if not eligible:
        return _ended(turn, screened, Reason.GUARDED)
    return Ready(turn=turn, screened=screened, options=options, eligible=eligible)


def encode(ready: Ready, gate: Gate) -> Vectors:
    """
    Encode the options of a turn: (N, D) float32.

    Raises:
        InferenceError: the encoder failed.
    """
    return gate.encoder.encode([option.text for option in ready.options])


def look(ready: Ready, vectors: Vectors, gate: Gate) -> Outcome:
    """
    Let the models decide a turn that did not end without them.

    Args:
        ready: the turn.
        vectors: of its options.
        gate: the models.

    Raises:
        InferenceError: a model failed.
    """
    scores = match.score(
        ready.screened.text,
        ready.options,
        vectors,
        ready.eligible,
        encoder=gate.encoder,
        judge=gate.judge,
        shortlist=gate.shortlist,
    )
    if scores.logits is None:
        # The worker would go on by cosine; here that would measure something else.
        raise InferenceError("the judge failed")
    found = match.choose(ready.options, scores, min_logit=gate.judge.threshold)
    return Outcome(
        turn=ready.turn,
        reason=str(found.reason),
        served=_served(found, ready.options),
        scores=scores,
    )


def measure(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """
    Count the turns and their ends.

    A serve whose label nobody knows is served, but neither right nor wrong; the precision is of the
    others.

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
    wrong = [one.turn for one in outcomes if one.wrong]
    return _counts(outcomes) | {
        "by_file": {name: _counts(part) for name, part in sorted(by_file.items())},
        "by_language": {name: _counts(part) for name, part in sorted(by_language.items())},
        "reasons": dict(Counter(outcome.reason for outcome in outcomes).most_common()),
        "wrong_serves": [name_of(turn, several=len(by_file) > 1) for turn in wrong],
    }


def _decide(turn: Turn, gate: Gate) -> Outcome:
    ready = prepare(turn, options_of(turn, script_guard=gate.script_guard))
    if ready.ended is not None:
        return ready.ended
    return look(ready, encode(ready, gate), gate)


def _ended(turn: Turn, screened: Screened, reason: str, **how: Any) -> Ready:
    outcome = Outcome(turn=turn, reason=str(reason), **how)
    return Ready(turn=turn, screened=screened, ended=outcome)


def _served(found: Match, options: Sequence[Option]) -> int | None:
    """Index of what was found among all predictions of the turn."""
    return None if found.index is None else int(options[found.index].prediction_id)


def _counts(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    with_match = sum(outcome.has_match for outcome in outcomes)
    served = sum(outcome.served is not None for outcome in outcomes)
    right = sum(outcome.right for outcome in outcomes)
    wrong = sum(outcome.wrong for outcome in outcomes)
    known = right + wrong
    return {
        "turns": len(outcomes),
        "with_match": with_match,
        "served": served,
        "served_right": right,
        "served_wrong": wrong,
        "precision": round(right / known, 4) if known else None,
        # The least that the share of right serves is, at 95 %.
        "precision_lower95": round(1 - upper_bound(wrong, known), 4) if known else None,
        "conversion": round(right / with_match, 4) if with_match else None,
        "bypassed": sum(outcome.bypassed for outcome in outcomes),
    }
