"""Whatever a remote judge does, there is a named error on time, and nothing of the text in it."""

import asyncio
import contextlib
import io
import logging
import socket
import ssl
import time

import pytest
import trustme

from tests.fakes.judging import Entry, entry_of_level
from tests.faults.fault import BLACKHOLE, PASS, REFUSE
from tests.faults.proxy import FaultProxy
from tests.faults.system_one import ENVELOPES, FAULTS, KEY, LIES, ODDITIES, STATUSES, WIRE
from tests.remote_judges import fresh_token, running_fault_server
from tests.waiting import wait_until
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.log import JsonFormatter
from workers.loopback import LOOPBACK, free_port
from workers.settings import load
from workers.system_one import JudgeUnavailable, connect, endpoint_of

#: What a question has, seconds.
BUDGET_S = 0.4
#: What it may take beyond that on a busy machine, seconds.
SLACK_S = 0.5
#: Enough for whatever ends by itself, on a busy machine, seconds.
UNHURRIED_S = 10.0

_QUESTION = "كم سعر الباقة الذهبية؟ marked-question"
_ENTRIES = [Entry(title="गोल्ड marked-title", content=f"marked-content {n}") for n in range(8)]
_PRIVATE = ("marked-", "الباقة", "गोल्ड", KEY)

#: What each fault of the wire is to us; `None` where the answer is good all the same.
_WIRE_MEANS = {
    "silent": "late",
    "slow-head": "late",
    "slow-body": "late",
    "slow-chunks": "late",
    "half-then-silent": "late",
    "all-but-the-end": "late",
    "late": "late",
    "continues": "late",
    "stale": None,
    "twice": None,
    "endless-chunks": "too_large",
    "endless-body": "too_large",
    "endless-spaces": "too_large",
    "endless-chunk-extension": "late",
    "endless-header": "malformed",
    "endless-headers": "malformed",
    "endless-status-line": "malformed",
    "endless-trailers": "malformed",
    "announces-much": "too_large",
    "announces-nonsense": "malformed",
    "closes-at-once": "broken",
    "closes-in-head": "broken",
    "closes-in-body": "broken",
    "closes-in-chunk": "broken",
    "resets-in-body": "broken",
    "compressed": "malformed",
    "other-protocol": "malformed",
    "bad-chunk": "malformed",
    # Of a body that stops being HTTP the library tells its reader nothing: only a deadline helps.
    "later-bad-chunk": "late",
    "later-bad-chunk-end": "late",
    "later-bad-trailer": "late",
    "later-huge-trailer": "late",
    "later-bad-head": "malformed",
    "later-second-head": "malformed",
    "two-lengths": "malformed",
    "header-without-colon": "malformed",
    "switches-protocols": "malformed, status 101",
}
_STATUS_MEANS = {
    204: "malformed", 206: "malformed",
    300: "redirected", 301: "redirected", 302: "redirected", 303: "redirected",
    307: "redirected", 308: "redirected",
    400: "rejected", 401: "unauthorised", 403: "unauthorised", 404: "rejected", 405: "rejected",
    413: "rejected", 422: "rejected", 429: "rate_limited",
    500: "server_error", 502: "server_error", 503: "server_error", 529: "server_error",
    799: "malformed",
}  # fmt: skip
_INCOMPLETE = {
    "no-answers", "error-as-success", "one-missing", "first-only", "other-names", "one-null",
    "no-probabilities", "probabilities-null",
}  # fmt: skip
_ENVELOPE_MEANS = {
    "no-success": "unsuccessful",
    "success-as-text": "unsuccessful",
    "failure-with-result": "unsuccessful",
    "result-null": "malformed",
    "result-as-text": "malformed",
    "no-envelope": "malformed",
}


def meaning_of(status):
    """Name what an HTTP status is to us, as the error says it."""
    code = int(status.split(" ")[0])
    return f"{_STATUS_MEANS[code]}, status {code}"


#: Every fault of the server, the envelope that is expected, and what it means.
CASES = [
    *((name, "flat", meaning) for name, meaning in _WIRE_MEANS.items()),
    *((name, "flat", "incomplete" if name in _INCOMPLETE else "malformed") for name in LIES),
    *((name, "flat", None) for name in ODDITIES),
    *((name, "cloudflare", meaning) for name, meaning in _ENVELOPE_MEANS.items()),
    *((status.replace(" ", "-"), "flat", meaning_of(status)) for status in sorted(STATUSES)),
    ("honest", "flat", None),
    ("cloudflare", "cloudflare", None),
]


@pytest.fixture(scope="module")
def server():
    """Give the server that has every fault."""
    with running_fault_server() as running:
        yield running


@pytest.fixture(scope="module")
def authority():
    """Give a certificate authority that only these tests trust."""
    return trustme.CA()


