"""Texts to unit vectors: the bi-encoder behind the shortlist and the conservative tier."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from models.bundle import MODEL
from models.errors import BundleError, InferenceError
from models.graph import GraphModel, open_graph, run_batches
from models.runtime import Cancel

#: What the base weights were trained to see before a text.
PREFIX = "query: "
#: Tokens that a text has beside its own at most: of the prefix, and the signs around both.
_MARKS = 16
#: Threshold of the tier that stands in for a judge that is out of order.
CONSERVATIVE = "conservative"

Vectors = npt.NDArray[np.float32]


class Encoder(GraphModel):
    """A loaded encoder bundle; one call at a time, from any thread."""

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> Self:
        """
        Load a verified bundle.

        Args:
            folder: the bundle's folder.
            threads: threads of one run.

        Raises:
            BundleError: the bundle does not verify, or is no encoder.
        """
        manifest, session, tokens = open_graph(
            folder, kind="encoder", threshold=CONSERVATIVE, threads=threads
        )
        if [shape[-1:] for shape in session.outputs.values()] != [[manifest.dimension]]:
            raise BundleError(MODEL, "its output does not have the manifest's dimension")
        return cls(manifest, session, tokens)

    @property
    def dimension(self) -> int:
        """Width D of a vector."""
        return self.manifest.dimension

    @property
    def conservative(self) -> float:
        """Cosine from which two texts may be served without a judge."""
        return self.manifest.thresholds[CONSERVATIVE].value

    def encode(self, texts: Sequence[str], cancel: Cancel | None = None) -> Vectors:
        """
        Encode cleaned texts. A text's vector does not depend on what stands beside it.

        Args:
            texts: N texts; what is longer than the bundle's limit is cut there.
            cancel: lets another thread stop the run.

        Returns:
            (N, D) float32, each row of length 1.

        Raises:
            InferenceCancelled: `cancel` was set.
            InferenceError: the runtime failed, or gave something else than finite numbers.
        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        tokenized = self._tokens.tokenize([(PREFIX + text,) for text in texts])
        for rows, output in run_batches(self._session, tokenized, cancel):
            vectors[rows] = output
        if not np.isfinite(vectors).all():
            raise InferenceError("a vector is not finite")
        return vectors

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """(N,) bool: which texts are longer than `encode` reads."""
        # A token has one character at least, once signs that stand for several ("㏂") are spelled
        # out: a short text need not be tokenised to be known as whole.
        longest = max((len(unicodedata.normalize("NFKC", text)) for text in texts), default=0)
        if longest <= self.manifest.max_tokens - _MARKS:
            return np.zeros(len(texts), np.bool_)
        return self._tokens.tokenize([(PREFIX + text,) for text in texts]).truncated

    def prove(self) -> None:
        """
        Check the golden cosines on this machine.

        Raises:
            BundleError: one of them is off by more than the manifest's tolerance.
            InferenceError: the runtime failed.
        """
        golden = self.manifest.golden
        left = self.encode([pair.a for pair in golden])
        right = self.encode([pair.b for pair in golden])
        for index, cosine in enumerate((left * right).sum(axis=1)):
            if not abs(cosine - golden[index].cosine) <= self.manifest.tolerance:
                raise BundleError(f"manifest.json: golden[{index}]", f"cosine is {cosine:.4f}")
