"""Records that could not be used."""

import base64
import hashlib
from typing import Any

import pytest

from tests.unit.topics.examples import NOW_MS
from topics.codec import MAX_RECORD_BYTES, encode
from topics.dead_letter import MAX_KEY_BYTES, MAX_VALUE_BYTES, DeadLetter, dead_letter


def _letter(**overrides: Any) -> DeadLetter:
    given = {
        "topic": "turn.utterances",
        "partition": 2,
        "offset": 41,
        "key": b"call-1",
        "value": b"not json \xff",
        "reason": "not valid JSON in UTF-8",
        "refused_at_ms": NOW_MS,
    }
    return dead_letter(**{**given, **overrides})


def test_it_says_where_the_record_lies() -> None:
    """Topic, partition and offset lead back to the source, and the bytes are whole."""
    letter = _letter()

    assert (letter.topic, letter.partition, letter.offset) == ("turn.utterances", 2, 41)
    assert base64.b64decode(letter.value_base64 or "") == b"not json \xff"
    assert base64.b64decode(letter.key_base64 or "") == b"call-1"
    assert letter.value_sha256 == hashlib.sha256(b"not json \xff").hexdigest()
    assert not letter.value_truncated


@pytest.mark.parametrize(
    ("value", "shown", "size"), [(None, None, 0), (b"", "", 0)], ids=["null", "empty"]
)
def test_null_and_empty_differ(value: bytes | None, shown: str | None, size: int) -> None:
    """A null value is told from an empty one."""
    letter = _letter(value=value)

    assert letter.value_base64 == shown
    assert (letter.value_sha256 is None) == (value is None)
    assert letter.value_bytes == size


def test_null_key_stays_null() -> None:
    """A record without a key has none in its letter."""
    assert _letter(key=None).key_base64 is None


def test_large_record_is_cut_to_fit() -> None:
    """Six megabytes become a letter that fits a topic, with size and digest of the whole."""
    value = b"x" * 6_000_000
    letter = _letter(value=value)

    assert letter.value_truncated
    assert letter.value_bytes == len(value)
    assert letter.value_sha256 == hashlib.sha256(value).hexdigest()
    assert base64.b64decode(letter.value_base64 or "") == value[:MAX_VALUE_BYTES]
    assert len(encode(letter)) <= MAX_RECORD_BYTES


def test_large_key_is_cut_to_fit() -> None:
    """A key as long as a record cannot keep the letter from being written."""
    letter = _letter(key=b"k" * 900_000, value=b"v" * 900_000)

    assert base64.b64decode(letter.key_base64 or "") == b"k" * MAX_KEY_BYTES
    assert len(encode(letter)) <= MAX_RECORD_BYTES