@pytest.fixture
def logged():
    """Give everything that any logger writes, as our worker would write it and as others would."""
    stream = io.StringIO()
    handlers = [logging.StreamHandler(stream), logging.StreamHandler(stream)]
    handlers[0].setFormatter(JsonFormatter())
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.DEBUG)
    for handler in handlers:
        root.addHandler(handler)
    yield stream
    for handler in handlers:
        root.removeHandler(handler)
    root.setLevel(before)


def judge_at(url, **settings):
    """Connect a judge that is not kept warm; settings without their prefix."""
    given = {"url": url, "key": KEY, "warm_s": "0"} | settings
    return connect(
        endpoint_of(load({f"TURNGATE_SYSTEM_ONE_{name.upper()}": given[name] for name in given}))
    )


async def outcome_of(judge, budget_s=BUDGET_S):
    """Judge once; give what came of it, the error where there was one, and seconds."""
    started = time.monotonic()
    error = None
    try:
        judged = await judge.judge(_QUESTION, _ENTRIES, Deadline.after(budget_s))
        assert [sum(levels) for levels in judged] == pytest.approx([1.0] * len(_ENTRIES))
        outcome = None
    except TooLate as caught:
        outcome, error = "late", caught
    except JudgeUnavailable as caught:
        outcome, error = str(caught), caught
    return outcome, error, time.monotonic() - started


@contextlib.asynccontextmanager
async def tls_in_front_of(port, context):
    """Serve TLS on a port of its own and hand what comes to `port`; gives the port."""

    async def carry(reader, writer):
        with contextlib.suppress(OSError):
            while chunk := await reader.read(65_536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    async def serve(reader, writer):
        back_reader, back_writer = await asyncio.open_connection(LOOPBACK, port)
        await asyncio.gather(carry(reader, back_writer), carry(back_reader, writer))

    listening = await asyncio.start_server(serve, LOOPBACK, 0, ssl=context)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


class TestServer:
    def test_every_fault_is_tried(self):
        """
        A fault that somebody adds needs its meaning here.
        """
        assert {name for name, _, _ in CASES} == FAULTS.keys()
        assert _WIRE_MEANS.keys() == WIRE.keys()
        assert _ENVELOPE_MEANS.keys() == ENVELOPES.keys()

    @pytest.mark.parametrize(("fault", "envelope", "meaning"), CASES)
    async def test_a_named_error_on_time(self, server, logged, fault, envelope, meaning):
        """
        Each fault is one named outcome, asked once, by the deadline or long before, with nothing
        of question, entries or key in error and log, and nothing left behind.
        """
        token = fresh_token()
        budget_s = BUDGET_S if meaning == "late" else UNHURRIED_S
        async with judge_at(server.url(fault, token), envelope=envelope) as judge:
            outcome, error, took_s = await outcome_of(judge, budget_s)

            assert outcome == meaning
            assert took_s < budget_s + SLACK_S
            assert len(asyncio.all_tasks()) == 1
        assert error is None or (error.__cause__ is None and error.__context__ is None)
        written = f"{logged.getvalue()} {error} {error!r}"
        assert [text for text in _PRIVATE if text in written] == []
        assert server.seen(token)["posts"] == 1

    @pytest.mark.parametrize(
        "fault", ["silent", "slow-body", "half-then-silent", "endless-chunks", "continues"]
    )
    async def test_the_server_is_left_at_once(self, server, fault):
        """
        A call that failed is over for the server too, while we stay connected to nothing.
        """
        token = fresh_token()
        async with judge_at(server.url(fault, token)) as judge:
            await outcome_of(judge, budget_s=0.2)

            await wait_until(lambda: server.seen(token)["open"] == 0, "the connection to close")

    async def test_an_answer_to_another_question_never_counts(self, server):
        """
        A server that answers one call behind does not give an entry the level of another.
        """
        async with judge_at(server.url("stale", fresh_token())) as judge:
            await judge.judge("q", [entry_of_level(3)], Deadline.after(UNHURRIED_S))

            for level in (0, 2):
                with pytest.raises(JudgeUnavailable, match="incomplete"):
                    await judge.judge("q", [entry_of_level(level)], Deadline.after(UNHURRIED_S))

    async def test_an_answer_that_comes_twice_counts_once(self, server):
        """
        What is left over on a connection is never taken for the answer to the next call.
        """
        async with judge_at(server.url("twice", fresh_token())) as judge:
            for level in (3, 0, 2):
                judged = await judge.judge(
                    "q", [entry_of_level(level)], Deadline.after(UNHURRIED_S)
                )
                assert judged[0].index(max(judged[0])) == level

    async def test_a_bad_call_spoils_no_later_one(self, server):
        """
        After every kind of failure an honest call over the same pool gets its own levels.
        """
        honest = server.url("honest", fresh_token())
        async with judge_at(honest) as judge:
            exchange = judge._exchange
            for fault in ("half-then-silent", "endless-body", "resets-in-body", "nan"):
                exchange._url = server.url(fault, fresh_token())
                await outcome_of(judge, budget_s=0.2)
                exchange._url = honest
                judged = await judge.judge("q", [entry_of_level(3)], Deadline.after(UNHURRIED_S))
                assert judged[0][3] > 0.9

    async def test_a_storm_of_slow_calls_keeps_each_deadline(self, server):
        """
        Calls that wait for a connection behind slow ones give up on time too.
        """
        token = fresh_token()
        async with judge_at(server.url("silent", token), connections="2") as judge:
            outcomes = await asyncio.gather(*(outcome_of(judge) for _ in range(30)))

            assert {outcome for outcome, _, _ in outcomes} == {"late"}
            assert max(took_s for _, _, took_s in outcomes) < BUDGET_S + SLACK_S
            await wait_until(lambda: server.seen(token)["open"] == 0, "the connections to close")


class TestNetwork:
    async def test_nobody_listens(self):
        """
        A refused connection is known at once.
        """
        async with judge_at(f"http://{LOOPBACK}:{free_port()}") as judge:
            outcome, _, took_s = await outcome_of(judge)

        assert outcome == "unreachable"
        assert took_s < BUDGET_S + SLACK_S

    async def test_an_unknown_host(self):
        """
        A name that nobody knows is unreachable, or late where asking takes long.
        """
        async with judge_at("https://judge.invalid") as judge:
            outcome, _, took_s = await outcome_of(judge)

        assert outcome in {"unreachable", "late"}
        assert took_s < BUDGET_S + SLACK_S

    async def test_a_host_that_accepts_and_stands_still(self):
        """
        A connection that nobody serves costs the budget and no more.
        """
        with socket.create_server((LOOPBACK, 0)) as listening:
            async with judge_at(f"http://{LOOPBACK}:{listening.getsockname()[1]}") as judge:
                outcome, _, took_s = await outcome_of(judge)

        assert outcome == "late"
        assert took_s < BUDGET_S + SLACK_S

    @pytest.mark.parametrize(
        ("fault", "expected"),
        [
            pytest.param(BLACKHOLE, {"late"}, id="frozen"),
            pytest.param(REFUSE, {"broken", "unreachable"}, id="gone"),
        ],
    )
    async def test_a_warm_connection_that_dies_is_replaced(self, server, fault, expected):
        """
        A network that goes and comes back costs the calls in between, and no restart.
        """
        async with FaultProxy(target=f"{LOOPBACK}:{server.port}") as proxy:
            url = f"http://{proxy.address}/honest/{fresh_token()}/v1/systemone"
            async with judge_at(url) as judge:
                assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] is None
                await proxy.become(fault)
                assert (await outcome_of(judge))[0] in expected
                await proxy.become(PASS)
                assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] is None


