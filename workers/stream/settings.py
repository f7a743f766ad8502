"""What the stream layer needs to know, and how it is taken from the worker's settings."""

import ssl
from dataclasses import dataclass

from workers.errors import SettingsError
from workers.settings import Secret, Settings

_NO_SECRET = Secret()
#: What `kafka_security` may be for TLS.
_WITH_TLS = ("SSL", "SASL_SSL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Security:
    """How to talk to the brokers; the default is plain text without authentication."""

    #: TLS towards the brokers; None means plain text.
    tls: ssl.SSLContext | None = None
    #: SASL mechanism, as `SCRAM-SHA-512`; empty means no authentication.
    mechanism: str = ""
    #: SASL user.
    user: str = ""
    #: SASL password.
    password: Secret = _NO_SECRET


_PLAIN_TEXT = Security()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """One consumer group member and its producer."""

    #: Bootstrap addresses, `host:port` separated by commas.
    brokers: str
    #: Consumer group.
    group: str
    #: Name of this process in the brokers' logs and quotas.
    client_id: str = "turngate"
    #: How to talk to the brokers.
    security: Security = _PLAIN_TEXT
    #: How long the group waits for a silent member.
    session_s: float = 10.0
    #: How often the group is told that we live, if a third of the session is not shorter.
    heartbeat_s: float = 2.0
    #: How often handled offsets are committed.
    commit_s: float = 1.0
    #: How long a fetch waits for records. The embedded broker always waits it out: 5 to 20 there.
    fetch_wait_ms: int = 50
    #: How long a record may take to be stored.
    produce_s: float = 5.0
    #: Events that may wait for one agent; older ones wait at the broker, where they can be seen.
    buffer: int = 64
    #: How long a rebalance waits for the event in hand, so that it is not done twice.
    handover_s: float = 5.0

    @property
    def poll_records(self) -> int:
        """How many records one poll brings at most; it is made only with room for all of them."""
        return max(1, self.buffer // 4)


def stream_settings(settings: Settings, *, client_id: str) -> StreamSettings:
    """
    Take what this layer needs.

    Raises:
        SettingsError: SASL without a user or password, an unreadable certificate, or one of them
            where nothing would use it.

    """
    return StreamSettings(
        brokers=settings.kafka,
        group=settings.prefix + settings.group,
        client_id=client_id,
        security=_security(settings),
        session_s=settings.kafka_session_s,
        commit_s=settings.kafka_commit_s,
        fetch_wait_ms=settings.kafka_fetch_wait_ms,
        produce_s=settings.kafka_produce_s,
    )


def _security(settings: Settings) -> Security:
    _refuse_surprises(settings)
    with_tls = settings.kafka_security in _WITH_TLS
    # Faust and aiokafka fall back to plain text where no context is given: always make one.
    tls = _tls(settings) if with_tls else None
    if not settings.kafka_security.startswith("SASL"):
        return Security(tls=tls)
    if not settings.kafka_user or not settings.kafka_password:
        raise SettingsError("TURNGATE_KAFKA_USER and TURNGATE_KAFKA_PASSWORD are needed for SASL")
    return Security(
        tls=tls,
        mechanism=settings.kafka_sasl,
        user=settings.kafka_user,
        password=settings.kafka_password,
    )


def _refuse_surprises(settings: Settings) -> None:
    """Whoever names an authority or a password wants it used; plain text would be a surprise."""
    security = settings.kafka_security
    if not security.startswith("SASL"):
        for name, given in (("USER", settings.kafka_user), ("PASSWORD", settings.kafka_password)):
            if given:
                raise SettingsError(
                    f"TURNGATE_KAFKA_{name} needs TURNGATE_KAFKA_SECURITY to be SASL_SSL or "
                    f"SASL_PLAINTEXT; it is {security}"
                )
    if security not in _WITH_TLS:
        for name in ("ca", "cert", "key"):
            if getattr(settings, f"kafka_{name}"):
                raise SettingsError(
                    f"TURNGATE_KAFKA_{name.upper()} needs TURNGATE_KAFKA_SECURITY to be "
                    f"{' or '.join(_WITH_TLS)}; it is {security}"
                )
    if settings.kafka_key and not settings.kafka_cert:
        raise SettingsError("TURNGATE_KAFKA_KEY needs TURNGATE_KAFKA_CERT")


def _tls(settings: Settings) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=settings.kafka_ca or None)
    except OSError as error:
        raise SettingsError("TURNGATE_KAFKA_CA is not a readable PEM file") from error
    if settings.kafka_cert:
        try:
            # Without a password of its own, a locked key would ask for one at the terminal.
            context.load_cert_chain(settings.kafka_cert, settings.kafka_key or None, password="")
        except OSError as error:
            raise SettingsError(
                "TURNGATE_KAFKA_CERT and TURNGATE_KAFKA_KEY are not readable PEM files that belong "
                "together"
            ) from error
    return context
