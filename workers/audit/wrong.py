"""The pairs that a label says were wrong, with their texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.evaluation.events import Logged, Problem, read_logged
from models.evaluation.labels import Given, read_labels, served_prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPair:
    """Two texts that must not be served for each other; user text, so not in its repr."""

    tenant_id: str
    decision_id: str
    utterance: str
    prediction: str

    def __repr__(self) -> str:
        """Hide the texts."""
        return f"WrongPair(decision_id={self.decision_id!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """The pairs, and the lines that gave none."""

    pairs: tuple[WrongPair, ...]
    problems: tuple[Problem, ...]


def wrong_pairs(events: Sequence[Path], labels: Sequence[Path]) -> Wrong:
    """
    Find the pairs of all labels that are 0.

    Args:
        events: JSONL files of decisions, utterances and predictions.
        labels: JSONL files of labels.

    Raises:
        OSError: a file cannot be read.

    """
    given, problems = read_labels(labels)
    wrong = [one for one in given if one.label.label == 0]
    logged = read_logged(events, frozenset(one.turn for one in wrong))
    pairs: dict[tuple[str, str, str], WrongPair] = {}
    for one in wrong:
        found = _pairs(one, logged)
        if not found:
            problems.append(one.problem("the turn's texts are not in the log"))
        for pair in found:
            pairs.setdefault((pair.tenant_id, pair.utterance, pair.prediction), pair)
    return Wrong(pairs=tuple(pairs.values()), problems=(*problems, *logged.problems))


def _pairs(one: Given, logged: Logged) -> list[WrongPair]:
    decision = logged.decisions.get(one.turn)
    if decision is None:
        return []
    named = one.label.prediction_id or served_prediction(decision)
    return [
        WrongPair(
            tenant_id=decision.tenant_id,
            decision_id=decision.decision_id,
            utterance=said.text,
            prediction=prediction.text,
        )
        for said in logged.utterances.get(one.turn, [])
        for event in logged.predictions.get(one.turn, [])
        for prediction in event.predictions
        if prediction.prediction_id == named
    ]
