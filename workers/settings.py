"""
Every setting, read from the environment once, at the start.

Variables are named `TURNGATE_` and the field in capitals; `KAFKA` and `REDIS` are accepted as short
forms of the two addresses. `TURNGATE_X_FILE` names a file that holds the value of `TURNGATE_X`, as
secrets are mounted; a line break at its end is not part of the value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from workers.addresses import endpoint_fault, host_fault, hosts_fault, redis_fault
from workers.errors import SettingsError

_PREFIX = "TURNGATE_"
#: After the name of a variable: the value is in a file.
_FILE_SUFFIX = "_FILE"
#: Longest value that is read from a file; a wrong mount must not be read whole.
_MAX_FILE_BYTES = 65_536
#: Fewer characters could be guessed from what they signed.
_MIN_BUNDLE_KEY = 16
_SHORT_FORMS = {"kafka": "KAFKA", "redis": "REDIS"}
_SHIPPED = Path(__file__).resolve().parent.parent / "models" / "bundles"


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that shows itself only when asked by name."""

    _value: str = ""

    def reveal(self) -> str:
        """Return the value."""
        return self._value

    def __bool__(self) -> bool:
        """Tell whether there is one."""
        return bool(self._value)

    def __repr__(self) -> str:
        """Hide it."""
        return "Secret(***)" if self._value else "Secret()"

    __str__ = __repr__


#: `host:port` or `[IPv6]:port`, several separated by commas.
_BROKER = r"(\[[0-9A-Fa-f:]+\]|[^\s,:\[\]]+):[0-9]{1,5}"
_BROKERS = rf"^{_BROKER}(, ?{_BROKER})*$"
_NONE_OR_MORE = rf"^({_BROKER}(, ?{_BROKER})*)?$"

