"""
The match gate's rules: may one of these predictions be served for this utterance?

Plain functions over values. Model work is in `score` alone; everything else takes microseconds. A
guard can only make serving rarer: it takes predictions out, it never lets one in.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models import contrast, values
from models.encoder import Encoder
from models.errors import BundleError, InferenceError
from models.judge import Judge
from models.runtime import Cancel
from models.screen import Screened, screen
from models.script import Writing, compatible, writing
from models.text import match_key
from models.values import Value
from topics.decision import Candidate, Reason

#: Two predictions with other responses whose logits lie closer than this are a tie: the judge's
#: logits move by about so much when its weights are rounded to int8, so they mean no more.
TIE_LOGITS = 0.05
#: Candidates that a decision shows, and decimals of their scores.
SHOWN = 5
_DECIMALS = 4

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A prediction, ready to be compared."""

    #: The prediction.
    prediction_id: str
    #: Its text, cleaned.
    text: str
    #: Its exact-tier key.
    key: str
    #: Script and language, where sure.
    writing: Writing
    #: Where the prepared response lies.
    response_ref: str | None = None
    #: The prepared response itself.
    response: Any = None
    #: Playing it does something, so it is never served.
    side_effect: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """What the gate says of one utterance: the option to serve, or none, and why."""

    reason: Reason
    #: Index of the option to serve.
    index: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What the models said."""

    #: Indices of the options that were compared to their end, best first.
    order: tuple[int, ...]
    #: Cosine of each option in `order`.
    cosines: tuple[float, ...]
    #: The judge's logit of each option in `order`; none where it did not judge.
    logits: tuple[float, ...] | None = None
    #: The best option read in reversed order, logit.
    reversed_logit: float | None = None
    #: (D,) float32: the utterance's unit vector.
    query: Vectors | None = field(default=None, compare=False, repr=False)
    #: Time of each model stage, milliseconds.
    timings_ms: dict[str, float] = field(default_factory=dict)


def guards(utterance: Screened, options: Sequence[Option]) -> list[str | None]:
    """Name the guard that takes each option out, or None where it stays in."""
    stated, said = values.read(utterance.text), contrast.read(utterance.text)
    return [_guard(utterance, stated, said, candidate) for candidate in options]


def _guard(
    utterance: Screened, stated: Sequence[Value], said: contrast.Read, candidate: Option
) -> str | None:
    if not compatible(utterance.writing, candidate.writing):
        return "script"
    # Most turns state no value, and then no prediction has to be read.
    if stated and values.conflict(stated, values.read(candidate.text)) is not None:
        return "value"
    if contrast.conflict(said, contrast.read(candidate.text)) is not None:
        return "contrast"
    return None


#: What the guards must say of a pair, whatever else they say.
_TRAPS = (
    ("call me at 8 am", "call me at 8 in the evening", "value"),
    ("kal call karo", "parso call karo", "value"),
    ("दो लाख रुपये", "तीन लाख रुपये", "value"),
    ("हाँ जी", "haan ji", "script"),
    ("نعم من فضلك", "yes please", "script"),
    ("my son's fees are due", "my daughter's fees are due", "contrast"),
    ("ايوه", "لا", "contrast"),
    ("kal call karo", "tomorrow call karo", None),
    ("yes please", "sure, go ahead", None),
)


def prove() -> None:
    """
    Run the pair guards on known pairs, which also loads their tables.

    Raises:
        BundleError: a guard does not say what it must; names the trap by number.
    """
    for index, (said, expected_text, guard) in enumerate(_TRAPS):
        prediction = Option(
            prediction_id="trap",
            text=expected_text,
            key=match_key(expected_text),
            writing=writing(expected_text),
        )
        if guards(screen(said), [prediction]) != [guard]:
            raise BundleError(f"pair guards: trap {index}", f"is not {guard or 'let through'}")


def exact(utterance: Screened, options: Sequence[Option]) -> Match | None:
    """Serve an option that is the utterance; None where there is none and models must look."""
    same = [index for index, other in enumerate(options) if other.key == utterance.key]
    if not same:
        return None
    return _serve(same[0], same[1:], options, Reason.EXACT)


def score(
    text: str,
    options: Sequence[Option],
    vectors: Vectors,
    eligible: Sequence[int],
    *,
    encoder: Encoder,
    judge: Judge | None,
    shortlist: int,
    cancel: Cancel | None = None,
) -> Scores:
    """
    Encode the utterance, shortlist by cosine, and judge the shortlist in one batch.

    Args:
        text: the cleaned utterance.
        options: all predictions of the turn.
        vectors: their unit vectors, (N, D) float32.
        eligible: indices of the options that no guard took out, at least one.
        encoder: made the vectors.
        judge: None where it is out of order; then there are only cosines.
        shortlist: how many options the judge reads at most.
        cancel: stops the models from another thread.

    Raises:
        InferenceError: the encoder failed. A judge that fails leaves the cosines, of what the
            encoder could read to its end.

    """
    started = time.perf_counter()
    query = encoder.encode([text], cancel)[0]
    cosines = vectors[list(eligible)] @ query  # (E,) float32
    best = np.argsort(-cosines, kind="stable")[:shortlist]
    order = tuple(eligible[position] for position in best)
    encoded = time.perf_counter()
    timings_ms = {"encode": (encoded - started) * 1e3}
    scores = Scores(
        order=order,
        cosines=tuple(float(cosines[position]) for position in best),
        query=query,
        timings_ms=timings_ms,
    )
    if judge is not None:
        judged = _judged(text, options, scores, judge, cancel)
        if judged is not None:
            return judged
    return _read_whole(text, options, scores, encoder)


def _read_whole(text: str, options: Sequence[Option], scores: Scores, encoder: Encoder) -> Scores:
    """Leave out what the encoder cut: texts that differ behind the cut have one vector."""
    cut, *others = encoder.truncated([text, *(options[index].text for index in scores.order)])
    places = [place for place, other in enumerate(others) if not (cut or other)]
    return replace(
        scores,
        order=tuple(scores.order[place] for place in places),
        cosines=tuple(scores.cosines[place] for place in places),
    )


def _judged(
    text: str, options: Sequence[Option], scores: Scores, judge: Judge, cancel: Cancel | None
) -> Scores | None:
    """Read the shortlist; None where the judge failed."""
    started = time.perf_counter()
    try:
        judged = judge.judge([(text, options[index].text) for index in scores.order], cancel)
        # What the judge could not read to its end is not eligible.
        read = np.flatnonzero(~judged.truncated)
        ranking = read[np.argsort(-judged.logits[read], kind="stable")]
        reversed_logit = None
        if len(ranking) and judged.logits[ranking[0]] >= judge.threshold:
            # The one pair about to be served is read once more, the other way round.
            top = options[scores.order[ranking[0]]]
            reversed_logit = float(judge.logits([(top.text, text)], cancel)[0])
    except InferenceError:
        if cancel is not None and cancel.is_set:
            raise
        return None
    return Scores(
        order=tuple(scores.order[position] for position in ranking),
        cosines=tuple(scores.cosines[position] for position in ranking),
        logits=tuple(float(judged.logits[position]) for position in ranking),
        reversed_logit=reversed_logit,
        query=scores.query,
        timings_ms=scores.timings_ms | {"judge": (time.perf_counter() - started) * 1e3},
    )


def choose(options: Sequence[Option], scores: Scores, *, min_logit: float) -> Match:
    """Choose by the judge's logits: the best one above the threshold, if nothing speaks against."""
    if scores.logits is None:
        raise ValueError("nothing was judged")
    above = [place for place, logit in enumerate(scores.logits) if logit >= min_logit]
    if not above:
        return Match(Reason.BELOW_THRESHOLD)
    if scores.reversed_logit is None or scores.reversed_logit < min_logit:
        return Match(Reason.SECOND_OPINION)
    ties = [
        scores.order[place]
        for place in above[1:]
        if scores.logits[0] - scores.logits[place] < TIE_LOGITS
    ]
    return _serve(scores.order[0], ties, options, Reason.JUDGED)


