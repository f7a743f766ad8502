"""Wires the hot worker; all thinking is elsewhere."""

import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from topics.names import (
    DEAD_LETTERS,
    DECISIONS,
    DENIALS,
    ENTRIES,
    PREDICTIONS,
    PROFILES,
    QUESTIONS,
    REVIEW,
    UTTERANCES,
    VERDICTS,
)
from workers import audit_record, gate_record
from workers.admin import connection, need_topics
from workers.background import beside
from workers.cache import connect
from workers.compacted import follow
from workers.hot.dead_letters import DeadLetters
from workers.hot.decide import Gate
from workers.hot.denials import Denials
from workers.hot.judges import load_models
from workers.hot.predictions import Predictions
from workers.hot.profiles import Profiles
from workers.hot.readiness import Readiness
from workers.hot.refusals import Refusals
from workers.hot.routes_ready import ReadyRoutes
from workers.hot.utterances import Utterances
from workers.inference import Inference
from workers.kb.open import answering, load_answer_model
from workers.keys import open_keys
from workers.lag_own import fetch_age_s
from workers.monitor import monitor
from workers.profile_compiler import Compiler
from workers.settings import Settings
from workers.silence import tell_silence
from workers.stream.app import StreamApp, new_app
from workers.stream.consume import consume
from workers.stream.produce import Publisher
from workers.stream.settings import stream_settings
from workers.stream.stopping import StopLimits
from workers.stream.watchdog import WatchLimits
from workers.stream.worker import run_worker

_NEEDED = (
    *(PROFILES, DENIALS, PREDICTIONS, UTTERANCES, DECISIONS),
    *(ENTRIES, QUESTIONS, VERDICTS, REVIEW, DEAD_LETTERS),
)


def run_hot(settings: Settings) -> int:
    """
    Run the hot worker until a signal; return the exit code.

    Raises:
        SettingsError: a setting or a topic does not fit.
        BrokerUnavailable: Kafka did not answer at the start.
        ModelError: the encoder bundle cannot be used.

    """
    ready = Readiness()
    return run_worker(
        lambda: _hot_app(settings, ready),
        stop=StopLimits(drain_s=settings.drain_s),
        watch=WatchLimits(event_s=settings.stuck_s),
        on_ready=ready.joined,
    )


@asynccontextmanager
async def _hot_app(settings: Settings, ready: Readiness) -> AsyncIterator[StreamApp]:
    stream = stream_settings(settings, client_id="turngate-hot")
    await need_topics(connection(settings), prefix=settings.prefix, topics=_NEEDED)
    # Sessions are made before the group is joined: making them holds the interpreter's lock.
    models = load_models(settings.encoder, settings.judge, threads=settings.inference_threads)
    answer_model = load_answer_model(settings)
    ready.done("guards_proved", "bundles_verified")
    if settings.gate_record:
        judge = models.judge
        gate_record.show(Path(settings.gate_record), "" if judge is None else judge.manifest.seal)
    if settings.audit_record:
        audit_record.show(Path(settings.audit_record))
    # What is loaded stays: the collector need not look at it again, in the middle of a turn.
    gc.collect()
    gc.freeze()
    app = new_app(stream)
    publisher = Publisher(app)
    dead_letters = DeadLetters(publisher, settings.prefix)
    refusals = Refusals()
    keys = open_keys(settings.cache_secret)
    async with AsyncExitStack() as opened:
        cache = await opened.enter_async_context(connect(settings))
        inference = await opened.enter_async_context(Inference(capacity=settings.inference_queue))
        routes = ReadyRoutes(
            encoder_fingerprint=models.encoder.fingerprint,
            store=cache,
            keys=keys,
            compiler=Compiler(settings.encoder, models.encoder.manifest.seal),
        )
        profiles = Profiles(cache, keys, refusals.put, routes.changed)
        await opened.enter_async_context(
            follow(stream, settings.prefix + PROFILES.name, profiles.take)
        )
        denials = Denials(refusals.put)
        await opened.enter_async_context(
            follow(stream, settings.prefix + DENIALS.name, denials.take)
        )
        ready.done("profiles_read", "denials_read")
        await opened.enter_async_context(
            beside(refusals.publish(dead_letters), name="refused-profiles")
        )
        await opened.enter_async_context(beside(routes.keep_up(), name="routes"))
        gate = Gate(
            models=models,
            cache=cache,
            keys=keys,
            inference=inference,
            profiles=profiles,
            denials=denials,
            budget_ms=settings.budget_ms,
            shortlist=settings.shortlist,
            routes=routes,
        )
        utterances = Utterances(gate, publisher, dead_letters, settings.prefix)
        predictions = Predictions(gate, dead_letters)
        consume(
            app,
            settings.prefix + UTTERANCES.name,
            utterances.handle,
            on_failure=utterances.fall_back,
            name="utterances",
        )
        consume(
            app,
            settings.prefix + PREDICTIONS.name,
            predictions.handle,
            on_failure=dead_letters.failed,
            name="predictions",
        )
        await opened.enter_async_context(
            answering(
                settings,
                stream,
                app,
                model=answer_model,
                encoder=models.encoder,
                inference=inference,
                profiles=profiles,
                cache=cache,
                keys=keys,
                publisher=publisher,
                dead_letters=dead_letters,
                refusals=refusals,
            )
        )
        await opened.enter_async_context(
            monitor(
                settings.monitor_host, settings.monitor_port, ready, tries=settings.monitor_tries
            )
        )
        ready.watch(app)
        await opened.enter_async_context(
            beside(tell_silence(lambda: fetch_age_s(app)), name="broker-silence")
        )
        yield app
