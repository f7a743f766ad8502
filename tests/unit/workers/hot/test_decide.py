"""The order of the match gate and every way it can end."""

import time

import pytest

from tests.fakes.hot import NEAR, make_profile, make_utterance
from topics.decision import Kind, Reason, Status
from topics.profile import Mode
from workers import metrics
from workers.errors import CacheUnavailable
from workers.hot.decide import decide, turn_keys
from workers.hot.receipt import receive


async def decided(hot, **overrides):
    utterance = make_utterance(**overrides)
    now_ms = int(time.time() * 1e3)
    receipt = receive(
        said_at_ms=utterance.said_at_ms, recorded_at_ms=now_ms, received_at_s=time.monotonic()
    )
    return await decide(hot.gate, utterance, turn_keys(hot.gate, utterance), receipt)


def ended(decision):
    return decision.kind, decision.status, decision.reasons[0]


class TestServe:
    async def test_a_prediction_that_the_judge_accepts_is_served(self, hot):
        """
        Prediction, response, scores, thresholds and fingerprints are all in the decision.
        """
        await hot.predict("yes please", "no thanks")
        hot.judge.known = {("sure go ahead", "yes please"): 4.0}

        decision = await decided(hot)

        assert ended(decision) == (Kind.SERVE, Status.OK, Reason.JUDGED)
        assert decision.playable
        assert decision.prediction_id == "yes please"
        assert decision.response == "reply to yes please"
        assert decision.candidates[0].logit == 4.0
        assert decision.thresholds == {"judge": 1.0}
        assert decision.bundles == {"encoder": "encoder-1", "judge": "judge-1"}
        assert {"screen", "cache", "guards", "encode", "judge", "total"} <= set(decision.timings_ms)

    async def test_the_same_words_are_served_without_models(self, hot):
        """
        The exact tier asks no model.
        """
        await hot.predict("Sure, go ahead", "sure go ahead")
        hot.encoder.asked.clear()

        decision = await decided(hot)

        assert ended(decision) == (Kind.SERVE, Status.OK, Reason.EXACT)
        assert hot.encoder.asked == []
        assert hot.judge.asked == []


class TestMiss:
    async def test_below_the_threshold(self, hot):
        """
        All below is none, and the best of the bad is not served.
        """
        await hot.predict("no thanks")
        hot.judge.known = {("sure go ahead", "no thanks"): 0.99}

        decision = await decided(hot)

        assert ended(decision) == (Kind.MISS, Status.OK, Reason.BELOW_THRESHOLD)
        assert not decision.playable
        assert decision.response is None

    async def test_no_predictions(self, hot):
        """
        A turn that nobody expected goes to the LLM.
        """
        assert ended(await decided(hot)) == (Kind.MISS, Status.OK, Reason.NO_PREDICTIONS)

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param({"seq": 2}, id="turn"),
            pytest.param({"call_id": "c2"}, id="call"),
        ],
    )
    async def test_predictions_serve_no_other_turn(self, hot, other):
        """
        The same short reply in another turn or call is another question.
        """
        await hot.predict("sure go ahead")

        decision = await decided(hot, **other)

        assert ended(decision) == (Kind.MISS, Status.OK, Reason.NO_PREDICTIONS)

    async def test_predictions_serve_no_other_tenant(self, hot):
        """
        Two tenants with the same call id share nothing.
        """
        await hot.predict("sure go ahead")
        hot.profiles["t2", "live"] = make_profile("live", Mode.LIVE)

        decision = await decided(hot, tenant_id="t2")

        assert decision.reasons[0] is Reason.NO_PREDICTIONS
        assert decision.tenant_id == "t2"

    async def test_another_encoder_never_sees_old_vectors(self, hot):
        """
        Vectors of an older encoder are not found under a newer one.
        """
        await hot.predict("sure go ahead")
        hot.encoder.fingerprint = "encoder-2"

        assert (await decided(hot)).reasons[0] is Reason.NO_PREDICTIONS

    async def test_only_guarded_predictions(self, hot):
        """
        What is left out by guards reaches no model and is not served.
        """
        await hot.predict("हाँ ठीक है")

        decision = await decided(hot)

        assert ended(decision) == (Kind.MISS, Status.OK, Reason.GUARDED)
        assert decision.candidates[0].guard == "script"

    async def test_a_turn_older_than_the_newest_is_stale(self, hot):
        """
        Nothing that could be played comes of a turn that the call has left behind.
        """
        await hot.predict("sure go ahead")
        hot.cache.values[turn_keys(hot.gate, make_utterance()).newest_turn] = b"2"

        decision = await decided(hot)

        assert ended(decision) == (Kind.MISS, Status.OK, Reason.STALE_TURN)
        assert not decision.playable

    async def test_a_worker_that_is_behind_on_the_profile_does_not_play(self, hot):
        """
        Another worker knows a newer profile, which may forbid what we would serve.
        """
        await hot.predict("sure go ahead")
        hot.cache.values[turn_keys(hot.gate, make_utterance()).profile_version] = b"4"

        assert (await decided(hot)).reasons[0] is Reason.PROFILE_BEHIND


