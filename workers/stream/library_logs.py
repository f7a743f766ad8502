"""What the libraries under this layer may log: never a record."""

import logging

#: Loggers of the libraries; at DEBUG several of them print keys and values.
LIBRARIES = ("faust", "mode", "aiokafka")


def restrain_libraries(level: int = logging.WARNING) -> None:
    """Let the libraries log from `level` on, never below INFO, and never a whole message."""
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(max(level, logging.INFO))
    # Prints the message, key and value included, when a topic's send fails.
    topics = logging.getLogger("faust.topics")
    if _without_message not in topics.filters:
        topics.addFilter(_without_message)


def _without_message(record: logging.LogRecord) -> bool:
    record.msg = "faust_topic_failed"
    record.args = ()
    return True