def choose_conservatively(options: Sequence[Option], scores: Scores, *, min_cosine: float) -> Match:
    """Choose by cosine alone while the judge is out of order; serves rarely, on purpose."""
    above = [
        index
        for index, cosine in zip(scores.order, scores.cosines, strict=True)
        if cosine >= min_cosine
    ]
    if not above:
        return Match(Reason.BELOW_THRESHOLD)
    # Cosine separates nothing among near-equals, so every rival is a tie.
    return _serve(above[0], above[1:], options, Reason.CONSERVATIVE)


def _serve(index: int, rivals: Sequence[int], options: Sequence[Option], reason: Reason) -> Match:
    chosen = options[index]
    if any(_other_response(options[rival], chosen) for rival in rivals):
        return Match(Reason.TIE)
    if any(options[one].side_effect for one in (index, *rivals)):
        return Match(Reason.SIDE_EFFECT)
    return Match(reason, index)


def _other_response(one: Option, other: Option) -> bool:
    return (one.response_ref, one.response) != (other.response_ref, other.response)


def shown(
    options: Sequence[Option], guarded: Sequence[str | None], scores: Scores | None
) -> tuple[Candidate, ...]:
    """List what a decision reports: the best scored options, then those that a guard took."""
    rows = []
    if scores is not None:
        logits = scores.logits or (None,) * len(scores.order)
        rows = [
            Candidate(
                prediction_id=options[index].prediction_id,
                cosine=round(cosine, _DECIMALS),
                logit=_rounded(logit),
            )
            for index, cosine, logit in zip(scores.order, scores.cosines, logits, strict=True)
        ]
        if rows:
            # Only the best one is read in both orders.
            rows[0] = replace(rows[0], reversed_logit=_rounded(scores.reversed_logit))
    rows += [
        Candidate(prediction_id=candidate.prediction_id, guard=guard)
        for candidate, guard in zip(options, guarded, strict=True)
        if guard is not None
    ]
    return tuple(rows[:SHOWN])


def _rounded(logit: float | None) -> float | None:
    return None if logit is None else round(logit, _DECIMALS)
