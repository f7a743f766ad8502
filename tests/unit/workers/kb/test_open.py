"""Following the entries beside everything else."""

import logging
from contextlib import asynccontextmanager
from typing import Any

from tests.fakes.kb import entry_record, make_entry
from tests.waiting import wait_until
from workers.background import beside
from workers.errors import BrokerUnavailable
from workers.kb import open as module
from workers.settings import load


async def test_entries_that_cannot_be_read_are_tried_again(kb, monkeypatch, caplog):
    """
    A broker that does not answer costs nothing but time; what it said before is said again.
    """
    tries = []
    nothing: Any = None

    @asynccontextmanager
    async def follow(_stream, topic, take, *, first_reading_s):
        assert first_reading_s > 600
        tries.append(topic)
        await take(entry_record(make_entry("a")))
        if len(tries) == 1:
            raise BrokerUnavailable("not read in time")
        await take(entry_record(make_entry("b")))
        yield

    monkeypatch.setattr(module, "follow", follow)
    monkeypatch.setattr(module, "_PAUSE_S", 0.001)
    async with (
        beside(kb.entries.keep_up(), name="index"),
        beside(module._follow(nothing, "x.kb.entries", kb.entries), name="entries"),
    ):
        await wait_until(lambda: kb.entries.ready, "the entries to be read")

    assert tries == ["x.kb.entries"] * 2
    assert {entry.entry_id for entry in kb.index.entries("t")} == {"a", "b"}
    assert caplog.messages.count("kb_entries_not_read") == 1


def test_with_an_endpoint_no_bundle_is_looked_at(tmp_path, caplog):
    """
    Who names an endpoint needs no bundle, and is not told that there is none.
    """
    caplog.set_level(logging.DEBUG)
    settings = {"TURNGATE_ANSWER": str(tmp_path / "nothing")}

    assert module.load_answer_model(load(settings)) is None
    assert "answer_judge_degraded" in caplog.text
    caplog.clear()
    assert (
        module.load_answer_model(load(settings | {"TURNGATE_SYSTEM_ONE_URL": "http://h"})) is None
    )
    assert caplog.text == ""
