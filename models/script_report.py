"""What the language allowlist lets through, per language: for `turngate eval scripts`."""

from collections import Counter
from pathlib import Path
from typing import Any

import orjson

from models.errors import ModelError
from models.screen import BypassReason, screen

_REFUSED = (BypassReason.EMPTY, BypassReason.TOO_LONG, BypassReason.LANGUAGE)


class RowError(ModelError):
    """A row of an evaluation file is not what it should be."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path.name}, line {line}: {reason}")
        #: Line number, from 1.
        self.line = line


def evaluate_scripts(path: Path | str) -> dict[str, Any]:
    """
    Run the allowlist over labelled rows.

    Args:
        path: JSONL, one object a line: `{"text": str, "language": str}`. Other fields are ignored.

    Returns:
        `{"n": rows, "allowed": {language: share}}`, the share of each language's rows that the
        allowlist lets through, from 0 to 1. Fragments and voicemails count as let through.

    Raises:
        RowError: A line is not such an object; names the line, never its text.
        OSError: The file cannot be read.
    """
    source = Path(path)
    rows: Counter[str] = Counter()
    through: Counter[str] = Counter()
    for number, line in enumerate(source.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        text, language = _row(source, number, line)
        rows[language] += 1
        through[language] += screen(text).reason not in _REFUSED
    return {
        "n": rows.total(),
        "allowed": {name: through[name] / count for name, count in sorted(rows.items())},
    }


def _row(source: Path, number: int, line: bytes) -> tuple[str, str]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        # The decoder's error holds the line, and the line is what somebody said.
        raise RowError(source, number, "not JSON") from None
    if not isinstance(row, dict):
        raise RowError(source, number, "not an object")
    for name in ("text", "language"):
        if not isinstance(row.get(name), str):
            raise RowError(source, number, f"no text in field {name!r}")
    return row["text"], row["language"]
