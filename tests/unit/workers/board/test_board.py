"""The board as a browser meets it, on a backlog in memory."""

import asyncio
import csv
import html
import io
import json
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from html.parser import HTMLParser

import aiohttp
import pytest

from tests.fakes.board import (
    TOKEN,
    FakeBroker,
    FakeSource,
    make_board,
    make_gap,
    make_item,
    repeated,
    sample_gaps,
    sample_items,
)
from topics.gap import GapMemory, GapState
from topics.gap_action import GapActionKind
from workers.board.access import TRIES
from workers.board.acting import seen
from workers.board.app import application, listening
from workers.board.query import PAGE
from workers.board.web import HEADERS
from workers.errors import BrokerUnavailable, SettingsError
from workers.loopback import free_port

GAP = "a" * 24
_FORM = "application/x-www-form-urlencoded"
#: Text of a caller that would run if it were not escaped.
HOSTILE = "</bdi><script>alert(1)</script>\" onload='x' {{ 7007*7 }}"


class Parsed(HTMLParser):
    """What a browser makes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        """Note an element."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


class Client:
    """Somebody with a browser."""

    def __init__(self, http: aiohttp.ClientSession, root: str) -> None:
        self.http = http
        self.root = root
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""

    async def get(self, path: str, **options) -> str:
        """Load a page."""
        return await self._keep(self.http.get(self.root + path, **options))

    async def post(self, path: str, fields: dict[str, str] | bytes, **options) -> str:
        """Send a form."""
        return await self._keep(self.http.post(self.root + path, data=fields, **options))

    async def _keep(self, asked) -> str:
        async with asked as answer:
            self.status, self.headers = answer.status, dict(answer.headers)
            self.text = await answer.text()
        return self.text

    async def log_in(self, token: str = TOKEN) -> None:
        """Log in."""
        await self.post("/login", {"token": token})

    def form(self, kind: str) -> dict[str, str]:
        """Read the hidden fields of a form on the page that was loaded last."""
        for form in re.findall(r"<form.*?</form>", self.text, re.DOTALL):
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
            if fields.get("kind") == kind:
                return {name: html.unescape(value) for name, value in fields.items()}
        raise AssertionError(f"no form for {kind}")

    def rows(self) -> list[str]:
        """Return the ids of the gaps that are listed."""
        return re.findall(r'class="words" dir="auto" href="/gaps/([^"/]+)"', self.text)


class World:
    """A board, what it reads and writes, and a client who has logged in."""

    def __init__(self, source: FakeSource, broker: FakeBroker, client: Client) -> None:
        self.source = source
        self.broker = broker
        self.client = client

    async def form_of(self, gap_id: str, kind: str, **fields: str) -> dict[str, str]:
        """Make a form that no page offers, with all that the board asks of one."""
        await self.client.get(f"/gaps/{GAP}")
        gap = self.source.gaps.gap(gap_id)
        assert gap is not None
        return self.client.form("dismissed") | {"kind": kind, "seen": seen(gap)} | fields


@asynccontextmanager
async def served(**settings) -> AsyncIterator[World]:
    board, source, broker = make_board(kafka="127.0.0.1:9", **settings)
    async with (
        listening(application(board), "127.0.0.1", 0) as port,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http,
    ):
        yield World(source, broker, Client(http, f"http://127.0.0.1:{port}"))


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """Serve a board with one gap to somebody who has logged in."""
    async with served() as made:
        await made.source.put(make_gap(GAP))
        await made.client.log_in()
        yield made


#: What anybody may load.
OPEN = {"/login", "/board.css", "/healthz", "/readyz"}


def pages() -> list[str]:
    """Name every page that the board serves, and one that it does not."""
    served = {each.canonical for each in application(make_board()[0]).router.resources()}
    paths = {path.replace("{kind}", kind) for path in served for kind in ("csv", "jsonl")}
    return sorted({path.replace("{gap_id}", GAP) for path in paths} - OPEN | {"/nowhere"})


