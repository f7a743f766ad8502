"""
What an address in a setting must be, so that no client is the first to stumble over it.

Each function says what is wrong in words that never quote the value, since it may hold a password;
None where nothing is.
"""

import math
from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

_PORTS = range(1, 65_536)
_PORT = "a port must be a number from 1 to 65535"
_ESCAPES = "in a password /, ? and # are written %2F, %3F and %23"
#: What redis-py opens.
_REDIS_SCHEMES = ("redis", "rediss", "unix")
_REDIS_BEGINNINGS = " or ".join(f"{scheme}://" for scheme in _REDIS_SCHEMES)


def _whole(text: str) -> None:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("must be a whole number")


def _seconds(text: str) -> None:
    if not 0 < float(text) < math.inf:
        raise ValueError("must be a number of seconds")


def _any(_: str) -> None:
    pass


def _one_of(*choices: str) -> Callable[[str], None]:
    def check(text: str) -> None:
        if text not in choices:
            raise ValueError(f"must be {' or '.join(choices)}")

    return check


#: What may follow the `?` of a Redis address, each with what its value must be: redis-py hands on a
#: name that it does not know, and its connection fails on it.
REDIS_OPTIONS: Mapping[str, Callable[[str], None]] = {
    "client_name": _any,
    "db": _whole,
    "health_check_interval": _whole,
    "password": _any,
    "protocol": _one_of("2", "3"),
    "retry_on_timeout": _any,
    "socket_connect_timeout": _seconds,
    "socket_timeout": _seconds,
    "username": _any,
}
#: The same, where it is reached over TCP.
REDIS_TCP_OPTIONS: Mapping[str, Callable[[str], None]] = {"socket_keepalive": _any}
#: The same, where the address begins with `rediss://`.
REDIS_TLS_OPTIONS: Mapping[str, Callable[[str], None]] = {
    "ssl_ca_certs": _any,
    "ssl_ca_path": _any,
    "ssl_cert_reqs": _one_of("none", "optional", "required"),
    "ssl_certfile": _any,
    "ssl_check_hostname": _any,
    "ssl_keyfile": _any,
    "ssl_password": _any,
}


def host_fault(host: str) -> str | None:
    """Say why a host's name or address could not even be looked up."""
    if any(letter.isspace() or not letter.isprintable() for letter in host):
        return "a host's name holds no space"
    try:
        host.encode("idna")
    except UnicodeError:
        return "must be the name or address of a host"
    return None


def hosts_fault(addresses: str) -> str | None:
    """Say what is wrong with `host:port`, several separated by commas; their form is settled."""
    for address in addresses.split(",") if addresses else ():
        host, _, port = address.strip().rpartition(":")
        if int(port) not in _PORTS:
            return _PORT
        fault = host_fault(host.strip("[]"))
        if fault is not None:
            return fault
    return None


def redis_fault(address: str) -> str | None:
    """Say what is wrong with the address of a Redis or Valkey."""
    scheme, separator, _ = address.partition("://")
    if not separator or scheme not in _REDIS_SCHEMES:
        return f"must begin with {_REDIS_BEGINNINGS}"
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        # The library's words may quote a part of it.
        return f"{_PORT}, and an IPv6 address stands in brackets; {_ESCAPES}"
    if "#" in address:
        return f"holds a #; {_ESCAPES}"
    return _server_fault(url, port) or _options_fault(url)


def _server_fault(url: SplitResult, port: int | None) -> str | None:
    if url.scheme == "unix":
        return None if url.path else "must name a socket file"
    if port is not None and port not in _PORTS:
        return _PORT
    database = unquote(url.path).removeprefix("/")
    if database and not (database.isascii() and database.isdigit()):
        return "after the / stands the number of a database"
    return host_fault(unquote(url.hostname or ""))


def endpoint_fault(address: str) -> str | None:
    """Say what is wrong with the address of a System One endpoint."""
    wanted = "must be http://host or https://host and path"
    try:
        url = urlsplit(address)
        good = url.scheme in {"http", "https"} and url.hostname and url.port != 0
    except ValueError:
        return wanted
    if not good or not address.isascii() or not address.isprintable() or " " in address:
        return wanted
    if url.username is not None or url.password is not None or url.query or url.fragment:
        return "must hold no user, password, query or fragment; the key is TURNGATE_SYSTEM_ONE_KEY"
    return host_fault(url.hostname or "")


def _options_fault(url: SplitResult) -> str | None:
    known = dict(REDIS_OPTIONS)
    if url.scheme != "unix":
        known |= REDIS_TCP_OPTIONS
    if url.scheme == "rediss":
        known |= REDIS_TLS_OPTIONS
    for name, values in parse_qs(url.query, keep_blank_values=True).items():
        if name not in known:
            # It may be a part of a password, so it is not shown.
            return f"after the ? only these may stand: {', '.join(sorted(known))}"
        try:
            known[name](values[0])
        except ValueError as error:
            said = str(error) if str(error).startswith("must") else "must be a number"
            return f"{name} after the ? {said}"
    return None
