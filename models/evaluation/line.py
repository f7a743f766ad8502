"""One line of a file of rows: an object, or what is wrong with it, without a word of the line."""

from typing import Any

import orjson


class WrongRow(Exception):
    """What is wrong with a row; holds no text of it."""


def object_of(line: bytes) -> dict[str, Any]:
    """
    Return the object that a line holds.

    Raises:
        WrongRow: it holds none.
    """
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise WrongRow("not JSON") from None
    if not isinstance(fields, dict):
        raise WrongRow("not an object")
    return fields
