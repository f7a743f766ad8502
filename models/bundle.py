"""
A bundle is a folder: `model.onnx`, `tokenizer.json`, `card.md`, and `manifest.json`, written last;
where the deployment asks for it, `manifest.sig` too.

Loading reads every file once, checks those bytes against the manifest, and hands the same bytes
on: what was validated is what runs, whatever happens to the folder meanwhile.
"""

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import orjson

from models import signature
from models.errors import BundleError
from models.manifest import MANIFEST, Manifest, Name, Sha256, fingerprint, read_manifest, seal
from models.signature import SIGNATURE

#: Files that every bundle has.
MODEL, TOKENIZER, CARD = "model.onnx", "tokenizer.json", "card.md"
#: Largest file that is read, bytes: a wrong mount must not fill the memory.
MAX_BYTES = {MANIFEST: 1 << 20, SIGNATURE: 1 << 10, MODEL: 256 << 20, TOKENIZER: 32 << 20}
_MAX_OTHER_BYTES = 8 << 20
_MAX_FILES = 16
#: No link is followed, and a pipe in a file's place does not block the start.
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class Bundle:
    """A verified bundle in memory."""

    manifest: Manifest
    #: The verified bytes of each file but the manifest.
    files: dict[str, bytes]


def load_bundle(folder: Path) -> Bundle:
    """
    Read and verify a bundle.

    Args:
        folder: the bundle's folder.

    Raises:
        BundleError: a part is missing, too large, wrongly typed, or differs from the manifest.
    """
    manifest = read_manifest(read_signed(folder))
    _check_names(manifest.files)
    return Bundle(manifest, read_files(folder, manifest.files))


def read_signed(folder: Path) -> bytes:
    """
    Read any bundle's manifest, which every loader begins with; nothing in it is looked at here.

    Raises:
        BundleError: it cannot be read, or is not signed where it must be.
    """
    raw = read_file(folder, MANIFEST)
    if signature.required():
        signature.check(raw, read_file(folder, SIGNATURE))
    return raw


def read_files(folder: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    """
    Read the files that a manifest lists, by name with their SHA-256.

    Raises:
        BundleError: one cannot be read, or is another one.
    """
    found = {name: read_file(folder, name) for name in files}
    for name, content in found.items():
        if hashlib.sha256(content).hexdigest() != files[name]:
            raise BundleError(name, "its SHA-256 is not the manifest's")
    return found


class Listed(msgspec.Struct, frozen=True):
    """What the manifest of every kind of bundle holds."""

    fingerprint: Sha256
    seal: Sha256
    files: dict[Name, Sha256]


def sign_bundle(folder: Path, key: str) -> Listed:
    """
    Write the signature of a bundle of any kind that is whole; what its numbers mean nobody checks.

    Raises:
        BundleError: it is not whole, or the signature cannot be written.
    """
    raw = read_file(folder, MANIFEST)
    try:
        listed = msgspec.json.decode(raw, type=Listed)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BundleError(MANIFEST, str(error)) from error
    if seal(orjson.loads(raw)) != listed.seal or fingerprint(listed.files) != listed.fingerprint:
        raise BundleError(MANIFEST, "was changed after it was sealed")
    read_files(folder, listed.files)
    _write(folder / SIGNATURE, signature.sign(raw, key))
    return listed


def _write(path: Path, content: bytes) -> None:
    """Put a file in its place whole: a worker that starts meanwhile reads the old one or this."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = f"cannot be written in {path.parent} ({type(error).__name__})"
        raise BundleError(path.name, reason) from error


def _check_names(files: dict[str, str]) -> None:
    """Plain names only; the manifest's pattern leaves out separators and leading dots already."""
    for required in (MODEL, TOKENIZER, CARD):
        if required not in files:
            raise BundleError(f"{MANIFEST}: files", f"does not list {required}")
    if len(files) > _MAX_FILES:
        raise BundleError(f"{MANIFEST}: files", f"lists more than {_MAX_FILES}")
    if any(name == MANIFEST or Path(name).name != name for name in files):
        raise BundleError(f"{MANIFEST}: files", "lists something that is no file of a bundle")


def read_file(folder: Path, name: str) -> bytes:
    """
    Read a regular file in the folder itself: no link, no device, not too large.

    Raises:
        BundleError: it cannot be read so; names the file.
    """
    limit = MAX_BYTES.get(name, _MAX_OTHER_BYTES)
    try:
        with os.fdopen(os.open(folder / name, _FLAGS), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BundleError(name, "is no regular file")
            content = file.read(limit + 1)
    except OSError as error:
        reason = f"cannot be read in {folder} ({type(error).__name__})"
        raise BundleError(name, reason) from error
    if len(content) > limit:
        raise BundleError(name, f"is larger than {limit} bytes")
    return content
