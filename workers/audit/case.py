"""One served decision with its texts, as people judge it; personal data, as its log is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.evaluation.events import Logged, Problem, read_lines
from models.evaluation.labels import served_prediction
from topics.codec import DecodeError, decode, encode
from topics.decision import Decision, Kind, Reason
from topics.fields import Count, Id, Seq
from workers.own_file import own_file

#: How far a logit may lie above its threshold and still count as near, and as middling. The judge's
#: logits move by some hundredths when its weights are rounded, and by whole numbers from one
#: paraphrase to the next.
NEAR, MIDDLE = 0.5, 1.5
#: Bands from the one where people's eyes are worth most.
BANDS = ("near", "conservative", "middle", "far", "exact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A served pair, or one that only shadow mode kept from being served."""

    #: The decision.
    decision_id: Id
    #: Whose call it was.
    tenant_id: Id
    #: The call.
    call_id: Id
    #: The turn of the call.
    seq: Seq
    #: The prediction that was served.
    prediction_id: Id
    #: What the caller said. User text: never logged.
    utterance: str
    #: What was predicted. User text: never logged.
    prediction: str
    #: What was played, as the agent gave it.
    response: Any = None
    #: What the agent had just said. User text: never logged.
    agent_text: str | None = None
    #: Language as the guard read it; `unknown` where it was not sure.
    language: str = "unknown"
    #: Where the score lay above its threshold: one of `BANDS`.
    band: str = "far"
    #: Served decisions of this language and band in the log.
    population: Count = 0
    #: How many of them were drawn.
    drawn: Count = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The cases of a log, and what was left out."""

    cases: list[Case]
    #: Served decisions whose texts are not in the log.
    without_texts: int


def cases(logged: Logged) -> Found:
    """Make a case of each served decision of a log whose texts are there."""
    found, without_texts = [], 0
    for turn, decision in logged.decisions.items():
        served = served_prediction(decision)
        if served is None or not _played(decision):
            continue
        one = _case(decision, served, turn, logged)
        if one is None:
            without_texts += 1
        else:
            found.append(one)
    return Found(found, without_texts)


def _played(decision: Decision) -> bool:
    """Whether a reply was played, or would have been but for shadow mode."""
    would = decision.would_have
    return decision.kind is Kind.SERVE or (would is not None and would.kind is Kind.SERVE)


def _case(decision: Decision, served: str, turn: str, logged: Logged) -> Case | None:
    said = logged.utterances.get(turn, [])
    predicted = [
        prediction
        for event in logged.predictions.get(turn, [])
        for prediction in event.predictions
        if prediction.prediction_id == served
    ]
    # Two texts for one id: nobody knows which of them was judged.
    if len({one.text for one in said}) != 1 or len({one.text for one in predicted}) != 1:
        return None
    return Case(
        decision_id=decision.decision_id,
        tenant_id=decision.tenant_id,
        call_id=decision.call_id,
        seq=decision.seq,
        prediction_id=served,
        utterance=said[0].text,
        prediction=predicted[0].text,
        response=decision.response if decision.response is not None else predicted[0].response,
        agent_text=said[0].agent_text,
        language=decision.language or "unknown",
        band=band(decision, served),
    )


def band(decision: Decision, served: str) -> str:
    """Name how far the served pair lay above the threshold that it was held against."""
    if Reason.EXACT in decision.reasons:
        return "exact"
    if Reason.CONSERVATIVE in decision.reasons:
        return "conservative"
    threshold = decision.thresholds.get("judge")
    logits = [
        logit
        for one in decision.candidates
        if one.prediction_id == served
        for logit in (one.logit, one.reversed_logit)
        if logit is not None
    ]
    if threshold is None or not logits:
        # What cannot be told is looked at first.
        return "near"
    # Both orders have to pass, so the lower one decided.
    margin = min(logits) - threshold
    return "near" if margin < NEAR else "middle" if margin < MIDDLE else "far"


def write_cases(path: Path, found: Iterable[Case]) -> None:
    """Write cases as JSONL, readable by their owner alone; what callers said is in them."""
    with own_file(path) as file:
        for one in found:
            file.write(encode(one) + b"\n")


def read_cases(path: Path) -> tuple[list[Case], list[Problem]]:
    """
    Read cases.

    Returns:
        The cases, and the lines that are none.

    Raises:
        OSError: the file cannot be read.

    """
    return _split(_read(path))


def _read(path: Path) -> Iterator[Case | Problem]:
    for number, line in read_lines(path):
        try:
            yield decode(Case, line)
        except DecodeError as error:
            yield Problem(path, number, error.reason)


def _split(found: Iterable[Case | Problem]) -> tuple[list[Case], list[Problem]]:
    good: list[Case] = []
    bad: list[Problem] = []
    for one in found:
        if isinstance(one, Case):
            good.append(one)
        else:
            bad.append(one)
    return good, bad


def by_stratum(found: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    """Group cases by language and band, in the order of `BANDS`."""
    order = {name: place for place, name in enumerate(BANDS)}
    groups: dict[tuple[str, str], list[Case]] = {}
    for one in sorted(found, key=lambda one: (one.language, order.get(one.band, len(order)))):
        groups.setdefault((one.language, one.band), []).append(one)
    return groups