class TestTls:
    @pytest.fixture
    async def tls_proxy(self, server, authority):
        """Give the port of a TLS server for 127.0.0.1 in front of the fault server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(LOOPBACK).configure_cert(context)
        async with tls_in_front_of(server.port, context) as port:
            yield port

    @pytest.fixture
    def trusted(self, authority, tmp_path):
        """Give the settings that trust the authority."""
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        return {"ca": str(tmp_path / "ca.pem")}

    async def test_a_trusted_server_is_asked(self, tls_proxy, trusted):
        """
        With its authority in the settings a server is used over TLS.
        """
        url = f"https://{LOOPBACK}:{tls_proxy}/honest/{fresh_token()}/v1/systemone"
        async with judge_at(url, **trusted) as judge:
            assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] is None

    async def test_an_unknown_certificate_gets_nothing(self, server, tls_proxy):
        """
        A server that nobody vouches for sees neither key nor text.
        """
        token = fresh_token()
        async with judge_at(f"https://{LOOPBACK}:{tls_proxy}/honest/{token}") as judge:
            assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] == "untrusted"

        assert server.seen(token)["posts"] == 0

    async def test_a_certificate_for_another_name_gets_nothing(self, server, authority, trusted):
        """
        A good certificate of somebody else is none.
        """
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("other.example").configure_cert(context)
        token = fresh_token()
        async with tls_in_front_of(server.port, context) as port:
            url = f"https://{LOOPBACK}:{port}/honest/{token}"
            async with judge_at(url, **trusted) as judge:
                assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] == "untrusted"

        assert server.seen(token)["posts"] == 0

    async def test_a_server_without_tls(self, server):
        """
        Plain HTTP behind https is not spoken to.
        """
        token = fresh_token()
        async with judge_at(server.url("honest", token, scheme="https")) as judge:
            assert (await outcome_of(judge, budget_s=UNHURRIED_S))[0] == "untrusted"

        assert server.seen(token)["posts"] == 0

    async def test_a_handshake_that_stands_still(self):
        """
        The deadline covers the handshake.
        """
        with socket.create_server((LOOPBACK, 0)) as listening:
            async with judge_at(f"https://{LOOPBACK}:{listening.getsockname()[1]}") as judge:
                outcome, _, took_s = await outcome_of(judge)

        assert outcome == "late"
        assert took_s < BUDGET_S + SLACK_S
