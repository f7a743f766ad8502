"""Addresses in settings: what no client could use is refused in words that do not quote it."""

import pytest
from redis.asyncio import BlockingConnectionPool

from workers.addresses import (
    REDIS_OPTIONS,
    REDIS_TCP_OPTIONS,
    REDIS_TLS_OPTIONS,
    endpoint_fault,
    host_fault,
    hosts_fault,
    redis_fault,
)

#: A value that each option takes, where "x" is none.
VALUES = {
    "db": "1",
    "health_check_interval": "5",
    "protocol": "3",
    "socket_connect_timeout": "0.5",
    "socket_timeout": "0.5",
    "ssl_cert_reqs": "required",
    "ssl_check_hostname": "true",
}
REDIS_GOOD = [
    "redis://127.0.0.1:6379/0",
    "redis://host",
    "redis://host/",
    "redis://:s3cret@host:1/15",
    "redis://user:p%2F%3F%23w@host:65535/0",
    "redis://[::1]:6379/0",
    "rediss://cache.example.com:6380/0?ssl_ca_certs=/ca.pem&db=2",
    "unix:///run/valkey.sock",
    "unix:///run/valkey.sock?db=1",
    *(f"redis://h?{name}={VALUES.get(name, 'x')}" for name in (*REDIS_OPTIONS, *REDIS_TCP_OPTIONS)),
    *(f"unix:///s?{name}={VALUES.get(name, 'x')}" for name in REDIS_OPTIONS),
    *(f"rediss://h?{name}={VALUES.get(name, 'x')}" for name in REDIS_TLS_OPTIONS),
]
REDIS_BAD = [
    "",
    "hunter2",
    "http://hunter2/",
    "redis:/hunter2",
    "redis://hunter2:notaport/0",
    "redis://h:0/hunter2",
    "redis://hunter2:0/0",
    "redis://h:65536/hunter2",
    "redis://h:99999999999/0?hunter2",
    "redis://h:-1/hunter2",
    "redis://h:６３７９/hunter2",
    "redis://:hun#ter2@h:6379/0",
    "redis://:hunter2/0@h:6379/0",
    "redis://:1?hunter2@h:6379/0",
    "redis://[::1/hunter2",
    "redis://h/hunter2",
    "redis://h/0/1?hunter2",
    "redis://h/-1?hunter2",
    "redis://h:6379/0?hunter2=x",
    "redis://h:6379/0?hunter2",
    "redis://h:6379/0?db=hunter2",
    "redis://h:6379/0?socket_timeout=hunter2",
    "redis://h:6379/0?socket_timeout=nan",
    "redis://h:6379/0?socket_timeout=0",
    "redis://h:6379/0?protocol=hunter2",
    "redis://h:6379/0?ssl_ca_certs=hunter2",
    "rediss://h:6379/0?ssl_cert_reqs=hunter2",
    "unix://?db=hunter2",
    "unix:///s?socket_keepalive=hunter2",
    "redis://a..hunter2:6379/0",
    "redis://hunter 2:6379/0",
]


class TestRedis:
    @pytest.mark.parametrize("address", REDIS_GOOD)
    def test_what_is_let_through_is_opened(self, address):
        """
        The client itself makes a connection object of it, which would fail on what it cannot use.
        """
        assert redis_fault(address) is None
        assert BlockingConnectionPool.from_url(address).make_connection()

    @pytest.mark.parametrize("address", REDIS_BAD)
    def test_what_cannot_be_used_is_said_and_not_shown(self, address):
        """
        An address may hold a password, and a wrongly written one holds it anywhere.
        """
        fault = redis_fault(address)

        assert fault
        assert "hunter2" not in fault
        assert "ter2" not in fault


class TestHosts:
    @pytest.mark.parametrize(
        "addresses", ["", "a:1", "a:1,b:65535", "a:1, b:2", "[::1]:9092", "bücher.example:9092"]
    )
    def test_what_can_be_looked_up(self, addresses):
        """
        Names, addresses, several, or none where none is allowed.
        """
        assert hosts_fault(addresses) is None

    @pytest.mark.parametrize(
        "addresses", ["a:0", "a:65536", "a:99999", "a:1,b:99999", "a..b:9092", f"{'x' * 64}:1"]
    )
    def test_what_no_socket_takes(self, addresses):
        """
        Ports that there are not, and names that cannot be looked up.
        """
        assert hosts_fault(addresses)

    @pytest.mark.parametrize("host", ["a..b", "x" * 64, "a b", "a\nb", "\ud800"], ids=ascii)
    def test_a_host_that_would_end_in_a_traceback(self, host):
        """
        Such a name is no failed look-up to Python but another kind of error.
        """
        assert host_fault(host)

    @pytest.mark.parametrize("host", ["", "localhost", "::1", "192.0.2.1", "no.such.host.invalid"])
    def test_a_host_that_may_be_looked_up(self, host):
        """
        Whether there is one, only the look-up says.
        """
        assert host_fault(host) is None


class TestEndpoint:
    @pytest.mark.parametrize("address", ["http://h", "https://h:8443/v1", "http://[::1]:1/"])
    def test_good(self, address):
        """
        A host, a port and a path.
        """
        assert endpoint_fault(address) is None

    @pytest.mark.parametrize(
        "address",
        [
            f"http://{place}"
            for place in ("h:notaport", "h:0", "h:99999", "a..b", "", "u:hunter2@h")
        ],
    )
    def test_bad(self, address):
        """
        The words say what it must be.
        """
        fault = endpoint_fault(address)

        assert fault
        assert "hunter2" not in fault
