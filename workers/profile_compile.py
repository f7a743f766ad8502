"""
Compile one router, in a process of its own.

    python -m workers.profile_compile ENCODER_FOLDER SEAL < profile.json > router

Standard input is a profile as on its topic, standard output a line of JSON with the counts of what
was left out, and the router's bytes. A failure is one line on standard error, which never quotes
the profile, and exit code 1. The process takes what CPU time nobody else wants.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import orjson

from models.bundle import read_file
from models.encoder import Encoder
from models.errors import BundleError, ModelError
from models.manifest import MANIFEST, Manifest, read_manifest
from models.router import compile_router, to_bytes
from models.router.profile import options, phrases, sources
from topics.codec import DecodeError, decode
from topics.profile import AgentProfile

#: Niceness: the event loop and the inferences of turns come first.
_NICE = 19
_FAILED = 1


def main(folder: str, seal: str) -> int:
    """Compile what standard input holds; return the exit code."""
    os.nice(_NICE)
    try:
        sys.stdout.buffer.write(compiled(sys.stdin.buffer.read(), Path(folder), seal))
    except DecodeError as error:
        return _failed(error.reason)
    except ModelError as error:
        # A model error names parts of a bundle or a number, never a phrase.
        return _failed(str(error))
    except Exception as error:  # noqa: BLE001 - its text and its traceback may hold phrases
        return _failed(type(error).__name__)
    return 0


def compiled(raw: bytes, folder: Path, seal: str) -> bytes:
    """
    Compile the router of a profile.

    Args:
        raw: the profile's record.
        folder: of the encoder bundle.
        seal: of the manifest that the worker has verified; this process has no key to do so.

    Raises:
        DecodeError: the record is no profile.
        ModelError: the bundle cannot be used, is another one by now, or failed.

    """
    given = sources(decode(AgentProfile, raw))
    # Before anything in the folder is used, and once it is, for a folder that changes meanwhile.
    _check_seal(read_manifest(read_file(folder, MANIFEST)), seal)
    encoder = Encoder.load(folder)
    _check_seal(encoder.manifest, seal)
    found = compile_router(phrases(given), encoder, options(given))
    left_out = Counter(str(finding.problem) for finding in found.findings)
    return orjson.dumps(left_out) + b"\n" + to_bytes(found.router)


def _check_seal(manifest: Manifest, seal: str) -> None:
    if manifest.seal != seal:
        raise BundleError("encoder", "is another one than the worker has loaded")


def _failed(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return _FAILED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
