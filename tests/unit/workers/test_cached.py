"""Cached values as bytes."""

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

KEY = b"tg:p:0123"


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
    return pack_turn(make_turn(**overrides), np.ones((1, 3), np.float32))


class TestTurn:
    def test_round_trip(self):
        """
        What was written is read, vectors to the last bit.
        """
        vectors = np.array([[0.1, -0.2, 3e-8]], np.float32)

        turn, read = unpack_turn(pack_turn(make_turn(), vectors), key=KEY, dimension=3)

        assert turn == make_turn()
        assert np.array_equal(read, vectors)

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"OK", id="short"),
            pytest.param(b"\x00\x00\x00\x02{}", id="no fields"),
            pytest.param(b"\xff\xff\xff\xff{}", id="length beyond the end"),
            pytest.param(b"\x80\x04K\x01.", id="pickle"),
            pytest.param(b"x" * (MAX_VALUE_BYTES + 1), id="too large"),
            pytest.param(packed()[:-1], id="cut"),
            pytest.param(packed() + b"\x00", id="longer"),
            pytest.param(packed(layout=2), id="another layout"),
            pytest.param(packed(key="tg:p:9999"), id="another key's value"),
            pytest.param(
                pack_turn(make_turn(), np.full((1, 3), np.nan, np.float32)), id="vectors not finite"
            ),
        ],
    )
    def test_anything_else_is_garbage(self, raw):
        """
        A value that we did not write under this key is refused as a whole.
        """
        with pytest.raises(CacheGarbage):
            unpack_turn(raw, key=KEY, dimension=3)

    def test_vectors_of_another_width_are_garbage(self):
        """
        A vector of another encoder never enters a comparison.
        """
        with pytest.raises(CacheGarbage):
            unpack_turn(packed(), key=KEY, dimension=4)

    def test_the_error_shows_nothing_of_the_value(self):
        """
        A garbage value may be somebody's text.
        """
        with pytest.raises(CacheGarbage) as excinfo:
            unpack_turn(b"\x00\x00\x00\x0bwhat I said", key=KEY, dimension=3)

        assert "said" not in str(excinfo.value)


class TestDecision:
    def test_round_trip_and_key(self):
        """
        A stored decision is read back, and only under its own key.
        """
        stored = StoredDecision(key="tg:d:1", text_digest="aa", decision='{"a":1}')

        assert unpack_decision(pack_decision(stored), key=b"tg:d:1") == stored
        with pytest.raises(CacheGarbage):
            unpack_decision(pack_decision(stored), key=b"tg:d:2")


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
