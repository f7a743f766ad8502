"""Binaries are taken only with the right hash, and a process is ready, stopped and reaped."""

import contextlib
import hashlib
import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from tests.waiting import wait_until_blocking
from workers.embedded import BinaryRefused, EmbeddedError, NotInstalled, StartFailed
from workers.embedded import binary as binary_module
from workers.embedded import process as process_module
from workers.embedded.binary import TANSU, VALKEY, Packaged, verified_binary
from workers.embedded.broker import _cluster
from workers.embedded.process import Process, Program
from workers.errors import WorkerError

_CONTENT = b"#!/bin/sh\n"
_MACHINE = "linux-x86_64"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Give a package with a binary, importable, on a machine that we know."""
    folder = tmp_path / "turngate_test_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    binary = folder / "tool"
    binary.write_bytes(_CONTENT)
    binary.chmod(0o755)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(binary_module.platform, "system", lambda: "Linux")
    monkeypatch.setattr(binary_module.platform, "machine", lambda: "x86_64")
    return binary


def make_packaged(**overrides):
    fields = {
        "distribution": "tool==1.0",
        "module": "turngate_test_package",
        "files": {_MACHINE: ("tool", hashlib.sha256(_CONTENT).hexdigest())},
    }
    return Packaged(**(fields | overrides))


class TestVerifiedBinary:
    def test_right_file(self, package):
        """
        The file inside the package is found, without importing the package.
        """
        assert verified_binary(make_packaged()) == package

    def test_one_bit_flipped(self, package):
        """
        One wrong bit is a refusal that names the file and both hashes.
        """
        package.write_bytes(bytes([_CONTENT[0] ^ 1]) + _CONTENT[1:])

        with pytest.raises(BinaryRefused) as caught:
            verified_binary(make_packaged())

        assert str(package) in str(caught.value)
        assert hashlib.sha256(_CONTENT).hexdigest() in str(caught.value)

    def test_not_executable(self, package):
        """
        A file that may not be executed is a refusal, not a failure at start.
        """
        package.chmod(0o644)

        with pytest.raises(BinaryRefused, match="may not be executed"):
            verified_binary(make_packaged())

    def test_file_missing(self, package, tmp_path, monkeypatch):
        """
        A package without its binary is not installed, whatever lies on the path or at home.
        """
        for place in (tmp_path / "bin", tmp_path / ".cache"):
            place.mkdir()
            (place / "tool").write_bytes(_CONTENT)
            (place / "tool").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
        monkeypatch.setenv("HOME", str(tmp_path))
        package.unlink()

        with pytest.raises(NotInstalled, match="without its binary"):
            verified_binary(make_packaged())

    @pytest.mark.usefixtures("package")
    def test_package_missing(self):
        """
        Without the package, the error says which extra to install.
        """
        with pytest.raises(NotInstalled, match=r"\[embedded\]"):
            verified_binary(make_packaged(module="turngate_no_such_package"))

    @pytest.mark.usefixtures("package")
    def test_unknown_machine(self, monkeypatch):
        """
        On a machine without a binary, the error names the machine.
        """
        monkeypatch.setattr(binary_module.platform, "machine", lambda: "riscv64")

        with pytest.raises(NotInstalled, match="linux-riscv64"):
            verified_binary(make_packaged())

    @pytest.mark.parametrize("packaged", [TANSU, VALKEY], ids=["broker", "cache"])
    def test_versions_are_those_of_the_extra(self, packaged):
        """
        The hashes belong to the versions that the extra `embedded` installs.
        """
        project = Path(__file__).parents[3] / "pyproject.toml"

        assert f'"{packaged.distribution}"' in project.read_text()


def test_errors_are_ours():
    """
    Every error of the embedded services can be caught as one of ours.
    """
    assert issubclass(EmbeddedError, WorkerError)


_LISTEN = """
import signal, socket, sys
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    print("listening", flush=True)
    while True:
        server.accept()[0].close()
