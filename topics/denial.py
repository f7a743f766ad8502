"""`pair.denials`: pairs that people banned from being served; compacted, a null value lifts."""

import hashlib
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from topics.fields import EpochMs, Id

#: Bytes of a pair's digest: enough that no two pairs share one by chance.
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """One banned pair of a tenant: whoever says one text is never played the other one's reply."""

    #: The tenant whose callers it is about.
    tenant_id: Id
    #: Digest of the two texts, `denied_pair`; no text, so that nothing a caller said is kept.
    pair: Annotated[str, Meta(min_length=2 * _DIGEST_BYTES, max_length=2 * _DIGEST_BYTES)]
    #: When it was banned, Unix epoch, milliseconds.
    denied_at_ms: EpochMs
    #: Who banned it, as they name themselves.
    by: str | None = None
    #: The decision that showed it to be wrong.
    decision_id: Id | None = None
    #: Version of this event's format.
    schema_version: Literal[1] = 1


def denied_pair(tenant_id: str, said_key: str, predicted_key: str) -> str:
    """
    Name a pair of a tenant; which text was said and which predicted makes no difference.

    Args:
        tenant_id: whose pair it is; the same texts of another tenant have another name.
        said_key: exact-tier key of the cleaned utterance.
        predicted_key: exact-tier key of the cleaned prediction.

    """
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in (tenant_id, *sorted((said_key, predicted_key))):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.hexdigest()
