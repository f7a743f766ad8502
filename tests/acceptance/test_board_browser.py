"""The board in a real browser; skipped where there is none."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.acceptance.browser import Browser, browsing
from tests.fakes.board import (
    TOKEN,
    make_board,
    make_gap,
    make_item,
    repeated,
    sample_gaps,
    sample_items,
)
from topics.gap import Gap
from topics.reviewed import ReviewedItem
from workers.board.app import application, listening

pytestmark = pytest.mark.timeout(300)

#: A gap in Arabic, one in Hindi, and one whose words would run if they were not escaped.
ARABIC, HINDI, HOSTILE = (f"{number:024x}" for number in (0, 1, 4))
#: A gap whose question, tenant and count are as long as they may be.
LONG = "f" * 24
#: Gaps of which one test each decides; all tests share one board and one window, whose start takes
#: long on a busy machine.
ADDED, MERGED, DISMISSED = (f"{number:024x}" for number in (61, 66, 73))
_WIDE, _NARROW = (1280, 900), (390, 800)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """Serve a board with gaps in four languages from a thread of its own; gives its address."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="board")
    thread.start()
    board, source, _ = make_board(kafka="127.0.0.1:9")
    events: list[Gap | ReviewedItem] = [
        *sample_gaps(120),
        *repeated(sample_items(), 2),
        make_gap(LONG, tenant_id="t" * 256, examples=("x" * 400,), count=88_888, suggestion=None),
        make_item(900, tenant_id="t" * 256, entry_id="e" * 256, masked_question="x" * 400),
    ]
    server = listening(application(board), "127.0.0.1", 0)

    async def begin() -> int:
        await source.put(*events)
        return await server.__aenter__()

    async def end() -> None:
        await server.__aexit__(None, None, None)

    try:
        port = asyncio.run_coroutine_threadsafe(begin(), loop).result()
        yield f"http://127.0.0.1:{port}"
        asyncio.run_coroutine_threadsafe(end(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def window(served, tmp_path_factory) -> Iterator[Browser]:
    """Give a window of somebody who has logged in."""
    with browsing(tmp_path_factory.mktemp("browser")) as browser:
        browser.open(served)
        _log_in(browser)
        yield browser


@pytest.fixture
def opened(served, window) -> Callable[[str], Browser]:
    """Open pages by their path in a wide window."""
    window.size(*_WIDE)

    def open_page(path: str) -> Browser:
        window.open(served + path)
        return window

    return open_page


def _log_in(browser: Browser) -> None:
    browser.one("#token").write(TOKEN)
    browser.one("main button").follow()


def test_texts_run_in_their_own_direction(opened) -> None:
    """Arabic begins at the right and Hindi at the left, on one page, and nothing else moves."""
    browser = opened("/")
    first, second = browser.find("a.words")[1:3]

    assert (first.css("direction"), second.css("direction")) == ("rtl", "ltr")
    assert browser.one("html").css("direction") == "ltr"
    # A masked span is read from the left inside of Arabic, too.
    assert opened(f"/gaps/{ARABIC}").find("h1 .masked")[0].css("direction") == "ltr"
    assert opened(f"/gaps/{HINDI}").one("h1").css("direction") == "ltr"


@pytest.mark.parametrize(
    "path",
    [
        "/?state=any",
        f"/gaps/{ARABIC}",
        f"/gaps/{ARABIC}/merge",
        f"/gaps/{LONG}",
        "/not-retrieved",
        "/operations",
    ],
)
def test_pages_fit_and_are_clean(opened, path, tmp_path) -> None:
    """A wide and a narrow window show all of a page, and the browser has nothing to complain of."""
    browser = opened(path)
    browser.complaints()
    for width, height in (_WIDE, _NARROW):
        browser.size(width, height)
        browser.open(browser.run("return location.href"))
        needed = browser.run("return document.documentElement.scrollWidth")
        shown = browser.run("return document.documentElement.clientWidth")
        assert needed <= shown
        assert browser.picture(tmp_path / f"{width}.png").startswith(b"\x89PNG")
    assert browser.complaints() == []
    # The style sheet was let in by the pages' own rules.
    assert browser.one("body").css("margin-top") == "0px"


def test_a_large_count_leaves_the_question_its_place(opened) -> None:
    """In a narrow window a number of five digits does not run into the words beside it."""
    browser = opened("/")
    browser.size(*_NARROW)
    overlap = browser.run(
        """const row = document.querySelector("table.list tbody tr");
        const range = document.createRange();
        range.selectNodeContents(row.querySelector(".reach"));
        const words = row.querySelector(".words").getBoundingClientRect();
        return range.getBoundingClientRect().right - words.left"""
    )

    assert overlap <= 0


def test_what_callers_say_does_not_run(opened) -> None:
    """Words that look like a script are words."""
    browser = opened(f"/gaps/{HOSTILE}")

    assert "<script>alert('x')</script>" in browser.one("h1").text
    assert browser.run("return document.scripts.length") == 0


def test_a_decision_by_hand(opened) -> None:
    """Filling in a form and pressing its button decides; the rules let forms through to us."""
    browser = opened(f"/gaps/{ADDED}")
    name = f"entry-{secrets.token_hex(4)}"
    browser.one("input[name=entry_id]").write(name)
    browser.one(".deeds button.main").follow()

    assert browser.one(".note.good").text == "Done."
    assert name in browser.one(".deeds").text


def test_a_merge_by_hand(opened) -> None:
    """Another gap is chosen from a list, and takes this one in."""
    browser = opened(f"/gaps/{MERGED}")
    browser.one(".deeds a.button").follow()
    browser.find("input[name=into]")[0].click()
    browser.one(".sticky button").follow()

    assert "became a part of" in browser.one("main").text


def test_without_scripts(served, tmp_path) -> None:
    """Who has turned scripts off logs in, reads, filters and decides all the same."""
    with browsing(tmp_path, scripts=False) as browser:
        browser.size(*_WIDE)
        browser.open(served)
        _log_in(browser)
        browser.find("select[name=language] option")[1].click()
        browser.one(".filters button").follow()
        assert browser.find("table.list tbody tr")
        browser.open(f"{served}/gaps/{DISMISSED}")
        browser.find(".deeds form button")[1].follow()

        assert browser.one(".note.good").text == "Done."


def test_scripts_cannot_read_the_login(opened) -> None:
    """The cookie is kept from scripts and from other sites."""
    browser = opened("/")
    (cookie,) = browser.cookies()

    assert browser.run("return document.cookie") == ""
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
