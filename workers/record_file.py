"""A small file that a command writes and a worker's metrics read, each time they are asked."""

import os
from pathlib import Path
from typing import TypeVar

import msgspec
import orjson

from workers.own_file import need_replaceable

T = TypeVar("T")


def replace_record(path: Path, record: object) -> None:
    """
    Replace the record as a whole, so that no reader sees half of one.

    Raises:
        OSError: it cannot be written, or something that is no regular file has its name.

    """
    need_replaceable(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(orjson.dumps(record) + b"\n")
    beside.replace(path)


def read_record_file(path: Path, wanted: type[T]) -> T | None:
    """Read a record; None where there is none, or nothing that one could use."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=wanted)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None
