"""The JSON log."""

import io
import json
import logging

import pytest

from workers import log


@pytest.fixture
def lines():
    stream = io.StringIO()
    root = logging.getLogger()
    before = root.handlers[:], root.level
    log.configure("INFO", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], root.level = before


class TestLog:
    def test_fields_stand_beside_the_event(self, lines):
        """
        A line is the event name with its fields.
        """
        logging.getLogger("workers.x").error("breaker_opened", extra={"breaker": "redis"})

        (line,) = lines()
        assert line["event"] == "breaker_opened"
        assert line["breaker"] == "redis"
        assert line["level"] == "error"

    def test_an_exception_is_named_without_its_message(self, lines):
        """
        Exception messages may quote what a caller said, so only type and place are logged.
        """
        try:
            raise ValueError("what the caller said")
        except ValueError:
            logging.getLogger("workers.x").exception("inference_failed")

        (line,) = lines()
        assert line["error"] == "ValueError"
        assert "test_log.py" in line["where"]
        assert "caller" not in json.dumps(line)

    def test_arguments_of_foreign_messages_are_dropped(self, lines):
        """
        A library that puts values into its message leaves only the message's template here.
        """
        logging.getLogger("faust.x").error("cannot send %r", "what the caller said")

        (line,) = lines()
        assert line["event"] == "cannot send %r"
