"""The part of the demo that asks the knowledge base, from its loading to the last gap."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiokafka import AIOKafkaProducer

from workers.child import Child
from workers.demo.collect import until
from workers.demo.gaps.score import handed_on
from workers.demo.gaps.worker import slow_worker
from workers.demo.knowledge.collect import Heard, hearing
from workers.demo.knowledge.data import KnowledgeData
from workers.demo.knowledge.play import Asker
from workers.demo.ready import Page, until_known
from workers.up import Say, Stack

#: How long the workers may take to index the entries, seconds: each is encoded first.
_INDEX_S = 180.0
#: How long the last verdicts may take, seconds.
_LAST_VERDICTS_S = 240.0
#: How long the last reviews may take, seconds: each may read all entries, and nobody waits for it.
_LAST_REVIEWS_S = 300.0


class Library:
    """The knowledge base with those who ask it and those who review what was asked."""

    def __init__(
        self, data: KnowledgeData, asker: Asker, heard: Heard, workers: Sequence[Child]
    ) -> None:
        self._asker = asker
        self._workers = workers
        self.data = data
        self.asked = asker.asked
        #: What has come so far.
        self.heard = heard

    async def load(self) -> None:
        """
        Publish the entries, and wait until every worker searches them.

        Raises:
            NotReady: a worker took too long.

        """
        await self._asker.load()
        count = len(self.data.entries)

        def indexed(page: Page) -> bool:
            held, waiting = page.get("turngate_kb_entries"), page.get("turngate_kb_waiting_entries")
            return held == count and waiting == 0

        what = f"all {count} entries of the knowledge base"
        await until_known(self._workers, indexed, what=what, limit_s=_INDEX_S)

    async def ask(self, say: Say) -> None:
        """Ask everything, and wait for the verdicts; what does not come is told by the summary."""
        say(f"asking {len(self.data.questions)} questions of the knowledge base")
        await self._asker.ask()
        await until(self._all_answered, _LAST_VERDICTS_S)

    async def review(self) -> None:
        """Wait for the results of what was handed on."""
        await until(lambda: handed_on(self.heard) <= self.heard.reviewed.keys(), _LAST_REVIEWS_S)

    def _all_answered(self) -> bool:
        times = self.asked.times
        return all(len(self.heard.verdicts.get(key, ())) >= sent for key, sent in times.items())


@asynccontextmanager
async def library(
    stack: Stack, producer: AIOKafkaProducer, data: KnowledgeData, logs: Path, say: Say
) -> AsyncIterator[Library]:
    """
    Run a slow worker, and hear what it and the hot workers say, for the time of the block.

    Raises:
        ChildFailed: the slow worker did not become ready.

    """
    say("starting a slow worker: it reviews what stays unanswered")
    async with slow_worker(stack, logs) as slow, hearing(stack.settings) as heard:
        asker = Asker(producer, stack.settings.prefix, data)
        yield Library(data, asker, heard, (*stack.workers, slow))
