import numpy as np
import pytest

from models.pipeline.embedding import BLOCK, pack, unpack


def on_the_grid(rows=20, width=64, seed=0):
    """A table of 4-bit blocks as the wheel stores them: the largest weight has code -8."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-7, 8, (rows, width // BLOCK, BLOCK))
    codes[..., 5] = -8
    scales = rng.normal(0, 0.01, (rows, width // BLOCK, 1)).astype(np.float16)
    return (codes * scales.astype(np.float32)).reshape(rows, width).astype(np.float32)


class TestPack:
    def test_lossless(self):
        """
        A table from 4-bit blocks goes back into them without loss, in half a byte a weight.
        """
        table = on_the_grid()

        packed = pack(table)

        assert packed.bits == 4
        assert packed.error == 0
        assert packed.codes.shape == (20, 32)
        assert (unpack(packed) == table).all()

    def test_order_of_nibbles(self):
        """
        The earlier weight is in the low half of its byte.
        """
        table = np.zeros((1, BLOCK), np.float32)
        table[0, :3] = [-8, 3, 1]

        packed = pack(table)

        assert packed.scales.tolist() == [[1.0]]
        assert packed.codes[0, 0] & 15 == 0
        assert packed.codes[0, 0] >> 4 == 11
        assert packed.codes[0, 1] & 15 == 9

    def test_empty_block(self):
        """
        A block of zeros stays a block of zeros.
        """
        table = on_the_grid()
        table[3] = 0

        assert (unpack(pack(table))[3] == 0).all()

    def test_off_the_grid(self):
        """
        Any other table takes 8 bits, and the error is told and small.
        """
        table = np.random.default_rng(1).normal(0, 1, (20, 64)).astype(np.float32)

        packed = pack(table)

        assert packed.bits == 8
        assert packed.codes.shape == table.shape
        assert packed.error == pytest.approx(np.abs(unpack(packed) - table).max())
        assert 0 < packed.error < 0.02