"""


def listens(port, _pid):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
        return True
    return False


def make_program(*options, code=_LISTEN, answers=listens):
    def command(port):
        return (sys.executable, "-I", "-S", "-c", code, str(port), *options)

    return Program(name="stub", command=command, answers=answers)


@pytest.fixture
def run(tmp_path):
    """Make processes that are gone after the test."""
    with contextlib.ExitStack() as stack:

        def make(program, **options):
            process = Process(program, folder=tmp_path, **options)
            stack.callback(process.close)
            return process

        yield make


def is_reaped(pid):
    return not Path(f"/proc/{pid}").exists()


class TestProcess:
    def test_start_and_stop(self, run):
        """
        A started process answers; a stopped one is gone and reaped, and stopping again is harmless.
        """
        process = run(make_program())

        process.start()
        assert process.running
        assert listens(process.port, process.pid)
        process.stop()
        process.stop()

        assert not process.running
        assert is_reaped(process.pid)

    def test_given_port(self, run):
        """
        A port that is given is used.
        """
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = run(make_program(), port=port)

        process.start()

        assert process.port == port

    def test_lost_race_for_the_port(self, run, monkeypatch):
        """
        When somebody else took the port first, another one is tried.
        """
        free = process_module.free_port
        with socket.create_server(("127.0.0.1", 0)) as taken:
            ports = [taken.getsockname()[1], free()]
            monkeypatch.setattr(process_module, "free_port", lambda: ports.pop(0))
            process = run(make_program(answers=lambda port, _pid: port != taken_port(taken)))

            process.start()

            assert process.port != taken_port(taken)
            assert process.running

    def test_given_port_is_taken(self, run):
        """
        When the port that was asked for is taken, the start fails and says why.
        """
        with socket.create_server(("127.0.0.1", 0)) as taken:
            process = run(make_program(answers=lambda *_: False), port=taken_port(taken))

            with pytest.raises(StartFailed, match="Address already in use"):
                process.start()

        assert not process.running

    def test_program_that_ends(self, run):
        """
        A program that ends at once is a failed start that carries the end of its log.
        """
        process = run(make_program(code="raise SystemExit('no licence')"))

        with pytest.raises(StartFailed, match="no licence"):
            process.start()

        assert is_reaped(process.pid)

    def test_program_that_never_answers(self, run, monkeypatch):
        """
        A program that runs but does not answer in time is a failed start, and is killed.
        """
        monkeypatch.setattr(process_module, "READY_LIMIT_S", 0.05)
        process = run(make_program(answers=lambda *_: False))

        with pytest.raises(StartFailed):
            process.start()

        assert is_reaped(process.pid)

    def test_program_that_ignores_sigterm(self, run, monkeypatch):
        """
        A program that does not stop in time is killed.
        """
        monkeypatch.setattr(process_module, "STOP_LIMIT_S", 0.05)
        process = run(make_program("stubborn"))
        process.start()

        process.stop()

        assert is_reaped(process.pid)

    def test_restart(self, run):
        """
        A restart keeps the port and changes the process, also after a crash.
        """
        process = run(make_program())
        process.start()
        port, first = process.port, process.pid

        process.restart()
        second = process.pid
        process.kill()
        process.restart()

        assert process.port == port
        assert len({first, second, process.pid}) == 3
        assert [is_reaped(first), is_reaped(second)] == [True, True]

    def test_closed_while_it_starts(self, run):
        """
        Closing ends a start that another thread is in, and none can follow.
        """
        process = run(make_program(answers=lambda *_: False))
        failures = []

        def start():
            try:
                process.start()
            except StartFailed as error:
                failures.append(error)

        thread = threading.Thread(target=start)
        thread.start()
        wait_until_blocking(lambda: process.running, "the child")
        process.close()
        thread.join()

        assert len(failures) == 1
        assert is_reaped(process.pid)
        with pytest.raises(StartFailed, match="closed"):
            process.start()

    def test_not_started(self, run):
        """
        A process that never ran has neither port nor id, and can be stopped.
        """
        process = run(make_program())

        process.stop()

        assert not process.running
        with pytest.raises(StartFailed):
            _ = process.port
        with pytest.raises(StartFailed):
            _ = process.pid

    def test_environment(self, run, monkeypatch):
        """
        The program gets none of our environment, where secrets may be.
        """
        monkeypatch.setenv("TURNGATE_KAFKA_PASSWORD", "secret")
        process = run(make_program(code="import os; raise SystemExit(sorted(os.environ))"))

        with pytest.raises(StartFailed) as caught:
            process.start()

        assert "TURNGATE" not in str(caught.value)


def taken_port(server):
    return server.getsockname()[1]


class TestCluster:
    @pytest.mark.parametrize(
        ("answer", "name"),
        [
            pytest.param(
                "00000000 00000001 0000006f 0009 3132372e302e302e31 00004a95 ffff"
                "000c 7475726e676174652d616263 0000006f 00000000",
                "turngate-abc",
                id="one broker, no rack",
            ),
            pytest.param(
                "00000000 00000002 00000001 0001 61 00000001 0001 72"
                "00000002 0001 62 00000002 ffff 0001 63 00000001 00000000",
                "c",
                id="two brokers, one with a rack",
            ),
        ],
    )
    def test_name(self, answer, name):
        """
        The cluster's name is read from the broker's answer.
        """
        assert _cluster(bytes.fromhex(answer)) == name
