"""`turn.utterances` in, `turn.decisions` out: every utterance ends in one decision."""

import logging
import time

from topics.codec import DecodeError, decode, encode
from topics.decision import Decision, Kind, Reason, Status, decision_id
from topics.names import DECISIONS
from topics.profile import Mode
from topics.utterance import Utterance
from workers import metrics
from workers.cache import TurnKeys, note_garbage
from workers.cached import StoredDecision, pack_decision, unpack_decision
from workers.errors import CacheGarbage, CacheUnavailable
from workers.hot.dead_letters import DeadLetters
from workers.hot.decide import Gate, decide, turn_keys
from workers.hot.receipt import Receipt, receive
from workers.hot.recent import RecentDecisions
from workers.hot.stopwatch import Stopwatch
from workers.stream.consume import Record
from workers.stream.produce import Publisher

_log = logging.getLogger(__name__)

#: Stages that are the models' own time.
_MODEL_STAGES = ("encode", "judge")
#: Where a turn overran its budget, by the reason that says so.
_OVERRUNS = {Reason.LATE_ON_ARRIVAL: "arrival", Reason.DEADLINE: "decision"}
#: Reasons of a turn that Redis did not answer.
_CACHE_AWAY = (Reason.CACHE_UNAVAILABLE, Reason.BREAKER_OPEN)


class Utterances:
    """Handles the records of `turn.utterances`."""

    def __init__(
        self, gate: Gate, publisher: Publisher, dead_letters: DeadLetters, prefix: str
    ) -> None:
        self._gate = gate
        self._publisher = publisher
        self._topic = prefix + DECISIONS.name
        self._recent = RecentDecisions()
        self._dead_letters = dead_letters

    async def handle(self, record: Record) -> None:
        """
        Decide one record and publish the decision.

        Raises:
            BrokerUnavailable: the decision could not be stored; the record must not be committed.

        """
        try:
            utterance = decode(Utterance, record.value)
        except DecodeError as error:
            await self._dead_letters.refuse(record, error)
            return
        receipt = receive(
            said_at_ms=utterance.said_at_ms,
            recorded_at_ms=record.timestamp_ms,
            received_at_s=record.fetched_s,
        )
        metrics.EVENT_AGE_SECONDS.observe(receipt.age_ms / 1e3)
        if receipt.skewed:
            metrics.CLOCK_SKEW.inc()
        keys = turn_keys(self._gate, utterance)
        decision = await decide(self._gate, utterance, keys, receipt)
        after = Stopwatch()
        with after.stage("keep"):
            value = await self._settled(utterance, keys, decision)
        with after.stage("publish"):
            await self._publish(decision, value)
        _account(decision, receipt, after, self._gate.budget_ms)

    async def fall_back(self, record: Record, error: BaseException) -> None:
        """
        Send the turn to the LLM after a fault of this code, so that no caller meets silence.

        Raises:
            BrokerUnavailable: nothing could be stored; the record must not be committed.

        """
        try:
            utterance = decode(Utterance, record.value)
        except DecodeError:
            await self._dead_letters.failed(record, error)
            return
        now_ms = int(time.time() * 1e3)
        decision = Decision(
            decision_id=decision_id(utterance.tenant_id, utterance.call_id, utterance.seq),
            tenant_id=utterance.tenant_id,
            agent_id=utterance.agent_id,
            call_id=utterance.call_id,
            seq=utterance.seq,
            kind=Kind.MISS,
            status=Status.ERROR,
            mode=Mode.OFF,
            reasons=(Reason.INTERNAL,),
            received_at_ms=now_ms,
            decided_at_ms=now_ms,
        )
        await self._publish(decision, encode(decision))

    async def _settled(self, utterance: Utterance, keys: TurnKeys, decision: Decision) -> bytes:
        """
        Return the bytes that count for this turn: the first decision ever made of it.

        A turn that is delivered again, here or at another worker, gets the bytes that it had:
        from Redis, or from this worker's own memory where Redis did not keep them. Only if both
        fail, Redis and then this worker, a redelivered turn is decided anew, under the same id.
        """
        value = encode(decision)
        ours = StoredDecision(
            key=keys.decision.decode(),
            text_digest=self._gate.keys.text_digest(utterance.text),
            decision=value.decode(),
        )
        first = self._recent.get(ours.key)
        if first is None:
            # Redis that has just failed this turn is not waited for a second time.
            away = decision.reasons[0] in _CACHE_AWAY
            first = ours if away else await self._kept(ours, keys, utterance.seq)
        self._recent.put(first)
        if first != ours:
            metrics.REPLAYED.inc()
        if first.text_digest != ours.text_digest:
            metrics.CONFLICTS.inc()
        return first.decision.encode()

    async def _kept(self, ours: StoredDecision, keys: TurnKeys, seq: int) -> StoredDecision:
        value = pack_decision(ours, self._gate.keys)
        try:
            kept = await self._gate.cache.keep_decision(keys, value, seq)
            if kept is value:
                return ours
            return unpack_decision(kept, key=keys.decision, keys=self._gate.keys)
        except CacheUnavailable:
            return ours
        except CacheGarbage as error:
            note_garbage("keep_decision", error)
            return ours

    async def _publish(self, decision: Decision, value: bytes) -> None:
        await self._publisher.publish(self._topic, key=decision.call_id.encode(), value=value)
        metrics.DECISIONS.labels(
            decision.kind, decision.status, decision.mode, decision.reasons[0]
        ).inc()


def _account(decision: Decision, receipt: Receipt, after: Stopwatch, budget_ms: int) -> None:
    """Measure what the worker adds to its models, from receipt to the stored decision."""
    total_ms = receipt.elapsed_ms
    metrics.DECISION_SECONDS.observe(total_ms / 1e3)
    where = _OVERRUNS.get(decision.reasons[0], "publish" if total_ms > budget_ms else None)
    if where is not None:
        metrics.OVERRUNS.labels(where).inc()
    model_ms = sum(decision.timings_ms.get(stage, 0.0) for stage in _MODEL_STAGES)
    metrics.OVERHEAD_SECONDS.observe((total_ms - model_ms) / 1e3)
    _log.debug(
        "decided",
        extra={
            "kind": decision.kind,
            "reason": decision.reasons[0],
            "total_ms": round(total_ms, 3),
            "model_ms": round(model_ms, 3),
            "stages_ms": decision.timings_ms | after.timings_ms,
        },
    )