class TestBypass:
    @pytest.mark.parametrize(
        ("overrides", "reason"),
        [
            pytest.param({"text": ""}, Reason.EMPTY, id="empty"),
            pytest.param({"text": "\u200b\u200b"}, Reason.EMPTY, id="empty once cleaned"),
            pytest.param({"text": "word " * 50_000}, Reason.TOO_LONG, id="too long"),
            pytest.param({"text": "Пожалуйста, продолжайте"}, Reason.LANGUAGE, id="language"),
            pytest.param({"language": "es-MX"}, Reason.LANGUAGE, id="language by its hint"),
            pytest.param({"text": "I mean the"}, Reason.FRAGMENT, id="fragment"),
            pytest.param(
                {"text": "please leave a message after the tone"}, Reason.VOICEMAIL, id="voicemail"
            ),
            pytest.param({"tenant_id": "nobody"}, Reason.UNKNOWN_AGENT, id="unknown tenant"),
            pytest.param({"agent_id": "nobody"}, Reason.UNKNOWN_AGENT, id="unknown agent"),
            pytest.param({"agent_id": "off"}, Reason.OFF, id="off"),
        ],
    )
    async def test_what_is_not_eligible_asks_nobody(self, hot, overrides, reason):
        """
        A bypass costs no round trip and no inference.
        """
        decision = await decided(hot, **overrides)

        assert ended(decision) == (Kind.BYPASS, Status.OK, reason)
        assert hot.cache.asked == []
        assert hot.encoder.asked == []


class TestShadow:
    async def test_shadow_says_what_live_would_have_done(self, hot):
        """
        In shadow mode the instruction is to ask the LLM, whatever live would have played.
        """
        await hot.predict("sure go ahead", agent_id="shadow")

        decision = await decided(hot, agent_id="shadow")

        assert ended(decision) == (Kind.MISS, Status.OK, Reason.SHADOW)
        assert decision.reasons == (Reason.SHADOW, Reason.EXACT)
        assert not decision.playable
        assert decision.response is None
        assert decision.prediction_id is None
        assert decision.would_have.kind is Kind.SERVE
        assert decision.would_have.prediction_id == "sure go ahead"


class TestThresholds:
    @pytest.mark.parametrize(
        ("own", "expected"),
        [
            pytest.param(3.0, 3.0, id="tighter counts"),
            pytest.param(0.0, 1.0, id="zero does not loosen"),
            pytest.param(-9.0, 1.0, id="looser does not count"),
        ],
    )
    async def test_an_agent_can_only_tighten(self, hot, own, expected):
        """
        A profile never serves what the bundle would not.
        """
        hot.profiles["t", "live"] = make_profile("live", Mode.LIVE, min_logit=own)
        await hot.predict("yes please")
        hot.judge.known = {("sure go ahead", "yes please"): 2.0}

        decision = await decided(hot)

        assert decision.thresholds == {"judge": expected}
        assert decision.playable is (expected <= 2.0)


class TestDeadline:
    async def test_an_event_older_than_its_budget_is_not_judged(self, hot):
        """
        The turn has passed; nothing is looked up for it.
        """
        hot.rewire(budget_ms=80)

        decision = await decided(hot, said_at_ms=int(time.time() * 1e3) - 5_000)

        assert ended(decision) == (Kind.MISS, Status.TIMEOUT, Reason.LATE_ON_ARRIVAL)
        assert hot.cache.asked == []

    async def test_an_agent_can_only_shorten_its_budget(self, hot):
        """
        A profile that allows an hour does not revive what the worker is too late for.
        """
        hot.rewire(budget_ms=80)
        hot.profiles["t", "live"] = make_profile("live", Mode.LIVE, budget_ms=3_600_000)

        decision = await decided(hot, said_at_ms=int(time.time() * 1e3) - 5_000)

        assert decision.reasons[0] is Reason.LATE_ON_ARRIVAL

    async def test_a_slow_judge_is_a_timeout(self, hot):
        """
        What is not decided in time is a miss, and the executor is free again.
        """
        await hot.predict("yes please")
        hot.profiles["t", "live"] = make_profile("live", Mode.LIVE, budget_ms=100)
        hot.judge.slow_s = 30.0

        decision = await decided(hot)

        assert ended(decision) == (Kind.MISS, Status.TIMEOUT, Reason.DEADLINE)
        hot.judge.slow_s = 0.0
        hot.profiles["t", "live"] = make_profile("live", Mode.LIVE)
        assert (await decided(hot)).status is Status.OK


