"""
Every Redis key, in one place.

A key is a short prefix and a MAC of its parts: no text, no ids, and no two lists of parts that
share a key, whatever characters an id holds. The MAC is keyed BLAKE2b, made for this and quicker
than an HMAC, of which each turn would need nine.
"""

from hashlib import blake2b, sha256

#: Bytes of a MAC that a key keeps.
_MAC_BYTES = 16
#: Predictions of one turn.
_PREDICTIONS = b"tg:p:"
#: The decision of one turn.
_DECISION = b"tg:d:"
#: The newest turn seen of one call.
_NEWEST = b"tg:n:"
#: The newest profile version of one agent.
_PROFILE = b"tg:v:"
#: The compiled router of one agent.
_ROUTER = b"tg:r:"
#: The verdict on one question.
_VERDICT = b"tg:k:"


class Keys:
    """Makes the keys of one deployment; `secret` is shared by its workers."""

    #: Bytes of a seal.
    SEAL_BYTES = 32

    def __init__(self, secret: str) -> None:
        self._secret = sha256(secret.encode()).digest()

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

    def seal(self, key: bytes, content: bytes) -> bytes:
        """Make the MAC of a value under its key, so that no other value is taken for it."""
        parts = len(key).to_bytes(4, "big") + key + content
        return blake2b(parts, key=self._secret, digest_size=self.SEAL_BYTES).digest()

    def text_digest(self, text: str) -> str:
        """Fingerprint what a caller said, so that a redelivery and a conflict can be told apart."""
        return self._mac(text)

    def _key(self, prefix: bytes, *parts: str) -> bytes:
        return prefix + self._mac(*parts).encode()

    def _mac(self, *parts: str) -> str:
        raws = [part.encode("utf-8", "surrogatepass") for part in parts]
        message = b"".join(len(raw).to_bytes(4, "big") + raw for raw in raws)
        return blake2b(message, key=self._secret, digest_size=_MAC_BYTES).hexdigest()
