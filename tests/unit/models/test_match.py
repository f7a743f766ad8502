"""The match gate's rules."""

from typing import Any

import numpy as np
import pytest

from models import match
from models.errors import BundleError, InferenceCancelled, InferenceError
from models.match import Option, Scores
from models.runtime import Cancel
from models.screen import screen
from models.script import writing
from models.text import match_key
from tests.fakes.models import FakeEncoder, FakeJudge
from topics.decision import Reason

NEAR = (1.0, 0.0, 0.0, 0.0)
FAR = (0.0, 1.0, 0.0, 0.0)
HALF = (0.6, 0.8, 0.0, 0.0)


def make_option(text="yes please", **overrides) -> Option:
    values = {"prediction_id": text, "text": text, "response": f"reply to {text}"} | overrides
    return Option(**values, key=match_key(values["text"]), writing=writing(values["text"]))


def make_scores(**overrides) -> Scores:
    values: dict[str, Any] = {
        "order": (0, 1),
        "cosines": (0.9, 0.5),
        "logits": (3.0, -2.0),
        "reversed_logit": 2.5,
    } | overrides
    return Scores(**values)


def run_score(text, options, *, encoder=None, judge=None, eligible=None, shortlist=20, cancel=None):
    encoder = encoder or FakeEncoder({text: NEAR} | {option.text: NEAR for option in options})
    vectors = encoder.encode([option.text for option in options])
    return match.score(
        text,
        options,
        vectors,
        range(len(options)) if eligible is None else eligible,
        encoder=encoder,
        judge=judge,
        shortlist=shortlist,
        cancel=cancel,
    )


class TestExact:
    def test_the_same_text_is_served_without_models(self):
        """
        An utterance that equals a prediction needs no judge.
        """
        options = [make_option("no thanks"), make_option("yes please")]

        assert match.exact(screen("Yes please."), options) == match.Match(Reason.EXACT, 1)

    def test_another_text_is_left_to_the_models(self):
        """
        Where nothing is equal, nothing is decided.
        """
        assert match.exact(screen("yes"), [make_option("yes please")]) is None

    def test_a_question_is_not_its_statement(self):
        """
        "yes?" asks, "yes" says.
        """
        assert match.exact(screen("yes?"), [make_option("yes")]) is None

    @pytest.mark.parametrize(
        ("other", "expected"),
        [
            pytest.param({"response": "another"}, match.Match(Reason.TIE), id="other response"),
            pytest.param({}, match.Match(Reason.EXACT, 0), id="same response"),
        ],
    )
    def test_two_equal_predictions(self, other, expected):
        """
        Two predictions of one text are served only where it does not matter which one.
        """
        options = [make_option("yes"), make_option("yes", prediction_id="again", **other)]

        assert match.exact(screen("yes"), options) == expected

    def test_a_side_effect_is_never_served(self):
        """
        A reply that books or cancels something never comes from the cache.
        """
        options = [make_option("yes", side_effect=True)]

        assert match.exact(screen("yes"), options) == match.Match(Reason.SIDE_EFFECT)


class TestGuards:
    @pytest.mark.parametrize(
        ("utterance", "prediction", "expected"),
        [
            pytest.param("हाँ जी", "haan ji", "script", id="devanagari and romanised"),
            pytest.param("نعم من فضلك", "yes please", "script", id="arabic and english"),
            pytest.param("yes please", "sure go ahead", None, id="english both"),
            pytest.param("हाँ जी", "जी हाँ", None, id="hindi both"),
            pytest.param("call me at 5 pm", "call me at 5 am", "value", id="other half of the day"),
            pytest.param("call me at 5 pm", "call me at seventeen", None, id="no sure value"),
            pytest.param("kal subah das baje", "kal subah gyarah baje", "value", id="other hour"),
            pytest.param("दो लाख रुपये", "तीन लाख रुपये", "value", id="other amount"),
            pytest.param("call me at five", "call me back later", None, id="one side only"),
            pytest.param("my front tyre", "my rear tyre", "contrast", id="opposite"),
            pytest.param("uh huh", "uh uh", "contrast", id="yes and no"),
            pytest.param("عايز الغي الحجز", "مش عايز الغي الحجز", "contrast", id="denied"),
        ],
    )
    def test_what_cannot_be_meant_is_taken_out(self, utterance, prediction, expected):
        """
        A prepared reply is for the script and language of its prediction, for its values, and
        not for its opposite.
        """
        assert match.guards(screen(utterance), [make_option(prediction)]) == [expected]


