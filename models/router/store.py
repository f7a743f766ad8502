"""
A router as bytes, for one encoder: what is stored is only read back where the encoder is the same.

The bytes hold vectors of phrases and names of intents, not the phrases: a line that names the
format, the SHA-256 of the rest, and numpy's `npz` without pickles, so reading runs no code of it.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from models.router.errors import StoredRouterError
from models.router.evidence import Knowledge
from models.router.head import Head
from models.router.heard import Heard
from models.router.regression import Regression
from models.router.route import Gate, Quality, Reason, Router
from models.script import Writing  # noqa: TC001 - msgspec reads it at run time

#: First line; bytes of another format are compiled again, never converted.
_MAGIC = b"turngate router 3\n"
_DIGEST_BYTES = 32
#: Entry of the archive that holds everything but arrays.
_META = "meta"

Arrays = dict[str, npt.NDArray[Any]]


class _Heard(msgspec.Struct, forbid_unknown_fields=True):
    #: By intent, how its examples are written.
    examples: tuple[tuple[Writing, ...], ...]
    #: How many validation phrases are written how.
    validation: tuple[tuple[Writing, int], ...]
    #: By intent, which of both it has: phrases that deny, and phrases that do not.
    denying: tuple[tuple[bool, ...], ...]


class _Meta(msgspec.Struct, forbid_unknown_fields=True):
    encoder_fingerprint: str
    digest: str
    gate: Gate
    state: Reason
    names: tuple[str, ...]
    #: None where it is infinite, which JSON cannot say.
    threshold: float | None
    quality: dict[str, float] | None
    bias: float | None
    heard: _Heard | None


def to_bytes(router: Router) -> bytes:
    """Write a router down."""
    regression = router.regression
    meta = _Meta(
        encoder_fingerprint=router.encoder_fingerprint,
        digest=router.digest,
        gate=router.gate,
        state=router.state,
        names=router.names,
        threshold=router.threshold if np.isfinite(router.threshold) else None,
        quality=asdict(router.quality) if router.quality is not None else None,
        bias=regression.bias if regression is not None else None,
        heard=_written(router.heard) if router.heard is not None else None,
    )
    arrays: Arrays = {"prototypes": router.prototypes}
    if router.knowledge is not None:
        arrays |= _arrays_of(router.knowledge)
    if regression is not None:
        arrays["evidence_weights"] = regression.weights
    target = io.BytesIO()
    written = np.frombuffer(msgspec.json.encode(meta), np.uint8)
    np.savez(target, allow_pickle=False, **{_META: written}, **arrays)
    archive = target.getvalue()
    return _MAGIC + hashlib.sha256(archive).digest() + archive


def from_bytes(content: bytes, encoder_fingerprint: str) -> Router:
    """
    Read a router back.

    Args:
        content: what `to_bytes` gave.
        encoder_fingerprint: of the encoder whose vectors it will see.

    Raises:
        StoredRouterError: it is of another encoder or format, damaged, or no router at all.
    """
    head, digest, archive = _parts(content)
    if head != _MAGIC:
        raise StoredRouterError("stored router has another format")
    if hashlib.sha256(archive).digest() != digest:
        raise StoredRouterError("stored router is damaged")
    with np.load(io.BytesIO(archive), allow_pickle=False) as entries:
        arrays: Arrays = dict(entries)
    meta = msgspec.json.decode(arrays.pop(_META).tobytes(), type=_Meta)
    if meta.encoder_fingerprint != encoder_fingerprint:
        raise StoredRouterError("stored router is of another encoder")
    return _router(meta, arrays)


def _written(heard: Heard) -> _Heard:
    """In a fixed order, so that equal routers are equal bytes."""
    return _Heard(
        examples=tuple(tuple(sorted(each, key=_order)) for each in heard.examples),
        validation=tuple(sorted(heard.validation.items(), key=lambda item: _order(item[0]))),
        denying=tuple(tuple(sorted(each)) for each in heard.denying),
    )


def _order(writing: Writing) -> tuple[str, str]:
    return writing.script, writing.language or ""


def _parts(content: bytes) -> tuple[bytes, bytes, bytes]:
    end = len(_MAGIC) + _DIGEST_BYTES
    return content[: len(_MAGIC)], content[len(_MAGIC) : end], content[end:]


def _arrays_of(knowledge: Knowledge) -> Arrays:
    return {
        "centre": knowledge.centre,
        "head_weights": knowledge.head.weights,
        "head_bias": knowledge.head.bias,
        "centred_prototypes": knowledge.prototypes,
        "phrases": knowledge.phrases,
        "starts": np.array(knowledge.starts),
        "outside": knowledge.outside,
    }


def _router(meta: _Meta, arrays: Arrays) -> Router:
    knowledge = None
    if "centre" in arrays:
        knowledge = Knowledge(
            centre=arrays["centre"],
            head=Head(arrays["head_weights"], arrays["head_bias"]),
            prototypes=arrays["centred_prototypes"],
            phrases=arrays["phrases"],
            starts=tuple(arrays["starts"].tolist()),
            outside=arrays["outside"],
        )
    regression = None
    if meta.bias is not None:
        regression = Regression(arrays["evidence_weights"], meta.bias)
    return Router(
        encoder_fingerprint=meta.encoder_fingerprint,
        digest=meta.digest,
        gate=meta.gate,
        names=meta.names,
        prototypes=arrays["prototypes"],
        knowledge=knowledge,
        regression=regression,
        threshold=np.inf if meta.threshold is None else meta.threshold,
        state=meta.state,
        quality=Quality(**meta.quality) if meta.quality is not None else None,
        heard=_read(meta.heard) if meta.heard is not None else None,
    )


def _read(heard: _Heard) -> Heard:
    return Heard(
        examples=tuple(map(frozenset, heard.examples)),
        validation=dict(heard.validation),
        denying=tuple(map(frozenset, heard.denying)),
    )
