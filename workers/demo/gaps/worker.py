"""The demo's slow worker: a process of its own beside the stack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from workers.child import Child, ChildSpec, running_child
from workers.loopback import LOOPBACK, free_port
from workers.up import Stack


@asynccontextmanager
async def slow_worker(stack: Stack, logs: Path) -> AsyncIterator[Child]:
    """
    Run `turngate slow` for the time of the block; ready at its start.

    Raises:
        ChildFailed: it did not become ready.

    """
    async with running_child(slow_spec(stack, logs)) as child:
        yield child


def slow_spec(stack: Stack, logs: Path) -> ChildSpec:
    """Say what to run: the stack's settings, and one thread, since the cores are the turns'."""
    port = free_port()
    return ChildSpec(
        name="slow-worker",
        arguments=("-m", "workers.cli", "slow"),
        environment={
            "TURNGATE_INFERENCE_THREADS": "1",
            **stack.environment,
            "TURNGATE_MONITOR_HOST": LOOPBACK,
            "TURNGATE_MONITOR_PORT": str(port),
            "TURNGATE_MONITOR_TRIES": "1",
        },
        port=port,
        log_path=logs / "slow-worker.log",
    )
