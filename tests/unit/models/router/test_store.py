"""Routers as bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.router import (
    Gate,
    Options,
    StoredRouterError,
    compile_router,
    from_bytes,
    to_bytes,
)
from tests.unit.models.router.factories import World, around


def router(gate=Gate.DEFAULT, **changes):
    """A compiled router."""
    world = World()
    return compile_router(world.profile(**changes), world.encoder, Options(gate=gate)).router


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(router(), id="default"),
        pytest.param(router(Gate.MARGIN), id="margin"),
        pytest.param(router(validation={}), id="abstains"),
        pytest.param(router(intents={}), id="no intents"),
    ],
)
def test_it_decides_as_before(one):
    """
    A router that was stored decides exactly as it did.
    """
    read = from_bytes(to_bytes(one), "encoder-1")

    for vector in around(1, 10, 0.3, 3):
        assert read.route(vector) == one.route(vector)
    assert (read.digest, read.state, read.quality) == (one.digest, one.state, one.quality)
    assert (read.gate, read.names, read.threshold) == (one.gate, one.names, one.threshold)
    assert np.array_equal(read.prototypes, one.prototypes)
    assert read.heard == one.heard


def test_another_encoder():
    """
    A router of another encoder is refused: its vectors mean nothing here.
    """
    with pytest.raises(StoredRouterError, match="another encoder"):
        from_bytes(to_bytes(router()), "encoder-2")


def test_phrases_are_not_stored():
    """
    What somebody wrote does not stand in the bytes.
    """
    assert b"number" not in to_bytes(router())


STORED = to_bytes(router())


@given(st.binary(max_size=200))
def test_bytes_that_are_no_router(content):
    """
    Whatever else the bytes are, they are refused with our error.
    """
    with pytest.raises(StoredRouterError):
        from_bytes(content, "encoder-1")


@given(st.integers(0, len(STORED) - 1), st.integers(1, 255))
def test_a_damaged_router(place, change):
    """
    One changed byte anywhere is noticed.
    """
    damaged = bytearray(STORED)
    damaged[place] ^= change

    with pytest.raises(StoredRouterError):
        from_bytes(bytes(damaged), "encoder-1")


@given(st.integers(0, len(STORED) - 1))
def test_a_router_cut_short(length):
    """
    Bytes that end early are noticed.
    """
    with pytest.raises(StoredRouterError):
        from_bytes(STORED[:length], "encoder-1")
