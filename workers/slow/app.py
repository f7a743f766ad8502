"""
Wires and runs the slow worker; all thinking is elsewhere.

How it stops:

1. Intake closes: nothing more is fetched, and what waits in the queue is handed back.
2. What is being stored is stored, for at most `drain_s`; a review that is not done is handed back.
3. What was done is committed.
4. The group is left; the producer is flushed; connections end.

Steps 3 and 4 have `_CLOSE_S`; at the limit the process ends hard, and what was not committed comes
again and changes nothing. A second signal ends it at once.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.coordinator.assignors.range import RangePartitionAssignor

from models.kb import Index
from models.kb.limits import Limits
from topics.names import (
    DEAD_LETTERS,
    ENTRIES,
    GAP_ACTIONS,
    GAPS,
    REVIEW,
    REVIEWED,
    TENANT_COPARTITIONED,
)
from workers import metrics
from workers.admin import admin_client, check_topics, connection, partition_counts
from workers.background import beside
from workers.compacted import follow
from workers.errors import SettingsError
from workers.inference import Inference
from workers.kafka import security_options, stop_consumer
from workers.kb.entries import Entries
from workers.kb.open import open_judge
from workers.monitor import monitor
from workers.settings import Settings
from workers.silence import STALL_S, tell_silence
from workers.slow.actions import Actions
from workers.slow.apply import Applier
from workers.slow.backlog import Backlog
from workers.slow.book import Book
from workers.slow.intake import HANDOVER_S, Intake, Named
from workers.slow.judging import PatientJudge
from workers.slow.keeper import Keeper
from workers.slow.knowledge import Knowledge
from workers.slow.models import Models, load_models
from workers.slow.outbox import Outbox, open_outbox
from workers.slow.pulse import Pulse
from workers.slow.read_back import GapsTopic
from workers.slow.rejudge import Rejudging
from workers.slow.review import Reviewer
from workers.slow.standing import Standing
from workers.stream.exits import ExitCode, end_process
from workers.stream.library_logs import restrain_libraries
from workers.stream.produce import broker_errors
from workers.stream.settings import StreamSettings, stream_settings
from workers.stream.stopping import StopSignals

_log = logging.getLogger(__name__)

_NEEDED = (REVIEW, REVIEWED, GAPS, GAP_ACTIONS, ENTRIES, DEAD_LETTERS)
#: Committing, leaving and closing may take this long together, seconds.
_CLOSE_S = 3.0
#: How often the start looks whether all entries are searched, seconds.
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What the running worker consists of."""

    intake: Intake
    backlog: Backlog
    consumer: AIOKafkaConsumer
    #: What runs until the end, by name.
    tasks: Mapping[str, Coroutine[Any, Any, None]]
    ready: "_Readiness"


class _Readiness:
    """What `/readyz` answers: all true once items are being reviewed."""

    def __init__(self) -> None:
        self.entries_read = False
        self.intake: Intake | None = None

    def __call__(self) -> Mapping[str, bool]:
        """Tell each part."""
        return {
            "entries_read": self.entries_read,
            "gaps_read": self.intake is not None and self.intake.assigned,
            "offsets_move": self.intake is not None and _moves(self.intake),
        }


def _moves(intake: Intake) -> bool:
    """Tell whether records come in and commits get through."""
    return intake.fetch_age_s < STALL_S and (intake.uncommitted_s or 0.0) < STALL_S


def run_slow(settings: Settings) -> int:
    """
    Run the slow worker until a signal; return the exit code.

    Raises:
        SettingsError: a setting or a topic does not fit.
        BrokerUnavailable: Kafka did not answer at the start.
        ModelError: the encoder bundle cannot be used.

    """
    restrain_libraries()
    limit_s = stop_limit_s(settings.drain_s)
    signals = StopSignals(on_first=lambda: _end_hard(limit_s))
    with signals.installed():
        return asyncio.run(_run(settings, signals))


def stop_limit_s(drain_s: float) -> float:
    """Say how long a stop takes at most, seconds."""
    return drain_s + _CLOSE_S


def _end_hard(limit_s: float) -> None:
    timer = threading.Timer(limit_s, end_process, (ExitCode.HUNG, "stop_took_too_long"))
    timer.daemon = True
    timer.start()


async def _run(settings: Settings, signals: StopSignals) -> ExitCode:
    stop = asyncio.create_task(signals.wait(), name="stop-signal")
    try:
        async with AsyncExitStack() as opened:
            start = asyncio.create_task(_open(settings, opened), name="start")
            await asyncio.wait({stop, start}, return_when=asyncio.FIRST_COMPLETED)
            if not start.done():
                start.cancel()
                await asyncio.wait({start})
                return ExitCode.OK
            return await _serve(start.result(), stop, settings.drain_s)
    finally:
        stop.cancel()


