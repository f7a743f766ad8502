"""The demo's slow worker: a process of its own beside the stack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from workers.child import Child, running_child
from workers.loopback import free_port
from workers.up import Stack, worker_spec


@asynccontextmanager
async def slow_worker(stack: Stack, logs: Path) -> AsyncIterator[Child]:
    """
    Run `turngate slow` for the time of the block, ready at its start.

    Raises:
        ChildFailed: it did not become ready.

    """
    # The cores are the turns': nobody waits for a review.
    environment = {"TURNGATE_INFERENCE_THREADS": "1", **stack.environment}
    spec = worker_spec("slow-worker", "slow", environment, port=free_port(), logs=logs)
    async with running_child(spec) as child:
        yield child
