"""
Short marks of wordings and items: how the worker remembers what it has seen, without any text.

A mark is 8 bytes of a digest. Among a tenant's million wordings two share one with a probability of
one in thirty million.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable

from models.text import clean, match_key

#: Bytes of one mark.
SIZE = 8
#: What is written and not heard, but for tags of masked spans, and signs inside a number.
_UNHEARD = re.compile(r"(?<!\d)[^\w\s\[\]]+|[^\w\s\[\]]+(?!\d)")
#: Signs that are heard, or belong to a letter.
_HEARD = re.compile(
    "[%+$€£₹&@#/=\u0300-\u036f\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
    "\u200c\u200d]"
)


def wording(text: str) -> str:
    """Return the one form of a masked question: questions with one form are identical."""
    key = match_key(clean(text).text)
    heard = _UNHEARD.sub(lambda found: _kept(found[0]), key)
    return " ".join(heard.split())


def _kept(signs: str) -> str:
    return "".join(sign if _HEARD.match(sign) else " " for sign in signs)


def wording_mark(text: str) -> bytes:
    """Mark a masked question by its form."""
    return _mark("wording", wording(text))


def item_mark(tenant_id: str, call_id: str, seq: int) -> bytes:
    """Mark one question of one turn."""
    return _mark("item", tenant_id, call_id, str(seq))


def name_of(*parts: str) -> str:
    """Make an id out of what it names: the same parts give the same id, wherever and whenever."""
    return hashlib.sha256(_joined(parts)).hexdigest()[:24]


def pack(marks: Iterable[bytes]) -> str:
    """Write marks as one text, in their order."""
    return base64.b64encode(b"".join(marks)).decode("ascii")


def unpack(text: str) -> list[bytes]:
    """Read marks; what is no such text holds none."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return []
    return [raw[start : start + SIZE] for start in range(0, len(raw) - SIZE + 1, SIZE)]


def _mark(*parts: str) -> bytes:
    return hashlib.sha256(_joined(parts)).digest()[:SIZE]


def _joined(parts: Iterable[str]) -> bytes:
    """Join so that no two lists of parts give the same bytes."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(len(part).to_bytes(4) + part for part in encoded)
