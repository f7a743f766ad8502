"""What encoder and judge have in common: a verified graph behind its tokenizer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from models.bundle import MODEL, TOKENIZER, load_bundle
from models.errors import BundleError
from models.manifest import Manifest
from models.runtime import Cancel, Session, new_session
from models.tokens import Tokenized, Tokens, rows_of_a_run

_INPUTS = ("input_ids", "attention_mask")
_NAMES = {"encoder": "an encoder", "judge": "a judge", "answer": "an answer judge"}


class Graph(NamedTuple):
    """A loaded bundle."""

    manifest: Manifest
    session: Session
    tokens: Tokens


def open_graph(folder: Path, *, kind: str, threshold: str, threads: int) -> Graph:
    """
    Load a verified bundle of one kind; what its output means is for the caller to check.

    Args:
        folder: the bundle's folder.
        kind: `encoder`, `judge` or `answer`.
        threshold: name of the threshold that it must have.
        threads: threads of one run.

    Raises:
        BundleError: the bundle does not verify, or is of another kind.
    """
    bundle = load_bundle(folder)
    manifest = bundle.manifest
    if manifest.kind != kind:
        raise BundleError("manifest.json: kind", f"is not that of {_NAMES[kind]}")
    if threshold not in manifest.thresholds:
        raise BundleError("manifest.json: thresholds", f"has no {threshold}")
    session = new_session(bundle.files[MODEL], threads)
    if session.inputs != _INPUTS:
        raise BundleError(MODEL, f"has other inputs than {_NAMES[kind]}")
    return Graph(manifest, session, Tokens(bundle.files[TOKENIZER], manifest.max_tokens))


def run_batches(
    session: Session, tokenized: Tokenized, cancel: Cancel | None = None
) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[Any]]]:
    """
    Run the batches one after the other; gives the positions of a batch's inputs and its output.

    Raises:
        InferenceCancelled: `cancel` was set.
        InferenceError: the runtime failed.
    """
    for batch in tokenized.batches:
        arrays = (batch.input_ids, batch.attention_mask)
        yield batch.rows, session.run(dict(zip(_INPUTS, arrays, strict=True)), cancel)[0]


class GraphModel:
    """What encoder, judge and answer judge are: a loaded bundle; one call at a time."""

    def __init__(self, manifest: Manifest, session: Session, tokens: Tokens) -> None:
        #: What the bundle says of itself.
        self.manifest = manifest
        self._session = session
        self._tokens = tokens

    @property
    def fingerprint(self) -> str:
        """Names the weights: what two of them give is not comparable."""
        return self.manifest.fingerprint

    def warm(self) -> None:
        """Run every bucket once, alone and with as many inputs as run together."""
        for length in self._tokens.buckets:
            for rows in (1, rows_of_a_run(length)):
                self._session.run(dict.fromkeys(_INPUTS, np.ones((rows, length), np.int64)))
