"""Servers of the System One protocol, each a process of its own, for the tests."""

import contextlib
import http.client
import secrets
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from workers.embedded.process import Process, Program
from workers.loopback import LOOPBACK

_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class FaultServer:
    """A running `tests.faults.system_one`."""

    port: int

    def url(self, fault: str, token: str, *, scheme: str = "http") -> str:
        """Name the endpoint that has this fault and counts under this token."""
        return f"{scheme}://{LOOPBACK}:{self.port}/{fault}/{token}/v1/systemone"

    def seen(self, token: str) -> dict[str, int]:
        """Tell what came in under this token."""
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=5)
        with contextlib.closing(connection):
            connection.request("GET", f"/seen/{token}")
            return dict(orjson.loads(connection.getresponse().read()))


def fresh_token() -> str:
    """Make a token that no other test has used."""
    return secrets.token_hex(6)


@contextlib.contextmanager
def running_fault_server() -> Iterator[FaultServer]:
    """Run the server with faults for the time of the block."""
    with _running("faults", ("-m", "tests.faults.system_one"), port_option=None) as port:
        yield FaultServer(port)


@contextlib.contextmanager
def running_jevcompat(*options: str) -> Iterator[str]:
    """Run the reference server of `jevcompat`; gives its address without path."""
    program = "import sys; from jevcompat.cli import main; sys.exit(main())"
    with _running("jevcompat", ("-c", program, "mock", *options)) as port:
        yield f"http://{LOOPBACK}:{port}"


@contextlib.contextmanager
def running_sparrow() -> Iterator[str]:
    """Run the small real model of `sparrow-decider`; gives its address without path."""
    program = "from sparrow_decider.cli import main; main()"
    with _running("sparrow", ("-c", program, "serve")) as port:
        yield f"http://{LOOPBACK}:{port}"


@contextlib.contextmanager
def _running(
    name: str, arguments: Sequence[str], *, port_option: str | None = "--port"
) -> Iterator[int]:
    options = [port_option] if port_option else []
    program = Program(
        name=name,
        command=lambda port: (sys.executable, *arguments, *options, str(port)),
        answers=lambda port, _: _answers_http(port),
        environment={"PYTHONPATH": str(_ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )
    with tempfile.TemporaryDirectory() as folder:
        process = Process(program, folder=Path(folder))
        with contextlib.closing(process):
            process.start()
            yield process.port


def _answers_http(port: int) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=1)
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/seen/start")
            return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
        except (OSError, http.client.HTTPException):
            return False
