"""The router's step: when it is asked, what comes of it, and what its failures leave."""

import time
from dataclasses import replace

import numpy as np
import pytest

from models.router import Reason as RouterReason
from models.script import Writing
from tests.fakes.hot import make_predictions, make_utterance
from tests.fakes.routes import (
    ENGLISH,
    HOURS,
    INTENTS,
    NEITHER,
    PRICE,
    make_heard,
    make_route,
    make_router,
    routing_profile,
)
from tests.fakes.stream import make_record
from topics.codec import decode
from topics.decision import Decision, Kind, Reason, Status
from topics.prediction import Prediction
from topics.profile import MatchProfile, Mode
from workers import metrics
from workers.errors import CacheUnavailable
from workers.hot.decide import decide, turn_keys
from workers.hot.receipt import receive

#: What the caller says in these tests.
SAID = "at what time do you open"


def use(hot, mode=Mode.LIVE, match=Mode.LIVE, *, router=None, intents=INTENTS):
    """Give the agent `live` this profile, with its router ready."""
    profile = hot.profiles["t", "live"] = routing_profile(mode, match, intents)
    hot.routes["t", "live"] = make_route(profile, router)
    hot.encoder.vectors |= {SAID: HOURS}


async def decided(hot, text=SAID, **overrides):
    utterance = make_utterance(text=text, **overrides)
    now_ms = int(time.time() * 1e3)
    receipt = receive(
        said_at_ms=utterance.said_at_ms, recorded_at_ms=now_ms, received_at_s=time.monotonic()
    )
    return await decide(hot.gate, utterance, turn_keys(hot.gate, utterance), receipt)


def counted(outcome, mode="live"):
    return metrics.ROUTES.labels(outcome, mode)._value.get()


class TestRoute:
    async def test_a_clear_intent_is_routed_where_nothing_was_predicted(self, hot):
        """
        Intent, response, scores, threshold and the router's digest are all in the decision.
        """
        use(hot)
        before = counted("routed")

        decision = await decided(hot)

        assert (decision.kind, decision.status) == (Kind.ROUTE, Status.OK)
        assert decision.reasons == (Reason.ROUTED, Reason.NO_PREDICTIONS)
        assert decision.playable
        assert (decision.intent, decision.response) == ("hours", "nine to five")
        assert decision.prediction_id is None
        assert decision.route.candidate == "hours"
        assert decision.route.runner_up == "price"
        assert decision.route.score == decision.route.margin == decision.route.confidence == 1.0
        assert decision.thresholds == {"route": 0.5}
        assert decision.bundles["router"] == "router-1"
        assert decision.route_mode is Mode.LIVE
        assert {"encode", "route"} <= set(decision.timings_ms)
        assert counted("routed") == before + 1

    async def test_the_gates_vector_is_used_again(self, hot):
        """
        Where the gate has encoded the utterance, the router costs no inference.
        """
        use(hot)
        await hot.predict("yes please")
        hot.encoder.asked.clear()

        decision = await decided(hot)

        assert decision.reasons == (Reason.ROUTED, Reason.BELOW_THRESHOLD)
        assert decision.thresholds == {"judge": 1.0, "route": 0.5}
        assert hot.encoder.asked == [SAID]
        assert decision.candidates[0].prediction_id == "yes please"

    async def test_a_prediction_comes_before_an_intent(self, hot):
        """
        What the gate serves, the router is not asked about.
        """
        use(hot)
        await hot.predict(SAID)

        decision = await decided(hot)

        assert (decision.kind, decision.reasons) == (Kind.SERVE, (Reason.EXACT,))
        assert decision.route is None
        assert decision.intent is None

    @pytest.mark.parametrize(
        ("predicted", "gate"),
        [
            pytest.param(["फिर मिलते हैं"], Reason.GUARDED, id="all guarded"),
            pytest.param([SAID, SAID.upper()], Reason.TIE, id="tie"),
        ],
    )
    async def test_it_is_asked_however_the_gate_missed(self, hot, predicted, gate):
        """
        The gate looked and found nothing to serve; the utterance is encoded once.
        """
        use(hot)
        await hot.predict(*predicted)
        hot.encoder.asked.clear()

        decision = await decided(hot)

        assert decision.reasons == (Reason.ROUTED, gate)
        assert hot.encoder.asked == [SAID]

    async def test_a_gate_that_is_off_leaves_the_router_on(self, hot):
        """
        Each feature has its own mode; predictions are then not looked at.
        """
        use(hot, match=Mode.OFF)
        await hot.predict(SAID)

        decision = await decided(hot)

        assert decision.reasons == (Reason.ROUTED, Reason.OFF)
        assert (decision.kind, decision.mode) == (Kind.ROUTE, Mode.OFF)

    async def test_a_response_that_lies_elsewhere(self, hot):
        """
        An intent may name where its response lies instead of holding it.
        """
        use(hot)

        decision = await decided(hot, "how much is it now", seq=5)
        hot.encoder.vectors["how much is it now"] = PRICE
        priced = await decided(hot, "how much is it now", seq=6)

        assert decision.kind is Kind.MISS
        assert (priced.kind, priced.intent) == (Kind.ROUTE, "price")
        assert (priced.response_ref, priced.response) == ("price.wav", None)


