"""Where a System One endpoint is and how it is spoken to, from the settings."""

import ipaddress
import re
import ssl
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from workers.addresses import endpoint_fault
from workers.errors import SettingsError
from workers.settings import Secret, Settings

Envelope = Literal["flat", "cloudflare"]

#: Where the protocol lies on a host; for a URL that names nothing but the host.
_PATH = "/v1/systemone"
_MODEL = re.compile(r"[A-Za-z0-9@][A-Za-z0-9_.:/@-]{0,99}")
#: What a header can carry; a line break at the end is the usual mistake of a key from a file.
_KEY = re.compile(r"[!-~]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One endpoint; build it with `endpoint_of`, which checks what it is given."""

    #: The address that requests are posted to.
    url: str
    #: Bearer key; none where it is empty.
    key: Secret
    #: The shape of an answer.
    envelope: Envelope
    #: The model to ask for.
    model: str
    #: Certificate authorities that the server is verified with; None for plain HTTP.
    tls: ssl.SSLContext | None
    #: Limit on one call where the caller's deadline is later, seconds.
    timeout_s: float
    #: Connections, and therefore calls, at once.
    connections: int
    #: Idle connections are used at least this often, seconds; 0 leaves them alone.
    warm_s: float


def endpoint_of(settings: Settings) -> Endpoint:
    """
    Read the endpoint from the settings.

    Raises:
        SettingsError: there is none, or it makes no sense; names the variable, never its value.

    """
    url = _url(settings.system_one_url)
    if not _MODEL.fullmatch(settings.system_one_model):
        raise SettingsError("TURNGATE_SYSTEM_ONE_MODEL: must be the name of a model")
    key = settings.system_one_key
    if not _KEY.fullmatch(key.reveal()):
        raise SettingsError(
            "TURNGATE_SYSTEM_ONE_KEY: must be printable ASCII without spaces and line breaks"
        )
    secure = url.scheme == "https"
    if settings.system_one_ca and not secure:
        raise SettingsError("TURNGATE_SYSTEM_ONE_CA needs a TURNGATE_SYSTEM_ONE_URL with https")
    if key and not secure and not _is_loopback(url):
        raise SettingsError("TURNGATE_SYSTEM_ONE_URL: a key goes over https only")
    return Endpoint(
        url=url.geturl(),
        key=key,
        envelope=settings.system_one_envelope,
        model=settings.system_one_model,
        tls=_tls(settings.system_one_ca) if secure else None,
        timeout_s=settings.system_one_timeout_s,
        connections=settings.system_one_connections,
        warm_s=settings.system_one_warm_s,
    )


def _url(raw: str) -> SplitResult:
    fault = endpoint_fault(raw)
    if fault is not None:
        raise SettingsError(f"TURNGATE_SYSTEM_ONE_URL: {fault}")
    url = urlsplit(raw)
    return url._replace(path=_PATH) if url.path in {"", "/"} else url


def _is_loopback(url: SplitResult) -> bool:
    host = url.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _tls(authority: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority or None)
    except (OSError, ValueError):  # no such file, or no certificate in it
        raise SettingsError("TURNGATE_SYSTEM_ONE_CA: must be a PEM file of certificates") from None
