"""
A System One server that misbehaves as the first part of the path says.

    python -m tests.faults.system_one 8123

`POST /FAULT/TOKEN/v1/systemone` is answered as `FAULTS[FAULT]` does, counted under TOKEN;
`GET /seen/TOKEN` tells the counts. `/honest/` and `/cloudflare/` keep the protocol to the letter:
they refuse what a strict server refuses and give the entry whose content holds `level N` level N.
"""

import asyncio
import contextlib
import re
import socket
import struct
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

#: The key that the honest server takes.
KEY = "sk-test-9f2c71d0"
#: Between two drops of a dripping answer, seconds.
_DROP_S = 0.02
#: Before an honest answer that is late, seconds.
_LATE_S = 3.0
_CHUNK = b"x" * 65_536
_MAX_BODY_BYTES = 65_536
_MAX_QUESTIONS = 64


@dataclass(slots=True)
class Seen:
    """What came in under one token."""

    #: Connections that brought a request.
    connections: int = 0
    #: POST requests.
    posts: int = 0
    #: Requests that only use a connection.
    touches: int = 0
    #: Connections that are open now.
    open: int = 0


@dataclass(slots=True)
class Call:
    """One request, and where its answer goes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    path: str
    headers: dict[str, str]
    body: bytes
    #: Body of the request before this one under the same token; this one where it is the first.
    previous: bytes = b""

    async def send(self, raw: bytes) -> None:
        """Write bytes as they are."""
        self.writer.write(raw)
        await self.writer.drain()

    async def gone(self) -> None:
        """Wait until the client has left."""
        while await self.reader.read(65_536):
            pass


class _Hangup(Exception):
    """The connection is over."""


def head(length: int, *, status: str = "200 OK", more: str = "") -> bytes:
    """Write the head of an answer."""
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
        f"{more}\r\n"
    ).encode()


def whole(body: bytes, *, status: str = "200 OK", more: str = "") -> bytes:
    """Write an answer in good order."""
    return head(len(body), status=status, more=more) + body


# Honest answers


def honest_answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answer each question from its entry alone."""
    return {
        "model": request["model"] + "-2026",
        "answers": {name: _score(asked) for name, asked in request["questions"].items()},
        "usage": {"input_tokens": 10, "output_tokens": len(request["questions"])},
    }


def _score(asked: dict[str, Any]) -> dict[str, Any]:
    found = re.search(r"level ([0-3])", asked["instructions"]["entry"].get("content", ""))
    level = int(found[1]) if found else 0
    levels = {str(index): 0.91 if index == level else 0.03 for index in range(4)}
    return {
        "type": "score",
        "score": sum(int(index) * share for index, share in levels.items()),
        "confidence": 0.91,
        "legend": {str(index): text for index, text in enumerate(asked["criteria"])},
        "probabilities": levels,
    }


def refusal(call: Call) -> bytes | None:
    """What a strict server says of a request that is not to the letter; None if all is well."""
    if call.headers.get("authorization") != f"Bearer {KEY}":
        return whole(b'{"detail":"no key"}', status="401 Unauthorized")
    if len(call.body) > _MAX_BODY_BYTES:
        return whole(b'{"detail":"too long"}', status="413 Content Too Large")
    try:
        _check(orjson.loads(call.body))
    except (AssertionError, KeyError, TypeError, AttributeError, ValueError) as error:
        detail = orjson.dumps({"detail": [{"msg": repr(error)}]})
        return whole(detail, status="422 Unprocessable Content")
    return None


def _check(request: dict[str, Any]) -> None:
    assert request.keys() == {"model", "state", "questions"}
    assert isinstance(request["model"], str)
    assert isinstance(request["state"], str | dict | list)
    assert 1 <= len(request["questions"]) <= _MAX_QUESTIONS
    for name, asked in request["questions"].items():
        assert re.fullmatch(r"[A-Za-z0-9_.-]{1,100}", name)
        assert asked.keys() == {"type", "instructions", "criteria"}
        assert asked["type"] == "score"
        assert isinstance(asked["criteria"], list)
        assert 2 <= len(asked["criteria"]) <= 10
        assert all(isinstance(text, str) for text in asked["criteria"])


