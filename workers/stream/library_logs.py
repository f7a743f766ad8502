"""What the libraries under this layer may log: never a record, and no flood in an outage."""

import logging
import time

#: Loggers of the libraries; at DEBUG several of them print keys and values.
LIBRARIES = ("faust", "mode", "aiokafka")
#: Those that repeat themselves many times a second while the broker does not answer.
REPEATING = (
    "aiokafka",
    "aiokafka.cluster",
    "aiokafka.conn",
    "aiokafka.consumer.fetcher",
    "aiokafka.consumer.group_coordinator",
    "aiokafka.producer.sender",
)
#: How long the same line of a repeating logger is left out after it was logged, seconds.
QUIET_S = 10.0


def restrain_libraries(level: int = logging.WARNING) -> None:
    """Let the libraries log from `level` on, never below INFO; calling it again changes nothing."""
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(max(level, logging.INFO))
    # Warns of a slow commit as of a late timer.
    logging.getLogger("mode.timers").setLevel(logging.ERROR)
    # Prints the message, key and value included, when a topic's send fails.
    logging.getLogger("faust.topics").addFilter(_without_message)
    for name in REPEATING:
        logging.getLogger(name).addFilter(_not_again)


def _without_message(record: logging.LogRecord) -> bool:
    record.msg = "faust_topic_failed"
    record.args = ()
    return True


class _NotAgain:
    """Lets a line through once in `QUIET_S`; lines are told apart by their unfilled text."""

    def __init__(self) -> None:
        self._next_s: dict[tuple[str, str], float] = {}

    def __call__(self, record: logging.LogRecord) -> bool:
        line = (record.name, str(record.msg))
        now_s = time.monotonic()
        if now_s < self._next_s.get(line, 0.0):
            return False
        self._next_s[line] = now_s + QUIET_S
        return True


_not_again = _NotAgain()
