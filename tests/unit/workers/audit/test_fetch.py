"""What becomes of the file that a fetch writes."""

import os
import stat
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import KafkaError

from topics.names import DECISIONS, PREDICTIONS, UTTERANCES
from workers.admin import BrokerConnection
from workers.audit import fetch as module
from workers.audit.fetch import fetch
from workers.errors import BrokerUnavailable

BROKER = BrokerConnection(address="127.0.0.1:1")


class FakeConsumer:
    """Has one record, and then ends or fails."""

    def __init__(self) -> None:
        self.failing = False
        self.records: list[Any] = []
        self.places: list[Any] = []

    def assign(self, places) -> None:
        """Take partitions."""
        self.places = list(places)
        self.records = [SimpleNamespace(value=b"new", timestamp=int(time.time() * 1e3))]

    async def seek_to_beginning(self, *_places) -> None:
        """Be there."""

    def highwater(self, place) -> int:
        """Tell where a partition ends."""
        return int(place == self.places[0])

    async def position(self, place) -> int:
        """Tell how far it was read."""
        return int(place == self.places[0] and not self.records)

    async def getmany(self, **_options) -> dict[Any, list[Any]]:
        """Give the record."""
        if self.failing:
            raise KafkaError
        taken, self.records = self.records, []
        return {self.places[0]: taken}


@pytest.fixture
def consumer(monkeypatch) -> FakeConsumer:
    found = FakeConsumer()

    @asynccontextmanager
    async def giving(_broker):
        yield found

    async def counts(_admin) -> dict[str, int]:
        return {topic.name: 1 for topic in (DECISIONS, UTTERANCES, PREDICTIONS)}

    monkeypatch.setattr(module, "admin_client", giving)
    monkeypatch.setattr(module, "partition_counts", counts)
    monkeypatch.setattr(module, "_consumer", giving)
    return found


@pytest.mark.usefixtures("consumer")
async def test_a_log_takes_the_old_one_s_place(tmp_path) -> None:
    """For its owner alone."""
    out = tmp_path / "log.jsonl"
    out.write_bytes(b"old\n")
    out.chmod(0o644)

    written = await fetch(BROKER, out)

    assert out.read_bytes() == b"new\n"
    assert sum(written.values()) == 1
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


async def test_the_old_log_stays_where_reading_fails(tmp_path, consumer) -> None:
    """A broker that goes away in the middle costs no log."""
    out = tmp_path / "log.jsonl"
    out.write_bytes(b"old\n")
    consumer.failing = True

    with pytest.raises(BrokerUnavailable):
        await fetch(BROKER, out)

    assert out.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [out]


async def test_what_is_no_regular_file_is_refused_before_the_broker_is_asked(tmp_path) -> None:
    """A pipe stays one, and the error says what is wrong."""
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="no regular file"):
        await fetch(BROKER, tmp_path / "pipe")

    assert stat.S_ISFIFO((tmp_path / "pipe").lstat().st_mode)