async def _honest(call: Call) -> None:
    refused = refusal(call)
    await call.send(refused or whole(orjson.dumps(honest_answer(orjson.loads(call.body)))))


async def _cloudflare(call: Call) -> None:
    if refused := refusal(call):
        await call.send(refused)
        return
    answer = honest_answer(orjson.loads(call.body))
    await call.send(whole(orjson.dumps(_envelope(answer))))


def _envelope(result: object, *, success: object = True) -> dict[str, Any]:
    return {"result": result, "success": success, "errors": [], "messages": []}


# Answers that are other than they should be: each gets an honest one and returns what is sent

Change = Callable[[dict[str, Any]], Any]


def _each(change: Callable[[dict[str, Any]], Any]) -> Change:
    """Change every answer."""

    def apply(body: dict[str, Any]) -> Any:
        answers = body["answers"].items()
        return body | {"answers": {name: change(answer) for name, answer in answers}}

    return apply


def _last(change: Callable[[dict[str, Any]], Any]) -> Change:
    """Change the last answer only."""

    def apply(body: dict[str, Any]) -> Any:
        name = list(body["answers"])[-1]
        return body | {"answers": body["answers"] | {name: change(body["answers"][name])}}

    return apply


def _levels(**changed: object) -> Callable[[dict[str, Any]], Any]:
    """Give some levels, named `p0` to `p9`, other probabilities; None takes the level out."""

    def apply(answer: dict[str, Any]) -> Any:
        given = answer["probabilities"] | {name[1:]: value for name, value in changed.items()}
        kept = {name: value for name, value in given.items() if value is not None}
        return answer | {"probabilities": kept}

    return apply


def _without(*names: str) -> Callable[[dict[str, Any]], Any]:
    return lambda answer: {name: value for name, value in answer.items() if name not in names}


def _literal(text: bytes) -> Change:
    """Put what no JSON writer writes in place of every 0.91."""
    return lambda body: orjson.dumps(body).replace(b"0.91", text)


#: Odd, but the protocol: these must be understood.
ODDITIES: dict[str, Change] = {
    "bare": lambda body: {
        "answers": {
            name: {"probabilities": answer["probabilities"]}
            for name, answer in body["answers"].items()
        }
    },
    "other-order": lambda body: body | {"answers": dict(reversed(body["answers"].items()))},
    "extras": lambda body: (
        _each(lambda answer: answer | {"reasoning": "…", "entropy": None})(body)
        | {"latency_ms": 3, "x_debug": [1, {"a": None}]}
    ),
    "extra-answers": lambda body: body | {"answers": {"z9": {"type": "noul"}} | body["answers"]},
    "two-decimals": _each(_levels(p0=0.33, p1=0.33, p2=0.33, p3=0.0)),
    "sum-103": _each(_levels(p0=0.26, p1=0.26, p2=0.26, p3=0.25)),
    "integers": _each(_levels(p0=0, p1=0, p2=0, p3=1)),
    "strange-confidence": _each(lambda answer: answer | {"confidence": "high", "legend": None}),
    "number-as-model": lambda body: body | {"model": 7},
}

