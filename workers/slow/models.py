"""
The models of the slow path, loaded and proved; what cannot be loaded is done without, visibly.

Without an encoder nothing is searched or grouped, so the start stops. Without a classifier
everything unanswered counts as missing knowledge, and without the decider only identical questions
are one gap.
"""

import logging
from dataclasses import dataclass

from models.encoder import Encoder
from models.errors import ModelError
from models.gaps.reasons import Classifier
from models.gaps.same import JudgedSame, SameQuestion
from models.gaps.sealed import Sealed
from models.judge import Judge
from models.kb.answer import AnswerModel
from models.manifest import Manifest
from workers import metrics
from workers.kb.open import load_answer_model
from workers.settings import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What is loaded."""

    encoder: Encoder
    answer: AnswerModel | None
    classifier: Classifier | None
    decider: SameQuestion | None


def load_models(settings: Settings) -> Models:
    """
    Load and prove the models, and run every shape once.

    Raises:
        ModelError: the encoder cannot be used.

    """
    encoder = Encoder.load(settings.encoder, threads=settings.inference_threads)
    encoder.prove()
    encoder.warm()
    _show("encoder", encoder.manifest)
    return Models(
        encoder=encoder,
        answer=load_answer_model(settings),
        classifier=_classifier(settings, encoder),
        decider=_decider(settings, encoder),
    )


def _classifier(settings: Settings, encoder: Encoder) -> Classifier | None:
    try:
        classifier = Classifier.load(settings.reasons, encoder.fingerprint)
        classifier.prove(encoder)
    except ModelError as error:
        _without("reasons", error)
        return None
    metrics.DEGRADED.labels("reasons").set(0)
    _show("reasons", classifier.manifest)
    return classifier


def _decider(settings: Settings, encoder: Encoder) -> JudgedSame | None:
    try:
        judge = Judge.load(settings.judge, threads=settings.inference_threads)
        judge.prove()
        judge.warm()
        decider = JudgedSame.load(settings.same, encoder, judge)
    except ModelError as error:
        _without("same_question", error)
        return None
    metrics.DEGRADED.labels("same_question").set(0)
    _show("judge", judge.manifest)
    _show("same", decider.manifest)
    return decider


def _show(kind: str, manifest: Manifest | Sealed) -> None:
    metrics.BUNDLE_INFO.labels(kind, manifest.fingerprint, manifest.seal).set(1)


def _without(component: str, error: ModelError) -> None:
    # A model error names parts of the bundle, never a caller's text.
    metrics.DEGRADED.labels(component).set(1)
    _log.error("slow_model_missing", extra={"component": component, "why": str(error)})
