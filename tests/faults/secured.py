"""
Security in front of services that have none: TLS, and for Kafka SASL.

The embedded broker and cache speak plain text, so what our clients do about certificates and
passwords is tried against a door that stands before them and checks both, as the real ones do.

    authority = trustme.CA()
    async with Door(authority, target=cache.address) as door:
        connect(f"rediss://{door.address}/0")
"""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import secrets
import ssl
import struct
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import trustme

_LOOPBACK = "127.0.0.1"
_READ_BYTES = 65_536
_API_VERSIONS, _HANDSHAKE, _AUTHENTICATE = 18, 17, 36
_UNSUPPORTED_MECHANISM, _FAILED = 33, 58
_ITERATIONS = 4_096


@dataclass(frozen=True, slots=True)
class Account:
    """Who may pass, and how they must prove it."""

    #: `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`.
    mechanism: str
    user: str
    password: str


class Door:
    """Listens with TLS, lets through who proves themselves, and counts both."""

    def __init__(
        self,
        authority: trustme.CA,
        *,
        target: str | None = None,
        account: Account | None = None,
        asks_certificate: bool = False,
    ) -> None:
        """
        Prepare.

        Args:
            authority: signs our certificate, and those that we ask for.
            target: `host:port` behind us; may be set later.
            account: SASL, spoken as Kafka does; None for none.
            asks_certificate: clients must show a certificate.

        """
        self.target = target
        self.admitted = 0
        self.refused = 0
        self._account = account
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(_LOOPBACK).configure_cert(self._context)
        if asks_certificate:
            authority.configure_trust(self._context)
            self._context.verify_mode = ssl.CERT_REQUIRED
        self._server: asyncio.Server | None = None
        self._port = 0
        self._open: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where clients connect, `host:port`."""
        return f"{_LOOPBACK}:{self._port}"

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, _LOOPBACK, 0, ssl=self._context)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Stop listening and break what is connected."""
        if self._server is not None:
            self._server.close()
            for task in self._open:
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # One that is cancelled would be reported by the server; ours end at the end of the block.
        task = asyncio.create_task(self._pass_on(reader, writer), name="door")
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = (self.target or "").rpartition(":")
        behind = None
        # Whoever leaves in the middle is gone; there is nobody to tell.
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                inner, behind = await asyncio.open_connection(host, int(port))
                if self._account is not None and not await _admit(
                    self._account, reader, writer, inner, behind
                ):
                    self.refused += 1
                else:
                    self.admitted += 1
                    await asyncio.gather(_copy(reader, behind), _copy(inner, writer))
        finally:
            for end in (writer, behind):
                if end is not None:
                    end.close()


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(_READ_BYTES):
            sink.write(data)
            await sink.drain()
    sink.close()


async def _admit(
    account: Account,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    inner: asyncio.StreamReader,
    behind: asyncio.StreamWriter,
) -> bool:
    """Speak Kafka's SASL; tell whether the client may pass."""
    scram = _Scram(account)
    while True:
        frame = await _frame(reader)
        api, version, correlation = struct.unpack_from(">hhi", frame)
        body = _after_header(frame)
        if api == _API_VERSIONS:
            behind.write(struct.pack(">i", len(frame)) + frame)
            _send(writer, _with_sasl(await _frame(inner)))
        elif api == _HANDSHAKE:
            (length,) = struct.unpack_from(">h", body)
            known = body[2 : 2 + length].decode() == account.mechanism
            name = account.mechanism.encode()
            code = 0 if known else _UNSUPPORTED_MECHANISM
            mechanisms = struct.pack(">hih", code, 1, len(name)) + name
            _send(writer, struct.pack(">i", correlation) + mechanisms)
            if not known:
                return False
        elif api == _AUTHENTICATE:
            answer, done = scram.step(body[4:])
            if answer is None:
                _send(writer, _authenticated(correlation, version, _FAILED, b""))
                await writer.drain()
                return False
            _send(writer, _authenticated(correlation, version, 0, answer))
            if done:
                return True
        else:
            return False
        await writer.drain()


def _authenticated(correlation: int, version: int, code: int, answer: bytes) -> bytes:
    body = struct.pack(">ihhi", correlation, code, -1, len(answer)) + answer
    # From version 1 on with the life time of the session; 0 is for ever.
    return body if version == 0 else body + struct.pack(">q", 0)


async def _frame(reader: asyncio.StreamReader) -> bytes:
    (length,) = struct.unpack(">i", await reader.readexactly(4))
    return await reader.readexactly(length)


def _send(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(struct.pack(">i", len(body)) + body)


def _after_header(frame: bytes) -> bytes:
    (length,) = struct.unpack_from(">h", frame, 8)
    return frame[10 + max(0, length) :]


def _with_sasl(answer: bytes) -> bytes:
    """Add the two requests of SASL to what the broker says that it understands."""
    (count,) = struct.unpack_from(">i", answer, 6)
    ours = struct.pack(">hhh", _HANDSHAKE, 0, 1) + struct.pack(">hhh", _AUTHENTICATE, 0, 0)
    return answer[:6] + struct.pack(">i", count + 2) + ours + answer[10:]


class _Scram:
    """The server's side of PLAIN and SCRAM (RFC 4616, RFC 5802)."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._first = b""
        self._own = b""

    def step(self, message: bytes) -> tuple[bytes | None, bool]:
        """Answer one message: None is a refusal; and whether that was the last one."""
        if self._account.mechanism == "PLAIN":
            _, user, password = message.split(b"\0")
            right = (user.decode(), password.decode()) == (
                self._account.user,
                self._account.password,
            )
            return (b"" if right else None), True
        return self._begin(message) if not self._first else self._end(message)

    def _begin(self, message: bytes) -> tuple[bytes | None, bool]:
        self._first = message.removeprefix(b"n,,")
        fields = dict(part.split(b"=", 1) for part in self._first.split(b","))
        if fields[b"n"].decode() != self._account.user:
            return None, True
        self._salt = secrets.token_bytes(16)
        self._own = b"r=%s%s,s=%s,i=%d" % (
            fields[b"r"],
            secrets.token_hex(8).encode(),
            base64.b64encode(self._salt),
            _ITERATIONS,
        )
        return self._own, False

    def _end(self, message: bytes) -> tuple[bytes | None, bool]:
        name = self._account.mechanism.removeprefix("SCRAM-").replace("-", "").lower()
        without_proof, _, proof = message.rpartition(b",p=")
        secret = self._account.password.encode()
        salted = hashlib.pbkdf2_hmac(name, secret, self._salt, _ITERATIONS)
        client_key = hmac.digest(salted, b"Client Key", name)
        said = b",".join((self._first, self._own, without_proof))
        signature = hmac.digest(hashlib.new(name, client_key).digest(), said, name)
        expected = bytes(a ^ b for a, b in zip(client_key, signature, strict=True))
        if not hmac.compare_digest(expected, base64.b64decode(proof)):
            return None, True
        server = hmac.digest(hmac.digest(salted, b"Server Key", name), said, name)
        return b"v=" + base64.b64encode(server), True
