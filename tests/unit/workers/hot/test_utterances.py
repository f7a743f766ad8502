"""Utterance records in, decisions or dead letters out."""

import pytest

from tests.fakes.hot import make_utterance
from tests.fakes.stream import make_record
from topics.codec import decode
from topics.dead_letter import DeadLetter
from topics.decision import Decision, Kind, Reason, Status, decision_id
from workers import metrics
from workers.errors import BrokerUnavailable, CacheUnavailable
from workers.hot.decide import turn_keys


def decisions(hot) -> list[Decision]:
    return [decode(Decision, value) for value in hot.publisher.on("turn.decisions")]


class TestHandle:
    async def test_one_decision_under_the_calls_key(self, hot):
        """
        The decision has its deterministic id and goes to the call's partition.
        """
        await hot.utterances.handle(make_record(make_utterance()))

        ((topic, key, _),) = hot.publisher.records
        (decision,) = decisions(hot)
        assert (topic, key) == ("turn.decisions", b"c")
        assert decision.decision_id == decision_id("t", "c", 1)

    @pytest.mark.parametrize("text", ["sure go ahead", "", "Пожалуйста"], ids=repr)
    async def test_a_turn_delivered_again_gets_the_same_bytes(self, hot, text):
        """
        The first decision of a turn is its only one, even if the world has changed since.
        """
        record = make_record(make_utterance(text=text))
        await hot.utterances.handle(record)
        await hot.predict("sure go ahead")

        await hot.utterances.handle(record)

        first, second = hot.publisher.on("turn.decisions")
        assert first == second

    async def test_a_turn_that_comes_again_late_is_no_other_decision(self, hot):
        """
        A redelivery after newer turns repeats the decision and is not called stale.
        """
        await hot.predict("sure go ahead")
        early = make_record(make_utterance())
        await hot.utterances.handle(early)
        await hot.utterances.handle(make_record(make_utterance(seq=2)))

        await hot.utterances.handle(early)

        first, _, again = hot.publisher.on("turn.decisions")
        assert first == again

    async def test_the_same_turn_with_another_text_keeps_its_first_decision(self, hot):
        """
        Two texts for one turn are a conflict, which is counted; the first one was decided.
        """
        before = metrics.CONFLICTS._value.get()
        await hot.predict("sure go ahead")
        await hot.utterances.handle(make_record(make_utterance()))

        await hot.utterances.handle(make_record(make_utterance(text="no wait")))

        first, second = hot.publisher.on("turn.decisions")
        assert first == second
        assert metrics.CONFLICTS._value.get() == before + 1

    async def test_another_worker_keeps_the_first_decision_too(self, hot):
        """
        A worker that takes over a partition remembers nothing; Redis does.
        """
        await hot.predict("sure go ahead")
        await hot.utterances.handle(make_record(make_utterance()))
        hot.rewire()

        await hot.utterances.handle(make_record(make_utterance(text="no wait")))

        first, second = hot.publisher.on("turn.decisions")
        assert first == second

    async def test_the_same_turn_of_another_tenant_has_a_decision_of_its_own(self, hot):
        """
        Two tenants with the same call id get no reply of each other's.
        """
        await hot.predict("sure go ahead")
        await hot.utterances.handle(make_record(make_utterance()))
        hot.rewire()

        await hot.utterances.handle(make_record(make_utterance(tenant_id="t2")))

        ours, theirs = decisions(hot)
        assert (ours.tenant_id, theirs.tenant_id) == ("t", "t2")
        assert ours.playable
        assert not theirs.playable

    async def test_without_redis_there_is_still_a_decision(self, hot):
        """
        A cache that is away costs the hit, not the answer.
        """
        hot.cache.down = CacheUnavailable("away")

        await hot.utterances.handle(make_record(make_utterance()))

        assert decisions(hot)[0].status is Status.ERROR

    async def test_redis_that_failed_a_turn_is_not_waited_for_twice(self, hot):
        """
        A frozen Redis costs one limit a turn, not two.
        """
        hot.cache.down = CacheUnavailable("away")

        await hot.utterances.handle(make_record(make_utterance()))

        assert hot.cache.asked == ["read_turn"]

    async def test_a_turn_that_comes_again_while_redis_is_away_gets_the_same_bytes(self, hot):
        """
        What Redis did not keep, the worker itself remembers.
        """
        hot.cache.down = CacheUnavailable("away")
        record = make_record(make_utterance())
        await hot.utterances.handle(record)
        hot.cache.down = None
        await hot.predict("sure go ahead")

        await hot.utterances.handle(record)

        first, second = hot.publisher.on("turn.decisions")
        assert first == second

    async def test_a_stored_decision_that_is_garbage_does_not_silence_the_turn(self, hot):
        """
        Where memory is spoilt, the decision at hand goes out.
        """
        hot.cache.values[turn_keys(hot.gate, make_utterance()).decision] = b"garbage"

        await hot.utterances.handle(make_record(make_utterance()))

        assert len(decisions(hot)) == 1

    async def test_a_stored_decision_that_was_changed_is_not_published(self, hot):
        """
        Whoever can write to Redis, and lacks the secret, makes no decision, and is counted.
        """
        counted = metrics.CACHE_ERRORS.labels("keep_decision", "garbage")._value
        before = counted.get()
        await hot.predict("sure go ahead")
        record = make_record(make_utterance())
        await hot.utterances.handle(record)
        key = turn_keys(hot.gate, make_utterance()).decision
        written = hot.cache.values[key]
        hot.cache.values[key] = written.replace(b"reply to", b"lies for")
        assert hot.cache.values[key] != written
        hot.rewire()

        await hot.utterances.handle(record)

        _, second = hot.publisher.on("turn.decisions")
        assert b"lies for" not in second
        assert b"reply to" in second
        assert counted.get() == before + 1

    async def test_nothing_is_done_if_the_broker_takes_nothing(self, hot):
        """
        The caller learns that the record must not be committed.
        """
        hot.publisher.down = True

        with pytest.raises(BrokerUnavailable):
            await hot.utterances.handle(make_record(make_utterance()))

    async def test_what_is_no_utterance_becomes_one_dead_letter(self, hot):
        """
        The dead letter says where the record came from and why it was refused, without its text.
        """
        await hot.utterances.handle(make_record(b'{"text":"secret"}', offset=41))

        (raw,) = hot.publisher.on("dead.letters")
        letter = decode(DeadLetter, raw)
        assert (letter.topic, letter.partition, letter.offset) == ("turn.utterances", 0, 41)
        assert "secret" not in letter.reason
        assert decisions(hot) == []


class TestFallBack:
    async def test_a_fault_of_ours_sends_the_turn_to_the_llm(self, hot):
        """
        No caller meets silence because our code failed.
        """
        await hot.utterances.fall_back(make_record(make_utterance()), ZeroDivisionError())

        (decision,) = decisions(hot)
        assert decision.kind is Kind.MISS
        assert decision.status is Status.ERROR
        assert decision.reasons == (Reason.INTERNAL,)
        assert not decision.playable

    async def test_a_record_that_cannot_be_read_becomes_a_dead_letter(self, hot):
        """
        Whatever failed, the record is not lost, and the error's own text is not shown.
        """
        await hot.utterances.fall_back(make_record(b"?"), ValueError("what the caller said"))

        (raw,) = hot.publisher.on("dead.letters")
        assert decode(DeadLetter, raw).reason == "handling failed: ValueError"