_LOCAL_REDIS = Secret("redis://127.0.0.1:6379/0")
_NO_SECRET = Secret()
_ENCODER = _SHIPPED / "encoder"
_JUDGE = _SHIPPED / "judge"
_ANSWER = _SHIPPED / "answer"
_REASONS = _SHIPPED / "reasons"
_SAME = _SHIPPED / "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one worker process needs to know; units are in the names."""

    #: Kafka bootstrap addresses, `host:port` separated by commas.
    kafka: Annotated[str, Meta(pattern=_BROKERS)] = "127.0.0.1:9092"
    #: How to talk to the brokers.
    kafka_security: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    #: How to authenticate where `kafka_security` says SASL.
    kafka_sasl: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    #: SASL user.
    kafka_user: str = ""
    #: SASL password.
    kafka_password: Secret = _NO_SECRET
    #: Certificate authority of the brokers, a PEM file; empty for the system's.
    kafka_ca: str = ""
    #: Our own certificate with its chain, a PEM file, where the brokers ask for one.
    kafka_cert: str = ""
    #: Its key, a PEM file; empty if it is in the same file.
    kafka_key: str = ""
    #: How long a fetch waits for records: small is quick, large is quiet.
    kafka_fetch_wait_ms: Annotated[int, Meta(ge=1, le=5_000)] = 50
    #: How long the group waits for a silent worker.
    kafka_session_s: Annotated[float, Meta(ge=1, le=300)] = 10.0
    #: How often handled offsets are committed.
    kafka_commit_s: Annotated[float, Meta(ge=0.05, le=60)] = 1.0
    #: How long a record may take to be stored.
    kafka_produce_s: Annotated[float, Meta(ge=0.1, le=10)] = 5.0
    #: Put before every topic and group name, to keep deployments apart on one broker.
    prefix: str = ""
    #: Consumer group of the hot workers.
    group: str = "turngate-hot"

    #: Redis or Valkey, `redis://` or `rediss://`; may hold a password.
    redis: Secret = _LOCAL_REDIS
    #: ACL user, where it is not in the address.
    redis_user: str = ""
    #: Its password, where it is not in the address.
    redis_password: Secret = _NO_SECRET
    #: Certificate authority of a `rediss://` server, a PEM file; empty for the system's.
    redis_ca: str = ""
    #: Limit on one round trip; whatever it costs comes out of the turn's budget.
    redis_timeout_s: Annotated[float, Meta(ge=0.001, le=1)] = 0.015
    #: Connections of one worker.
    redis_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    #: Failures in a row that open the breaker.
    breaker_failures: Annotated[int, Meta(ge=1, le=1_000)] = 5
    #: How long an open breaker waits before it probes.
    breaker_probe_s: Annotated[float, Meta(ge=0.05, le=60)] = 1.0
    #: Keys and values in Redis carry MACs under this secret; workers that share a Redis share it.
    #: Without one, whoever can write to Redis can make them too.
    cache_secret: Secret = _NO_SECRET

    #: Folder of the encoder bundle.
    encoder: Path = _ENCODER
    #: Folder of the judge bundle.
    judge: Path = _JUDGE
    #: Folder of the bundle that judges knowledge-base entries, where no System One endpoint does.
    answer: Path = _ANSWER
    #: Folder of the bundle that says why a question stayed unanswered.
    reasons: Path = _REASONS
    #: Folder of the bundle that says whether two questions are one.
    same: Path = _SAME
    #: Where it is set, the folder of every bundle must hold `manifest.sig`, its manifest's HMAC
    #: under this key, as `turngate bundle sign` writes it; at least 16 characters.
    bundle_key: Secret = _NO_SECRET
    #: File that `turngate gate --record` writes on this machine, for the metrics to tell of; empty
    #: for none.
    gate_record: str = ""
    #: File that `turngate audit report --record` writes, likewise; it holds counts alone.
    audit_record: str = ""
    #: Threads of one inference.
    inference_threads: Annotated[int, Meta(ge=1, le=64)] = 2
    #: Inferences that may wait; more are refused at once.
    inference_queue: Annotated[int, Meta(ge=1, le=10_000)] = 64

    #: Address of a System One endpoint that judges knowledge-base entries; a host alone gets the
    #: path `/v1/systemone`. Empty for none.
    system_one_url: str = ""
    #: Its key, sent as bearer; to other hosts than this one over https only.
    system_one_key: Secret = _NO_SECRET
    #: The shape of its answers: the protocol's own, or inside the envelope of Cloudflare.
    system_one_envelope: Literal["flat", "cloudflare"] = "flat"
    #: The model that it is asked for.
    system_one_model: str = "clef-flash"
    #: Certificate authority of the endpoint, a PEM file; empty for the system's.
    system_one_ca: str = ""
    #: Limit on one call where the caller has more time.
    system_one_timeout_s: Annotated[float, Meta(ge=0.05, le=60)] = 10.0
    #: Calls to it at once; more wait within their deadline.
    system_one_connections: Annotated[int, Meta(ge=1, le=256)] = 8
    #: Idle connections to it are used this often, shorter than the 5 s after which many servers
    #: close them; 0 leaves them alone.
    system_one_warm_s: Annotated[float, Meta(ge=0, le=300)] = 4.0

    #: Probability of at least a part of the answer from which an entry answers, where the endpoint
    #: judges: it differs from model to model.
    system_one_threshold: Annotated[float, Meta(ge=0.01, le=0.99)] = 0.5

    #: Time from receipt within which a question to the knowledge base has its verdict.
    kb_budget_ms: Annotated[int, Meta(ge=50, le=10_000)] = 400
    #: Questions in work at once; more wait at the broker.
    kb_together: Annotated[int, Meta(ge=1, le=64)] = 16
    #: Passages of about 40 words that one tenant's entries may have.
    kb_tenant_passages: Annotated[int, Meta(ge=1, le=1_000_000)] = 5_000
    #: Passages of all tenants' entries together; one takes about 13 KB.
    kb_passages: Annotated[int, Meta(ge=1, le=1_000_000)] = 20_000

    #: Consumer group of the slow workers.
    slow_group: str = "turngate-slow"
    #: Items that the slow path holds at most; a full queue pauses its partitions.
    slow_queue: Annotated[int, Meta(ge=1, le=10_000)] = 256
    #: Items that are reviewed at once; a remote judge can do more, one in this process can not.
    slow_together: Annotated[int, Meta(ge=1, le=64)] = 2
    #: How old an item may become while its judge does not answer, seconds; then it is kept as not
    #: judged. Well below the retention of `kb.review`.
    slow_patience_s: Annotated[float, Meta(ge=0, le=82_800)] = 21_600.0
    #: How often gaps are looked at whose entries changed, seconds.
    slow_rejudge_s: Annotated[float, Meta(ge=0.1, le=3_600)] = 5.0

    #: Time from receipt within which a turn is decided.
    budget_ms: Annotated[int, Meta(ge=1, le=10_000)] = 80
    #: Predictions that the judge reads, best by cosine.
    shortlist: Annotated[int, Meta(ge=1, le=64)] = 20

    #: Stopping drains what is in hand for at most this long.
    drain_s: Annotated[float, Meta(ge=0, le=60)] = 6.0
    #: One event may take this long before the worker calls itself stuck and exits.
    stuck_s: Annotated[float, Meta(ge=1, le=600)] = 20.0

    #: Where metrics and health are served.
    monitor_host: str = "127.0.0.1"
    #: Port of metrics and health; 0 takes a free one, -1 turns them off.
    monitor_port: Annotated[int, Meta(ge=-1, le=65_535)] = 9464
    #: How many ports are tried from that one on, so that workers on one machine each find their
    #: own: as many as one deployment has use for.
    monitor_tries: Annotated[int, Meta(ge=1, le=100)] = 8

    #: Where the knowledge-base team's board is served; it speaks plain HTTP, so to others than this
    #: machine only behind a proxy of yours with TLS.
    board_host: str = "127.0.0.1"
    #: Port of the board; 0 takes a free one.
    board_port: Annotated[int, Meta(ge=0, le=65_535)] = 9480
    #: What people log in to the board with; at least 16 characters.
    board_token: Secret = _NO_SECRET
    #: Monitors of the workers that the board's operations page reads, `host:port` separated by
    #: commas, each worker by its own; empty for none.
    board_workers: Annotated[str, Meta(pattern=_NONE_OR_MORE)] = ""

    #: Least severe level that is logged.
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"