class TestAccess:
    def test_pages_are_found(self):
        """What follows looks at every one."""
        assert {"/", f"/gaps/{GAP}", "/gaps.jsonl", "/not-retrieved.csv"} < set(pages())
        assert not [path for path in pages() if "{" in path]

    @pytest.mark.parametrize("path", pages())
    async def test_nothing_without_a_login(self, path):
        """Every page and file leads to the login, and holds nothing before it."""
        async with served() as world:
            await world.source.put(make_gap(GAP))
            text = await world.client.get(path, allow_redirects=False)

        assert world.client.status == 303
        assert world.client.headers["Location"] == "/login"
        assert "rope" not in text

    async def test_an_action_needs_a_login(self):
        """A form without a session changes nothing."""
        async with served() as world:
            await world.source.put(make_gap(GAP))
            await world.client.post(f"/gaps/{GAP}", {"kind": "dismissed"}, allow_redirects=False)

            assert world.client.status == 303
            assert world.broker.sent == []

    async def test_the_cookie_is_out_of_reach(self):
        """Scripts cannot read it, other sites cannot send it, and over TLS it stays there."""
        async with served() as world:
            await world.client.post("/login", {"token": TOKEN}, allow_redirects=False)
            plain = world.client.headers["Set-Cookie"]
            through = {"X-Forwarded-Proto": "https"}
            await world.client.post(
                "/login", {"token": TOKEN}, headers=through, allow_redirects=False
            )
            secure = world.client.headers["Set-Cookie"]

        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(plain.split("; "))
        assert TOKEN not in plain
        assert "Secure" not in plain
        assert "Secure" in secure.split("; ")

    async def test_a_wrong_token(self, caplog):
        """It opens nothing and is not repeated, on the page or in the log."""
        async with served() as world:
            text = await world.client.post("/login", {"token": "hunter2hunter2hunter2"})

        assert world.client.status == 401
        assert "hunter2" not in text + caplog.text
        assert "Set-Cookie" not in world.client.headers

    async def test_a_wrong_token_is_answered_late(self):
        """Who guesses waits for each answer, and holds up nobody else."""
        board, _, _ = make_board()
        slow = replace(board, wrong_token_s=600.0)
        async with (
            listening(application(slow), "127.0.0.1", 0) as port,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http,
        ):
            client = Client(http, f"http://127.0.0.1:{port}")
            guess = asyncio.create_task(client.post("/login", {"token": "wrong"}))
            await client.get("/login")
            await client.log_in()
            assert client.status == 200
            assert not guess.done()
            guess.cancel()

    async def test_guessing_ends(self):
        """After some wrong tokens even the right one is refused for a while."""
        async with served() as world:
            for _ in range(TRIES):
                await world.client.log_in("wrong")
            await world.client.log_in()

        assert world.client.status == 429
        assert "Retry-After" in world.client.headers

    async def test_log_out(self, world):
        """After it, the same cookie opens nothing."""
        await world.client.get("/")
        csrf = re.search(r'name="csrf" value="([^"]+)"', world.client.text)
        assert csrf
        cookies = {one.key: one.value for one in world.client.http.cookie_jar}
        await world.client.post("/logout", {"csrf": csrf[1]})
        await world.client.get("/", cookies=cookies, allow_redirects=False)

        assert world.client.status == 303

    async def test_every_answer_is_guarded(self, world):
        """No answer lets scripts run, be framed, be guessed at or be kept."""
        for path in ("/", "/nowhere", "/board.css", "/gaps.csv", "/healthz", "/operations"):
            await world.client.get(path)
            assert {name: world.client.headers.get(name) for name in HEADERS} == HEADERS, path
        assert "default-src 'none'" in HEADERS["Content-Security-Policy"]
        assert "script-src" not in HEADERS["Content-Security-Policy"]

    async def test_no_page_has_a_script_or_a_style_of_its_own(self, world):
        """What the rules forbid is not there, so every page works under them."""
        await world.source.put(*sample_gaps(3), *sample_items())
        for path in ("/", f"/gaps/{GAP}", f"/gaps/{GAP}/merge", "/not-retrieved", "/operations"):
            text = await world.client.get(path)
            assert world.client.status == 200, path
            assert not re.search(r"<script|<style|\sstyle=|\son\w+=|javascript:", text), path


