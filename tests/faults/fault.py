"""Network faults as data."""

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """What the proxy does to the traffic."""

    #: Nothing.
    PASS = "pass"  # noqa: S105 - a mode, not a password
    #: Answers arrive `delay_ms` later; they are not slowed down beyond that.
    LATENCY = "latency"
    #: Answers arrive `chunk_bytes` at a time, with a pause of `delay_ms` after each.
    DRIP = "drip"
    #: Connections are accepted and stand still, as with a dead network; they go on afterwards.
    BLACKHOLE = "blackhole"
    #: Connections break with a reset, each after `after_bytes` of answer.
    RESET = "reset"
    #: Nobody listens, and what was connected is reset, as when the server has died.
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One state of the network."""

    mode: Mode
    #: Milliseconds; for `LATENCY` and `DRIP`.
    delay_ms: float = 0.0
    #: Bytes an answer may bring at once; for `DRIP`.
    chunk_bytes: int = 1
    #: Bytes of answer that still arrive on a connection, counted from when the fault began, before
    #: it breaks; for `RESET`. With 0, open connections break at once.
    after_bytes: int = 0


PASS = Fault(mode=Mode.PASS)
BLACKHOLE = Fault(mode=Mode.BLACKHOLE)
REFUSE = Fault(mode=Mode.REFUSE)


def latency(delay_ms: float) -> Fault:
    """Delay answers."""
    return Fault(mode=Mode.LATENCY, delay_ms=delay_ms)


def drip(chunk_bytes: int, *, every_ms: float) -> Fault:
    """Let answers through a few bytes at a time."""
    return Fault(mode=Mode.DRIP, chunk_bytes=chunk_bytes, delay_ms=every_ms)


def reset(*, after_bytes: int = 0) -> Fault:
    """Break connections, at once or in the middle of an answer."""
    return Fault(mode=Mode.RESET, after_bytes=after_bytes)
