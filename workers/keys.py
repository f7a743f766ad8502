"""
Every Redis key, and the MAC of every value, in one place.

A key is a short prefix and a MAC of its parts: no text, no ids, and no two lists of parts that
share a key, whatever characters an id holds. The MAC is keyed BLAKE2b, made for this and quicker
than an HMAC, of which each turn would need nine. A value is long, so its MAC is an HMAC of SHA-256,
which processors do in hardware: 2 µs for a decision, 9 µs for eight predictions.

A version in the prefix of a key is that of its values' format: those of another are not found.
"""

import hmac
import logging
from hashlib import blake2b, sha256

from workers import metrics
from workers.errors import CacheGarbage
from workers.settings import Secret

_log = logging.getLogger(__name__)

#: Bytes of a MAC that a key keeps.
_MAC_BYTES = 16
#: Bytes of the MAC before a value: nobody guesses one in 2^128.
_VALUE_MAC_BYTES = 16
#: Keeps the MACs of values apart from all others under the same secret; at most 16 bytes.
_VALUES = b"turngate values"
#: Predictions of one turn.
_PREDICTIONS = b"tg:p2:"
#: The decision of one turn.
_DECISION = b"tg:d2:"
#: The newest turn seen of one call.
_NEWEST = b"tg:n:"
#: The newest profile version of one agent.
_PROFILE = b"tg:v:"
#: The compiled router of one agent.
_ROUTER = b"tg:r:"
#: The verdict on one question.
_VERDICT = b"tg:k2:"


class Keys:
    """Makes the keys of one deployment; `secret` is shared by its workers."""

    #: Bytes of a seal.
    SEAL_BYTES = 32

    def __init__(self, secret: str) -> None:
        self._secret = sha256(secret.encode()).digest()
        self._value_secret = blake2b(key=self._secret, digest_size=32, person=_VALUES).digest()

    def predictions(self, tenant_id: str, call_id: str, seq: int, encoder: str) -> bytes:
        """Predictions of a turn, under the encoder whose vectors they hold."""
        return self._key(_PREDICTIONS, tenant_id, call_id, str(seq), encoder)

    def decision(self, decision_id: str) -> bytes:
        """Return the key of a turn's decision."""
        return self._key(_DECISION, decision_id)

    def verdict(self, verdict_id: str) -> bytes:
        """Return the key of the verdict on a question."""
        return self._key(_VERDICT, verdict_id)

    def newest_turn(self, tenant_id: str, call_id: str) -> bytes:
        """Return the key of the newest turn seen of a call."""
        return self._key(_NEWEST, tenant_id, call_id)

    def profile_version(self, tenant_id: str, agent_id: str) -> bytes:
        """Return the key of the newest profile version of an agent."""
        return self._key(_PROFILE, tenant_id, agent_id)

    def router(self, tenant_id: str, agent_id: str, encoder: str, digest: str) -> bytes:
        """Router of an agent, under the encoder whose vectors it reads and what it is made of."""
        return self._key(_ROUTER, tenant_id, agent_id, encoder, digest)

    def sealed(self, key: bytes, content: bytes) -> bytes:
        """Put before a value its MAC under its key, so that no other value is taken for it."""
        return self._value_mac(key, content) + content

    def opened(self, key: bytes, value: bytes) -> bytes:
        """
        Return what was sealed under this key.

        Raises:
            CacheGarbage: somebody else wrote it, or for another key.

        """
        content = value[_VALUE_MAC_BYTES:]
        if not hmac.compare_digest(value[:_VALUE_MAC_BYTES], self._value_mac(key, content)):
            raise CacheGarbage("its MAC is wrong")
        return content

    def seal(self, key: bytes, content: bytes) -> bytes:
        """Make the MAC of a router under its key, as `sealed` does with all other values."""
        parts = len(key).to_bytes(4, "big") + key + content
        return blake2b(parts, key=self._secret, digest_size=self.SEAL_BYTES).digest()

    def text_digest(self, text: str) -> str:
        """Fingerprint what a caller said, so that a redelivery and a conflict can be told apart."""
        return self._mac(text)

    def _value_mac(self, key: bytes, content: bytes) -> bytes:
        message = b"".join((len(key).to_bytes(4, "big"), key, content))
        return hmac.digest(self._value_secret, message, "sha256")[:_VALUE_MAC_BYTES]

    def _key(self, prefix: bytes, *parts: str) -> bytes:
        return prefix + self._mac(*parts).encode()

    def _mac(self, *parts: str) -> str:
        raws = [part.encode("utf-8", "surrogatepass") for part in parts]
        message = b"".join(len(raw).to_bytes(4, "big") + raw for raw in raws)
        return blake2b(message, key=self._secret, digest_size=_MAC_BYTES).hexdigest()


def open_keys(secret: Secret) -> Keys:
    """Take the deployment's secret; where there is none, say so: anybody can make our keys then."""
    metrics.CACHE_SECRET_MISSING.set(0 if secret else 1)
    if not secret:
        _log.warning("cache_secret_missing", extra={"setting": "TURNGATE_CACHE_SECRET"})
    return Keys(secret.reveal())