class TestForms:
    @pytest.mark.parametrize(
        "headers",
        [
            pytest.param({"Origin": "http://evil.test"}, id="another origin"),
            pytest.param({"Origin": "null"}, id="a hidden origin"),
            pytest.param({"Origin": "http://["}, id="no origin at all"),
            pytest.param({"Origin": "http://a:b"}, id="a port that is none"),
            pytest.param({"Sec-Fetch-Site": "cross-site"}, id="another site"),
            pytest.param({"Sec-Fetch-Site": "same-site"}, id="a neighbour"),
        ],
    )
    async def test_other_sites_send_nothing(self, world, headers):
        """Not even with the session's own token, nor a login."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("dismissed")
        await world.client.post(f"/gaps/{GAP}", form, headers=headers)
        refused = world.client.status
        await world.client.post("/login", {"token": TOKEN}, headers=headers)

        assert (refused, world.client.status) == (403, 403)
        assert world.broker.sent == []

    @pytest.mark.parametrize("csrf", [None, "", "x" * 43, "\u0663"])
    async def test_the_forms_own_token_is_needed(self, world, csrf):
        """A form without it, or with another, changes nothing."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("dismissed")
        del form["csrf"]
        await world.client.post(f"/gaps/{GAP}", form if csrf is None else form | {"csrf": csrf})

        assert world.client.status == 403
        assert world.broker.sent == []

    async def test_reading_changes_nothing(self, world):
        """An action is never a link."""
        await world.client.get(f"/gaps/{GAP}?kind=dismissed")

        assert world.broker.sent == []

    async def test_a_large_form_is_refused(self, world):
        """More than any form of ours holds is not read."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("added") | {"entry_id": "x" * 100_000}
        await world.client.post(f"/gaps/{GAP}", form)

        assert world.client.status == 413
        assert world.broker.sent == []

    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            pytest.param(_FORM, b"token=\xff\xfe", id="no UTF-8"),
            pytest.param(f"{_FORM}; charset=bogus", b"token=x", id="a charset that is none"),
            pytest.param(f"{_FORM}; charset=rot13", b"token=x", id="a charset of no bytes"),
            pytest.param(f"{_FORM}; charset=utf-7", b"token=+2AA-", id="half a character"),
            pytest.param("multipart/form-data", b"--x\r\n", id="parts without a boundary"),
            pytest.param("multipart/form-data; boundary=x", b"--x\r\nfoo", id="broken parts"),
            pytest.param("application/json", b"{}", id="JSON"),
        ],
    )
    async def test_what_is_no_form_is_its_senders_fault(self, world, caplog, kind, body):
        """Whoever sends it, logged in or not, is told so; the board has not failed."""
        for path in ("/login", f"/gaps/{GAP}", "/logout"):
            text = await world.client.post(path, body, headers={"Content-Type": kind})
            assert world.client.status == 400, path
            assert "cannot be read" in text
        assert "page_failed" not in caplog.text
        assert world.broker.sent == []

    async def test_a_form_that_is_packed_badly(self, world, caplog):
        """What cannot be unpacked is no failure of ours."""
        headers = {"Content-Type": _FORM, "Content-Encoding": "gzip"}
        await world.client.post("/login", b"token=x", headers=headers)

        assert world.client.status == 400
        assert "page_failed" not in caplog.text


class TestList:
    async def test_open_gaps_by_reach(self, world):
        """The most asked stands on top, with trend, languages and tenant; decided ones are away."""
        await world.source.put(
            make_gap("b", count=50, languages=("ar", "hinglish")),
            make_gap("c", count=99, state=GapState.DISMISSED),
            make_gap("d", count=0, merged_into="b"),
        )
        text = await world.client.get("/")

        assert world.client.rows() == ["b", GAP]
        assert text.count('<svg class="trend"') == 2
        assert "Arabic" in text
        assert "Hinglish" in text

    @pytest.mark.parametrize(
        ("query", "rows"),
        [
            ("state=any", ["c", GAP, "b"]),
            ("state=dismissed", ["c"]),
            ("tenant=other", ["b"]),
            ("language=ar", ["b"]),
            ("reason=not_judged", []),
            ("text=rope", [GAP, "b"]),
        ],
    )
    async def test_filters(self, world, query, rows):
        """What is asked for is listed, and exported."""
        await world.source.put(
            make_gap("b", count=1, tenant_id="other", languages=("ar",)),
            make_gap("c", count=99, state=GapState.DISMISSED, suggestion=None, examples=("soap",)),
        )
        await world.client.get(f"/?{query}")
        assert world.client.rows() == rows

        text = await world.client.get(f"/gaps.jsonl?{query}")
        assert [json.loads(line)["gap_id"] for line in text.splitlines()] == rows

    async def test_thousands(self, world):
        """A page holds some of them, and its links lead through all, filters kept."""
        await world.source.put(*(make_gap(f"g{n:04}", count=n + 1) for n in range(3_000)))
        seen: list[str] = []
        path = "/?tenant=acme"
        while True:
            text = await world.client.get(path)
            seen += world.client.rows()
            following = re.search(r'rel="next" href="([^"]+)"', text)
            if following is None:
                break
            path = html.unescape(following[1])

        assert len(world.client.rows()) <= PAGE
        assert len(seen) == len(set(seen)) == 3_001

    @pytest.mark.parametrize("query", ["state=x", "page=-1", "order=<b>"])
    async def test_a_wrong_address(self, world, query):
        """It is said to be wrong, and not repeated."""
        text = await world.client.get(f"/?{query}")

        assert world.client.status == 400
        assert "there is no such" in text
        assert "order=<b>" not in text

    async def test_nothing_to_show(self, world):
        """An empty list says that it is empty."""
        assert "No gap is like that." in await world.client.get("/?tenant=nobody")


class TestGap:
    async def test_everything_of_it(self, world):
        """Examples, suggestion with its blanks, trend and numbers stand on its page."""
        (arabic, *_) = sample_gaps(1)
        await world.source.put(arabic)
        text = await world.client.get(f"/gaps/{arabic.gap_id}")

        for example in arabic.examples:
            assert html.unescape(example).replace("[ID]", "").split()[0] in text
        assert '<bdi class="masked" dir="ltr">[ID]</bdi>' in text
        assert '<bdi class="blank" dir="ltr">____</bdi>' in text
        assert "نقبل معظم شركات التأمين" in text
        assert 'class="trend large"' in text

    @pytest.mark.parametrize("path", [f"/gaps/{GAP}", "/", f"/gaps/{'b' * 24}/merge"])
    async def test_callers_words_are_words(self, world, path):
        """Whatever a caller said, or a producer put into an id, is shown and does nothing."""
        suggestion = replace(
            make_gap().suggestion,
            title=HOSTILE, questions={HOSTILE: (HOSTILE,)}, quotes=(HOSTILE,), blanks=(HOSTILE,),
        )  # fmt: skip
        hostile = make_gap(
            GAP, tenant_id=HOSTILE, languages=(HOSTILE,), examples=(HOSTILE,), entry_id=HOSTILE,
            suggestion=suggestion,
        )  # fmt: skip
        await world.source.put(hostile, make_gap("b" * 24, tenant_id=HOSTILE))
        text = await world.client.get(path)

        assert "&lt;/bdi&gt;&lt;script&gt;alert(1)" in text
        parsed = Parsed(text)
        assert "script" not in parsed.tags
        assert not {name for name in parsed.attributes if name.startswith("on")}
        assert "49049" not in text

    async def test_every_text_has_its_own_direction(self, world):
        """Text of callers stands in elements that find their own direction."""
        (arabic, *_) = sample_gaps(1)
        await world.source.put(arabic)
        text = await world.client.get(f"/gaps/{arabic.gap_id}")
        without = re.sub(r'<(\w+)[^>]*dir="auto"[^>]*>.*?</\1>', "", text, flags=re.DOTALL)

        assert re.search("[\u0600-\u06ff]", text)
        assert not re.search("[\u0600-\u06ff]", without)

    @pytest.mark.parametrize("gap_id", ["nobody", "a b/c", "é", "..%2f..", "a" * 23])
    async def test_unknown(self, world, gap_id):
        """There is no page of a gap that is not there, nor by the beginning of an id."""
        await world.client.get(f"/gaps/{gap_id}")

        assert world.client.status == 404

    @pytest.mark.parametrize("gap_id", ["a/b", "a?b#c", "50% فرع", "a'b\"c"])
    async def test_any_id_has_a_page(self, world, gap_id):
        """An id may hold any character; the list leads to its page."""
        await world.source.put(make_gap(gap_id, count=1))
        await world.client.get("/")
        (_, part) = world.client.rows()
        await world.client.get(f"/gaps/{html.unescape(part)}")
        assert world.client.status == 200

        await world.client.post(f"/gaps/{html.unescape(part)}", world.client.form("dismissed"))
        assert world.client.status == 200
        assert [action.gap_id for action in world.broker.sent] == [gap_id]

    async def test_a_merged_gap_leads_on(self, world):
        """Who has an old link finds where the gap is counted now, and cannot act on it here."""
        await world.source.put(make_gap("old", merged_into=GAP, count=0, examples=()))
        text = await world.client.get("/gaps/old")

        assert f'href="/gaps/{GAP}"' in text
        assert 'name="kind"' not in text


class TestActions:
    @pytest.mark.parametrize(
        ("kind", "more", "state"),
        [
            ("added", {"entry_id": " entry-7 "}, "entry written"),
            ("added", {}, "entry written"),
            ("dismissed", {}, "dismissed"),
        ],
    )
    async def test_an_action_is_sent_and_seen(self, world, kind, more, state):
        """It is an event with gap and tenant, and the page shows what the worker made of it."""
        await world.client.get(f"/gaps/{GAP}")
        text = await world.client.post(f"/gaps/{GAP}", world.client.form(kind) | more)
        (action,) = world.broker.sent

        assert (action.kind, action.gap_id, action.tenant_id) == (kind, GAP, "acme")
        assert action.entry_id == ("entry-7" if more else None)
        assert world.client.status == 200
        assert "Done." in text
        assert f">{state}</span>" in text

    async def test_open_again(self, world):
        """What was decided can be taken back."""
        await world.source.put(make_gap("b", state=GapState.DISMISSED, suggestion=None))
        await world.client.get("/gaps/b")
        await world.client.post("/gaps/b", world.client.form("reopen"))

        assert [one.kind for one in world.broker.sent] == [GapActionKind.REOPEN]

    async def test_what_was_merged_is_not_decided_on(self, world):
        """Nothing is offered where a gap was, and nothing taken: the worker would not do it."""
        await world.source.put(make_gap("b"), make_gap("old", merged_into=GAP, examples=()))
        await world.client.get("/gaps/old/merge", allow_redirects=False)
        led = (world.client.status, world.client.headers["Location"])
        form = await world.form_of("old", "merge", into=GAP)
        text = await world.client.post("/gaps/old", form)

        assert led == (303, "/gaps/old")
        assert world.client.status == 400
        assert "decide there" in text
        assert world.broker.sent == []

    async def test_merge(self, world):
        """Other gaps of the tenant are offered, like ones first, and the chosen one takes it in."""
        await world.source.put(
            make_gap("b", count=90, examples=("opening hours",), suggestion=None),
            make_gap("c", count=1, examples=("rope, do you sell it",), suggestion=None),
            make_gap("d", tenant_id="other"),
            make_gap("e", merged_into="b"),
        )
        text = await world.client.get(f"/gaps/{GAP}/merge")
        assert re.findall(r'name="into" value="([^"]+)"', text) == ["c", "b"]

        form = world.client.form("merge") | {"into": "c"}
        text = await world.client.post(f"/gaps/{GAP}", form)
        assert [(one.kind, one.into) for one in world.broker.sent] == [("merge", "c")]
        assert "became a part of" in text

    async def test_merge_by_words(self, world):
        """Among many gaps one is searched for; the same question in Arabic shares no word."""
        await world.source.put(make_gap("b", examples=("هل تبيعون الحبال",), suggestion=None))
        text = await world.client.get(f"/gaps/{GAP}/merge?text=الحبال")

        assert re.findall(r'name="into" value="([^"]+)"', text) == ["b"]

    @pytest.mark.parametrize(
        "into", [None, "", GAP, "nobody", "other", "merged"], ids=str
    )  # fmt: skip
    async def test_merges_that_make_no_sense(self, world, into):
        """They are said to make none, and nothing is sent."""
        await world.source.put(
            make_gap("b"), make_gap("other", tenant_id="other"), make_gap("merged", merged_into="b")
        )
        await world.client.get(f"/gaps/{GAP}/merge")
        form = world.client.form("merge")
        await world.client.post(f"/gaps/{GAP}", form if into is None else form | {"into": into})

        assert world.client.status == 400
        assert world.broker.sent == []

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param({"kind": "split"}, id="a kind that the board has not"),
            pytest.param({"kind": "x"}, id="no kind"),
            pytest.param({"action_id": "x"}, id="a name that is none"),
            pytest.param({"kind": "added", "entry_id": "x" * 257}, id="too long an entry"),
        ],
    )
    async def test_forms_that_are_none_of_ours(self, world, change):
        """They are refused, and nothing is sent."""
        await world.client.get(f"/gaps/{GAP}")
        await world.client.post(f"/gaps/{GAP}", world.client.form("dismissed") | change)

        assert world.client.status == 400
        assert world.broker.sent == []

    async def test_sent_twice(self, world):
        """A form that is sent again is the same action, which is applied once."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("dismissed")
        await world.client.post(f"/gaps/{GAP}", form)
        text = await world.client.post(f"/gaps/{GAP}", form)

        assert len(world.broker.sent) == 1
        assert world.client.status == 200
        assert "Done." in text

    @pytest.mark.parametrize(
        "change",
        [
            {"state": GapState.COVERED, "entry_id": "e"},
            {"state": GapState.DISMISSED},
            {"merged_into": "b"},
            {"merged_from": ("b",)},
        ],
        ids=["covered", "dismissed", "merged", "grew by a merge"],
    )
    async def test_a_gap_that_changed_meanwhile(self, world, change):
        """Nothing is sent on what the sender has not seen; the page shows the gap as it is now."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("added") | {"entry_id": "kept-in-the-form"}
        await world.source.put(make_gap(GAP, **change))
        text = await world.client.post(f"/gaps/{GAP}", form)

        assert world.client.status == 409
        assert world.broker.sent == []
        assert "changed while you looked" in text
        assert "merged_into" in change or "kept-in-the-form" in text

    async def test_a_gap_that_only_grew(self, world):
        """Callers go on asking; that is no reason to decide anew."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("dismissed")
        await world.source.put(make_gap(GAP, count=800, examples=("another",)))
        await world.client.post(f"/gaps/{GAP}", form)

        assert world.client.status == 200
        assert len(world.broker.sent) == 1

    async def test_an_action_on_a_gap_that_is_gone(self, world):
        """It has no page any more, and nothing is sent."""
        await world.client.get(f"/gaps/{GAP}")
        await world.client.post("/gaps/nobody", world.client.form("dismissed"))

        assert world.client.status == 404
        assert world.broker.sent == []

    async def test_no_worker_yet(self, world):
        """An action that waits for a worker says so."""
        world.broker.applying = False
        await world.client.get(f"/gaps/{GAP}")
        text = await world.client.post(f"/gaps/{GAP}", world.client.form("dismissed"))

        assert "applied as soon as a slow worker" in text

    async def test_nobody_else_says_what_was_sent(self, world):
        """A link that somebody made up claims nothing."""
        text = await world.client.get(f"/gaps/{GAP}?sent={'0' * 24}")

        assert "Sent." not in text


