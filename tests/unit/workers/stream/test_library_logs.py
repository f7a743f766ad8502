"""Tests of what libraries may log."""

import logging

import pytest

from workers.stream import library_logs
from workers.stream.library_logs import restrain_libraries


@pytest.fixture(autouse=True)
def _restrained(monkeypatch):
    names = [*library_logs.LIBRARIES, *library_logs.REPEATING, "faust.topics", "mode.timers"]
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger, logger.level, list(logger.filters)) for logger in loggers]
    monkeypatch.setattr(library_logs, "_not_again", library_logs._NotAgain())
    restrain_libraries()
    yield
    for logger, level, filters in before:
        logger.setLevel(level)
        logger.filters = filters


class TestRestrainLibraries:
    def test_no_message_of_a_failed_send(self, caplog):
        """
        Faust warns with the whole message, key and value, when a send fails.
        """
        logging.getLogger("faust.topics").warning("error %s message said by a caller", "x")

        assert [record.getMessage() for record in caplog.records] == ["faust_topic_failed"]

    @pytest.mark.parametrize("name", library_logs.LIBRARIES)
    def test_no_debug_lines(self, name, caplog):
        """
        At DEBUG the libraries print keys and values, so it cannot be turned on for them.
        """
        restrain_libraries(logging.DEBUG)

        logging.getLogger(f"{name}.any").debug("value=said by a caller")

        assert caplog.records == []

    def test_no_flood(self, caplog):
        """
        A line that repeats while the broker is away is logged once in a while; others are not held.
        """
        for number in range(100):
            logging.getLogger("aiokafka").error("Unable connect to node %s", number)
        logging.getLogger("aiokafka").error("another line")

        assert [record.getMessage() for record in caplog.records] == [
            "Unable connect to node 0",
            "another line",
        ]

    def test_twice_is_once(self):
        """
        Calling it again adds nothing.
        """
        before = list(logging.getLogger("aiokafka").filters)

        restrain_libraries()

        assert before == logging.getLogger("aiokafka").filters
