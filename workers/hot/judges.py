"""
The two models of the match gate, loaded, proved and warm; and what happens where the judge is not.

Without an encoder there is no gate, so the start stops. Without a judge the gate falls back to the
conservative cosine tier, loudly: a gauge, an error in the log, and every decision says so.
"""

import logging
from dataclasses import dataclass
from pathlib import Path

from models import match, screen
from models.encoder import Encoder
from models.errors import ModelError
from models.judge import Judge
from workers import metrics

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Models:
    """What the gate decides with."""

    encoder: Encoder
    #: None where the judge bundle could not be loaded or did not prove itself.
    judge: Judge | None

    @property
    def fingerprints(self) -> dict[str, str]:
        """Fingerprint of each bundle in use, by kind."""
        found = {"encoder": self.encoder.fingerprint}
        if self.judge is not None:
            found["judge"] = self.judge.fingerprint
        return found


def load_models(encoder_folder: Path, judge_folder: Path, *, threads: int) -> Models:
    """
    Load and prove the guards and both bundles, and run every shape once.

    Raises:
        ModelError: a guard is not what it should be, or the encoder cannot be used.

    """
    screen.prove()
    match.prove()
    encoder = Encoder.load(encoder_folder, threads=threads)
    encoder.prove()
    encoder.warm()
    judge = _load_judge(judge_folder, threads)
    for model in (encoder, judge):
        if model is not None:
            manifest = model.manifest
            metrics.BUNDLE_INFO.labels(manifest.kind, manifest.fingerprint, manifest.seal).set(1)
    return Models(encoder, judge)


def _load_judge(folder: Path, threads: int) -> Judge | None:
    try:
        judge = Judge.load(folder, threads=threads)
        judge.prove()
        judge.warm()
    except ModelError as error:
        # A model error names parts of the bundle, never a caller's text.
        _log.error("judge_degraded", extra={"why": str(error)})
        metrics.DEGRADED.labels("judge").set(1)
        return None
    metrics.DEGRADED.labels("judge").set(0)
    return judge