class TestModes:
    async def test_off_is_as_if_there_were_no_router(self, hot):
        """
        Not even a reason shows it.
        """
        use(hot, Mode.OFF)

        decision = await decided(hot)

        assert (decision.kind, decision.reasons) == (Kind.MISS, (Reason.NO_PREDICTIONS,))
        assert decision.route_mode is Mode.OFF
        assert hot.encoder.asked == []

    async def test_shadow_says_what_live_would_have_done(self, hot):
        """
        In shadow mode the instruction is to ask the LLM.
        """
        use(hot, Mode.SHADOW)

        decision = await decided(hot)

        assert decision.kind is Kind.MISS
        assert decision.reasons == (Reason.NO_PREDICTIONS, Reason.ROUTE_SHADOW)
        assert not decision.playable
        assert decision.intent is decision.response is decision.response_ref is None
        assert (decision.would_have.kind, decision.would_have.intent) == (Kind.ROUTE, "hours")
        assert decision.route.candidate == "hours"

    async def test_a_gate_in_shadow_does_not_hold_a_live_router_back(self, hot):
        """
        The gate's shadow serve plays nothing, so the caller is routed; both are told.
        """
        use(hot, match=Mode.SHADOW)
        await hot.predict(SAID)

        decision = await decided(hot)

        assert (decision.kind, decision.intent) == (Kind.ROUTE, "hours")
        assert decision.reasons == (Reason.ROUTED, Reason.SHADOW, Reason.EXACT)
        assert decision.would_have.kind is Kind.SERVE
        assert decision.prediction_id is None

    async def test_both_in_shadow(self, hot):
        """
        Live, the prediction would have come first; the router's choice shows beside it.
        """
        use(hot, Mode.SHADOW, Mode.SHADOW)
        await hot.predict(SAID)

        decision = await decided(hot)

        assert (decision.kind, decision.playable) == (Kind.MISS, False)
        assert decision.reasons == (Reason.SHADOW, Reason.EXACT, Reason.ROUTE_SHADOW)
        assert decision.would_have.kind is Kind.SERVE
        assert decision.route.candidate == "hours"


class TestNotAsked:
    @pytest.mark.parametrize(
        "overrides",
        [
            pytest.param({"text": ""}, id="empty"),
            pytest.param({"text": "no me interesa, gracias"}, id="language"),
            pytest.param({"language": "es"}, id="language by its hint"),
            pytest.param({"text": "I mean the"}, id="fragment"),
            pytest.param({"text": "please leave a message after the tone"}, id="voicemail"),
            pytest.param({"agent_id": "nobody"}, id="unknown agent"),
        ],
    )
    async def test_turns_that_are_not_eligible(self, hot, overrides):
        """
        Whatever is never matched is never routed, however near an intent is.
        """
        use(hot)
        hot.encoder.vectors[overrides.get("text", "")] = HOURS

        decision = await decided(hot, **overrides)

        assert decision.kind in {Kind.BYPASS, Kind.MISS}
        assert decision.route is None
        assert hot.encoder.asked == []

    async def test_a_turn_that_arrives_late(self, hot):
        """
        The caller has long gone on.
        """
        use(hot)
        hot.rewire(budget_ms=80)

        decision = await decided(hot, said_at_ms=int(time.time() * 1e3) - 5_000)

        assert decision.reasons == (Reason.LATE_ON_ARRIVAL,)
        assert hot.encoder.asked == []

    @pytest.mark.parametrize("which", ["newest_turn", "profile_version"])
    async def test_a_turn_or_a_profile_that_is_outdated(self, hot, which):
        """
        A stale turn is not played over the caller's new one, nor an old profile over a newer.
        """
        use(hot)
        hot.cache.values[getattr(turn_keys(hot.gate, make_utterance()), which)] = b"99"

        decision = await decided(hot)

        assert decision.reasons in {(Reason.STALE_TURN,), (Reason.PROFILE_BEHIND,)}
        assert not decision.playable

    @pytest.mark.parametrize("match", [Mode.LIVE, Mode.OFF])
    async def test_without_redis(self, hot, match):
        """
        Nobody can say then whether turn and profile are still the newest.
        """
        use(hot, match=match)
        hot.cache.down = CacheUnavailable("away")

        decision = await decided(hot)

        assert decision.reasons == (Reason.CACHE_UNAVAILABLE,)
        assert decision.status is Status.ERROR

    async def test_after_a_prediction_whose_reply_acts(self, hot):
        """
        The caller said what only the LLM may act on, so nothing else is played either.
        """
        use(hot)
        acts = Prediction(prediction_id="p", text=SAID, response="r", side_effect=True)
        predictions = make_predictions(predictions=(acts,))
        await hot.predictions.handle(make_record(predictions, topic="turn.predictions"))

        decision = await decided(hot)

        assert decision.reasons == (Reason.SIDE_EFFECT,)
        assert decision.kind is Kind.MISS

    async def test_an_encoder_that_failed_the_gate(self, hot):
        """
        An error of the gate is the decision; the router does not try its luck.
        """
        use(hot)
        await hot.predict("yes please")
        hot.encoder.failing = True

        assert (await decided(hot)).reasons == (Reason.INFERENCE_FAILED,)


