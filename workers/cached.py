"""
What we keep in Redis, as bytes and back; a value that is not what we wrote is garbage.

Before each value stands its MAC under its key, and nothing of a value is read until that fits. The
numbers (a call's newest turn, an agent's newest profile) have none: Redis compares them, and they
can only turn a turn into a miss. Whoever takes one away undoes what an eviction undoes as well.
"""

from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import orjson

from models.script import Writing
from workers.errors import CacheGarbage
from workers.keys import Keys

#: Version of the layout; another one is garbage, and therefore a miss. With a new one go new
#: prefixes in `workers.keys`, so that values of before are not found instead.
_LAYOUT = 2
#: Longer values are not ours, bytes.
MAX_VALUE_BYTES = 4_194_304
_LENGTH_BYTES = 4

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPrediction:
    """A prediction as the hot path needs it."""

    #: The prediction.
    prediction_id: str
    #: Its text, cleaned. User text: never logged.
    text: str
    #: Its exact-tier key.
    match_key: str
    #: Its script and language, where sure.
    writing: Writing
    #: Where the prepared response lies.
    response_ref: str | None = None
    #: The prepared response itself.
    response: Any = None
    #: Playing it does something.
    side_effect: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedTurn:
    """The predictions of one turn."""

    #: The key it is stored under; a reply that belongs to another key is found out by it.
    key: str
    #: When the agent made the predictions, Unix epoch, milliseconds.
    created_at_ms: int
    #: The predictions, in the agent's order.
    predictions: tuple[CachedPrediction, ...]
    #: Version of this layout.
    layout: int = _LAYOUT


def pack_turn(turn: CachedTurn, vectors: npt.NDArray[np.float32], keys: Keys) -> bytes:
    """
    Write the predictions of a turn with their vectors.

    Args:
        turn: the predictions.
        vectors: one unit vector a prediction, (N, D) float32.
        keys: seal it.

    """
    head = orjson.dumps(msgspec.to_builtins(turn, builtin_types=()))
    length = len(head).to_bytes(_LENGTH_BYTES, "big")
    return keys.sealed(turn.key.encode(), length + head + vectors.astype("<f4").tobytes())


def unpack_turn(
    value: bytes, *, key: bytes, dimension: int, keys: Keys
) -> tuple[CachedTurn, npt.NDArray[np.float32]]:
    """
    Read the predictions of a turn; vectors are (N, dimension) float32.

    Raises:
        CacheGarbage: the value is not what `pack_turn` wrote under this key.

    """
    raw = _opened(value, key, keys)
    end = _LENGTH_BYTES + int.from_bytes(raw[:_LENGTH_BYTES], "big")
    turn = _read(CachedTurn, raw[_LENGTH_BYTES:end])
    if turn.layout != _LAYOUT or turn.key != key.decode():
        raise CacheGarbage("another layout or another key")
    body = raw[end:]
    if len(body) != 4 * dimension * len(turn.predictions):
        raise CacheGarbage("vectors")
    vectors = np.frombuffer(body, dtype="<f4").reshape(len(turn.predictions), dimension)
    if not np.isfinite(vectors).all():
        raise CacheGarbage("vectors")
    return turn, vectors.astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDecision:
    """A decision as it was published, so that a redelivered turn gets the same bytes."""

    #: The key it is stored under.
    key: str
    #: Fingerprint of the text that it decided.
    text_digest: str
    #: The published event.
    decision: str
    #: Version of this layout.
    layout: int = _LAYOUT


def pack_decision(stored: StoredDecision, keys: Keys) -> bytes:
    """Write a stored decision, sealed."""
    content = orjson.dumps(msgspec.to_builtins(stored, builtin_types=()))
    return keys.sealed(stored.key.encode(), content)


def unpack_decision(value: bytes, *, key: bytes, keys: Keys) -> StoredDecision:
    """
    Read a stored decision.

    Raises:
        CacheGarbage: the value is not what `pack_decision` wrote under this key.

    """
    stored = _read(StoredDecision, _opened(value, key, keys))
    if stored.layout != _LAYOUT or stored.key != key.decode():
        raise CacheGarbage("another layout or another key")
    return stored


def unpack_number(raw: bytes | None) -> int | None:
    """
    Read a counter.

    Raises:
        CacheGarbage: the value is not a number.

    """
    if raw is None:
        return None
    if not raw.isdigit() or len(raw) > 18:  # noqa: PLR2004 - more digits than any counter of ours
        raise CacheGarbage("not a number")
    return int(raw)


def _opened(value: bytes, key: bytes, keys: Keys) -> bytes:
    if len(value) > MAX_VALUE_BYTES:
        raise CacheGarbage("length")
    return keys.opened(key, value)


def _read(wanted: type[T], raw: bytes) -> T:
    try:
        return msgspec.convert(orjson.loads(raw), type=wanted)
    except (orjson.JSONDecodeError, msgspec.ValidationError):
        # The libraries' messages may quote the value, which may be anybody's text.
        raise CacheGarbage("not our layout") from None