def load(environment: Mapping[str, str]) -> Settings:
    """
    Read the settings.

    Raises:
        SettingsError: names the variable and what it must be, never its value; also for a variable
            with our prefix that no setting has, which is nearly always a typing error, for a file
            that cannot be read, for an empty secret, which is nearly always one that was not
            found, and where a value and its file are both given.

    """
    ours = {name: value for name, value in environment.items() if name.startswith(_PREFIX)}
    files = {name: ours.pop(name) for name in tuple(ours) if _names_a_file(name)}
    given = {_field(name): value for name, value in ours.items()}
    for name, path in files.items():
        setting = _field(name.removesuffix(_FILE_SUFFIX))
        if setting in given:
            raise SettingsError(f"{name} and {_variable(setting)} are both given: keep one")
        given[setting] = _content(name, path)
    for name in given:
        if name not in _NAMES:
            raise SettingsError(f"unknown setting {_variable(name)}")
    for name, short in _SHORT_FORMS.items():
        if short in environment:
            given.setdefault(name, environment[short])
    return Settings(**{name: _read(name, value) for name, value in given.items()})


_NAMES = {setting.name for setting in fields(Settings)}
_TYPES = {setting.name: setting.type for setting in fields(Settings)}
#: The addresses among them, each with what says what is wrong with it.
_ADDRESSES: dict[str, Callable[[str], str | None]] = {
    "kafka": hosts_fault,
    "redis": redis_fault,
    "system_one_url": lambda raw: endpoint_fault(raw) if raw else None,
    "monitor_host": host_fault,
    "board_host": host_fault,
    "board_workers": hosts_fault,
}


def _names_a_file(variable: str) -> bool:
    return variable.endswith(_FILE_SUFFIX) and _field(variable.removesuffix(_FILE_SUFFIX)) in _NAMES


def _content(variable: str, path: str) -> str:
    """Read a value from its file; an error names the variable and kind, never path or content."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_MAX_FILE_BYTES + 1)
        if len(raw) > _MAX_FILE_BYTES:
            raise SettingsError(f"{variable}: the file is larger than {_MAX_FILE_BYTES} bytes")
        return raw.decode().removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError) as error:
        raise SettingsError(f"{variable}: cannot be read: {type(error).__name__}") from None


def _field(variable: str) -> str:
    return variable.removeprefix(_PREFIX).lower()


def _variable(name: str) -> str:
    return _PREFIX + name.upper()


def _read(name: str, raw: str) -> Any:
    wanted: Any = _TYPES[name]
    value = _converted(name, raw, wanted)
    fault = _ADDRESSES[name](raw) if name in _ADDRESSES else None
    if fault is not None:
        raise SettingsError(f"{_variable(name)}: {fault}")
    return value


def _converted(name: str, raw: str, wanted: Any) -> Any:
    if wanted is Secret:
        if not raw.strip():
            raise SettingsError(f"{_variable(name)}: is empty; leave it out where there is none")
        if name == "bundle_key" and len(raw) < _MIN_BUNDLE_KEY:
            raise SettingsError(
                f"{_variable(name)}: must have at least {_MIN_BUNDLE_KEY} characters"
            )
        return Secret(raw)
    if wanted is Path:
        return Path(raw)
    try:
        return msgspec.convert(raw, type=wanted, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{_variable(name)}: {_without_value(error, wanted)}") from None


def _without_value(error: msgspec.ValidationError, wanted: Any) -> str:
    """Msgspec quotes the value where a choice is wrong; then the choices say more."""
    message = str(error)
    if message.startswith("Invalid enum value"):
        return "must be one of " + ", ".join(wanted.__args__)
    if "matching regex" in message:
        return "must be host:port, several separated by commas"
    return message.replace("`", "").lower()