class TestBrokerAway:
    @pytest.mark.parametrize("path", ["/", f"/gaps/{GAP}", "/not-retrieved"])
    async def test_pages_say_so(self, world, path):
        """The status is 503; what is known is shown all the same, and said to be old."""
        world.source.away = "no answer from Kafka at b:9092 within 5 s"
        text = await world.client.get(path)

        assert world.client.status == 503
        assert "no answer from Kafka" in text
        assert path == "/not-retrieved" or "rope" in text

    async def test_no_old_files(self, world):
        """A file cannot say that it is old, so there is none."""
        world.source.away = "no answer"
        text = await world.client.get("/gaps.csv")

        assert world.client.status == 503
        assert "rope" not in text

    @pytest.mark.parametrize(
        "error", [BrokerUnavailable("no answer"), SettingsError("no topic kb.gap.actions")]
    )
    async def test_an_action_is_not_lost(self, world, error):
        """What was filled in stands in the form again, under the same name: it is applied once."""
        await world.client.get(f"/gaps/{GAP}")
        form = world.client.form("added") | {"entry_id": "entry-7"}
        world.broker.failing = error
        text = await world.client.post(f"/gaps/{GAP}", form)
        assert world.client.status == 503
        assert 'value="entry-7"' in text
        assert str(error) in text

        world.broker.failing = None
        await world.client.post(
            f"/gaps/{GAP}", world.client.form("added") | {"entry_id": "entry-7"}
        )
        (action,) = world.broker.sent
        assert (action.action_id, action.entry_id) == (form["action_id"], "entry-7")

    async def test_a_merge_is_not_lost(self, world):
        """It can be sent again with one button."""
        await world.source.put(make_gap("b"))
        await world.client.get(f"/gaps/{GAP}/merge")
        form = world.client.form("merge") | {"into": "b"}
        world.broker.failing = BrokerUnavailable("no answer")
        await world.client.post(f"/gaps/{GAP}", form)
        world.broker.failing = None
        await world.client.post(f"/gaps/{GAP}", world.client.form("merge"))

        (action,) = world.broker.sent
        assert (action.action_id, action.into) == (form["action_id"], "b")

    async def test_readiness(self, world):
        """Whoever asks without a login learns whether the topics are followed, and no more."""
        ready = (await world.client.get("/readyz"), world.client.status)
        world.source.away = "no answer from b:9092"
        away = (await world.client.get("/readyz"), world.client.status)

        assert ready == ('{"ready": true}', 200)
        assert away == ('{"ready": false}', 503)