class TestWithheld:
    async def refused(self, hot, text=SAID):
        """Decide and check that nothing is played and the gate's reason comes first."""
        decision = await decided(hot, text)
        assert (decision.kind, decision.playable) == (Kind.MISS, False)
        assert decision.intent is decision.response is decision.would_have is None
        assert decision.reasons[0] is Reason.NO_PREDICTIONS
        return decision

    async def test_unclear(self, hot):
        """
        Below the threshold nothing is routed, and the decision shows how far below.
        """
        use(hot)
        hot.encoder.vectors[SAID] = (0.8, 0.6, 0.0, 0.0)

        decision = await self.refused(hot)

        assert decision.reasons[1] is Reason.ROUTE_UNCLEAR
        assert decision.route.margin == pytest.approx(0.2)
        assert (decision.route.candidate, decision.route.runner_up) == ("hours", "price")

    async def test_near_nothing(self, hot):
        """
        What is far from every intent is not routed to the least far one.
        """
        use(hot)
        hot.encoder.vectors[SAID] = NEITHER

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_UNCLEAR

    @pytest.mark.parametrize("mode", [Mode.LIVE, Mode.SHADOW])
    async def test_an_intent_whose_response_acts(self, hot, mode):
        """
        It is never routed, and shadow does not promise that it would be.
        """
        use(hot, mode, intents=(replace(INTENTS[0], side_effect=True), INTENTS[1]))

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_SIDE_EFFECT

    async def test_an_intent_without_a_response(self, hot):
        """
        There is nothing to play, so the LLM is asked.
        """
        use(hot, intents=(replace(INTENTS[0], response=None), INTENTS[1]))

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_NO_RESPONSE

    @pytest.mark.parametrize("response", [0, False, "", []], ids=repr)
    async def test_a_response_that_looks_like_none(self, hot, response):
        """
        Any JSON is a response; only null is none.
        """
        use(hot, intents=(replace(INTENTS[0], response=response), INTENTS[1]))

        decision = await decided(hot)

        assert (decision.kind, decision.response) == (Kind.ROUTE, response)

    async def test_a_language_that_no_validation_phrase_has(self, hot):
        """
        The threshold was chosen on English; nothing is even encoded for a Hindi caller.
        """
        use(hot)
        said = "आप लोग कितने बजे खुलते हैं"
        hot.encoder.vectors[said] = HOURS

        assert (await self.refused(hot, said)).reasons[1] is Reason.ROUTE_LANGUAGE
        assert hot.encoder.asked == []

    async def test_a_language_that_the_intent_has_no_example_in(self, hot):
        """
        Hindi is validated and another intent speaks it, but this one's response is English.
        """
        hindi = Writing("devanagari", "hi")
        heard = make_heard(
            examples=(frozenset([ENGLISH]), frozenset([hindi])), validation={ENGLISH: 40, hindi: 40}
        )
        use(hot, router=make_router(heard=heard))
        said = "आप लोग कितने बजे खुलते हैं"
        hot.encoder.vectors[said] = HOURS

        decision = await self.refused(hot, said)

        assert decision.reasons[1] is Reason.ROUTE_LANGUAGE
        assert decision.route.candidate == "hours"

    async def test_an_utterance_that_denies_what_no_phrase_does(self, hot):
        """
        Its vector lies in the middle of the intent, and it means the opposite.
        """
        use(hot)
        said = "i do not want to know when you open"
        hot.encoder.vectors[said] = HOURS

        decision = await self.refused(hot, said)

        assert decision.reasons[1] is Reason.ROUTE_NEGATION
        assert decision.route.candidate == "hours"

    async def test_an_utterance_that_affirms_where_every_phrase_denies(self, hot):
        """
        The other way round it is as wrong.
        """
        use(hot, router=make_router(heard=make_heard(denying=(frozenset([True]),) * 2)))

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_NEGATION

    @pytest.mark.parametrize(
        "more",
        [
            pytest.param("and please tell me all of it from the beginning to the end", id="long"),
            pytest.param("㏂㏘㎯" * 3, id="short, with signs of four tokens each"),
        ],
    )
    async def test_a_text_that_the_encoder_cuts(self, hot, more):
        """
        A vector of half an utterance says nothing of the other half.
        """
        use(hot)
        said = f"{SAID} {more}"
        hot.encoder.vectors[said] = HOURS
        hot.encoder.unreadable = {said}

        assert (await self.refused(hot, said)).reasons[1] is Reason.ROUTE_TRUNCATED

    @pytest.mark.parametrize(
        "state",
        [RouterReason.NO_INTENTS, RouterReason.TOO_FEW_PHRASES, RouterReason.TARGET_NOT_REACHED],
    )
    async def test_a_router_that_abstains(self, hot, state):
        """
        It costs no inference, and the decision says that there is a router that cannot route.
        """
        use(hot, router=make_router(state=state, threshold=np.inf))

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_ABSTAINS
        assert hot.encoder.asked == []

    async def test_a_router_that_is_not_ready(self, hot):
        """
        Until the router of this very version is there, nothing is routed by an older one.
        """
        use(hot)
        hot.profiles["t", "live"] = replace(routing_profile(), version=4)

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_NOT_READY

    async def test_no_router_at_all(self, hot):
        """
        A profile that has just arrived has none yet.
        """
        use(hot)
        hot.routes.clear()

        assert (await self.refused(hot)).reasons[1] is Reason.ROUTE_NOT_READY


