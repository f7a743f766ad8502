"""The board beside real workers, as `turngate up` runs it."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.acceptance.hot import environment
from tests.acceptance.slow import PATIENT_S, gaps, item, put_items
from tests.unit.workers.board.test_board import Client
from tests.waiting import wait_until
from workers.up import running_stack
from workers.up_board import BoardSide, board_side

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """Give somebody with a browser and no board yet."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        yield Client(http, "")


async def _log_in(client: Client, side: BoardSide) -> None:
    client.root = f"http://127.0.0.1:{side.board.spec.port}"
    await client.log_in(side.token.reveal())
    assert client.status == 200


async def test_from_question_to_decision(broker, cache, topic_prefix, tmp_path, client) -> None:
    """
    What stays unanswered is on the board, masked; a decision there is applied by the slow worker;
    the operations page hears all workers; nothing that a caller said is in a log.
    """
    given = environment(
        broker, cache, topic_prefix, reasons="/nowhere", slow_rejudge_s="600", board_workers=""
    )
    asked = ["do you ship rope", "call me at 020 7946 0958 about the rope"]
    async with (
        running_stack(given, logs=tmp_path) as stack,
        board_side(stack, logs=tmp_path) as side,
    ):
        await _log_in(client, side)
        items = [item(f"c{number}", text) for number, text in enumerate(asked)]
        await put_items(broker.address, topic_prefix, items)

        async def listed() -> bool:
            text = await client.get("/gaps.jsonl")
            return "ship rope" in text and "[PHONE]" in text

        await wait_until(listed, "the questions to be on the board", PATIENT_S, every_s=0.3)
        assert "7946" not in client.text

        await client.get("/")
        (first, *_) = client.rows()
        await client.get(f"/gaps/{first}")
        await client.post(f"/gaps/{first}", client.form("dismissed"))
        assert client.status == 200

        async def dismissed() -> bool:
            found = await gaps(broker.address, topic_prefix)
            return found[first]["state"] == "dismissed"

        await wait_until(dismissed, "the worker to apply it", PATIENT_S, every_s=0.3)

        async def shown() -> bool:
            await client.get("/?state=dismissed")
            return client.rows() == [first]

        await wait_until(shown, "the board to show it", PATIENT_S, every_s=0.3)

        async def heard() -> bool:
            text = await client.get("/operations")
            return text.count(">ready</span>") == 2

        await wait_until(heard, "both workers to be heard", PATIENT_S, every_s=0.5)

    logs = "".join(path.read_text("utf-8") for path in tmp_path.glob("*.log"))
    assert '"gap_action_sent"' in logs
    assert "rope" not in logs
    assert side.token.reveal() not in logs
    assert (side.board.exit_code, side.slow.exit_code) == (0, 0)