class TestProve:
    def test_the_guards_prove_themselves(self):
        """
        The guards that are there say what they must.
        """
        match.prove()

    @pytest.mark.parametrize("broken", ["values.conflict", "compatible"])
    def test_a_guard_that_is_not_there_is_found_out(self, monkeypatch, broken):
        """
        A guard that lets everything through refuses the start.
        """
        nothing = {"values.conflict": lambda *_: None, "compatible": lambda *_: True}
        monkeypatch.setattr(f"models.match.{broken}", nothing[broken])

        with pytest.raises(BundleError, match="pair guards"):
            match.prove()


class TestScore:
    def test_only_the_shortlist_is_judged(self):
        """
        The judge reads the best by cosine, no more of them than it was told.
        """
        options = [make_option(text) for text in ("a b", "c d", "e f")]
        encoder = FakeEncoder({"x": NEAR, "a b": FAR, "c d": HALF, "e f": NEAR})
        judge = FakeJudge()

        scores = run_score("x", options, encoder=encoder, judge=judge, shortlist=2)

        assert judge.asked == [("x", "e f"), ("x", "c d")]
        assert set(scores.order) == {1, 2}

    def test_what_a_guard_took_is_never_judged(self):
        """
        Only eligible options reach a model.
        """
        options = [make_option(text) for text in ("a b", "c d")]
        judge = FakeJudge()

        scores = run_score("x", options, judge=judge, eligible=[1])

        assert scores.order == (1,)
        assert judge.asked == [("x", "c d")]

    def test_only_the_winner_gets_a_second_opinion(self):
        """
        The reversed order costs one pair, and none where nothing would be served.
        """
        options = [make_option("a b"), make_option("c d")]
        judge = FakeJudge({("x", "a b"): 3.0, ("x", "c d"): 2.0})

        scores = run_score("x", options, judge=judge)

        assert judge.asked[2:] == [("a b", "x")]
        assert scores.reversed_logit == 3.0
        assert run_score("y", options, judge=judge).reversed_logit is None

    def test_a_pair_too_long_to_be_read_is_not_eligible(self):
        """
        A truncated text agrees with everything that shares its beginning.
        """
        options = [make_option("a b"), make_option("c d")]
        judge = FakeJudge({("x", "a b"): 9.0})
        judge.unreadable = {"a b"}

        scores = run_score("x", options, judge=judge)

        assert scores.order == (1,)
        assert match.choose(options, scores, min_logit=1).reason is Reason.BELOW_THRESHOLD

    @pytest.mark.parametrize("cut", ["x", "a b"], ids=["utterance", "prediction"])
    @pytest.mark.parametrize("how", ["no judge", "a judge that fails"])
    def test_without_a_judge_what_the_encoder_cuts_is_not_eligible(self, cut, how):
        """
        Two texts that differ only behind the cut have one vector.
        """
        options = [make_option("a b")]
        encoder = FakeEncoder({"x": NEAR, "a b": NEAR})
        encoder.unreadable = {cut}
        judge = None if how == "no judge" else FakeJudge()
        if judge is not None:
            judge.failing = True

        scores = run_score("x", options, encoder=encoder, judge=judge)

        assert scores.order == scores.cosines == ()
        found = match.choose_conservatively(options, scores, min_cosine=0.9)
        assert found.reason is Reason.BELOW_THRESHOLD

    def test_without_a_judge_there_are_cosines(self):
        """
        The conservative tier has something to go by.
        """
        scores = run_score("x", [make_option("a b")], judge=None)

        assert scores.logits is None
        assert scores.cosines == (1.0,)

    def test_a_judge_that_fails_leaves_the_cosines(self):
        """
        A broken judge degrades the turn, it does not lose it.
        """
        judge = FakeJudge()
        judge.failing = True

        assert run_score("x", [make_option("a b")], judge=judge).logits is None

    def test_a_broken_encoder_is_an_error(self):
        """
        Without vectors nothing can be said.
        """
        encoder = FakeEncoder()
        options = [make_option("a b")]
        vectors = np.ones((1, 4), np.float32)
        encoder.failing = True

        with pytest.raises(InferenceError):
            match.score("x", options, vectors, [0], encoder=encoder, judge=FakeJudge(), shortlist=1)

    def test_a_stopped_judge_does_not_look_like_a_broken_one(self):
        """
        Being told to stop is not a fault of the judge, and degrades nothing.
        """
        cancel, judge = Cancel(), FakeJudge()
        options = [make_option("a b")]
        vectors = np.ones((1, 4), np.float32)

        class StopsAfterEncoding(FakeEncoder):
            def encode(self, texts, cancel=None):
                encoded = super().encode(texts)
                cancel.set()
                return encoded

        judge.slow_s = 1.0

        with pytest.raises(InferenceCancelled):
            match.score(
                "x",
                options,
                vectors,
                [0],
                encoder=StopsAfterEncoding(),
                judge=judge,
                shortlist=1,
                cancel=cancel,
            )


