"""
One HTTP exchange with the endpoint: everything that aiohttp knows ends here.

No retries, no redirects, no cookies, no compression, no proxy of the environment, no time limits of
the library's own: whoever calls puts one deadline around the whole.
"""

import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import aiohttp
from aiohttp.http import HttpProcessingError

from workers.system_one.endpoint import Endpoint
from workers.system_one.errors import Failure, JudgeUnavailable

#: Longest answer that is read, bytes; eight honest answers with their legends have about 10,000.
MAX_ANSWER_BYTES = 262_144
#: Bytes that the kernel keeps for us, roughly: a flood is read in pieces so small that the event
#: loop is never away for more than a few milliseconds; an honest answer still fits.
_RECEIVE_BYTES = 16_384
#: Connections kept in use while nobody asks: for one call, and one that comes beside it.
WARM_CONNECTIONS = 2
#: How long an address stays known, seconds: a lookup runs in a thread that nobody can stop.
_DNS_TTL_S = 300
#: Idle connections beyond the warm ones are closed after this, seconds.
_KEEPALIVE_S = 30.0
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "turngate",
}


class Exchange:
    """The connections to one endpoint; build one with `open_exchange`."""

    def __init__(self, session: aiohttp.ClientSession, endpoint: Endpoint) -> None:
        self._session = session
        self._url = endpoint.url
        self._key = endpoint.key

    async def post(self, body: bytes) -> bytes:
        """
        Send one body and return the answer's; being cancelled closes the connection at once.

        Raises:
            JudgeUnavailable: anything but an answer with status 200 and a body of bearable size.

        """
        try:
            return await self._post(body)
        except _FOREIGN as error:
            failure = failure_of(error)
        # Raised outside, so that the library's error is not chained: it holds headers and address.
        raise JudgeUnavailable(failure)

    async def touch(self) -> None:
        """
        Use one connection, or make one, without asking anything; the status does not matter.

        Raises:
            JudgeUnavailable: there is no connection to be had.

        """
        try:
            response = await self._session.head(self._url, allow_redirects=False)
            response.release()
        except _FOREIGN as error:
            failure = failure_of(error)
        else:
            return
        raise JudgeUnavailable(failure)

    async def _post(self, body: bytes) -> bytes:
        headers = {"Authorization": f"Bearer {self._key.reveal()}"} if self._key else None
        response = await self._session.post(
            self._url, data=body, headers=headers, allow_redirects=False
        )
        try:
            _check_status(response.status)
            return await _read(response)
        finally:
            # Keeps the connection where the answer was read to its end, closes it elsewhere.
            response.release()


def failure_of(error: Exception) -> Failure:
    """Name what an error of aiohttp or of a socket means."""
    for kinds, failure in _MEANINGS:
        if isinstance(error, kinds):
            return failure
    return Failure.BROKEN


_MEANINGS: tuple[tuple[tuple[type[Exception], ...], Failure], ...] = (
    ((aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch, ssl.SSLError), Failure.UNTRUSTED),
    ((aiohttp.ClientConnectorError, aiohttp.InvalidURL), Failure.UNREACHABLE),
    ((aiohttp.NonHttpUrlClientError, aiohttp.ConnectionTimeoutError), Failure.UNREACHABLE),
    ((aiohttp.ClientResponseError, HttpProcessingError), Failure.MALFORMED),
)
#: All that the library raises while it talks; mistakes of ours pass.
_FOREIGN = (aiohttp.ClientError, HttpProcessingError, OSError)


@asynccontextmanager
async def open_exchange(endpoint: Endpoint) -> AsyncIterator[Exchange]:
    """Open the connection pool; the endpoint need not be up."""
    connector = aiohttp.TCPConnector(
        # Warming never takes a call's place, not even where the server lets it hang.
        limit=endpoint.connections + WARM_CONNECTIONS,
        keepalive_timeout=max(_KEEPALIVE_S, 2 * endpoint.warm_s),
        ttl_dns_cache=_DNS_TTL_S,
        ssl=endpoint.tls or True,
        socket_factory=_small_socket,
    )
    async with aiohttp.ClientSession(
        connector=connector,
        headers=_HEADERS,
        timeout=aiohttp.ClientTimeout(),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
    ) as session:
        yield Exchange(session, endpoint)


def _small_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    family, kind, protocol, *_ = address
    connection = socket.socket(family, kind, protocol)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BYTES)
    return connection


def _check_status(status: int) -> None:
    if status == HTTPStatus.OK:
        return
    raise JudgeUnavailable(_failure_of_status(status), status=status)


def _failure_of_status(status: int) -> Failure:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return Failure.UNAUTHORISED
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Failure.RATE_LIMITED
    hundreds = {3: Failure.REDIRECTED, 4: Failure.REJECTED, 5: Failure.SERVER_ERROR}
    return hundreds.get(status // 100, Failure.MALFORMED)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise JudgeUnavailable(Failure.MALFORMED)
    if (response.content_length or 0) > MAX_ANSWER_BYTES:
        raise JudgeUnavailable(Failure.TOO_LARGE)
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise JudgeUnavailable(Failure.TOO_LARGE)
    return bytes(body)