async def _serve(parts: _Parts, stop: "asyncio.Task[None]", drain_s: float) -> ExitCode:
    tasks = {asyncio.create_task(work, name=name) for name, work in parts.tasks.items()}
    _log.info("ready")
    done, _ = await asyncio.wait({stop, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    code = ExitCode.OK
    for task in done - {stop}:
        code = ExitCode.FAILED
        error = None if task.cancelled() else task.exception()
        _log.critical(
            "background_task_died",
            extra={"task": task.get_name(), "error": type(error).__name__},
        )
    await _stop_in_order(parts, tasks, drain_s)
    return code


async def _stop_in_order(parts: _Parts, tasks: "set[asyncio.Task[None]]", drain_s: float) -> None:
    """Stop by the numbered steps; the fourth one is the end of what was opened."""
    parts.intake.closed = True
    drained = True
    try:
        async with asyncio.timeout(drain_s):
            await parts.intake.applying.acquire()
    except TimeoutError:
        drained = False
    for task in tasks:
        task.cancel()
    left = parts.backlog.hand_back()
    await asyncio.gather(*tasks, return_exceptions=True)
    await parts.intake.commit()
    _log.info("stopped", extra={"drained": drained, "handed_back": left})


async def _open(settings: Settings, opened: AsyncExitStack) -> _Parts:
    stream = replace(
        stream_settings(settings, client_id="turngate-slow"),
        group=settings.prefix + settings.slow_group,
    )
    await _check(settings)
    # Sessions are made before the group is joined: making them holds the interpreter's lock.
    models = load_models(settings)
    inference = await opened.enter_async_context(Inference(capacity=settings.inference_queue))
    ready = _Readiness()
    await opened.enter_async_context(
        monitor(settings.monitor_host, settings.monitor_port, ready, tries=settings.monitor_tries)
    )
    index = Index(models.encoder)
    await opened.enter_async_context(
        _entries(settings, stream, index=index, models=models, inference=inference, ready=ready)
    )
    judge = PatientJudge(
        await opened.enter_async_context(open_judge(settings, models.answer, inference))
    )
    pulse = Pulse(stream.session_s)
    outbox = await opened.enter_async_context(
        open_outbox(stream, pulse, letters=settings.prefix + DEAD_LETTERS.name)
    )
    knowledge = Knowledge(index, judge.name)
    reviewer = Reviewer(
        judge=judge,
        index=index,
        knowledge=knowledge,
        encoder=models.encoder,
        inference=inference,
        classifier=models.classifier,
    )
    return await _joined(
        settings,
        stream,
        opened,
        models=models,
        reviewer=reviewer,
        outbox=outbox,
        pulse=pulse,
        ready=ready,
    )


async def _joined(
    settings: Settings,
    stream: StreamSettings,
    opened: AsyncExitStack,
    *,
    models: Models,
    reviewer: Reviewer,
    outbox: Outbox,
    pulse: Pulse,
    ready: _Readiness,
) -> _Parts:
    """Join the group with everything that its partitions need."""
    book = Book(models.encoder, reviewer.inference)
    standing = Standing()
    gaps_topic = GapsTopic(stream, settings.prefix + GAPS.name, standing)
    keeper = Keeper(
        book,
        decider=models.decider,
        inference=reviewer.inference,
        stores=outbox,
        prefix=settings.prefix,
        standing=standing,
    )
    backlog = Backlog(settings.slow_queue)
    applier = Applier(
        backlog,
        reviewer=reviewer,
        keeper=keeper,
        actions=Actions(book, keeper),
        outbox=outbox,
        together=settings.slow_together,
        patience_s=settings.slow_patience_s,
    )
    named = Named(review=settings.prefix + REVIEW.name, actions=settings.prefix + GAP_ACTIONS.name)

    async def read_back() -> None:
        owed = await book.load(await gaps_topic.read_back())
        async with keeper.changing:
            for gap in owed:
                await keeper.put(gap)
        _log.info("gaps_read", extra={"gaps": book.states().total()})

    consumer = await opened.enter_async_context(_consumer(stream))
    intake = Intake(
        consumer,
        backlog,
        named=named,
        begin=applier.begin,
        give_up=pulse.lose,
        changing=keeper.changing,
        read_back=read_back,
    )
    ready.intake = intake
    opened.enter_context(_watched(intake))
    consumer.subscribe([named.review, named.actions], listener=intake)
    rejudging = Rejudging(
        book,
        keeper,
        reviewer,
        is_ours=lambda tenant_id: (
            intake.assigned and not book.of(tenant_id).partitions.isdisjoint(intake.partitions)
        ),
    )
    return _Parts(
        intake=intake,
        backlog=backlog,
        consumer=consumer,
        ready=ready,
        tasks={
            "pulse": pulse.beat(),
            "gaps": gaps_topic.keep_reading(),
            "standing": keeper.keep_standing(
                lambda: intake.partitions if intake.assigned else frozenset()
            ),
            "intake": intake.fill(),
            "apply": applier.apply_all(intake),
            "commit": intake.keep_committing(stream.commit_s),
            "ask": intake.keep_asking(),
            "broker-silence": tell_silence(lambda: intake.fetch_age_s),
            "rejudge": rejudging.keep_up(settings.slow_rejudge_s),
        },
    )


async def _check(settings: Settings) -> None:
    """
    Make sure that all topics are there, and that a tenant's items and actions meet in one worker.

    Raises:
        SettingsError: they do not.
        BrokerUnavailable: Kafka did not answer.

    """
    broker = connection(settings)
    problems = list(await check_topics(broker, prefix=settings.prefix, topics=_NEEDED))
    async with admin_client(broker) as admin:
        counts = await partition_counts(admin)
    together = {
        name: counts[name]
        for name in (settings.prefix + topic.name for topic in TENANT_COPARTITIONED)
        if name in counts
    }
    if len(set(together.values())) > 1:
        said = ", ".join(f"{name} has {count}" for name, count in together.items())
        problems.append(f"topics of one tenant need equal partition counts: {said}")
    if problems:
        raise SettingsError("; ".join(problems))


@asynccontextmanager
async def _entries(
    settings: Settings,
    stream: StreamSettings,
    *,
    index: Index,
    models: Models,
    inference: Inference,
    ready: _Readiness,
) -> AsyncIterator[None]:
    """Follow the entries; the block begins when all that the topic held are searched."""
    entries = Entries(
        index,
        encoder=models.encoder,
        inference=inference,
        # The hot workers have refused it already.
        refuse=lambda record, _: _log.warning("entry_refused", extra={"offset": record.offset}),
        limits=Limits(tenant=settings.kb_tenant_passages, all=settings.kb_passages),
    )
    async with AsyncExitStack() as opened:
        await opened.enter_async_context(beside(entries.keep_up(), name="kb-index"))
        await opened.enter_async_context(
            follow(stream, settings.prefix + ENTRIES.name, entries.take)
        )
        entries.all_read()
        while not entries.ready:  # noqa: ASYNC110 - what becomes so has no event, and comes once
            await asyncio.sleep(_LOOK_S)
        ready.entries_read = True
        yield


@asynccontextmanager
async def _consumer(stream: StreamSettings) -> AsyncIterator[AIOKafkaConsumer]:
    """
    Connect a member of the group; it subscribes later, and leaves at the end.

    Raises:
        BrokerUnavailable: Kafka did not answer.

    """
    consumer = AIOKafkaConsumer(
        bootstrap_servers=stream.brokers,
        group_id=stream.group,
        client_id=stream.client_id,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        session_timeout_ms=int(stream.session_s * 1e3),
        heartbeat_interval_ms=int(min(stream.heartbeat_s, stream.session_s / 3) * 1e3),
        rebalance_timeout_ms=int(2 * HANDOVER_S * 1e3),
        fetch_max_wait_ms=stream.fetch_wait_ms,
        # One tenant's items and actions have one partition number, and reach one member.
        partition_assignment_strategy=(RangePartitionAssignor,),
        **security_options(stream.security),
    )
    with broker_errors():
        await consumer.start()
    try:
        yield consumer
    finally:
        await stop_consumer(consumer)


@contextmanager
def _watched(intake: Intake) -> Iterator[None]:
    """Let the metrics look at what is read."""
    metrics.CONSUMER_LAG.set_source(intake.behind)
    metrics.ASSIGNED.set_function(lambda: float(len(intake.partitions)))
    metrics.FETCH_AGE_SECONDS.set_function(lambda: intake.fetch_age_s)
    metrics.UNCOMMITTED_SECONDS.set_function(lambda: intake.uncommitted_s or 0.0)
    try:
        yield
    finally:
        metrics.CONSUMER_LAG.set_source(tuple)
