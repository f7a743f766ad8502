"""Pairs that people have banned."""

from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from tests.fakes.hot import NEAR, make_utterance
from tests.fakes.stream import make_record
from topics.codec import DecodeError, decode
from topics.decision import Decision, Kind, Reason
from workers.denial_publish import Pair, denial
from workers.errors import SettingsError
from workers.hot.denials import Denials


def make_denial(utterance="sure go ahead", prediction="yes please", tenant="t"):
    return denial(Pair(tenant_id=tenant, utterance=utterance, prediction=prediction), by="kim")


async def ban(hot, *pair, key=b"k", tenant="t") -> None:
    utterance, prediction = pair or ("sure go ahead", "yes please")
    value = make_denial(utterance, prediction, tenant=tenant)
    await hot.denials.take(make_record(value, key=key, topic="pair.denials"))


async def decide(hot, **overrides) -> Decision:
    await hot.utterances.handle(make_record(make_utterance(**overrides)))
    return decode(Decision, hot.publisher.on("turn.decisions")[-1])


@pytest.fixture
async def judged(hot):
    """Give a worker whose judge is sure of one prediction."""
    hot.encoder.vectors |= {"sure go ahead": NEAR, "yes please": NEAR}
    hot.judge.known[("sure go ahead", "yes please")] = 5.0
    await hot.predict("yes please")
    return hot


class TestServing:
    async def test_without_a_ban_it_is_served(self, judged):
        """
        The judge is sure, so this pair would be played.
        """
        assert (await decide(judged)).playable

    async def test_a_banned_pair_is_not_served_however_sure_the_judge_is(self, judged):
        """
        The decision says which guard took the prediction out.
        """
        await ban(judged)

        decision = await decide(judged)

        assert (decision.kind, decision.reasons[0]) == (Kind.MISS, Reason.GUARDED)
        assert decision.candidates[0].guard == "denied"
        assert not judged.judge.asked

    async def test_not_even_the_exact_tier_serves_it(self, hot):
        """
        A reply that is wrong for its own words stays silent too.
        """
        await hot.predict("yes please")
        await ban(hot, "yes please", "yes please")

        decision = await decide(hot, text="Yes please.")

        assert not decision.playable

    async def test_other_predictions_of_the_turn_are_still_served(self, judged):
        """
        A ban takes out one pair, not the turn.
        """
        judged.encoder.vectors["go ahead"] = NEAR
        judged.judge.known[("sure go ahead", "go ahead")] = 4.0
        await judged.predict("yes please", "go ahead", created_at_ms=2)
        await ban(judged)

        decision = await decide(judged)

        assert decision.prediction_id == "go ahead"

    async def test_another_tenant_s_ban_changes_nothing(self, judged):
        """
        What one tenant bans is that tenant's business.
        """
        await ban(judged, tenant="other")

        assert (await decide(judged)).playable

    async def test_a_ban_counts_for_the_tenant_that_it_names(self, judged):
        """
        Whoever names our pair under another tenant silences nothing of ours.
        """
        stolen = replace(make_denial(), tenant_id="other")
        await judged.denials.take(make_record(stolen, key=b"k", topic="pair.denials"))

        assert (await decide(judged)).playable

    @pytest.mark.parametrize(
        "pair",
        [
            pytest.param(("yes please", "sure go ahead"), id="the other way round"),
            pytest.param(("Sure go ahead.", "YES PLEASE"), id="otherwise written"),
            pytest.param(("\u200bsure\u00a0go ahead", "ｙｅｓ please"), id="with invisible marks"),
        ],
    )
    async def test_a_ban_holds_for_what_is_the_same_text(self, judged, pair):
        """
        A ban is typed by a person, and a recogniser writes as it likes.
        """
        await ban(judged, *pair)

        assert not (await decide(judged)).playable

    async def test_it_only_takes_out(self, judged):
        """
        What another guard took out is not let in again.
        """
        await ban(judged)

        guarded = judged.denials.guarded("t", "x", (), ())
        assert list(guarded) == []
        (kept,) = judged.denials.guarded("t", "sure go ahead", (_Option("else"),), ("value",))
        assert kept == "value"


class _Option:
    def __init__(self, key: str) -> None:
        self.key = key


class TestFollowing:
    async def test_a_tombstone_lifts_the_ban(self, judged):
        """
        A mistake of the auditor can be undone.
        """
        await ban(judged, key=b"k")
        await judged.denials.take(make_record(None, key=b"k", topic="pair.denials"))

        assert (await decide(judged)).playable
        assert len(judged.denials) == 0

    async def test_a_pair_banned_twice_stays_until_both_are_lifted(self, judged):
        """
        Two producers with keys of their own do not undo each other.
        """
        await ban(judged, key=b"k1")
        await ban(judged, key=b"k2")
        await judged.denials.take(make_record(None, key=b"k1", topic="pair.denials"))

        assert not (await decide(judged)).playable

    async def test_a_bad_record_is_refused_and_changes_nothing(self):
        """
        Garbage on the topic is a dead letter, and what was banned stays banned.
        """
        refused: list[DecodeError] = []
        denials = Denials(lambda _record, error: refused.append(error))
        await denials.take(make_record(make_denial(), key=b"k", topic="pair.denials"))

        await denials.take(make_record(b"{}", key=b"k", topic="pair.denials"))

        assert len(refused) == 1
        assert len(denials) == 1

    async def test_the_metric_counts_them(self, hot):
        """
        Operations see how many there are.
        """
        await ban(hot, key=b"k1")
        await ban(hot, "a", "b", key=b"k2")

        assert REGISTRY.get_sample_value("turngate_denials") == 2


class TestRecord:
    def test_it_holds_no_text(self):
        """
        A topic that keeps for ever keeps nothing that a caller said.
        """
        made = make_denial("zanzibar flamingo", "purple monkey")

        assert not {"zanzibar", "monkey"} & set(repr(made).replace("'", " ").split())
        assert len(made.pair) == 32

    def test_tenants_and_texts_never_share_a_name(self):
        """
        No split of the same letters is another pair's name.
        """
        pairs = {
            make_denial("ab", "c").pair,
            make_denial("a", "bc").pair,
            make_denial("ab", "c", tenant="u").pair,
        }

        assert len(pairs) == 3

    @pytest.mark.parametrize(
        "text", ["", " \u200b ", "x" * 100_000], ids=["empty", "blank", "long"]
    )
    def test_what_could_never_be_served_is_refused(self, text):
        """
        An empty text would ban nothing, and the person should know.
        """
        with pytest.raises(SettingsError):
            make_denial(text, "yes")
