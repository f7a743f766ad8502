"""The demo from start to end: a stack, what is played on it, the answers, the summary."""

import asyncio
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiokafka import AIOKafkaProducer
from rich.console import Console

from topics.decision import Status
from topics.profile import AgentProfile
from workers.background import beside
from workers.demo import events
from workers.demo.collect import Answers, Received, collecting, complete, until
from workers.demo.data import DemoData, load
from workers.demo.gaps.score import summarise_gaps
from workers.demo.gaps.show import show_gaps
from workers.demo.knowledge.data import KnowledgeData, load_knowledge
from workers.demo.knowledge.play import profiles as asking
from workers.demo.knowledge.run import library
from workers.demo.knowledge.score import summarise_knowledge
from workers.demo.knowledge.show import show_knowledge
from workers.demo.outcome import Outcome
from workers.demo.play import Player, Sent, announce
from workers.demo.ready import until_known
from workers.demo.routes.data import RouteData, load_routes
from workers.demo.routes.profiles import profiles as routing
from workers.demo.routes.run import play_routes
from workers.demo.routes.show import show_routes
from workers.demo.score import marked, summarise
from workers.demo.script import Script, write_script
from workers.demo.show import show_summary, showing
from workers.publish import new_producer
from workers.settings import Settings
from workers.stream.produce import broker_errors
from workers.stream.settings import stream_settings
from workers.up import Stack, running_stack

#: What keeps a worker that gets little of the processor from calling itself stuck: the demo is to
#: end on a busy machine too, and slowly. What the user says wins.
_FOR_BUSY_MACHINES = {"TURNGATE_STUCK_S": "120"}
#: How long the last answers may take, seconds: predictions may lag far behind the turns on a busy
#: machine, which is slow and not broken.
_LAST_ANSWERS_S = 240.0
#: How long the workers may take to read the profiles, seconds.
_PROFILES_S = 60.0


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
    #: Turns of agents with intents, taken evenly from all; 0 leaves these agents out.
    routes: int
    #: Questions to the knowledge base; 0 leaves it and the slow worker out.
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is played."""

    data: DemoData
    script: Script
    #: Agents with intents, and when their callers speak; None where there are none.
    routes: tuple[RouteData, Script] | None
    #: None where nothing is asked.
    knowledge: KnowledgeData | None

    @property
    def profiles(self) -> list[AgentProfile]:
        """The profiles of all agents."""
        found = [events.profile(agent) for agent in self.data.agents]
        found += routing(self.routes[0]) if self.routes else []
        return found + (asking(self.knowledge.tenants) if self.knowledge else [])


async def run_demo(
    environment: Mapping[str, str], options: DemoOptions, console: Console
) -> Outcome:
    """
    Play the demo and show it.

    Raises:
        WorkerError: the data cannot be read, or the stack cannot be run.

    """
    logs = Path(tempfile.mkdtemp(prefix="turngate-demo-"))
    console.print(f"The workers log to {logs}, which is kept if something goes wrong.")
    try:
        outcome = await _run(environment, _plan(options), options.workers, console, logs)
    except asyncio.CancelledError:
        shutil.rmtree(logs)
        raise
    if outcome.ok and not outcome.turns.statuses.get(str(Status.DEGRADED)):
        await asyncio.to_thread(shutil.rmtree, logs)
    return outcome


def _plan(options: DemoOptions) -> _Plan:
    data, routes = load(), None
    rate, lead_s = options.rate, options.lead_s
    if options.routes:
        intents = load_routes(options.routes)
        turns = intents.as_turns()
        routes = (
            intents,
            write_script(turns, turns=options.routes, rate=rate, lead_s=lead_s, name="intents"),
        )
    return _Plan(
        data=data,
        script=write_script(data, turns=options.turns, rate=rate, lead_s=lead_s),
        routes=routes,
        knowledge=load_knowledge(options.questions) if options.questions else None,
    )


async def _run(
    environment: Mapping[str, str], plan: _Plan, workers: int, console: Console, logs: Path
) -> Outcome:
    own = own_topics(_FOR_BUSY_MACHINES | dict(environment))
    async with running_stack(own, workers=workers, logs=logs, say=console.print) as stack:
        _show_stack(console, stack)
        async with beside(stack.until_broken(), name="demo-stack"):
            with broker_errors():
                return await _perform(stack, plan, console, logs)


async def _perform(stack: Stack, plan: _Plan, console: Console, logs: Path) -> Outcome:
    """Play everything, one after the other, and show what came of it."""
    async with AsyncExitStack() as opened:
        producer = await opened.enter_async_context(_producer(stack.settings))
        await _announce(stack, producer, plan.profiles)
        books = None
        if plan.knowledge is not None:
            books = await opened.enter_async_context(
                library(stack, producer, plan.knowledge, logs, console.print)
            )
            await books.load()
        started_s = time.monotonic()
        sent, answers = await _play(stack.settings, producer, plan.script, console)
        took_s = time.monotonic() - started_s
        turns = summarise(plan.script.turns, sent, answers)
        routes = None
        if plan.routes is not None:
            routes = await play_routes(stack, producer, *plan.routes, console.print)
        if books is not None:
            await books.ask(console.print)
        show_summary(console, turns, took_s)
        if routes is not None:
            show_routes(console, routes)
        if books is None:
            return Outcome(turns=turns, routes=routes, knowledge=None, gaps=None)
        knowledge = summarise_knowledge(books.data, books.asked, books.heard)
        show_knowledge(console, knowledge)
        await books.review()
        gaps = summarise_gaps(books.data.questions, books.heard)
        show_gaps(console, gaps)
        return Outcome(turns=turns, routes=routes, knowledge=knowledge, gaps=gaps)


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


async def _announce(
    stack: Stack, producer: AIOKafkaProducer, profiles: Sequence[AgentProfile]
) -> None:
    """Publish the profiles, and wait until every worker has them."""
    await announce(producer, stack.settings.prefix, profiles)
    await until_known(
        stack.workers,
        lambda page: page.get("turngate_profiles", 0) >= len(profiles),
        what="the profiles of the demo's agents",
        limit_s=_PROFILES_S,
    )


async def _play(
    settings: Settings, producer: AIOKafkaProducer, script: Script, console: Console
) -> tuple[Sent, Answers]:
    waiting = {planned.key: planned for planned in script.turns}
    player = Player(producer, settings.prefix)
    with showing(console, len(waiting)) as progress:

        def show(received: Received) -> None:
            # Taken out, so that a turn that is delivered twice is shown once.
            planned = waiting.pop(received.key, None)
            if planned is not None:
                progress.add(marked(planned, received, player.sent))

        async with collecting(settings, show) as answers:
            await player.play(script)
            await until(lambda: complete(player.sent, answers), _LAST_ANSWERS_S)
    return player.sent, answers


@asynccontextmanager
async def _producer(settings: Settings) -> AsyncIterator[AIOKafkaProducer]:
    producer = new_producer(stream_settings(settings, client_id="turngate-demo"))
    await producer.start()
    try:
        yield producer
    finally:
        await producer.stop()
