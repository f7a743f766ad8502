"""
Which calls are for validation and which for test: a pure function of tenant and call.

All rows of a call are on one side, and stay there in every later export.
"""

import hashlib
from typing import Literal

Side = Literal["validation", "test"]
SIDES: tuple[Side, ...] = ("validation", "test")

#: Key of the hashes. Another one would move calls that a threshold was chosen on into the test
#: file, and rename them all.
_KEY = b"turngate mined calls"
#: Bytes of a call's name: enough that no two calls share one.
_NAME_BYTES = 12


def side_of_call(tenant_id: str, call_id: str, validation_share: float) -> Side:
    """
    Put a call on its side.

    Args:
        tenant_id: whose call it is.
        call_id: the call.
        validation_share: part of the calls that goes to validation, 0 to 1; as it grows, calls move
            from test to validation and never back.
    """
    drawn = int.from_bytes(_digest(tenant_id, call_id)[-8:])
    return "validation" if drawn < validation_share * 2**64 else "test"


def name_of_call(tenant_id: str, call_id: str) -> str:
    """Name a call without its id, which may be a telephone number."""
    return _digest(tenant_id, call_id)[:_NAME_BYTES].hex()


def _digest(tenant_id: str, call_id: str) -> bytes:
    """Hash a call; parts are length-prefixed so that no two calls share a hash."""
    digest = hashlib.blake2b(key=_KEY)
    for part in (tenant_id, call_id):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.digest()