class TestExport:
    async def test_csv(self, world):
        """A spreadsheet opens it as UTF-8, with every gap and no formula."""
        await world.source.put(*sample_gaps(2), make_gap("x", examples=("=1+1",), suggestion=None))
        text = await world.client.get("/gaps.csv?state=any")
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))

        assert text.startswith("\ufeff")
        assert world.client.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert re.fullmatch(
            r'attachment; filename="gaps-\d{4}-\d\d-\d\d\.csv"',
            world.client.headers["Content-Disposition"],
        )
        assert len(rows) == 4
        assert [row["title"] for row in rows if row["gap_id"] == "x"] == ["'=1+1"]
        assert any("هل تقبلون" in row["title"] for row in rows)

    async def test_jsonl(self, world):
        """Each line is a gap, without what is the worker's own."""
        await world.source.put(make_gap(GAP, memory=GapMemory(actions=("secret",))))
        text = await world.client.get("/gaps.jsonl")
        (row,) = map(json.loads, text.splitlines())

        assert row["gap_id"] == GAP
        assert "memory" not in row

    async def test_only_what_there_is(self, world):
        """There are two kinds of files."""
        await world.client.get("/gaps.xlsx")

        assert world.client.status == 404


class TestNotRetrieved:
    async def test_apart_from_gaps(self, world):
        """Questions whose answer search missed stand by their entry, and never among the gaps."""
        await world.source.put(*repeated(sample_items(), 3))
        text = await world.client.get("/not-retrieved")
        assert text.index("lost-card") < text.index("opening-hours-ar") < text.index("returns")
        assert "متى تفتحون يوم الجمعة؟" in text
        assert '<bdi class="masked" dir="ltr">[CARD]</bdi>' in text
        assert GAP not in text

        assert "lost-card" not in await world.client.get("/?state=any")

    async def test_filter_and_files(self, world):
        """One tenant's are shown and exported."""
        await world.source.put(make_item(1), make_item(2, tenant_id="other", entry_id="theirs"))
        text = await world.client.get("/not-retrieved?tenant=other")
        assert "theirs" in text
        assert ">rope<" not in text

        text = await world.client.get("/not-retrieved.jsonl?tenant=other")
        assert [json.loads(line)["entry_id"] for line in text.splitlines()] == ["theirs"]
        text = await world.client.get("/not-retrieved.csv")
        assert len(text.splitlines()) == 3


