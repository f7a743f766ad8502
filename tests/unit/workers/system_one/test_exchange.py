"""What errors of the HTTP library mean to us."""

import ssl
from unittest import mock

import aiohttp
import pytest
from aiohttp import client_exceptions
from aiohttp.http import HttpProcessingError

from workers.system_one.errors import Failure
from workers.system_one.exchange import failure_of

_KEY = mock.Mock(spec=aiohttp.client_reqrep.ConnectionKey, host="h", port=1, ssl=True)
_INFO = mock.Mock(spec=aiohttp.RequestInfo, real_url="http://h/")
_REFUSED = ConnectionRefusedError(111, "refused")
_CERTIFICATE = ssl.SSLCertVerificationError(1, "self-signed")

#: Every error of the library's client, with arguments that make one, and what it means.
_MEANINGS = {
    "ClientError": ((), Failure.BROKEN),
    "ClientConnectionError": ((), Failure.BROKEN),
    "ClientConnectionResetError": ((), Failure.BROKEN),
    "ClientOSError": ((104, "reset"), Failure.BROKEN),
    "ClientPayloadError": ((), Failure.BROKEN),
    "UploadAbortedError": ((), Failure.BROKEN),
    "RedirectClientError": ((), Failure.BROKEN),
    "ServerConnectionError": ((), Failure.BROKEN),
    "ServerDisconnectedError": ((), Failure.BROKEN),
    "ServerTimeoutError": ((), Failure.BROKEN),
    "SocketTimeoutError": ((), Failure.BROKEN),
    "ConnectionTimeoutError": ((), Failure.UNREACHABLE),
    "ClientConnectorError": ((_KEY, _REFUSED), Failure.UNREACHABLE),
    "ClientConnectorDNSError": ((_KEY, _REFUSED), Failure.UNREACHABLE),
    "ClientProxyConnectionError": ((_KEY, _REFUSED), Failure.UNREACHABLE),
    "UnixClientConnectorError": (("/s", _KEY, _REFUSED), Failure.UNREACHABLE),
    "InvalidURL": (("x",), Failure.UNREACHABLE),
    "InvalidUrlClientError": (("x",), Failure.UNREACHABLE),
    "InvalidUrlRedirectClientError": (("x",), Failure.UNREACHABLE),
    "NonHttpUrlClientError": (("x",), Failure.UNREACHABLE),
    "NonHttpUrlRedirectClientError": (("x",), Failure.UNREACHABLE),
    "ClientSSLError": ((_KEY, _REFUSED), Failure.UNTRUSTED),
    "ClientConnectorSSLError": ((_KEY, _REFUSED), Failure.UNTRUSTED),
    "ClientConnectorCertificateError": ((_KEY, _CERTIFICATE), Failure.UNTRUSTED),
    "ServerFingerprintMismatch": ((b"a", b"b", "h", 1), Failure.UNTRUSTED),
    "ClientResponseError": ((_INFO, ()), Failure.MALFORMED),
    "ClientHttpProxyError": ((_INFO, ()), Failure.MALFORMED),
    "ContentTypeError": ((_INFO, ()), Failure.MALFORMED),
    "TooManyRedirects": ((_INFO, ()), Failure.MALFORMED),
    "WSServerHandshakeError": ((_INFO, ()), Failure.MALFORMED),
}


class TestFailureOf:
    def test_every_error_of_the_library_is_thought_of(self):
        """
        A new release that brings a new error fails here, not at night.
        """
        known = {
            name
            for name, value in vars(client_exceptions).items()
            if isinstance(value, type) and issubclass(value, aiohttp.ClientError)
        }

        assert known == _MEANINGS.keys()

    @pytest.mark.parametrize("name", _MEANINGS)
    def test_each_has_its_meaning(self, name):
        """
        Each error of the library is one failure of ours.
        """
        arguments, meaning = _MEANINGS[name]

        assert failure_of(getattr(client_exceptions, name)(*arguments)) is meaning

    @pytest.mark.parametrize(
        ("error", "meaning"),
        [
            pytest.param(ssl.SSLError(1, "record"), Failure.UNTRUSTED, id="tls"),
            pytest.param(ConnectionResetError(104, "reset"), Failure.BROKEN, id="reset"),
            pytest.param(HttpProcessingError(message="x"), Failure.MALFORMED, id="parser"),
            pytest.param(TimeoutError(110, "timed out"), Failure.BROKEN, id="kernel gave up"),
        ],
    )
    def test_errors_of_sockets(self, error, meaning):
        """
        What passes the library by has a meaning too.
        """
        assert failure_of(error) is meaning
