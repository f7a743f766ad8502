"""
Logging: one JSON object a line, a fixed event name with fields.

A message is an event name and holds no values; fields are ours by name. What a caller said is never
given to a logger, and a library's message is kept only from the libraries named below.
"""

import logging
import sys
from datetime import UTC, datetime
from typing import IO

import orjson

#: Attributes that every record has; what a call adds as `extra` is the rest.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
#: Loggers of ours, whose messages are event names without values.
_OURS = ("workers", "models", "topics")


class JsonFormatter(logging.Formatter):
    """One line of JSON a record; an exception is named by type and place, not by message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if record.name.startswith(_OURS) else record.msg,
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = _where(record)
        return orjson.dumps(line, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def _where(record: logging.LogRecord) -> str:
    """Name the innermost frame; arguments and messages may hold user text, code places cannot."""
    trace = record.exc_info[2] if record.exc_info else None
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno} {code.co_name}"


def configure(level: str, stream: IO[str] | None = None) -> None:
    """Send every logger of the process to `stream` (standard error by default) as JSON lines."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in _OURS:
        logging.getLogger(name).setLevel(level)
