"""What `turngate up` runs: a stack, and beside it a slow worker and the board of its gaps."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from workers.board.access import Access
from workers.child import Child, ChildSpec, running_child
from workers.interrupt import until_signal
from workers.loopback import LOOPBACK, free_port
from workers.settings import Secret, load
from workers.up import Say, Stack, monitor_port, running_stack, without_secret, worker_spec

#: Random bytes of a token that we make.
_TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSide:
    """What the knowledge-base team needs; both are ready."""

    slow: Child
    board: Child
    #: What was made to log in with; none where the user gave a token.
    token: Secret


async def run_up(
    environment: Mapping[str, str], *, workers: int, say: Say, with_board: bool = True
) -> int:
    """
    Run everything until a signal; return the exit code.

    Args:
        environment: settings by variable.
        workers: how many hot workers.
        say: told what happens, a sentence at a time; also the token, where one is made.
        with_board: also run a slow worker and the board.

    Raises:
        WorkerError: as `running_stack` and `board_side`, and `ServiceDied`.

    """

    async def work() -> int:
        async with AsyncExitStack() as opened:
            if with_board:
                # A token that is too short stops it before anything has been started.
                _new_token(environment)
            stack = await opened.enter_async_context(
                running_stack(environment, workers=workers, say=say)
            )
            side = None
            if with_board:
                side = await opened.enter_async_context(board_side(stack, say=say))
            for line in _manual(stack, side):
                say(line)
            await stack.until_broken()
            return 1

    code = await until_signal(work(), on_signal=0)
    say("stopped")
    return code


@asynccontextmanager
async def board_side(
    stack: Stack, *, logs: Path | None = None, say: Say = lambda _sentence: None
) -> AsyncIterator[BoardSide]:
    """
    Run a slow worker and the board beside a stack for the time of the block.

    Args:
        stack: what runs.
        logs: existing folder for their logs; by default they go to our standard error.
        say: told what is being waited for.

    Raises:
        SettingsError: the user's token is too short.
        ChildFailed: one of them did not become ready.

    """
    token = _new_token(stack.environment)
    async with AsyncExitStack() as opened:
        say("starting a slow worker: it reviews what stays unanswered")
        slow = await opened.enter_async_context(running_child(_slow_spec(stack, logs)))
        say("starting the board")
        spec = _board_spec(stack, slow, token, logs)
        board = await opened.enter_async_context(running_child(spec))
        yield BoardSide(slow=slow, board=board, token=token)


def _new_token(environment: Mapping[str, str]) -> Secret:
    """
    Make a token where the user gave none.

    Raises:
        SettingsError: the user's is too short.

    """
    given = load(environment).board_token
    if given:
        Access(given)
        return Secret()
    return Secret(secrets.token_urlsafe(_TOKEN_BYTES))


def _slow_spec(stack: Stack, logs: Path | None) -> ChildSpec:
    # The cores are the turns': nobody waits for a review.
    environment = {"TURNGATE_INFERENCE_THREADS": "1", **stack.environment}
    port = monitor_port(stack.environment, stack.settings, len(stack.workers) + 1)
    return worker_spec("slow-worker", "slow", environment, port=port, logs=logs)


def _board_spec(stack: Stack, slow: Child, token: Secret, logs: Path | None) -> ChildSpec:
    wanted = stack.settings.board_port
    fixed = "TURNGATE_BOARD_PORT" in stack.environment and wanted > 0
    port = wanted if fixed else free_port()
    monitors = (f"{LOOPBACK}:{child.spec.port}" for child in (*stack.workers, slow))
    environment = {
        **stack.environment,
        "TURNGATE_BOARD_HOST": LOOPBACK,
        "TURNGATE_BOARD_PORT": str(port),
        "TURNGATE_BOARD_WORKERS": ",".join(monitors),
    }
    if token:
        environment["TURNGATE_BOARD_TOKEN"] = token.reveal()
    return ChildSpec(
        name="board",
        arguments=("-m", "workers.cli", "board"),
        environment=environment,
        port=port,
        log_path=None if logs is None else logs / "board.log",
    )


def _manual(stack: Stack, side: BoardSide | None) -> list[str]:
    kafka, redis = stack.settings.kafka, without_secret(stack.settings.redis.reveal())
    embedded = "the embedded one: memory only, gone when it stops"
    lines = [
        "turngate is up.",
        f"  Kafka     {kafka}" + (f"   ({embedded})" if stack.broker else ""),
        f"  Redis     {redis}" + (f"   ({embedded})" if stack.cache else ""),
    ]
    children = stack.workers if side is None else (*stack.workers, side.slow)
    lines += [
        f"  {child.spec.name}  http://{LOOPBACK}:{child.spec.port}/metrics, /healthz, /readyz"
        for child in children
    ]
    if side is not None:
        log_in = side.token.reveal() if side.token else "the token of your TURNGATE_BOARD_TOKEN"
        lines.append(
            f"  board     http://{LOOPBACK}:{side.board.spec.port}   log in with: {log_in}"
        )
    prefix = stack.settings.prefix
    asked = (
        f"Questions go to {prefix}kb.questions, entries come by `turngate kb load FILE`; what stays"
        " unanswered is on the board."
    )
    return [
        *lines,
        f"Write to {prefix}agent.profiles, {prefix}turn.predictions and {prefix}turn.utterances;",
        f"read {prefix}turn.decisions and {prefix}dead.letters.",
        *(() if side is None else (asked,)),
        "What is on them: turngate topics schema. See it work: turngate demo.",
        "Ctrl-C stops everything.",
    ]