#: Lies and broken bodies, all with status 200 and in good HTTP.
LIES: dict[str, Change] = {
    "truncated-json": lambda body: orjson.dumps(body)[:-40],
    "empty": lambda _: b"",
    "html": lambda _: b"<!doctype html><title>Bad gateway</title>",
    "not-utf-8": lambda body: orjson.dumps(body) + b"\xff\xfe",
    "utf-16": lambda body: orjson.dumps(body).decode().encode("utf-16"),
    "two-documents": lambda body: orjson.dumps(body) * 2,
    "deep": lambda _: b"[" * 100_000,
    "null": lambda _: None,
    "list": lambda body: [body],
    "string": lambda _: "ok",
    "nan": _literal(b"NaN"),
    "infinity": _literal(b"Infinity"),
    "beyond-floats": _literal(b"1e999"),
    "huge-integer": _literal(b"9" * 400),
    "no-answers": _without("answers"),
    "error-as-success": lambda _: {"error": {"message": "overloaded"}},
    "answers-as-list": lambda body: body | {"answers": list(body["answers"].values())},
    "answers-null": lambda body: body | {"answers": None},
    "one-missing": lambda body: body | {"answers": dict(list(body["answers"].items())[:-1])},
    "first-only": lambda body: body | {"answers": dict(list(body["answers"].items())[:1])},
    "other-names": lambda body: (
        body | {"answers": {f"q{index}": value for index, value in enumerate(body["answers"])}}
    ),
    "one-refused": _last(lambda _: {"type": "refusal", "reason": "policy"}),
    "one-null": _last(lambda _: None),
    "one-string": _last(lambda _: "3"),
    "other-type": _each(lambda answer: answer | {"type": "choice"}),
    "no-probabilities": _each(_without("probabilities")),
    "probabilities-null": _each(lambda answer: answer | {"probabilities": None}),
    "probabilities-list": _each(lambda answer: answer | {"probabilities": [0.1, 0.2, 0.3, 0.4]}),
    "level-missing": _last(_levels(p0=None)),
    "levels-from-one": _each(_levels(p0=None, p4=0.03)),
    "level-too-many": _each(_levels(p4=0.0)),
    "strings": _each(_levels(p0="0.91")),
    "booleans": _each(_levels(p0=True, p1=False, p2=False, p3=False)),
    "negative": _last(_levels(p0=-0.2, p1=0.6, p2=0.3, p3=0.3)),
    "above-one": _last(_levels(p0=1.5, p1=-0.5, p2=0.0, p3=0.0)),
    "percent": _each(_levels(p0=91, p1=3, p2=3, p3=3)),
    "sum-too-small": _last(_levels(p0=0.2, p1=0.2, p2=0.2, p3=0.2)),
    "sum-too-large": _last(_levels(p0=0.3, p1=0.3, p2=0.3, p3=0.3)),
    "all-zero": _last(_levels(p0=0, p1=0, p2=0, p3=0)),
    "nested-probability": _each(_levels(p0={"p": 0.91})),
}

#: The same, inside the envelope of Cloudflare or what should be it.
ENVELOPES: dict[str, Change] = {
    "no-success": lambda _: _envelope(None, success=False),
    "success-as-text": lambda body: _envelope(body, success="true"),
    "failure-with-result": lambda body: _envelope(body, success=False),
    "result-null": lambda _: _envelope(None),
    "result-as-text": lambda body: _envelope(orjson.dumps(body).decode()),
    "no-envelope": lambda body: body,
}

#: Whole answers with another status; the server echoes what it was sent, as some do.
STATUSES = {
    "204 No Content", "206 Partial Content", "300 Multiple Choices", "301 Moved Permanently",
    "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect",
    "400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found",
    "405 Method Not Allowed", "413 Content Too Large", "422 Unprocessable Content",
    "429 Too Many Requests", "500 Internal Server Error", "502 Bad Gateway",
    "503 Service Unavailable", "529 Overloaded", "799 Whatever",
}  # fmt: skip


def _changed(change: Change) -> Callable[[Call], Awaitable[None]]:
    async def answer(call: Call) -> None:
        sent = change(honest_answer(orjson.loads(call.body)))
        await call.send(whole(sent if isinstance(sent, bytes) else orjson.dumps(sent)))

    return answer


def _with_status(status: str) -> Callable[[Call], Awaitable[None]]:
    async def answer(call: Call) -> None:
        _, _, token, _ = call.path.split("/", 3)
        more = f"Location: /honest/{token}/v1/systemone\r\nRetry-After: 0\r\n"
        body = b"" if status.startswith("204") else b'{"echo":' + call.body + b"}"
        await call.send(whole(body, status=status, more=more))

    return answer


# Answers at the wrong time, or without end


async def _silent(call: Call) -> None:
    await call.gone()


async def _drip(call: Call, raw: bytes, step: int) -> None:
    for start in range(0, len(raw), step):
        await call.send(raw[start : start + step])
        await asyncio.sleep(_DROP_S)


async def _slow_head(call: Call) -> None:
    await _drip(call, whole(orjson.dumps(honest_answer(orjson.loads(call.body)))), 1)


async def _slow_body(call: Call) -> None:
    body = orjson.dumps(honest_answer(orjson.loads(call.body)))
    await call.send(head(len(body)))
    await _drip(call, body, 1)


