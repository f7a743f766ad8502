"""`kb.questions` in, `kb.verdicts` and `kb.review` out: every question ends in one verdict."""

from models.kb import Ruling
from topics.codec import DecodeError, decode, encode
from topics.names import REVIEW, VERDICTS
from topics.profile import Mode
from topics.question import KbQuestion
from topics.review import ReviewItem
from topics.verdict import KbVerdict
from workers import metrics
from workers.cache import Cache, note_garbage
from workers.cached import StoredDecision, pack_decision, unpack_decision
from workers.errors import CacheGarbage, CacheUnavailable, RecordRefused
from workers.hot.dead_letters import DeadLetters
from workers.hot.receipt import Receipt, receive
from workers.hot.recent import RecentDecisions
from workers.kb.answer import Asked, Desk, fallen_back, judge, look_up, unjudged, write
from workers.kb.review import cause, review_item
from workers.keys import Keys
from workers.stream.consume import Record
from workers.stream.produce import Publisher

#: Verdicts that are remembered: more than a worker commits late; the longest has about 100 KB.
_REMEMBERED = 500


class Questions:
    """Handles the records of `kb.questions`."""

    def __init__(
        self,
        desk: Desk,
        *,
        cache: Cache,
        keys: Keys,
        publisher: Publisher,
        dead_letters: DeadLetters,
        prefix: str,
    ) -> None:
        self._desk = desk
        self._cache = cache
        self._keys = keys
        self._publisher = publisher
        self._dead_letters = dead_letters
        self._verdicts = prefix + VERDICTS.name
        self._review = prefix + REVIEW.name
        self._recent = RecentDecisions(_REMEMBERED)

    async def handle(self, record: Record) -> None:
        """
        Answer one question and publish the verdict, then what the slow path is to see.

        In shadow mode the verdict is search order and does not wait for the judge.

        Raises:
            BrokerUnavailable: something could not be stored; the record must not be committed.

        """
        try:
            question = decode(KbQuestion, record.value)
        except DecodeError as error:
            await self._dead_letters.refuse(record, error)
            return
        receipt = receive(
            said_at_ms=question.asked_at_ms,
            recorded_at_ms=record.timestamp_ms,
            received_at_s=record.fetched_s,
        )
        if receipt.skewed:
            metrics.CLOCK_SKEW.inc()
        asked = await look_up(self._desk, question, receipt)
        live = asked.mode is Mode.LIVE
        ruling = await judge(self._desk, asked) if live else unjudged(self._desk, asked)
        verdict = await self._settled(question, write(self._desk, asked, ruling))
        await self._publish(verdict, receipt)
        await self._hand_on(asked, verdict, ruling if live else None)

    async def fall_back(self, record: Record, error: BaseException) -> None:
        """
        Give the agent its own order after a fault of this code.

        Raises:
            BrokerUnavailable: nothing could be stored; the record must not be committed.

        """
        try:
            question = decode(KbQuestion, record.value)
        except DecodeError:
            await self._dead_letters.failed(record, error)
            return
        await self._publish(fallen_back(question), None)

    async def _settled(self, question: KbQuestion, verdict: KbVerdict) -> KbVerdict:
        """
        Return the verdict that counts for this question: the first one ever made of it.

        It comes from Redis, or from this worker's own memory where Redis did not keep it.
        """
        key = self._keys.verdict(verdict.verdict_id)
        ours = StoredDecision(
            key=key.decode(),
            text_digest=self._keys.text_digest(question.question),
            decision=encode(verdict).decode(),
        )
        first = self._recent.get(ours.key) or await self._kept(ours, key)
        self._recent.put(first)
        if first == ours:
            return verdict
        metrics.VERDICTS_REPLAYED.inc()
        if first.text_digest != ours.text_digest:
            metrics.QUESTION_CONFLICTS.inc()
        try:
            return decode(KbVerdict, first.decision.encode())
        except DecodeError:
            # Of a worker of another version; ours says the same question's name.
            return verdict

    async def _kept(self, ours: StoredDecision, key: bytes) -> StoredDecision:
        value = pack_decision(ours, self._keys)
        try:
            kept = await self._cache.keep_verdict(key, value)
            return ours if kept == value else unpack_decision(kept, key=key, keys=self._keys)
        except CacheUnavailable:
            return ours
        except CacheGarbage as error:
            note_garbage("keep_verdict", error)
            return ours

    async def _publish(self, verdict: KbVerdict, receipt: Receipt | None) -> None:
        await self._publisher.publish(
            self._verdicts, key=verdict.call_id.encode(), value=encode(verdict)
        )
        answerable = {True: "true", False: "false", None: "null"}[verdict.answerable]
        metrics.VERDICTS.labels(verdict.status, verdict.mode, answerable).inc()
        if receipt is not None:
            metrics.VERDICT_SECONDS.observe(receipt.elapsed_ms / 1e3)

    async def _hand_on(self, asked: Asked, verdict: KbVerdict, ruling: Ruling | None) -> None:
        """Publish what the slow path is to see of a question, by the verdict that counts."""
        why = cause(verdict)
        if why is None:
            return
        would = None
        if verdict.mode is Mode.SHADOW:
            would = ruling or await judge(self._desk, asked)
        item = review_item(asked.question, verdict, why, would=would)
        try:
            await self._send(item)
        except RecordRefused:
            # The agent's own candidates are too large for one record; the question is not.
            await self._send(review_item(asked.question, verdict, why, would=would, candidates=()))
        metrics.REVIEW_ITEMS.labels(why).inc()

    async def _send(self, item: ReviewItem) -> None:
        await self._publisher.publish(self._review, key=item.tenant_id.encode(), value=encode(item))
