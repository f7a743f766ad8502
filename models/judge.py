"""Pairs to logits: the cross-encoder that decides whether a prediction may be played."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from models import form
from models.bundle import MODEL
from models.errors import BundleError, InferenceError
from models.graph import GraphModel, open_graph, run_batches
from models.runtime import Cancel

#: The threshold that the gate serves at.
SERVE = "serve"

Pair = tuple[str, str]
Logits = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge said of N pairs."""

    #: (N,) float32.
    logits: Logits
    #: (N,) bool: the pair was too long, and the end of its longer text was not read.
    truncated: npt.NDArray[np.bool_]


class Judge(GraphModel):
    """A loaded judge bundle; one call at a time, from any thread."""

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> Self:
        """
        Load a verified bundle.

        Args:
            folder: the bundle's folder.
            threads: threads of one run.

        Raises:
            BundleError: the bundle does not verify, or is no judge.
        """
        manifest, session, tokens = open_graph(
            folder, kind="judge", threshold=SERVE, threads=threads
        )
        if [len(shape) for shape in session.outputs.values()] != [1]:
            raise BundleError(MODEL, "does not give one logit a pair")
        if manifest.form is not None:
            form.check(manifest.form)
        return cls(manifest, session, tokens)

    @property
    def threshold(self) -> float:
        """Logit from which a prediction may be served."""
        return self.manifest.thresholds[SERVE].value

    def judge(self, pairs: Sequence[Pair], cancel: Cancel | None = None) -> Judged:
        """
        Judge cleaned pairs. A pair's logit does not depend on what stands beside it.

        The logit is that of the network, weighed by the form of the pair where the bundle says how.

        Args:
            pairs: N pairs (utterance, prediction); they run a length bucket at a time.
            cancel: lets another thread stop the run.

        Raises:
            InferenceCancelled: `cancel` was set.
            InferenceError: the runtime failed, or gave something else than finite numbers.
        """
        logits = np.empty(len(pairs), np.float32)
        tokenized = self._tokens.tokenize(pairs)
        for rows, output in run_batches(self._session, tokenized, cancel):
            logits[rows] = output
        if not np.isfinite(logits).all():
            raise InferenceError("a logit is not finite")
        return Judged(form.weighed(self.manifest.form, pairs, logits), tokenized.truncated)

    def logits(self, pairs: Sequence[Pair], cancel: Cancel | None = None) -> Logits:
        """The logits of `judge` alone: (N,) float32."""
        return self.judge(pairs, cancel).logits

    def prove(self) -> None:
        """
        Judge the known traps on this machine.

        Raises:
            BundleError: a verdict is wrong, or a logit off by more than the manifest's tolerance.
            InferenceError: the runtime failed.
        """
        traps = self.manifest.traps
        logits = self.logits([(trap.utterance, trap.prediction) for trap in traps])
        for index, (trap, logit) in enumerate(zip(traps, logits, strict=True)):
            part = f"manifest.json: traps[{index}]"
            if bool(logit >= self.threshold) != trap.match:
                raise BundleError(part, f"wrong verdict at logit {logit:.3f}")
            if not abs(logit - trap.logit) <= self.manifest.tolerance:
                raise BundleError(part, f"logit is {logit:.3f}")
