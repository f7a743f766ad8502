"""
A bundle is a folder: `model.onnx`, `tokenizer.json`, `card.md`, and `manifest.json`, written last.

Loading reads every file once, checks those bytes against the manifest, and hands the same bytes
on: what was validated is what runs, whatever happens to the folder meanwhile.
"""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from models.errors import BundleError
from models.manifest import MANIFEST, Manifest, read_manifest

#: Files that every bundle has.
MODEL, TOKENIZER, CARD = "model.onnx", "tokenizer.json", "card.md"
#: Largest file that is read, bytes: a wrong mount must not fill the memory.
MAX_BYTES = {MANIFEST: 1 << 20, MODEL: 256 << 20, TOKENIZER: 32 << 20}
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
    manifest = read_manifest(read_file(folder, MANIFEST))
    _check_names(manifest.files)
    files = {name: read_file(folder, name) for name in manifest.files}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest.files[name]:
            raise BundleError(name, "its SHA-256 is not the manifest's")
    return Bundle(manifest, files)


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
