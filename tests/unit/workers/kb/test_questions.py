"""The agent of `kb.questions`: one verdict a question, and what the slow path gets to see."""

import logging
import time
from dataclasses import dataclass, replace

import pytest

from tests.fakes.kb import NEAR, OTHER, PART, WHOLE, make_entry, make_question
from tests.fakes.stream import make_record
from topics.codec import decode
from topics.dead_letter import DeadLetter
from topics.profile import Mode
from topics.question import CandidateEntry
from topics.review import ReviewCause
from topics.verdict import VerdictStatus, verdict_id
from workers import metrics
from workers.errors import BrokerUnavailable, CacheUnavailable, RecordRefused
from workers.kb.judges import NoJudge

OLD_MS = 100_000_000


def order(verdict):
    return [one.entry_id for one in verdict.entries]


def count(counter, *labels) -> float:
    return counter.labels(*labels)._value.get()


class TestLive:
    async def test_the_answer_comes_first(self, kb):
        """
        The judge's order counts: answer, part, near miss, another subject.
        """
        kb.model.known = {"other": OTHER, "near": NEAR, "part": PART, "whole": WHOLE}

        verdict = await kb.ask(make_question("other", "near", "part", "whole"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.APPLIED, True)
        assert order(verdict) == ["c3", "c2", "c1", "c0"]
        assert [one.level for one in verdict.entries] == [3, 2, 1, 0]
        assert [one.rank for one in verdict.entries] == [3, 2, 1, 0]
        assert kb.reviews() == []

    async def test_says_what_judged_and_how_long_it_took(self, kb):
        """
        A verdict is explained: whose it is, by which judge, at which threshold, in what time.
        """
        verdict = await kb.ask(make_question("x"))

        assert verdict.verdict_id == verdict_id("t", "c", 1)
        assert (verdict.tenant_id, verdict.agent_id, verdict.call_id) == ("t", "live", "c")
        assert (verdict.mode, verdict.judge, verdict.threshold) == (Mode.LIVE, "onnx:answer-1", 0.5)
        assert verdict.timings_ms.keys() == {"kb_wait", "kb_judge", "total"}
        assert verdict.received_at_ms <= verdict.decided_at_ms
        assert kb.publisher.records[0][:2] == ("kb.verdicts", b"c")

    async def test_nothing_answers(self, kb):
        """
        All judged and none reached the threshold: false, and the slow path looks at it.
        """
        question = make_question("other", "near")
        kb.model.known = {"near": NEAR}

        verdict = await kb.ask(question)

        assert (verdict.status, verdict.answerable) == (VerdictStatus.APPLIED, False)
        (item,) = kb.reviews()
        assert (item.cause, item.question) == (ReviewCause.UNANSWERABLE, question.question)
        assert (item.candidates, item.entries) == (question.candidates, verdict.entries)
        assert (item.status, item.answerable) == (VerdictStatus.APPLIED, False)
        assert kb.publisher.records[-1][:2] == ("kb.review", b"t")

    async def test_only_the_first_eight_are_judged(self, kb):
        """
        What stands behind the eighth keeps its place and nobody waits for it.
        """
        verdict = await kb.ask(make_question(*["x"] * 11))

        judged = [one for _, entries in kb.model.asked for one in entries]
        assert len(judged) == 8
        assert verdict.status is VerdictStatus.APPLIED
        assert order(verdict) == ["c8", "c9", "c10", *(f"c{place}" for place in range(8))]
        assert len(kb.reviews()[0].candidates) == 8

    async def test_judged_in_search_order_in_small_batches(self, kb):
        """
        The best candidates are judged first, a few at a time.
        """
        await kb.ask(make_question("a", "b", "c"))

        assert [[one.content for one in entries] for _, entries in kb.model.asked] == [
            ["a", "b"], ["c"],
        ]  # fmt: skip

    async def test_the_judge_sees_four_fields(self, kb):
        """
        A field that a later version of the event has never reaches a judge.
        """

        @dataclass(frozen=True, slots=True, kw_only=True)
        class Later(CandidateEntry):
            cost_centre: str = "secret"

        question = make_question(
            candidates=(Later(entry_id="secret", title="T", content="x", category="c", lang="en"),)
        )

        await kb.ask(question)

        ((_, (shown,)),) = kb.model.asked
        assert (shown.title, shown.content, shown.category, shown.lang) == ("T", "x", "c", "en")
        assert "secret" not in repr(kb.model.asked)

    async def test_the_question_is_cleaned(self, kb):
        """
        The judge reads the one form of a question, without bidi and zero-width characters.
        """
        await kb.ask(make_question("x", question="\u202eكم\u200b   السعر\ufeff؟"))

        assert kb.model.asked[0][0] == "كم السعر؟"

    @pytest.mark.parametrize("text", ["", "  ", "\u200b\u200f", "x" * 100_000])
    async def test_any_question(self, kb, text):
        """
        An empty question asks nothing and is judged by nobody; an endless one is cut.
        """
        verdict = await kb.ask(make_question("a", question=text))

        assert order(verdict) == ["c0"]
        assert verdict.status is VerdictStatus.APPLIED
        assert [len(asked) <= 400 for asked, _ in kb.model.asked] == [True] * bool(
            text.strip(" \u200b\u200f")
        )
        assert verdict.answerable is (False if kb.model.asked else None)


class TestDeadline:
    async def test_what_is_late_keeps_its_search_order(self, kb):
        """
        The best candidates are judged, the rest is late: partial, not known, and reviewed.
        """
        kb.model.known = {"near": NEAR}
        kb.model.slow_s = {"slow": 60}
        kb.rewire(budget_ms=1_000)

        verdict = await kb.ask(make_question("x", "near", "slow", "late"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.PARTIAL, None)
        assert [one.level for one in verdict.entries] == [1, None, None, 0]
        assert order(verdict) == ["c1", "c2", "c3", "c0"]
        assert kb.reviews()[0].cause is ReviewCause.LATE

    async def test_an_answer_in_time_is_enough(self, kb):
        """
        With an answer among what was judged in time the question is answered.
        """
        kb.model.known = {"whole": WHOLE}
        kb.model.slow_s = {"slow": 60}
        kb.rewire(budget_ms=1_000)

        verdict = await kb.ask(make_question("x", "whole", "slow"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.PARTIAL, True)
        assert order(verdict)[0] == "c1"
        assert kb.reviews() == []

    async def test_nothing_in_time(self, kb):
        """
        Nothing judged before the deadline is search order and `timeout`.
        """
        kb.model.slow_s = {"slow": 60}
        kb.rewire(budget_ms=100)

        verdict = await kb.ask(make_question("slow", "x"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.TIMEOUT, None)
        assert order(verdict) == ["c0", "c1"]
        assert kb.reviews()[0].cause is ReviewCause.LATE

    async def test_the_deadline_is_for_all_together(self, kb):
        """
        However many candidates are slow, the verdict is there when the budget is over.
        """
        kb.model.slow_s = {"slow": 5}
        kb.rewire(budget_ms=400)
        started = time.monotonic()

        verdict = await kb.ask(make_question(*["slow"] * 8))

        assert verdict.status is VerdictStatus.TIMEOUT
        # All take 40 s, the first batch 10 s; a busy machine gets a lot of slack.
        assert time.monotonic() - started < 5

    async def test_time_is_kept_for_storing(self, kb):
        """
        The judge has what is left of the budget from receipt, less what storing may take.
        """
        deadlines = []

        class Noting(NoJudge):
            async def judge(self, question, entries, deadline):
                deadlines.append(deadline)
                return await super().judge(question, entries, deadline)

        kb.rewire(judge=Noting(), budget_ms=400)
        received_s = time.monotonic()

        await kb.ask(make_question("x"), fetched_s=received_s)

        assert deadlines[0].at_s == pytest.approx(received_s + 0.370)

    async def test_time_in_the_buffer_counts(self, kb):
        """
        A question that waited for its agent beyond its budget is not judged.
        """
        kb.rewire(budget_ms=1_000)

        verdict = await kb.ask(make_question("x"), fetched_s=time.monotonic() - 5)

        assert verdict.status is VerdictStatus.TIMEOUT
        assert kb.model.asked == []

    async def test_older_than_its_budget(self, kb):
        """
        A question that nobody waits for any more is not judged, and not searched for either.
        """
        kb.index.update([make_entry("e")])
        kb.encoder.asked.clear()
        old = int(time.time() * 1e3) - 60_000

        own = await kb.ask(make_question("x", asked_at_ms=old), timestamp_ms=old)
        none = await kb.ask(make_question(asked_at_ms=old, seq=2), timestamp_ms=old)

        assert (own.status, order(own)) == (VerdictStatus.TIMEOUT, ["c0"])
        assert (none.status, order(none)) == (VerdictStatus.TIMEOUT, [])
        assert kb.model.asked == kb.encoder.asked == []
        assert [item.cause for item in kb.reviews()] == [ReviewCause.LATE] * 2

    @pytest.mark.parametrize("shift", [-OLD_MS, OLD_MS], ids=["behind", "ahead"])
    async def test_a_wrong_clock_is_not_old_age(self, kb, shift):
        """
        Where the agent's clock contradicts the record's, the record's counts.
        """
        verdict = await kb.ask(make_question("x", asked_at_ms=int(time.time() * 1e3) + shift))

        assert verdict.status is VerdictStatus.APPLIED


class TestModes:
    async def test_off(self, kb):
        """
        With the judge off candidates stay in the agent's order, and nothing is judged or reviewed.
        """
        verdict = await kb.ask(make_question("a", "b", agent_id="off"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.DISABLED, None)
        assert order(verdict) == ["c0", "c1"]
        assert kb.model.asked == kb.reviews() == []

    async def test_an_unknown_agent_is_off(self, kb):
        """
        An agent without a profile, or of another tenant, has the judge off.
        """
        verdicts = [
            await kb.ask(make_question("a", agent_id="nobody")),
            await kb.ask(make_question("a", tenant_id="other")),
        ]

        assert [one.status for one in verdicts] == [VerdictStatus.DISABLED] * 2

    async def test_shadow_publishes_before_it_judges(self, kb):
        """
        In shadow the verdict is search order without levels, stored before the judge begins.
        """
        published = []
        kb.model.known = {"whole": WHOLE}
        judge = kb.model.judge
        kb.model.judge = lambda *args: published.append(kb.verdicts()) or judge(*args)

        verdict = await kb.ask(make_question("x", "whole", agent_id="shadow"))

        assert (verdict.status, verdict.mode) == (VerdictStatus.SHADOW, Mode.SHADOW)
        assert order(verdict) == ["c0", "c1"]
        assert {one.level for one in verdict.entries} == {None}
        assert published == [[verdict]]

    async def test_shadow_tells_the_slow_path_what_live_would_have_said(self, kb):
        """
        The review item has status, answer and order of live.
        """
        kb.model.known = {"whole": WHOLE}

        await kb.ask(make_question("x", "whole", agent_id="shadow"))

        (item,) = kb.reviews()
        assert (item.cause, item.status) == (ReviewCause.SHADOW, VerdictStatus.APPLIED)
        assert item.answerable is True
        assert [(one.entry_id, one.level) for one in item.entries] == [("c1", 3), ("c0", 0)]

    async def test_shadow_keeps_the_deadline(self, kb):
        """
        What live would not have judged in time, shadow does not either.
        """
        kb.model.slow_s = {"slow": 60}
        kb.rewire(budget_ms=100)

        await kb.ask(make_question("slow", agent_id="shadow"))

        assert kb.reviews()[0].status is VerdictStatus.TIMEOUT


class TestSearch:
    @pytest.fixture(autouse=True)
    async def _entries(self, kb):
        kb.index.update(
            [
                make_entry("gold", title="Gold plan", content="The gold plan costs 9 pounds."),
                make_entry("pool", title="Pool", content="The pool opens at six."),
                make_entry("secret", tenant_id="other", content="The gold plan of others."),
            ]
        )
        kb.entries._ready = True

    async def test_without_candidates_we_search(self, kb):
        """
        Our own search brings the tenant's entries, and they are judged like the agent's.
        """
        kb.model.known = {"The pool opens at six.": WHOLE}

        verdict = await kb.ask(make_question(question="how much is the gold plan"))

        assert (verdict.status, order(verdict)) == (VerdictStatus.APPLIED, ["pool", "gold"])
        assert [one.rank for one in verdict.entries] == [1, 0]
        assert "kb_search" in verdict.timings_ms

    async def test_the_nearer_of_two_answers_comes_first(self, kb):
        """
        Where the judge is as sure of two entries, their cosines decide, and not their words.
        """
        kb.encoder.vectors = {
            "how much is gold": (1.0, 0.0, 0.0, 0.0),
            "Title words. how much is gold plating": (0.6, 0.8, 0.0, 0.0),
            "Title price. 1,450 pounds": (0.96, 0.28, 0.0, 0.0),
        }
        kb.model.known = {"how much is gold plating": WHOLE, "1,450 pounds": WHOLE}
        contents = {"words": "how much is gold plating", "price": "1,450 pounds"}
        kb.index.update([make_entry(name, content=text) for name, text in contents.items()])

        searched = await kb.ask(make_question(agent_id="shadow"))
        judged = await kb.ask(make_question(seq=2))

        own = {"words", "price"}
        assert [name for name in order(searched) if name in own] == ["words", "price"]
        assert order(judged)[:2] == ["price", "words"]

    async def test_never_another_tenants(self, kb):
        """
        A tenant without entries finds none, however well another's would fit.
        """
        kb.profiles["third", "live"] = replace(kb.profiles["t", "live"], tenant_id="third")

        verdict = await kb.ask(make_question(tenant_id="third", question="the gold plan of others"))

        assert verdict.entries == ()
        assert (verdict.status, verdict.answerable) == (VerdictStatus.APPLIED, None)

    async def test_own_candidates_are_not_searched_beside(self, kb):
        """
        With candidates of the agent's, nothing of ours is added.
        """
        assert order(await kb.ask(make_question("x"))) == ["c0"]

    async def test_a_reviewed_question_that_we_searched_has_no_candidates(self, kb):
        """
        The slow path finds the entries where we did.
        """
        await kb.ask(make_question())

        assert kb.reviews()[0].candidates == ()

    async def test_an_index_that_is_not_whole_answers_nothing_for_sure(self, kb):
        """
        Before all entries are read, what is found is in search order and the status says so.
        """
        kb.entries._ready = False

        verdict = await kb.ask(make_question(question="gold plan"))

        assert (verdict.status, verdict.answerable) == (VerdictStatus.ERROR, None)
        assert order(verdict) == ["gold", "pool"]
        assert kb.model.asked == []
        assert kb.reviews()[0].cause is ReviewCause.LATE

    @pytest.mark.parametrize("mode", ["live", "off", "shadow"])
    async def test_a_broken_encoder(self, kb, mode):
        """
        A search that fails is an error in every mode, since there is no order to give.
        """
        kb.encoder.failing = True

        verdict = await kb.ask(make_question(agent_id=mode))

        assert (verdict.status, verdict.entries) == (VerdictStatus.ERROR, ())


class TestFailures:
    async def test_a_broken_judge(self, kb, caplog):
        """
        Search order, `error`, a degraded component, one line in the log, and back when it is.
        """
        kb.model.failing = True
        verdicts = [await kb.ask(make_question("whole", seq=seq)) for seq in range(3)]

        assert {one.status for one in verdicts} == {VerdictStatus.ERROR}
        assert order(verdicts[0]) == ["c0"]
        assert count(metrics.DEGRADED, "answer_judge") == 1
        assert [one.message for one in caplog.records].count("answer_judge_degraded") == 1
        assert [item.cause for item in kb.reviews()] == [ReviewCause.LATE] * 3

        kb.model.failing = False
        assert (await kb.ask(make_question("x", seq=9))).status is VerdictStatus.APPLIED
        assert count(metrics.DEGRADED, "answer_judge") == 0

    async def test_no_judge(self, kb):
        """
        Without bundle and endpoint a question gets search order and `error`.
        """
        kb.rewire(judge=NoJudge())

        verdict = await kb.ask(make_question("a", "b"))

        assert (verdict.status, verdict.judge) == (VerdictStatus.ERROR, None)
        assert order(verdict) == ["c0", "c1"]
        assert (await kb.ask(make_question("a", agent_id="off", seq=2))).status is (
            VerdictStatus.DISABLED
        )

    async def test_a_fault_of_ours(self, kb):
        """
        Where this code fails the agent still gets a verdict: its own order.
        """
        record = make_record(make_question("a", "b"), topic="kb.questions")

        await kb.questions.fall_back(record, ZeroDivisionError())

        (verdict,) = kb.verdicts()
        assert (verdict.status, order(verdict)) == (VerdictStatus.ERROR, ["c0", "c1"])
        assert verdict.verdict_id == verdict_id("t", "c", 1)

    @pytest.mark.parametrize(
        "raw",
        [b"", b"{}", b"[]", b"\xff", None],
        ids=["empty", "no fields", "list", "latin", "null"],
    )
    async def test_what_is_no_question_is_a_dead_letter(self, kb, raw):
        """
        One dead letter each, and no verdict; also where it only fails later.
        """
        record = make_record(raw, topic="kb.questions")

        await kb.questions.handle(record)
        await kb.questions.fall_back(record, ValueError("said by a caller"))

        letters = [decode(DeadLetter, value) for value in kb.publisher.on("dead.letters")]
        assert [letter.topic for letter in letters] == ["kb.questions"] * 2
        assert "said by" not in repr(letters)
        assert kb.verdicts() == []

    async def test_the_broker_is_away(self, kb):
        """
        Without a stored verdict the record must come again.
        """
        kb.publisher.down = True

        with pytest.raises(BrokerUnavailable):
            await kb.ask(make_question("a"))

    async def test_candidates_too_large_for_a_record(self, kb, monkeypatch):
        """
        A review item that no broker takes goes without the candidates' texts.
        """
        publish = kb.publisher.publish

        async def refuse_large(topic, *, key, value):
            if len(value) > 2_000:
                raise RecordRefused("MessageSizeTooLargeError")
            await publish(topic, key=key, value=value)

        monkeypatch.setattr(kb.publisher, "publish", refuse_large)

        await kb.ask(make_question("x" * 5_000))

        (item,) = kb.reviews()
        assert (item.cause, item.candidates) == (ReviewCause.UNANSWERABLE, ())

    async def test_no_text_is_logged(self, kb, caplog):
        """
        Neither question nor entries reach a log, whatever happens.
        """
        caplog.set_level(logging.DEBUG)
        kb.model.failing = True

        await kb.ask(make_question("zanzibar", question="flamingo"))
        kb.encoder.failing = True
        await kb.ask(make_question(question="flamingo", seq=2))

        logged = caplog.text + "".join(repr(vars(record)) for record in caplog.records)
        assert "answer_judge_degraded" in logged
        assert "kb_search_failed" in logged
        assert "zanzibar" not in logged
        assert "flamingo" not in logged


class TestRedelivery:
    @pytest.mark.parametrize("lost", ["worker", "redis", "neither"])
    async def test_the_first_verdict_stands(self, kb, lost):
        """
        A question that comes again gets the verdict that it had, though it would be judged anew.
        """
        kb.model.known = {"whole": WHOLE}
        question = make_question("x", "whole")
        first = await kb.ask(question)
        if lost == "worker":
            kb.rewire()
        if lost == "redis":
            kb.cache.values.clear()
        kb.model.known = {}

        assert await kb.ask(question) == first
        assert len(set(kb.publisher.on("kb.verdicts"))) == 1

    async def test_a_stale_redelivery_repeats_the_review_of_the_first(self, kb):
        """
        The review item follows from the verdict that counts, not from the age of its repetition.
        """
        question = make_question("x")
        await kb.ask(question)
        kb.rewire()

        await kb.ask(question, fetched_s=time.monotonic() - 100)

        first, second = kb.reviews()
        assert first == second
        assert first.cause is ReviewCause.UNANSWERABLE

    async def test_shadow_is_reviewed_again(self, kb):
        """
        A shadow question that comes again is judged again: nobody knows whether its item came.
        """
        question = make_question("x", agent_id="shadow")
        await kb.ask(question)
        kb.rewire()
        await kb.ask(question)

        first, second = kb.reviews()
        assert first == second
        assert len(set(kb.publisher.on("kb.verdicts"))) == 1

    async def test_another_text_is_a_conflict(self, kb):
        """
        A second question of one turn gets the first one's verdict, and is counted.
        """
        before = metrics.QUESTION_CONFLICTS._value.get()
        first = await kb.ask(make_question("x"))

        assert await kb.ask(make_question("y", question="something else")) == first
        assert metrics.QUESTION_CONFLICTS._value.get() == before + 1

    async def test_without_redis(self, kb):
        """
        Redis away costs nothing but the memory of restarts.
        """
        kb.cache.down = CacheUnavailable("down")
        first = await kb.ask(make_question("x"))

        assert first.status is VerdictStatus.APPLIED
        assert await kb.ask(make_question("x")) == first

    @pytest.mark.parametrize("garbage", [b"", b"x", b'{"key":"another"}'])
    async def test_garbage_in_redis(self, kb, garbage):
        """
        A stored value that is not ours is not used.
        """
        question = make_question("x")
        await kb.ask(question)
        kb.rewire()
        (key,) = kb.cache.values
        kb.cache.values[key] = garbage

        assert (await kb.ask(question)).status is VerdictStatus.APPLIED

    async def test_a_stored_verdict_that_was_changed_is_not_published(self, kb):
        """
        Whoever can write to Redis, and lacks the secret, gives no verdict.
        """
        question = make_question("x")
        first = await kb.ask(question)
        kb.rewire()
        (key,) = kb.cache.values
        written = kb.cache.values[key]
        kb.cache.values[key] = written.replace(b"applied", b"timeout")
        assert kb.cache.values[key] != written

        second = await kb.ask(question)

        assert second.status is first.status is VerdictStatus.APPLIED

    async def test_tenants_share_nothing(self, kb):
        """
        The same call and turn of another tenant is another question.
        """
        kb.model.known = {"whole": WHOLE}
        await kb.ask(make_question("whole"))

        other = await kb.ask(make_question("x", "y", tenant_id="other"))

        assert other.tenant_id == "other"
        assert order(other) == ["c0", "c1"]
