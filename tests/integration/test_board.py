"""The board on a real broker, without any worker."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tests.acceptance.slow import make_topics
from tests.fakes.board import TOKEN, make_gap, make_item
from tests.records import Raw, produce, read_json
from tests.unit.workers.board.test_board import Client
from tests.waiting import wait_until
from topics.codec import encode
from topics.gap import Gap, GapState
from topics.names import REVIEWED
from topics.reviewed import ReviewedItem
from workers.board.app import serving
from workers.errors import SettingsError
from workers.settings import Secret, Settings

pytestmark = pytest.mark.timeout(240)

#: A busy machine may take this long, seconds.
PATIENT_S = 60.0


@asynccontextmanager
async def board(address: str, prefix: str, **settings: Any) -> AsyncIterator[Client]:
    """Serve a board, and give somebody who has logged in."""
    made = Settings(
        kafka=address, prefix=prefix, board_port=0, board_token=Secret(TOKEN), **settings
    )
    async with (
        serving(made) as port,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http,
    ):
        client = Client(http, f"http://127.0.0.1:{port}")
        await client.log_in()
        yield client


async def put_gaps(address: str, prefix: str, *gaps: Gap | str) -> None:
    """Write gaps; a string deletes."""
    raws = [
        Raw(key=one.encode(), value=None)
        if isinstance(one, str)
        else Raw(key=one.gap_id.encode(), value=encode(one))
        for one in gaps
    ]
    await produce(address, f"{prefix}kb.gaps", raws)


async def put_reviewed(address: str, prefix: str, *items: ReviewedItem) -> None:
    """Write reviewed questions."""
    raws = [Raw(key=one.tenant_id.encode(), value=encode(one)) for one in items]
    await produce(address, prefix + REVIEWED.name, raws)


async def until_listed(client: Client, *ids: str) -> None:
    """Wait until just these gaps are listed, and nothing is said to be old."""

    async def listed() -> bool:
        await client.get("/?state=any")
        return client.status == 200 and client.rows() == list(ids)

    await wait_until(listed, f"gaps {ids} to be listed", PATIENT_S, every_s=0.1)


async def test_the_topics_are_followed(broker, topic_prefix) -> None:
    """What lay on the topics is shown, and so is what comes, changes and goes."""
    address, prefix = broker.address, topic_prefix
    await make_topics(address, prefix)
    await put_gaps(address, prefix, make_gap("a", count=1), make_gap("b", count=5))
    await put_reviewed(address, prefix, make_item(tenant_id="one"), make_item(1, tenant_id="two"))
    async with board(address, prefix) as client:
        await until_listed(client, "b", "a")
        text = await client.get("/not-retrieved")
        assert "2</strong> entries" in text

        await put_gaps(address, prefix, make_gap("a", count=9), make_gap("c", count=7), "b")
        await until_listed(client, "a", "c")


async def test_an_action_reaches_its_topic(broker, topic_prefix) -> None:
    """It is stored once before the page says so, and waits there for a worker."""
    address, prefix = broker.address, topic_prefix
    await make_topics(address, prefix)
    await put_gaps(address, prefix, make_gap("a"))
    async with board(address, prefix) as client:
        await until_listed(client, "a")
        await client.get("/gaps/a")
        form = client.form("added") | {"entry_id": "e7"}
        text = await client.post("/gaps/a", form)

    assert client.status == 200
    assert "applied as soon as a slow worker" in text
    (action,) = await read_json(address, f"{prefix}kb.gap.actions")
    assert (action["kind"], action["gap_id"], action["entry_id"]) == ("added", "a", "e7")
    assert (action["tenant_id"], action["action_id"]) == ("acme", form["action_id"])


async def test_a_broker_that_comes_back(own_broker, topic_prefix) -> None:
    """
    While it is away pages say so and an action is kept in its form; then all is read anew, for a
    broker that was restarted may hold something else.
    """
    address, prefix = own_broker.address, topic_prefix
    await make_topics(address, prefix)
    await put_gaps(address, prefix, make_gap("old"))
    async with board(address, prefix) as client:
        await until_listed(client, "old")
        await client.get("/readyz")
        assert client.status == 200
        await client.get("/gaps/old")
        form = client.form("dismissed")
        await asyncio.to_thread(own_broker.process.kill)

        async def away() -> bool:
            await client.get("/?state=any")
            return client.status == 503

        await wait_until(away, "the page to say so", PATIENT_S, every_s=0.1)
        assert client.rows() == ["old"]
        await client.get("/readyz")
        assert client.status == 503
        await client.post("/gaps/old", form)
        assert client.status == 503
        assert client.form("dismissed")["action_id"] == form["action_id"]

        await asyncio.to_thread(own_broker.process.restart)
        await make_topics(address, prefix)
        await put_gaps(address, prefix, make_gap("new", state=GapState.COVERED))
        await until_listed(client, "new")


async def test_missing_topics_are_said(broker, topic_prefix) -> None:
    """A board before its topics names them, and shows gaps when they are there."""
    address, prefix = broker.address, topic_prefix
    async with board(address, prefix) as client:

        async def said() -> bool:
            return "kb.gaps does not exist" in await client.get("/")

        await wait_until(said, "the missing topics to be named", PATIENT_S, every_s=0.1)
        assert client.status == 503
        await make_topics(address, prefix)
        await put_gaps(address, prefix, make_gap("a"))
        await until_listed(client, "a")


async def test_lag_of_the_groups(broker, topic_prefix) -> None:
    """The operations page asks the broker how far the groups are behind."""
    await make_topics(broker.address, topic_prefix)
    await produce(
        broker.address, f"{topic_prefix}turn.utterances", [Raw(key=b"c", value=b"{}")] * 3
    )
    async with board(broker.address, topic_prefix) as client:
        text = await client.get("/operations")

    assert f"{topic_prefix}turngate-hot" in text


async def test_no_token_no_board(broker, topic_prefix) -> None:
    """Without a token nothing is served at all."""
    settings = Settings(kafka=broker.address, prefix=topic_prefix, board_port=0)
    with pytest.raises(SettingsError, match="TURNGATE_BOARD_TOKEN"):
        async with serving(settings):
            pass
