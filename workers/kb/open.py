"""Opens the knowledge-base judge of a hot worker: its entries, its judge and its agent."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from models.encoder import Encoder
from models.kb import Index
from models.kb.answer import AnswerModel
from models.kb.limits import Limits
from topics.names import ENTRIES, QUESTIONS
from topics.profile import AgentProfile
from workers.background import beside
from workers.cache import Cache
from workers.compacted import follow
from workers.errors import BrokerUnavailable
from workers.hot.dead_letters import DeadLetters
from workers.hot.refusals import Refusals
from workers.inference import Inference
from workers.kb.answer import Desk
from workers.kb.entries import Entries
from workers.kb.judges import AnswerJudge, NoJudge, OnnxJudge, RemoteJudge, load_model
from workers.kb.questions import Questions
from workers.keys import Keys
from workers.settings import Settings
from workers.stream.app import StreamApp
from workers.stream.consume import consume
from workers.stream.produce import Publisher
from workers.stream.settings import StreamSettings
from workers.system_one import connect, endpoint_of

_log = logging.getLogger(__name__)

#: How long the first reading of the entries may take, seconds. Until compaction has run the topic
#: may hold many versions of each; nobody waits for it.
_FIRST_READING_S = 1_800.0
#: Pause before the next try, seconds.
_PAUSE_S = 5.0


def load_answer_model(settings: Settings) -> AnswerModel | None:
    """Load the bundle, where no endpoint judges; None where there is none to be used."""
    if settings.system_one_url:
        return None
    return load_model(settings.answer, threads=settings.inference_threads)


@asynccontextmanager
async def answering(
    settings: Settings,
    stream: StreamSettings,
    app: StreamApp,
    *,
    model: AnswerModel | None,
    encoder: Encoder,
    inference: Inference,
    profiles: Mapping[tuple[str, str], AgentProfile],
    cache: Cache,
    keys: Keys,
    publisher: Publisher,
    dead_letters: DeadLetters,
    refusals: Refusals,
) -> AsyncIterator[None]:
    """
    Follow the entries and register the agent of the questions, for the time of the block.

    Turns do not wait for the entries: until all are read and in the index, questions that have to
    be searched get the status `error`, and the component `kb_index` is degraded.

    Raises:
        SettingsError: the endpoint that is named makes no sense.

    """
    index = Index(encoder)
    entries = Entries(
        index,
        encoder=encoder,
        inference=inference,
        refuse=refusals.put,
        limits=Limits(tenant=settings.kb_tenant_passages, all=settings.kb_passages),
    )
    async with AsyncExitStack() as opened:
        judge = await opened.enter_async_context(open_judge(settings, model, inference))
        await opened.enter_async_context(beside(entries.keep_up(), name="kb-index"))
        await opened.enter_async_context(
            beside(_follow(stream, settings.prefix + ENTRIES.name, entries), name="kb-entries")
        )
        desk = Desk(
            judge=judge,
            index=index,
            entries=entries,
            encoder=encoder,
            inference=inference,
            profiles=profiles,
            budget_ms=settings.kb_budget_ms,
        )
        questions = Questions(
            desk,
            cache=cache,
            keys=keys,
            publisher=publisher,
            dead_letters=dead_letters,
            prefix=settings.prefix,
        )
        consume(
            app,
            settings.prefix + QUESTIONS.name,
            questions.handle,
            on_failure=questions.fall_back,
            name="questions",
            together=settings.kb_together,
        )
        yield


async def _follow(stream: StreamSettings, topic: str, entries: Entries) -> None:
    """Take the entries as they come, from the first on; what cannot be read is tried again."""
    while True:
        try:
            async with follow(stream, topic, entries.take, first_reading_s=_FIRST_READING_S):
                entries.all_read()
                await asyncio.Event().wait()
        except BrokerUnavailable:
            _log.error("kb_entries_not_read")
            await asyncio.sleep(_PAUSE_S)


@asynccontextmanager
async def open_judge(
    settings: Settings, model: AnswerModel | None, inference: Inference
) -> AsyncIterator[AnswerJudge]:
    """
    Open who judges entries: the endpoint that is named, else the bundle, else nobody.

    Raises:
        SettingsError: the endpoint that is named makes no sense.

    """
    if settings.system_one_url:
        async with connect(endpoint_of(settings)) as remote:
            yield RemoteJudge(
                remote, model=settings.system_one_model, threshold=settings.system_one_threshold
            )
    elif model is not None:
        yield OnnxJudge(model, inference)
    else:
        yield NoJudge()
