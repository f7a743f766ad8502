"""
Rows of one kind, read from JSONL for the measurements of the slow path.

Blank lines and unknown fields are passed over. A bad row stops the reading; the error names file
and line and shows nothing of it.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from models.script_report import RowError

Row = TypeVar("Row", bound=msgspec.Struct)


def read_labelled(path: Path, kind: type[Row]) -> list[tuple[int, Row]]:
    """
    Read all rows of a file, each with the number of its line, from 1.

    Raises:
        RowError: a line is no such row, or there is none.
        OSError: the file cannot be read.
    """
    decoder = msgspec.json.Decoder(kind)
    rows: list[tuple[int, Row]] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append((number, decoder.decode(line)))
        except UnicodeDecodeError:
            raise RowError(path, number, "not UTF-8") from None
        except msgspec.ValidationError as error:
            # Says a field and a type; of a value outside a fixed set it would show the value.
            reason = str(error)
            shown = "a field has none of its values" if "enum value" in reason else reason
            raise RowError(path, number, shown) from None
        except msgspec.DecodeError:
            raise RowError(path, number, "not JSON") from None
    if not rows:
        raise RowError(path, 1, "no rows in this file")
    return rows