async def _slow_chunks(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for byte in orjson.dumps(honest_answer(orjson.loads(call.body))):
        await call.send(b"1\r\n%c\r\n" % byte)
        await asyncio.sleep(_DROP_S)


async def _half_then_silent(call: Call) -> None:
    raw = whole(orjson.dumps(honest_answer(orjson.loads(call.body))))
    await call.send(raw[: len(raw) // 2])
    await call.gone()


async def _all_but_the_end(call: Call) -> None:
    body = orjson.dumps(honest_answer(orjson.loads(call.body)))
    await call.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    await call.send(b"%x\r\n%b\r\n" % (len(body), body))
    await call.gone()


async def _late(call: Call) -> None:
    await asyncio.sleep(_LATE_S)
    await _honest(call)


async def _stale(call: Call) -> None:
    await call.send(whole(orjson.dumps(honest_answer(orjson.loads(call.previous)))))


async def _twice(call: Call) -> None:
    await call.send(whole(orjson.dumps(honest_answer(orjson.loads(call.body)))) * 2)


async def _continues(call: Call) -> None:
    while True:
        await call.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000)
        await asyncio.sleep(0)


def _flood(start: bytes, again: bytes) -> Callable[[Call], Awaitable[None]]:
    async def answer(call: Call) -> None:
        await call.send(start)
        while True:
            await call.send(again)
            await asyncio.sleep(0)  # sending alone lets nobody else run while there is room

    return answer


# Connections that end, and bytes that are no HTTP


def _then_close(raw: Callable[[bytes], bytes]) -> Callable[[Call], Awaitable[None]]:
    async def answer(call: Call) -> None:
        await call.send(raw(orjson.dumps(honest_answer(orjson.loads(call.body)))))
        raise _Hangup

    return answer


def _in_pieces(*pieces: bytes) -> Callable[[Call], Awaitable[None]]:
    """Send pieces that reach the client one by one, then wait until it leaves."""

    async def answer(call: Call) -> None:
        for piece in pieces:
            await call.send(piece)
            await asyncio.sleep(_DROP_S)
        await call.gone()

    return answer


async def _reset(call: Call) -> None:
    raw = whole(orjson.dumps(honest_answer(orjson.loads(call.body))))
    await call.send(raw[: len(raw) // 2])
    farewell = struct.pack("ii", 1, 0)  # SO_LINGER on, zero seconds: a reset
    call.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, farewell)
    call.writer.transport.abort()
    raise _Hangup


_BEGUN = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
_BIG_CHUNK = b"%x\r\n%b\r\n" % (len(_CHUNK), _CHUNK)

#: Timing, floods and broken connections.
WIRE: dict[str, Callable[[Call], Awaitable[None]]] = {
    "silent": _silent,
    "slow-head": _slow_head,
    "slow-body": _slow_body,
    "slow-chunks": _slow_chunks,
    "half-then-silent": _half_then_silent,
    "all-but-the-end": _all_but_the_end,
    "late": _late,
    "stale": _stale,
    "twice": _twice,
    "continues": _continues,
    "endless-chunks": _flood(_BEGUN, _BIG_CHUNK),
    "endless-body": _flood(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", _CHUNK),
    "endless-spaces": _flood(_BEGUN, b"10000\r\n" + b" " * 65_536 + b"\r\n"),
    "endless-chunk-extension": _flood(_BEGUN + b"1;a=", _CHUNK),
    "endless-header": _flood(b"HTTP/1.1 200 OK\r\nX-Long: ", _CHUNK),
    "endless-headers": _flood(b"HTTP/1.1 200 OK\r\n", b"X-Many: many\r\n" * 1_000),
    "endless-status-line": _flood(b"HTTP/1.1 200 ", _CHUNK),
    # One piece with its head: what a client calls trailers that come later depends on the moment.
    "endless-trailers": _flood(
        _BEGUN + b"0\r\n" + b"X-Trailer: x\r\n" * 1_000, b"X-Trailer: x\r\n" * 1_000
    ),
    "announces-much": _flood(head(2**40), b"x"),
    "announces-nonsense": _flood(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", b"x"),
    "closes-at-once": _then_close(lambda _: b""),
    "closes-in-head": _then_close(lambda body: whole(body)[:20]),
    "closes-in-body": _then_close(lambda body: whole(body)[:-30]),
    "closes-in-chunk": _then_close(lambda body: _BEGUN + b"%x\r\n%b" % (len(body) + 9, body)),
    "resets-in-body": _reset,
    "compressed": _then_close(lambda body: whole(body, more="Content-Encoding: gzip\r\n")),
    "other-protocol": _then_close(lambda _: b"SSH-2.0-OpenSSH_9.9\r\n"),
    "bad-chunk": _then_close(lambda _: _BEGUN + b"zz\r\n{}\r\n"),
    "later-bad-chunk": _in_pieces(_BEGUN, b'3\r\n{"a\r\n', b"zz\r\n{}\r\n"),
    "later-bad-chunk-end": _in_pieces(_BEGUN, b'3\r\n{"a', b"no line break"),
    "later-bad-trailer": _in_pieces(_BEGUN, b"2\r\n{}\r\n0\r\n", b"nonsense\r\n\r\n"),
    "later-huge-trailer": _in_pieces(_BEGUN, b"2\r\n{}\r\n0\r\n", b"X: " + _CHUNK + _CHUNK),
    "later-bad-head": _in_pieces(b"HTTP/1.1 200 OK\r\n", b"Content-Length: -5\r\n\r\n"),
    "later-second-head": _in_pieces(b"HTTP/1.1 103 Early Hints\r\n\r\n", b"nonsense\r\n\r\n"),
    "two-lengths": _then_close(
        lambda body: head(len(body), more="Content-Length: 3\r\n") + body
    ),
    "header-without-colon": _then_close(lambda body: whole(body, more="nonsense\r\n")),
    "switches-protocols": _then_close(
        lambda _: b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
    ),
}  # fmt: skip

FAULTS: dict[str, Callable[[Call], Awaitable[None]]] = (
    {"honest": _honest, "cloudflare": _cloudflare}
    | {name: _changed(change) for name, change in (ODDITIES | LIES | ENVELOPES).items()}
    | {status.replace(" ", "-"): _with_status(status) for status in STATUSES}
    | WIRE
)


# Serving


class Server:
    """All faults on one port."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, Seen] = defaultdict(Seen)
        self._last: dict[str, bytes] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        ends = (OSError, asyncio.IncompleteReadError, _Hangup)
        with contextlib.suppress(*ends), contextlib.ExitStack() as stack:
            await self._converse(reader, writer, stack)
        writer.close()

    async def _converse(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stack: contextlib.ExitStack,
    ) -> None:
        tokens: set[str] = set()
        async for method, call in _requests(reader, writer):
            _, fault, token, *_ = (*call.path.split("/"), "", "")
            if fault == "seen":
                await call.send(whole(orjson.dumps(self._seen[token])))
                continue
            if token not in tokens:
                tokens.add(token)
                stack.enter_context(self._connected(token))
            call.previous = self._last.get(token, call.body)
            self._last[token] = call.body
            await self._answer(method, fault, self._seen[token], call)

    @contextlib.contextmanager
    def _connected(self, token: str) -> Iterator[None]:
        self._seen[token].connections += 1
        self._seen[token].open += 1
        try:
            yield
        finally:
            self._seen[token].open -= 1

    async def _answer(self, method: str, fault: str, seen: Seen, call: Call) -> None:
        if method == "POST":
            seen.posts += 1
            await FAULTS[fault](call)
        else:
            seen.touches += 1
            await call.send(head(0, status="405 Method Not Allowed"))


async def _requests(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> AsyncIterator[tuple[str, Call]]:
    while start := await reader.readline():
        try:
            method, path, _ = start.decode().split(" ")
        except ValueError:  # no HTTP, such as a TLS handshake
            writer.write(whole(b"{}", status="400 Bad Request"))
            raise _Hangup from None
        headers = {}
        while (line := await reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        yield method, Call(reader, writer, path, headers, body)


async def main(port: int) -> None:
    """Serve until the process ends."""
    server = await asyncio.start_server(Server().serve, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
