"""Fusion of legs, freshness, and the full-text leg itself."""

import logging

import numpy as np
import pytest

from models.kb.bm25 import Bm25
from models.kb.fusion import DEPTH, FRESHNESS_HALF_LIFE_MS, FRESHNESS_SHARE, Leg, freshness, fuse

NOW_MS = 2_000_000_000_000


class TestFuse:
    def test_reciprocal_ranks(self):
        """Each leg gives weight / (60 + rank), from rank 1."""
        fused = fuse([Leg(np.array([0.1, 0.9]), 1.0), Leg(np.array([5.0, 7.0]), 0.5)])

        assert fused == pytest.approx([1.5 / 62, 1.5 / 61])

    def test_what_a_leg_did_not_find_has_no_rank_there(self):
        """A score at the least counts nothing: no entry gains from sharing no word."""
        fused = fuse([Leg(np.array([0.0, 2.0, 0.0]), 1.0, least=0)])

        assert fused == pytest.approx([0, 1 / 61, 0])

    def test_ties_share_a_rank(self):
        """What a leg cannot tell apart, it does not order."""
        fused = fuse([Leg(np.array([0.3, 0.7, 0.7, 0.2]), 1.0)])

        assert fused == pytest.approx([1 / 63, 1 / 61, 1 / 61, 1 / 64])

    def test_depth(self):
        """Only the first entries of a leg count."""
        fused = fuse([Leg(-np.arange(DEPTH + 5, dtype=float), 1.0)])

        assert np.count_nonzero(fused) == DEPTH


class TestFreshness:
    def test_multiplier(self):
        """New is 1, half a year loses half of the share, old and unknown lose nearly all."""
        ages_ms = [0, FRESHNESS_HALF_LIFE_MS, 100 * FRESHNESS_HALF_LIFE_MS]
        updated = np.array([*(max(NOW_MS - age, 0) for age in ages_ms), -1, NOW_MS + 5])

        found = freshness(updated, NOW_MS)

        share = FRESHNESS_SHARE
        assert found == pytest.approx([1, 1 - share / 2, 1 - share, 1 - share, 1], abs=1e-6)

    def test_it_never_turns_a_rank_near_the_top(self):
        """The oldest first stays before the freshest second, and before third."""
        fused = fuse([Leg(np.array([3.0, 2.0, 1.0]), 1.0)])

        found = fused * freshness(np.array([-1, NOW_MS, NOW_MS]), NOW_MS)

        assert list(np.argsort(-found)) == [0, 1, 2]


class TestBm25:
    def test_scores(self):
        """Documents that share a token score, rarer tokens more, others nothing."""
        found = Bm25([["a", "b"], ["a", "c"], ["a", "a"], []])

        assert found.scores(["c"]) == pytest.approx([0, found.scores(["c"])[1], 0, 0])
        assert found.scores(["c"])[1] > found.scores(["a"])[1] > 0
        assert found.scores(["a", "c"])[1] > found.scores(["c"])[1]

    @pytest.mark.parametrize("documents", [[], [[]], [[], []]])
    def test_no_words_at_all(self, documents):
        """Documents without tokens are found by none."""
        assert list(Bm25(documents).scores(["a"])) == [0.0] * len(documents)

    def test_a_question_without_known_words(self):
        """Nothing is found, and nothing fails."""
        found = Bm25([["a"], ["b"]])

        assert list(found.scores([])) == [0, 0]
        assert list(found.scores(["z"])) == [0, 0]

    def test_the_library_is_quiet(self, caplog):
        """Neither texts nor notes of the library get into a log."""
        caplog.set_level(logging.DEBUG)

        Bm25([["secret"]]).scores(["secret"])

        assert caplog.records == []
