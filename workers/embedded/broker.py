"""The embedded broker: Tansu, memory only."""

import asyncio
import contextlib
import functools
import logging
import secrets
import socket
import struct
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

from workers.embedded.binary import TANSU, verified_binary
from workers.embedded.process import Process, Program
from workers.loopback import LOOPBACK

_log = logging.getLogger(__name__)

#: How long one look at the starting broker may take, seconds.
_PROBE_LIMIT_S = 0.5
#: Kafka's Metadata request, the first version whose answer names the cluster.
_METADATA, _METADATA_VERSION = 3, 2


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker."""

    #: Its process, which tests freeze, kill and restart.
    process: Process
    #: Address that it gives its clients, if it is not where it listens.
    advertised: str | None = None

    @property
    def address(self) -> str:
        """Where it listens, `host:port`."""
        return f"{LOOPBACK}:{self.process.port}"


@contextlib.asynccontextmanager
async def embedded_broker(
    *, folder: Path | None = None, port: int | None = None, advertised: str | None = None
) -> AsyncIterator[Broker]:
    """
    Run a broker for the time of the block.

    Args:
        folder: existing folder for its log; by default a temporary one, removed at the end.
        port: the port, or None for a free one.
        advertised: `host:port` that clients are sent to, where a proxy stands in front.

    Raises:
        NotInstalled: the extra `embedded` is missing.
        BinaryRefused: the installed binary is not the one that we know.
        StartFailed: the broker did not answer in time.

    """
    with contextlib.ExitStack() as stack:
        broker = await asyncio.to_thread(_prepare, stack, folder, port, advertised)
        try:
            await asyncio.to_thread(_start, broker)
            yield broker
        finally:
            await asyncio.to_thread(broker.process.close)


@contextlib.contextmanager
def running_broker(
    *, folder: Path | None = None, port: int | None = None, advertised: str | None = None
) -> Iterator[Broker]:
    """Run a broker as `embedded_broker` does, where there is no event loop."""
    with contextlib.ExitStack() as stack:
        broker = _prepare(stack, folder, port, advertised)
        stack.callback(broker.process.close)
        _start(broker)
        yield broker


def _prepare(
    stack: contextlib.ExitStack, folder: Path | None, port: int | None, advertised: str | None
) -> Broker:
    binary = verified_binary(TANSU)
    if folder is None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turngate-broker-")))
    # A name of its own, so that a broker which answers on our port is known to be ours.
    cluster = f"turngate-{secrets.token_hex(8)}"
    program = Program(
        name="tansu",
        command=functools.partial(_command, binary, cluster, advertised),
        answers=lambda port, _pid: cluster_of(port) == cluster,
        # Below `error` it logs every request, and requests hold what callers said.
        environment={"RUST_LOG": "error", "NO_COLOR": "1"},
    )
    return Broker(Process(program, folder=folder, port=port), advertised)


def _start(broker: Broker) -> None:
    broker.process.start()
    _log.warning(
        "embedded_broker_is_memory_only",
        extra={
            "note": "every topic is gone when it stops; demo and tests only, never production",
            "address": broker.address,
            "log_file": str(broker.process.log_path),
        },
    )


def _command(binary: Path, cluster: str, advertised: str | None, port: int) -> tuple[str, ...]:
    listen = f"{LOOPBACK}:{port}"
    return (
        str(binary),
        "broker",
        *("--listener-url", f"tcp://{listen}"),
        *("--advertised-listener-url", f"tcp://{advertised or listen}"),
        *("--storage-engine", "memory://tansu/"),
        *("--cluster-id", cluster),
    )


def cluster_of(port: int) -> str | None:
    """Ask the broker on a loopback port for its cluster's name; None if it does not answer."""
    # No topics, no client id: length, key, version, correlation id, null string, empty array.
    request = struct.pack(">hhihi", _METADATA, _METADATA_VERSION, 0, -1, 0)
    try:
        with socket.create_connection((LOOPBACK, port), _PROBE_LIMIT_S) as link:
            link.sendall(struct.pack(">i", len(request)) + request)
            with link.makefile("rb") as answer:
                (size,) = struct.unpack(">i", answer.read(4))
                return _cluster(answer.read(size))
    except (OSError, struct.error):
        return None


def _cluster(answer: bytes) -> str | None:
    """Read the cluster's name out of a Metadata answer of version 2."""
    _correlation, brokers = struct.unpack_from(">ii", answer)
    at = 8
    for _ in range(brokers):
        at += 4  # node id
        at = _after_string(answer, at) + 4  # host, port
        at = _after_string(answer, at)  # rack
    end = _after_string(answer, at)
    return answer[at + 2 : end].decode("utf-8", "replace")


def _after_string(answer: bytes, at: int) -> int:
    (length,) = struct.unpack_from(">h", answer, at)
    return int(at + 2 + max(length, 0))