class TestFaults:
    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            pytest.param(CacheUnavailable("away"), Reason.CACHE_UNAVAILABLE, id="away"),
            pytest.param(
                CacheUnavailable("open", breaker_open=True), Reason.BREAKER_OPEN, id="breaker open"
            ),
        ],
    )
    async def test_without_redis_every_turn_is_a_miss(self, hot, error, reason):
        """
        The status says that something failed.
        """
        hot.cache.down = error

        assert ended(await decided(hot)) == (Kind.MISS, Status.ERROR, reason)

    @pytest.mark.parametrize("which", ["predictions", "newest_turn", "profile_version"])
    async def test_garbage_in_redis_is_a_miss(self, hot, which):
        """
        A value that we did not write decides nothing.
        """
        await hot.predict("sure go ahead")
        hot.cache.values[getattr(turn_keys(hot.gate, make_utterance()), which)] = b"garbage"

        assert ended(await decided(hot)) == (Kind.MISS, Status.ERROR, Reason.CACHE_GARBAGE)

    async def test_a_reply_that_was_changed_in_redis_is_not_played(self, hot):
        """
        Whoever can read and write Redis, and lacks the secret, puts no words into a call, and is
        counted.
        """
        await hot.predict("sure go ahead")
        key = turn_keys(hot.gate, make_utterance()).predictions
        written = hot.cache.values[key]
        hot.cache.values[key] = written.replace(b"reply to", b"lies for")
        counted = metrics.CACHE_ERRORS.labels("read_turn", "garbage")._value
        before = counted.get()

        assert hot.cache.values[key] != written
        assert ended(await decided(hot)) == (Kind.MISS, Status.ERROR, Reason.CACHE_GARBAGE)
        assert counted.get() == before + 1

    @pytest.mark.parametrize("which", ["newest_turn", "profile_version"])
    @pytest.mark.parametrize("number", [b"0", b"1", b"3", b"4", b"9" * 18, b"9" * 19, b"-1", b""])
    async def test_a_number_in_redis_can_only_withhold(self, hot, which, number):
        """
        They have no seal: whatever stands there, the turn has its own reply or none.
        """
        await hot.predict("sure go ahead")
        without = await decided(hot)
        hot.cache.values[getattr(turn_keys(hot.gate, make_utterance()), which)] = number

        found = await decided(hot)

        assert without.kind is Kind.SERVE
        assert found.kind is Kind.MISS or found.response == without.response

    async def test_another_turn_s_predictions_are_not_played(self, hot):
        """
        A whole value of ours under another key is garbage, and counted as such.
        """
        await hot.predict("sure go ahead", call_id="other")
        theirs = turn_keys(hot.gate, make_utterance(call_id="other")).predictions
        ours = turn_keys(hot.gate, make_utterance()).predictions
        hot.cache.values[ours] = hot.cache.values[theirs]
        counted = metrics.CACHE_ERRORS.labels("read_turn", "garbage")._value
        before = counted.get()

        assert ended(await decided(hot)) == (Kind.MISS, Status.ERROR, Reason.CACHE_GARBAGE)
        assert counted.get() == before + 1

    async def test_a_broken_encoder_is_a_miss(self, hot):
        """
        Without vectors there is no shortlist.
        """
        await hot.predict("yes please")
        hot.encoder.failing = True

        assert ended(await decided(hot)) == (Kind.MISS, Status.ERROR, Reason.INFERENCE_FAILED)

    @pytest.mark.parametrize("how", ["never loaded", "fails now"])
    async def test_without_a_judge_the_conservative_tier_decides(self, hot, how):
        """
        Near-equal texts are served, marked as degraded; merely close ones are not.
        """
        hot.encoder.vectors = {
            "sure go ahead": NEAR,
            "sure please go ahead": (0.995, 0.0999, 0.0, 0.0),
            "yes please": (0.9, 0.436, 0.0, 0.0),
        }
        if how == "never loaded":
            hot.rewire(judge=None)
        hot.judge.failing = True
        await hot.predict("yes please")
        await hot.predict("sure please go ahead", seq=2)

        close, near = await decided(hot), await decided(hot, seq=2)

        assert ended(close) == (Kind.MISS, Status.DEGRADED, Reason.BELOW_THRESHOLD)
        assert ended(near) == (Kind.SERVE, Status.DEGRADED, Reason.CONSERVATIVE)
        assert close.reasons[-1] is near.reasons[-1] is Reason.JUDGE_DEGRADED

    async def test_without_a_judge_every_decision_says_so(self, hot):
        """
        A bypass of a degraded worker is marked too.
        """
        hot.rewire(judge=None)

        assert (await decided(hot, text="")).status is Status.DEGRADED
