"""Explains what the gate would say of one utterance and one prediction, step by step."""

import time
from dataclasses import dataclass, replace

from models import match
from models.encoder import Encoder
from models.judge import Judge
from models.screen import Screened, screen
from models.script import writing
from models.text import clean, match_key
from topics.decision import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that decided, in the order in which it is looked at."""

    #: The utterance as every later step sees it.
    utterance: str
    #: The prediction as every later step sees it.
    prediction: str
    #: Language that the allowlist read.
    language: str
    #: Why the utterance is not eligible, or None.
    bypass: str | None = None
    #: The two are the same text.
    exact: bool = False
    #: The guard that takes the prediction out, or None.
    guard: str | None = None
    #: Cosine of the two.
    cosine: float | None = None
    #: The judge's logit, and that of the reversed order where it was asked for.
    logit: float | None = None
    reversed_logit: float | None = None
    #: The logit that it takes.
    threshold: float | None = None
    #: Whether the prediction would be served, and why or why not.
    served: bool = False
    reason: str = ""
    #: Time of each stage, milliseconds.
    timings_ms: dict[str, float]


def explain(utterance: str, prediction: str, *, encoder: Encoder, judge: Judge) -> Explanation:
    """
    Decide one pair as the hot path would.

    Raises:
        ValueError: nothing is left of the prediction once it is cleaned, or it is too long.

    """
    cleaned = clean(prediction)
    if cleaned.too_long or not cleaned.text:
        raise ValueError("the prediction is empty or too long once cleaned")
    started = time.perf_counter()
    screened = screen(utterance)
    bypass = Explanation(
        utterance=screened.text,
        prediction=cleaned.text,
        language=screened.language,
        bypass=screened.reason,
        reason=screened.reason or "",
        timings_ms={"screen": (time.perf_counter() - started) * 1e3},
    )
    if screened.reason is not None:
        return bypass
    return _decided(screened, bypass, encoder, judge)


def _decided(
    screened: Screened, so_far: Explanation, encoder: Encoder, judge: Judge
) -> Explanation:
    text = so_far.prediction
    one = match.Option(
        prediction_id="prediction", text=text, key=match_key(text), writing=writing(text)
    )
    guard = match.guards(screened, [one])[0]
    same = match.exact(screened, [one])
    scores = match.score(
        screened.text, [one], encoder.encode([text]), [0], encoder=encoder, judge=judge, shortlist=1
    )
    if same is not None:
        found = same
    elif guard is not None:
        found = match.Match(Reason.GUARDED)
    else:
        found = match.choose([one], scores, min_logit=judge.threshold)
    return replace(
        so_far,
        exact=same is not None,
        guard=guard,
        cosine=scores.cosines[0] if scores.cosines else None,
        logit=scores.logits[0] if scores.logits else None,
        reversed_logit=scores.reversed_logit,
        threshold=judge.threshold,
        served=found.index is not None,
        reason=found.reason,
        timings_ms=so_far.timings_ms | scores.timings_ms,
    )
