"""A worker as a child process: ready, kept alive, stopped, and never an orphan."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import wait_until, wait_until_blocking
from workers import child as child_module
from workers.child import ChildFailed, ChildSpec, is_ready, running_child
from workers.loopback import free_port

_ROOT = Path(__file__).parents[2]

#: Answers /readyz with yes, and ends in good order on SIGTERM.
_GOOD = """
import http.server, os, signal, sys
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(os.environ.get("ANSWER", "200")))
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", int(os.environ["TURNGATE_MONITOR_PORT"])), Ready)
signal.signal(signal.SIGTERM, lambda *_: (print("stopping", flush=True), os._exit(0)))
print("started", flush=True)
server.serve_forever()
"""
_STUBBORN = _GOOD.replace(
    'lambda *_: (print("stopping", flush=True), os._exit(0))', "signal.SIG_IGN"
)


def make_spec(folder, program=_GOOD, **environment):
    """Make a specification of a small program."""
    port = free_port()
    return ChildSpec(
        name="worker-1",
        arguments=("-c", program),
        environment={"TURNGATE_MONITOR_PORT": str(port), **environment},
        port=port,
        log_path=folder / "worker-1.log",
    )


def exists(pid):
    """Whether the process is there."""
    return Path(f"/proc/{pid}").exists()


class TestChild:
    async def test_ready_and_stopped(self, tmp_path):
        """
        Inside the block the worker is ready; afterwards it has ended in good order and is gone.
        """
        spec = make_spec(tmp_path)

        async with running_child(spec) as child:
            assert await is_ready(spec.port)
            pid = child.pid

        assert child.exit_code == 0
        assert not exists(pid)
        assert spec.log_path.read_text() == "started\nstopping\n"

    async def test_started_again(self, tmp_path, monkeypatch):
        """
        A worker that is killed is started again, and the log says that it died.
        """
        monkeypatch.setattr(child_module, "BACK_OFF_S", (0.01, 0.02))
        spec = make_spec(tmp_path)

        async with running_child(spec) as child:
            first = child.pid
            os.kill(first, signal.SIGKILL)
            await wait_until(lambda: child.pid != first, "another process")
            await wait_until(lambda: is_ready(spec.port), "the worker to be ready again")

            assert child.restarts == 1

        assert not exists(child.pid)

    async def test_says_that_it_died(self, tmp_path, monkeypatch, caplog):
        """
        The death of a worker is an error in our log, with name and exit code.
        """
        monkeypatch.setattr(child_module, "BACK_OFF_S", (0.01, 0.02))

        async with running_child(make_spec(tmp_path)) as child:
            os.kill(child.pid, signal.SIGKILL)
            await wait_until(lambda: child.restarts, "the restart")

        [record] = [each for each in caplog.records if each.getMessage() == "worker_died"]
        assert (record.worker, record.exit_code) == ("worker-1", -signal.SIGKILL)

    async def test_stopped_while_it_waits_to_be_started_again(self, tmp_path, monkeypatch):
        """
        A worker that died and is not back yet stays away when the block ends.
        """
        monkeypatch.setattr(child_module, "BACK_OFF_S", (60.0, 60.0))

        async with running_child(make_spec(tmp_path)) as child:
            pid = child.pid
            os.kill(pid, signal.SIGKILL)
            await wait_until(lambda: child.exit_code is not None, "the end")

        assert child.pid == pid
        assert child.restarts == 0

    async def test_ends_at_once(self, tmp_path):
        """
        A worker that ends before it is ready fails the start, with its log.
        """
        spec = make_spec(tmp_path, "import sys; print('no bundle'); sys.exit(3)")

        with pytest.raises(ChildFailed, match=r"(?s)ended with 3.*no bundle"):
            async with running_child(spec):
                pytest.fail("it cannot be ready")

    async def test_not_ready_in_time(self, tmp_path, monkeypatch):
        """
        A worker that answers but is never ready fails the start and is gone.
        """
        monkeypatch.setattr(child_module, "READY_LIMIT_S", 0.3)
        spec = make_spec(tmp_path, ANSWER="503")

        with pytest.raises(ChildFailed, match="not ready within"):
            async with running_child(spec):
                pytest.fail("it cannot be ready")

        assert not await is_ready(spec.port)

    async def test_does_not_listen_to_sigterm(self, tmp_path, monkeypatch):
        """
        A worker that does not end on SIGTERM is killed at the limit.
        """
        monkeypatch.setattr(child_module, "STOP_LIMIT_S", 0.1)

        async with running_child(make_spec(tmp_path, _STUBBORN)) as child:
            pass

        assert child.exit_code == -signal.SIGKILL

    def test_dies_with_its_parent(self, tmp_path):
        """
        When the program that runs it is killed, the worker does not stay.
        """
        program = (
            "import asyncio, sys\n"
            "from pathlib import Path\n"
            "from tests.integration.test_child import make_spec, running_child\n"
            "async def main():\n"
            "    async with running_child(make_spec(Path(sys.argv[1]))) as child:\n"
            "        print(child.pid, flush=True)\n"
            "        await asyncio.Event().wait()\n"
            "asyncio.run(main())\n"
        )
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", program, str(tmp_path)], cwd=_ROOT, stdout=subprocess.PIPE
        ) as parent:
            pid = int(parent.stdout.readline())
            parent.send_signal(signal.SIGKILL)

        wait_until_blocking(lambda: not runs(pid), "the worker to die")


def runs(pid):
    """Whether a process runs; one that only waits to be reaped does not."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


class TestReady:
    async def test_nobody_listens(self):
        """
        A port where nobody listens is not ready.
        """
        assert not await is_ready(free_port())
