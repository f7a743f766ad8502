"""
Packs a word table into blocks that the runtime unpacks row by row.

The base table comes in 4-bit blocks of 32 and training leaves it alone, so its blocks can be found
again exactly: within a block the weight of largest size has code -8, which gives the scale. A table
that is not on that grid (hub weights) is stored in 8-bit blocks, with a small loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Weights per block.
BLOCK = 32


@dataclass(frozen=True, slots=True)
class Packed:
    """A word table in blocks; a weight is (code - 2**(bits-1)) * scale."""

    #: (V, H * bits / 8) uint8; with 4 bits, the earlier weight has the low half.
    codes: NDArray[np.uint8]
    #: (V, H / 32) float16.
    scales: NDArray[np.float16]
    bits: int
    #: Largest difference from the table.
    error: float


def pack(table: NDArray[np.float32]) -> Packed:
    """Pack a word table (V, H): in 4 bits where nothing is lost, else in 8."""
    packed = _pack(table, 4)
    return packed if packed.error == 0 else _pack(table, 8)


def unpack(packed: Packed) -> NDArray[np.float32]:
    """The table that the runtime sees, (V, H) float32."""
    codes = packed.codes
    if packed.bits == 4:  # noqa: PLR2004
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(len(codes), -1)
    signed = codes.astype(np.float32) - np.float32(2 ** (packed.bits - 1))
    table: NDArray[np.float32] = signed * np.repeat(packed.scales.astype(np.float32), BLOCK, axis=1)
    return table


def _pack(table: NDArray[np.float32], bits: int) -> Packed:
    rows, width = table.shape
    half = 2 ** (bits - 1)
    blocks = table.reshape(rows, width // BLOCK, BLOCK)
    largest = np.abs(blocks).argmax(axis=-1, keepdims=True)
    scales = np.take_along_axis(blocks, largest, axis=-1)[..., 0] / -half
    stored = scales.astype(np.float16)
    used = stored.astype(np.float32)[..., None]
    quotient = np.divide(blocks, used, out=np.zeros_like(blocks), where=used != 0)
    codes = (np.clip(np.rint(quotient), -half, half - 1) + half).astype(np.uint8)
    codes = codes.reshape(rows, width)
    if bits == 4:  # noqa: PLR2004
        codes = codes[:, 0::2] | (codes[:, 1::2] << 4)
    packed = Packed(codes, stored, bits, 0.0)
    return Packed(codes, stored, bits, float(np.abs(unpack(packed) - table).max()))
