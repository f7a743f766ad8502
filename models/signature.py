"""
Signatures of bundles: whoever has the deployment's key stands behind each number in a manifest.

A manifest's seal finds damage alone: whoever loosens a threshold can seal it again. Where a
deployment has a key, `manifest.sig` beside the manifest must be its HMAC under that key.

The key is set once, before anything is loaded, and for the whole process: so no loader of bundles,
of now or of later, can go without.
"""

import hmac

from models.errors import BundleError

#: File name of the signature inside its bundle.
SIGNATURE = "manifest.sig"


class _Policy:
    """What this process asks of bundles."""

    key = b""


_policy = _Policy()


def require(key: str) -> None:
    """Ask for a signature under this key from every bundle from now on; empty asks for none."""
    _policy.key = key.encode()


def required() -> bool:
    """Tell whether bundles must be signed."""
    return bool(_policy.key)


def sign(manifest: bytes, key: str) -> bytes:
    """Make the content of `manifest.sig` for the bytes of a manifest: hex and a line break."""
    return _mac(manifest, key.encode()) + b"\n"


def check(manifest: bytes, signature: bytes) -> None:
    """
    Hold the content of `manifest.sig` against the bytes of the manifest.

    Raises:
        BundleError: it is not the signature of these bytes under the required key.
    """
    if not hmac.compare_digest(signature.strip(), _mac(manifest, _policy.key)):
        raise BundleError(SIGNATURE, "is not the manifest's under this deployment's key")


def _mac(manifest: bytes, key: bytes) -> bytes:
    return hmac.digest(key, manifest, "sha256").hex().encode()