class TestFaults:
    async def test_a_page_that_fails(self, world, monkeypatch, caplog):
        """One page's fault is a page that says so; its words are not logged, and the rest works."""

        def fail() -> None:
            raise ValueError("hunter2")

        monkeypatch.setattr(world.source.failures, "items", fail)
        text = await world.client.get("/not-retrieved")
        assert world.client.status == 500
        assert "hunter2" not in text + caplog.text

        await world.client.get("/")
        assert world.client.status == 200

    async def test_it_listens_where_it_was_told(self):
        """Another address of this machine is not answered."""
        board, _, _ = make_board()
        # Who listens everywhere has another port for each kind of address where it is given 0.
        async with listening(application(board), "127.0.0.1", free_port()) as port:
            with socket.socket() as other:
                other.settimeout(5)
                assert other.connect_ex(("127.0.0.2", port)) != 0

    async def test_the_address_is_taken(self):
        """The start says which settings do not fit."""
        board, _, _ = make_board()
        async with listening(application(board), "127.0.0.1", 0) as port:
            with pytest.raises(SettingsError, match="TURNGATE_BOARD_PORT"):
                async with listening(application(board), "127.0.0.1", port):
                    pass

    async def test_nothing_that_was_asked_is_logged(self, world, caplog):
        """No address, form or text of the board reaches the log."""
        caplog.set_level("DEBUG")
        await world.client.get("/?text=hunter2")
        await world.client.get(f"/gaps/{GAP}")
        await world.client.post(
            f"/gaps/{GAP}", world.client.form("added") | {"entry_id": "hunter2"}
        )

        assert "hunter2" not in caplog.text
        assert "rope" not in caplog.text
