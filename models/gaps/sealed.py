"""
Small bundles of the slow path: a few files and `manifest.json`, written last, without a graph.

They are verified as every bundle is: each file against its SHA-256, the manifest against its seal
and, where the deployment asks for it, its signature.
"""

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import orjson

from models.bundle import read_files, read_signed
from models.errors import BundleError
from models.manifest import MANIFEST, Name, Sha256, Strict
from models.manifest import fingerprint as fingerprint_of
from models.manifest import seal as seal_of


class Sealed(Strict, frozen=True, kw_only=True):
    """What the manifest of every such bundle holds."""

    name: Name
    version: Name
    #: SHA-256 over the sorted (file, SHA-256) pairs.
    fingerprint: Sha256
    #: SHA-256 of the manifest without this field.
    seal: Sha256
    files: dict[Name, Sha256]


M = TypeVar("M", bound=Sealed)


def read_sealed(folder: Path, kind: type[M], names: frozenset[str]) -> tuple[M, dict[str, bytes]]:
    """
    Read and verify a bundle.

    Args:
        folder: the bundle's folder.
        kind: of its manifest.
        names: of its files, without the manifest.

    Raises:
        BundleError: a part is missing, wrongly typed, or differs from the manifest.
    """
    raw = read_signed(folder)
    try:
        manifest = msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BundleError(MANIFEST, str(error)) from error
    if seal_of(orjson.loads(raw)) != manifest.seal:
        raise BundleError(f"{MANIFEST}: seal", "the manifest was changed after it was sealed")
    if set(manifest.files) != names:
        raise BundleError(f"{MANIFEST}: files", f"are not {' and '.join(sorted(names))}")
    if fingerprint_of(manifest.files) != manifest.fingerprint:
        raise BundleError(f"{MANIFEST}: fingerprint", "does not follow from files")
    return manifest, read_files(folder, manifest.files)


def write_sealed(folder: Path, files: dict[str, bytes], fields: dict[str, Any]) -> None:
    """
    Write a bundle, its manifest last.

    Args:
        folder: made where it is missing.
        files: content of each file but the manifest.
        fields: of the manifest, without those that follow from the files.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    content = {**fields, "files": hashes, "fingerprint": fingerprint_of(hashes)}
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    # Through JSON first: the seal is of what a reader will decode.
    content = orjson.loads(orjson.dumps(content))
    content["seal"] = seal_of(content)
    (folder / MANIFEST).write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