class TestFailures:
    async def test_a_slow_encoder(self, hot):
        """
        The deadline holds for the router's own encoding too, and the miss says so.
        """
        use(hot)
        profile = replace(
            hot.profiles["t", "live"], match=MatchProfile(mode=Mode.LIVE, budget_ms=100)
        )
        hot.profiles["t", "live"] = profile
        hot.routes["t", "live"] = make_route(profile)
        hot.encoder.slow_s = 30.0

        decision = await decided(hot)

        assert (decision.kind, decision.status) == (Kind.MISS, Status.TIMEOUT)
        assert decision.reasons == (Reason.NO_PREDICTIONS, Reason.ROUTE_DEADLINE)

    async def test_a_broken_encoder(self, hot):
        """
        The miss that it was anyway, with an error as its status.
        """
        use(hot)
        hot.encoder.failing = True
        before = counted("route_failed")

        decision = await decided(hot)

        assert (decision.kind, decision.status) == (Kind.MISS, Status.ERROR)
        assert decision.reasons == (Reason.NO_PREDICTIONS, Reason.ROUTE_FAILED)
        assert counted("route_failed") == before + 1

    async def test_a_broken_router(self, hot, caplog):
        """
        A fault of the router takes nothing of the gate's decision, and its text is not logged.
        """
        use(hot, router=make_router(prototypes=np.zeros((2, 7), np.float32)))
        await hot.predict("yes please")

        decision = await decided(hot)

        assert (decision.kind, decision.status) == (Kind.MISS, Status.ERROR)
        assert decision.reasons == (Reason.BELOW_THRESHOLD, Reason.ROUTE_FAILED)
        assert decision.candidates[0].prediction_id == "yes please"
        (record,) = [each for each in caplog.records if each.msg == "route_failed"]
        assert record.error == "ValueError"
        assert SAID not in caplog.text

    async def test_a_degraded_gate_still_routes(self, hot):
        """
        The router needs no judge; the decision says that one was missing.
        """
        hot.rewire(judge=None)
        use(hot)

        decision = await decided(hot)

        assert (decision.kind, decision.status) == (Kind.ROUTE, Status.DEGRADED)
        assert decision.reasons == (Reason.ROUTED, Reason.NO_PREDICTIONS, Reason.JUDGE_DEGRADED)


class TestRedelivery:
    async def test_a_routed_turn_that_comes_again_gets_the_same_bytes(self, hot):
        """
        Even if the agent has another router by then.
        """
        use(hot)
        record = make_record(make_utterance(text=SAID))
        await hot.utterances.handle(record)
        use(hot, router=make_router(threshold=2.0))

        await hot.utterances.handle(record)

        first, second = hot.publisher.on("turn.decisions")
        assert first == second
        assert decode(Decision, first).kind is Kind.ROUTE
