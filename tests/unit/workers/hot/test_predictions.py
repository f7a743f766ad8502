"""Prediction records into the cache."""

import pytest

from tests.fakes.hot import make_predictions
from tests.fakes.stream import make_record
from topics.prediction import Prediction
from workers.cached import unpack_turn
from workers.errors import BrokerUnavailable, CacheUnavailable


def cached(hot):
    key = hot.gate.keys.predictions("t", "c", 1, hot.encoder.fingerprint)
    return unpack_turn(
        hot.cache.values[key], key=key, dimension=hot.encoder.dimension, keys=hot.gate.keys
    )


class TestHandle:
    async def test_predictions_are_cleaned_encoded_and_kept(self, hot):
        """
        What tokenizer and exact tier will see is what is stored, one vector each.
        """
        await hot.predict("Ｙｅｓ\u200b please", "no")

        turn, vectors = cached(hot)
        assert [prediction.text for prediction in turn.predictions] == ["Yes please", "no"]
        assert vectors.shape == (2, 4)
        assert hot.encoder.asked == ["Yes please", "no"]

    async def test_responses_are_kept_as_they_are(self, hot):
        """
        A prepared response is handed back unread, whatever JSON it is.
        """
        response = {"say": "ठीक है", "voice": [1, None, {"a": True}]}
        prediction = Prediction(
            prediction_id="p",
            text="yes",
            response=response,
            response_ref="s3://x",
            side_effect=True,
        )

        await hot.predict(predictions=(prediction,))

        (kept,) = cached(hot)[0].predictions
        assert (kept.response, kept.response_ref, kept.side_effect) == (response, "s3://x", True)

    async def test_a_prediction_that_cannot_match_is_left_out(self, hot):
        """
        One empty or endless prediction does not cost the others.
        """
        await hot.predict("\u200b", "yes", "word " * 10_000, "word " * 100)

        assert [prediction.text for prediction in cached(hot)[0].predictions] == ["yes"]

    async def test_no_predictions_are_kept_too(self, hot):
        """
        An agent that takes its predictions back replaces them by none.
        """
        await hot.predict("yes", created_at_ms=1)

        await hot.predict(created_at_ms=2)

        assert cached(hot)[0].predictions == ()

    async def test_older_predictions_do_not_replace_newer_ones(self, hot):
        """
        The newest event of a turn stays, whatever order they arrive in.
        """
        await hot.predict("newer", created_at_ms=9)

        await hot.predict("older", created_at_ms=3)

        assert cached(hot)[0].predictions[0].text == "newer"

    async def test_long_lists_are_encoded_in_small_pieces(self, hot):
        """
        A turn that arrives meanwhile waits for a few texts, not for all of them.
        """
        sizes = []
        encode = hot.encoder.encode

        def watched(texts, cancel=None):
            sizes.append(len(texts))
            return encode(texts, cancel)

        hot.encoder.encode = watched

        await hot.predict(*(f"text number {index}" for index in range(18)))

        assert max(sizes) <= 4
        assert len(cached(hot)[0].predictions) == 18

    @pytest.mark.parametrize("fault", ["cache", "encoder"])
    async def test_what_cannot_be_kept_does_not_stop_the_worker(self, hot, fault):
        """
        The turn will be a miss; the next record is handled.
        """
        if fault == "cache":
            hot.cache.down = CacheUnavailable("away")
        else:
            hot.encoder.failing = True

        await hot.predict("yes")

        assert hot.publisher.records == []

    async def test_what_is_no_prediction_becomes_a_dead_letter(self, hot):
        """
        A bad record is refused as a whole.
        """
        await hot.predictions.handle(make_record(b"[]", topic="turn.predictions"))

        assert len(hot.publisher.on("dead.letters")) == 1

    async def test_a_dead_letter_that_cannot_be_stored_is_not_lost(self, hot):
        """
        The caller learns that the record must not be committed.
        """
        hot.publisher.down = True

        with pytest.raises(BrokerUnavailable):
            await hot.predictions.handle(make_record(b"[]", topic="turn.predictions"))

    async def test_the_factory_is_a_valid_event(self):
        """
        What these tests send is what an agent could send.
        """
        assert make_predictions("yes").predictions[0].text == "yes"
