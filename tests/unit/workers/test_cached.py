"""Cached values as bytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from models.script import writing
from workers.cached import (
    MAX_VALUE_BYTES,
    CachedPrediction,
    CachedTurn,
    StoredDecision,
    pack_decision,
    pack_turn,
    unpack_decision,
    unpack_number,
    unpack_turn,
)
from workers.errors import CacheGarbage
from workers.keys import Keys

KEY = b"tg:p2:0123"
KEYS = Keys("s")
VECTORS = np.ones((1, 3), np.float32)


def make_turn(**overrides) -> CachedTurn:
    prediction = CachedPrediction(
        prediction_id="p1",
        text="haan ji",
        match_key="haan ji",
        writing=writing("haan ji"),
        response={"say": "ठीक है"},
    )
    values: dict[str, Any] = {
        "key": KEY.decode(),
        "created_at_ms": 1,
        "predictions": (prediction,),
    } | overrides
    return CachedTurn(**values)


def packed(**overrides) -> bytes:
    return pack_turn(make_turn(**overrides), VECTORS, KEYS)


def flipped(value: bytes) -> Iterator[bytes]:
    """Give the value with one bit turned over, at each place in it."""
    for at in range(len(value)):
        yield value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]


class TestTurn:
    def test_round_trip(self):
        """
        What was written is read, vectors to the last bit.
        """
        vectors = np.array([[0.1, -0.2, 3e-8]], np.float32)

        value = pack_turn(make_turn(), vectors, KEYS)

        turn, read = unpack_turn(value, key=KEY, dimension=3, keys=KEYS)

        assert turn == make_turn()
        assert np.array_equal(read, vectors)

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"OK", id="short"),
            pytest.param(KEYS.sealed(KEY, b""), id="sealed nothing"),
            pytest.param(KEYS.sealed(KEY, b"\x00\x00\x00\x02{}"), id="no fields"),
            pytest.param(KEYS.sealed(KEY, b"\xff\xff\xff\xff{}"), id="length beyond the end"),
            pytest.param(KEYS.sealed(KEY, b"\x80\x04K\x01."), id="pickle"),
            pytest.param(KEYS.sealed(KEY, b"x" * MAX_VALUE_BYTES), id="too large"),
            pytest.param(packed()[:-1], id="cut"),
            pytest.param(KEYS.sealed(KEY, packed()[16:-1]), id="sealed and cut"),
            pytest.param(packed() + b"\x00", id="longer"),
            pytest.param(KEYS.sealed(KEY, packed()[16:] + b"\x00"), id="sealed and longer"),
            pytest.param(packed()[16:], id="without a seal"),
            pytest.param(packed(layout=1), id="another layout"),
            pytest.param(packed(key="tg:p2:9999"), id="another key's value"),
            pytest.param(
                KEYS.sealed(KEY, packed(key="tg:p2:9999")[16:]), id="of another key by its own word"
            ),
            pytest.param(pack_turn(make_turn(), VECTORS, Keys("r")), id="another secret's value"),
            pytest.param(pack_turn(make_turn(), VECTORS * np.nan, KEYS), id="vectors not finite"),
        ],
    )
    def test_anything_else_is_garbage(self, raw):
        """
        A value that we did not write under this key is refused as a whole.
        """
        with pytest.raises(CacheGarbage):
            unpack_turn(raw, key=KEY, dimension=3, keys=KEYS)

    def test_no_bit_can_be_changed(self):
        """
        Text, reply, vectors and seal: who can write to Redis cannot change a part of a value.
        """
        for value in flipped(packed()):
            with pytest.raises(CacheGarbage):
                unpack_turn(value, key=KEY, dimension=3, keys=KEYS)

    def test_vectors_of_another_width_are_garbage(self):
        """
        A vector of another encoder never enters a comparison.
        """
        with pytest.raises(CacheGarbage):
            unpack_turn(packed(), key=KEY, dimension=4, keys=KEYS)

    @pytest.mark.parametrize("sealed", [False, True])
    def test_the_error_shows_nothing_of_the_value(self, sealed):
        """
        A garbage value may be somebody's text.
        """
        said = b"\x00\x00\x00\x0bwhat I said"
        value = KEYS.sealed(KEY, said) if sealed else said

        with pytest.raises(CacheGarbage) as excinfo:
            unpack_turn(value, key=KEY, dimension=3, keys=KEYS)

        assert "said" not in str(excinfo.value)


STORED = StoredDecision(key="tg:d2:1", text_digest="aa", decision='{"a":1}')


class TestDecision:
    def test_round_trip_and_key(self):
        """
        A stored decision is read back, and only under its own key.
        """
        value = pack_decision(STORED, KEYS)

        assert unpack_decision(value, key=b"tg:d2:1", keys=KEYS) == STORED
        with pytest.raises(CacheGarbage):
            unpack_decision(value, key=b"tg:d2:2", keys=KEYS)

    def test_no_bit_can_be_changed(self):
        """
        A decision that was published is not published again with another reply in it.
        """
        for value in flipped(pack_decision(STORED, KEYS)):
            with pytest.raises(CacheGarbage):
                unpack_decision(value, key=b"tg:d2:1", keys=KEYS)

    @pytest.mark.parametrize(
        "value",
        [
            pytest.param(b"", id="empty"),
            pytest.param(pack_decision(STORED, KEYS)[16:], id="without a seal"),
            pytest.param(pack_decision(STORED, Keys("r")), id="another secret's value"),
            pytest.param(KEYS.sealed(b"tg:d2:1", b"{}"), id="no fields"),
            pytest.param(KEYS.sealed(b"tg:d2:1", b"x" * MAX_VALUE_BYTES), id="too large"),
        ],
    )
    def test_anything_else_is_garbage(self, value):
        """
        What we did not write under this key is refused.
        """
        with pytest.raises(CacheGarbage):
            unpack_decision(value, key=b"tg:d2:1", keys=KEYS)


class TestNumber:
    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            pytest.param(None, None, id="none"),
            pytest.param(b"0", 0, id="zero"),
            pytest.param(b"41", 41, id="number"),
        ],
    )
    def test_numbers(self, raw, expected):
        """
        A counter is read; none is none, and zero is zero.
        """
        assert unpack_number(raw) == expected

    @pytest.mark.parametrize("raw", [b"", b"-1", b"1.5", b"nan", b"9" * 40, "٣".encode()], ids=repr)
    def test_anything_else_is_garbage(self, raw):
        """
        What is no counter is refused.
        """
        with pytest.raises(CacheGarbage):
            unpack_number(raw)