class TestChoose:
    @pytest.mark.parametrize(
        ("overrides", "expected"),
        [
            pytest.param({}, match.Match(Reason.JUDGED, 0), id="clear winner"),
            pytest.param({"logits": (0.9, -2.0)}, match.Match(Reason.BELOW_THRESHOLD), id="below"),
            pytest.param(
                {"logits": (1.0, -2.0)}, match.Match(Reason.JUDGED, 0), id="at the threshold"
            ),
            pytest.param(
                {"reversed_logit": 0.5}, match.Match(Reason.SECOND_OPINION), id="order matters"
            ),
            pytest.param(
                {"reversed_logit": None}, match.Match(Reason.SECOND_OPINION), id="not read twice"
            ),
            pytest.param({"logits": (3.0, 2.99)}, match.Match(Reason.TIE), id="tie"),
            pytest.param(
                {"logits": (3.0, 2.5)}, match.Match(Reason.JUDGED, 0), id="second above but behind"
            ),
            pytest.param(
                {"order": (), "cosines": (), "logits": (), "reversed_logit": None},
                match.Match(Reason.BELOW_THRESHOLD),
                id="nothing readable",
            ),
        ],
    )
    def test_outcomes(self, overrides, expected):
        """
        The best above the threshold is served, if the reversed order agrees and nothing ties.
        """
        options = [make_option("a b"), make_option("c d")]

        assert match.choose(options, make_scores(**overrides), min_logit=1.0) == expected

    def test_a_tie_of_one_response_is_no_tie(self):
        """
        Where both would play the same, either may be served.
        """
        options = [make_option("a b", response="r"), make_option("c d", response="r")]
        scores = make_scores(logits=(3.0, 3.0))

        assert match.choose(options, scores, min_logit=1.0) == match.Match(Reason.JUDGED, 0)

    def test_a_winner_with_a_side_effect_is_a_miss(self):
        """
        The runner-up is not what the caller said, so it is not served in its place.
        """
        options = [make_option("a b", side_effect=True), make_option("c d")]
        scores = make_scores(logits=(3.0, 2.0))

        assert match.choose(options, scores, min_logit=1.0) == match.Match(Reason.SIDE_EFFECT)

    def test_unjudged_scores_are_a_mistake_of_the_caller(self):
        """
        Choosing by logits needs logits.
        """
        with pytest.raises(ValueError, match="judged"):
            match.choose([make_option()], make_scores(logits=None), min_logit=1.0)


class TestConservative:
    @pytest.mark.parametrize(
        ("cosines", "expected"),
        [
            pytest.param((0.99, 0.5), match.Match(Reason.CONSERVATIVE, 0), id="near equal"),
            pytest.param((0.97, 0.5), match.Match(Reason.BELOW_THRESHOLD), id="merely close"),
            pytest.param((0.99, 0.985), match.Match(Reason.TIE), id="two near"),
        ],
    )
    def test_serves_only_near_equals(self, cosines, expected):
        """
        Cosine alone serves rarely, and never where two predictions are that near.
        """
        options = [make_option("a b"), make_option("c d")]
        scores = make_scores(cosines=cosines, logits=None)

        assert match.choose_conservatively(options, scores, min_cosine=0.98) == expected


class TestShown:
    def test_scored_options_come_first_and_guarded_ones_say_why(self):
        """
        People can see what was near, and what was taken out.
        """
        options = [make_option("a b"), make_option("c d"), make_option("e f")]

        rows = match.shown(options, [None, None, "script"], make_scores())

        assert [(row.prediction_id, row.logit, row.reversed_logit, row.guard) for row in rows] == [
            ("a b", 3.0, 2.5, None),
            ("c d", -2.0, None, None),
            ("e f", None, None, "script"),
        ]

    def test_the_list_is_bounded(self):
        """
        A decision does not grow with the number of predictions.
        """
        options = [make_option(f"number {index}") for index in range(20)]

        assert len(match.shown(options, ["script"] * 20, None)) == match.SHOWN
