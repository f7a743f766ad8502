"""The demo from start to end: a stack, the script, the answers, the summary."""

import asyncio
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError
from rich.console import Console

from topics.decision import Status
from workers.demo.collect import Answers, Received, collecting, until
from workers.demo.data import DemoAgent, load
from workers.demo.play import Player, Sent
from workers.demo.score import marked, summarise
from workers.demo.script import Script, write_script
from workers.demo.show import show_summary, showing
from workers.demo.summary import Summary
from workers.errors import BrokerUnavailable
from workers.kafka import security_options
from workers.settings import Settings
from workers.stream.settings import stream_settings
from workers.up import Stack, running_stack

#: How long the last answers may take, seconds.
_LAST_ANSWERS_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """How to play."""

    #: Caller turns, taken evenly from all.
    turns: int
    #: Caller turns a second.
    rate: float
    #: How long before the caller speaks the predictions are there, seconds.
    lead_s: float
    #: Hot workers.
    workers: int


async def run_demo(
    environment: Mapping[str, str], options: DemoOptions, console: Console
) -> Summary:
    """
    Play the demo and show it.

    Raises:
        WorkerError: the data cannot be read, or the stack cannot be run.

    """
    logs = Path(tempfile.mkdtemp(prefix="turngate-demo-"))
    console.print(f"The workers log to {logs}, which is kept if something goes wrong.")
    try:
        summary = await _run(environment, options, console, logs)
    except asyncio.CancelledError:
        shutil.rmtree(logs)
        raise
    if summary.ok and not summary.statuses.get(str(Status.DEGRADED)):
        await asyncio.to_thread(shutil.rmtree, logs)
    return summary


async def _run(
    environment: Mapping[str, str], options: DemoOptions, console: Console, logs: Path
) -> Summary:
    data = load()
    script = write_script(data, turns=options.turns, rate=options.rate, lead_s=options.lead_s)
    async with running_stack(
        own_topics(environment), workers=options.workers, logs=logs, say=console.print
    ) as stack:
        _show_stack(console, stack)
        started_s = time.monotonic()
        try:
            sent, answers = await _play(stack.settings, data.agents, script, console)
        except KafkaError as error:
            raise BrokerUnavailable(f"the broker failed: {type(error).__name__}") from error
        summary = summarise(script.turns, sent, answers)
        show_summary(console, summary, time.monotonic() - started_s)
    return summary


def own_topics(environment: Mapping[str, str]) -> dict[str, str]:
    """Keep the demo's topics and keys apart from everything else on a broker and cache of yours."""
    run = secrets.token_hex(4)
    return {
        **environment,
        "TURNGATE_PREFIX": f"demo-{run}.",
        "TURNGATE_CACHE_SECRET": secrets.token_hex(32),
    }


def _show_stack(console: Console, stack: Stack) -> None:
    embedded = "embedded, memory only"
    broker = (
        embedded if stack.broker else f"yours; topics {stack.settings.prefix}* are made and stay"
    )
    cache = embedded if stack.cache else "yours; every key expires"
    console.print(f"Kafka: {broker}. Redis: {cache}. Workers: {len(stack.workers)}.")


async def _play(
    settings: Settings, agents: tuple[DemoAgent, ...], script: Script, console: Console
) -> tuple[Sent, Answers]:
    waiting = {planned.key: planned for planned in script.turns}
    async with _producer(settings) as producer:
        player = Player(producer, settings.prefix)
        with showing(console, len(waiting)) as progress:

            def show(received: Received) -> None:
                # Taken out, so that a turn that is delivered twice is shown once.
                planned = waiting.pop(received.key, None)
                if planned is not None:
                    progress.add(marked(planned, received, player.sent))

            async with collecting(settings, show) as answers:
                await player.announce(agents)
                await player.play(script)
                await until(lambda: _complete(player.sent, answers), _LAST_ANSWERS_S)
    return player.sent, answers


def _complete(sent: Sent, answers: Answers) -> bool:
    return len(answers.dead) >= len(sent.bad) and all(
        len(answers.decisions.get(key, ())) >= times for key, times in sent.times.items()
    )


@asynccontextmanager
async def _producer(settings: Settings) -> AsyncIterator[AIOKafkaProducer]:
    stream = stream_settings(settings, client_id="turngate-demo")
    producer = AIOKafkaProducer(
        bootstrap_servers=stream.brokers,
        client_id=stream.client_id,
        acks="all",
        **security_options(stream.security),
    )
    await producer.start()
    try:
        yield producer
    finally:
        await producer.stop()
