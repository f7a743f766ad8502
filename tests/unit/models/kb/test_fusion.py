"""Fusion of legs, freshness, and the full-text leg itself."""

import logging

import numpy as np
import pytest

from models.kb.bm25 import Bm25
from models.kb.fusion import (
    FRESHNESS_HALF_LIFE_MS,
    FRESHNESS_SHARE,
    Evidence,
    centred,
    freshness,
    fuse,
    ranks,
)

NOW_MS = 2_000_000_000_000


def make_evidence(**overrides):
    """Evidence of three entries that nothing tells apart, in the question's script."""
    values = {
        "cosines": [0.5, 0.5, 0.5],
        "words": [0.0, 0.0, 0.0],
        "sounds": [0.0, 0.0, 0.0],
        "scripts": [0, 0, 0],
        "own": [True, True, True],
    } | overrides
    return Evidence(**{name: np.array(value) for name, value in values.items()})


class TestFuse:
    def test_reciprocal_ranks(self):
        """Each way gives its share of 1 / (10 + rank), from rank 1."""
        fused = fuse(make_evidence(cosines=[0.1, 0.9, 0.5], words=[9.0, 7.0, 0.0]))

        assert fused == pytest.approx([1 / 13 + 0.5 / 11, 1 / 11 + 0.5 / 12, 1 / 12])

    def test_ties(self):
        """What cannot be told apart has one score, whatever its place; the fifth decimal too."""
        fused = fuse(make_evidence(cosines=[0.50000, 0.50001, 0.50002]))

        assert fused == pytest.approx([1 / 11] * 3)

    def test_words_within_the_script_sounds_between(self):
        """Each entry is ranked by what it can share with the question, among those that can."""
        fused = fuse(
            make_evidence(
                cosines=[0.9, 0.8, 0.7, 0.6],
                words=[1.0, 2.0, 9.0, 9.0],
                sounds=[9.0, 9.0, 1.0, 2.0],
                scripts=[0, 0, 0, 0],
                own=[True, True, False, False],
            )
        )

        assert fused == pytest.approx(
            [1 / 11 + 0.5 / 12, 1 / 12 + 0.5 / 11, 1 / 13 + 0.5 / 12, 1 / 14 + 0.5 / 11]
        )

    def test_without_sounds_the_vector_stands_in(self):
        """An entry in another script does not lose for sharing no word, one in the own does."""
        fused = fuse(make_evidence(scripts=[0, 0, 1], own=[True, True, False]))

        assert fused == pytest.approx([1 / 11, 1 / 11, 1.5 / 11])

    def test_the_own_language_has_no_start(self):
        """The one right entry in another script passes many that are only in the right language."""
        cosines = [0.90, 0.89, 0.88, 0.89, 0.88, 0.89, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8]
        scripts = [0] * 6 + [1] * 6

        found = centred(np.array(cosines), np.array(scripts))

        assert np.argmax(found) == 11

    def test_the_mean_of_one_entry_is_not_its_scripts(self):
        """The only entry of a script keeps most of its distance."""
        found = centred(np.array([0.8, 0.8, 0.8, 0.8, 0.8, 0.2]), np.array([0] * 5 + [1]))

        assert found[5] < -0.2
        assert np.argmin(found) == 5


class TestRanks:
    def test_ties_share_a_rank(self):
        """Equal scores have the rank of the first of them, and what is not found has none."""
        found = ranks(np.array([0.3, 0.7, 0.7, 0.0]), least=0)

        assert list(found) == [3, 1, 1, np.inf]


class TestFreshness:
    def test_multiplier(self):
        """New is 1, half a year loses half of the share, old and unknown lose nearly all."""
        ages_ms = [0, FRESHNESS_HALF_LIFE_MS, 100 * FRESHNESS_HALF_LIFE_MS]
        updated = np.array([*(max(NOW_MS - age, 0) for age in ages_ms), -1, NOW_MS + 5])

        found = freshness(updated, NOW_MS)

        share = FRESHNESS_SHARE
        assert found == pytest.approx([1, 1 - share / 2, 1 - share, 1 - share, 1], abs=1e-6)

    def test_it_never_turns_a_rank(self):
        """The oldest stays before the freshest behind it, down to the eightieth."""
        cosines = np.linspace(1, 0, 80)
        fused = fuse(Evidence(cosines, np.zeros(80), np.zeros(80), np.zeros(80, int), cosines > 2))

        found = fused * freshness(np.array([-1, NOW_MS] * 40), NOW_MS)

        assert list(np.argsort(-found)) == list(range(80))


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
