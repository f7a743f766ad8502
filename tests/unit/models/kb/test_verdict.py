"""The rules of a verdict: order, answerable, status."""

import itertools

import pytest

from models.kb import rule
from models.kb.verdict import JUDGED, answerable, level, order, status
from topics.profile import Mode
from topics.verdict import VerdictStatus

OTHER, NEAR = (0.9, 0.1, 0.0, 0.0), (0.1, 0.8, 0.1, 0.0)
PART, WHOLE = (0.0, 0.2, 0.6, 0.2), (0.0, 0.1, 0.2, 0.7)
LATE = None


class TestLevel:
    @pytest.mark.parametrize(
        ("probabilities", "expected"),
        [
            (OTHER, 0),
            (NEAR, 1),
            (PART, 2),
            (WHOLE, 3),
            pytest.param((0.4, 0.1, 0.25, 0.25), 3, id="together they reach it"),
            pytest.param((0.0, 0.51, 0.0, 0.49), 1, id="just below"),
            pytest.param((0.5, 0.5, 0.0, 0.0), 1, id="a tie is kept nearer"),
        ],
    )
    def test_of_probabilities(self, probabilities, expected):
        """The threshold decides between answer and none, the larger half within each."""
        assert level(probabilities) == expected

    def test_threshold(self):
        """A stricter threshold makes of the same answer a near miss."""
        assert level(PART, threshold=0.9) == 1


class TestOrder:
    @pytest.mark.parametrize(
        ("judged", "expected"),
        [
            pytest.param([OTHER, NEAR, PART, WHOLE], [3, 2, 1, 0], id="all levels"),
            pytest.param(
                [NEAR, LATE, NEAR, LATE], [0, 1, 2, 3], id="near and late keep their order"
            ),
            pytest.param([OTHER, LATE, OTHER, WHOLE], [3, 1, 0, 2], id="other goes last"),
            pytest.param([WHOLE, WHOLE, WHOLE], [0, 1, 2], id="ties in search order"),
            pytest.param([LATE] * 3, [0, 1, 2], id="nothing judged"),
            pytest.param([], [], id="nothing"),
            pytest.param([(0, 0.1, 0.2, 0.7), (0, 0.05, 0.2, 0.75)], [1, 0], id="the surer first"),
            pytest.param([(0, 0.104, 0.2, 0.696), WHOLE], [0, 1], id="equal to two decimals"),
            pytest.param(
                [(0, 0.0, 0.9, 0.1), (0.4, 0, 0, 0.6)], [1, 0], id="whole before surer part"
            ),
        ],
    )
    def test_cases(self, judged, expected):
        """3, then 2, then 1 and unjudged in search order, then 0."""
        assert order(judged) == expected

    @pytest.mark.parametrize(
        ("judged", "cosines", "expected"),
        [
            pytest.param([WHOLE, WHOLE], [0.80, 0.90], [1, 0], id="the nearer first"),
            pytest.param([WHOLE, WHOLE], [0.900, 0.901], [0, 1], id="as near as makes no odds"),
            pytest.param(
                [(0, 0.5, 0, 0.5), (0, 0.1, 0, 0.9)], [0.85, 0.80], [1, 0], id="surer than near"
            ),
            pytest.param(
                [(0, 0.4, 0, 0.6), (0, 0.3, 0, 0.7)], [0.85, 0.80], [0, 1], id="nearer than sure"
            ),
            pytest.param([PART, WHOLE], [0.99, 0.50], [1, 0], id="never past a whole answer"),
            pytest.param([NEAR, PART], [0.99, 0.50], [1, 0], id="never past an answer"),
            pytest.param([NEAR, NEAR], [0.50, 0.99], [0, 1], id="near misses stay"),
            pytest.param([OTHER, LATE, OTHER], [0.9, 0.1, 0.95], [1, 0, 2], id="others stay"),
        ],
    )
    def test_cosines(self, judged, cosines, expected):
        """Among answers of one level, search has a say."""
        assert order(judged, cosines=cosines) == expected

    def test_demote_never_remove(self):
        """Whatever a judge says, every candidate is in the order once."""
        for judged in itertools.product([OTHER, NEAR, PART, WHOLE, LATE], repeat=4):
            assert sorted(order(judged)) == [0, 1, 2, 3]


class TestAnswerable:
    @pytest.mark.parametrize(
        ("judged", "expected"),
        [
            pytest.param([NEAR, WHOLE], True, id="an answer"),
            pytest.param([NEAR, PART], True, id="a part"),
            pytest.param([LATE, WHOLE], True, id="an answer, though something is late"),
            pytest.param([NEAR, OTHER], False, id="all judged, none answers"),
            pytest.param([NEAR, LATE], None, id="something is late"),
            pytest.param([LATE], None, id="all late"),
            pytest.param([], None, id="nothing to judge"),
            pytest.param([NEAR] * JUDGED + [LATE], False, id="behind the last nobody waits"),
        ],
    )
    def test_cases(self, judged, expected):
        """False only where everything was judged and nothing reached the threshold."""
        assert answerable(judged) is expected


class TestStatus:
    @pytest.mark.parametrize(
        ("judged", "expected"),
        [
            pytest.param([NEAR, WHOLE], VerdictStatus.APPLIED, id="all"),
            pytest.param([NEAR, LATE], VerdictStatus.PARTIAL, id="some"),
            pytest.param([LATE, LATE], VerdictStatus.TIMEOUT, id="none"),
            pytest.param([], VerdictStatus.APPLIED, id="nothing to judge"),
            pytest.param(
                [NEAR] * JUDGED + [LATE] * 3, VerdictStatus.APPLIED, id="all that are asked"
            ),
        ],
    )
    def test_live(self, judged, expected):
        """A degraded judge is visible."""
        assert status(judged, mode=Mode.LIVE) == expected

    def test_modes_and_failures(self):
        """Off is disabled even where the judge is broken; a broken one is told in shadow too."""
        assert status([WHOLE], mode=Mode.OFF, failed=True) == VerdictStatus.DISABLED
        assert status([WHOLE], mode=Mode.SHADOW) == VerdictStatus.SHADOW
        assert status([WHOLE], mode=Mode.SHADOW, failed=True) == VerdictStatus.ERROR
        assert status([WHOLE], mode=Mode.LIVE, failed=True) == VerdictStatus.ERROR


class TestRule:
    IDS = ("a", "b", "c")

    def test_live(self):
        """The order is the judge's; rank, level and probabilities stay with their entry."""
        found = rule(self.IDS, [OTHER, NEAR, WHOLE], mode=Mode.LIVE)

        assert (found.status, found.answerable) == (VerdictStatus.APPLIED, True)
        assert [(one.entry_id, one.rank, one.level) for one in found.entries] == [
            ("c", 2, 3), ("b", 1, 1), ("a", 0, 0),
        ]  # fmt: skip
        assert found.entries[0].probabilities == WHOLE

    def test_shadow(self):
        """What the judge said is reported, the order stays."""
        found = rule(self.IDS, [OTHER, NEAR, WHOLE], mode=Mode.SHADOW)

        assert (found.status, found.answerable) == (VerdictStatus.SHADOW, True)
        assert [(one.entry_id, one.level) for one in found.entries] == [
            ("a", 0),
            ("b", 1),
            ("c", 3),
        ]

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            pytest.param({"mode": Mode.OFF}, VerdictStatus.DISABLED, id="off"),
            pytest.param({"mode": Mode.LIVE, "failed": True}, VerdictStatus.ERROR, id="failed"),
        ],
    )
    def test_search_order(self, options, expected):
        """Where the judge is off or broken, nothing that it said counts."""
        found = rule(self.IDS, [OTHER, NEAR, WHOLE], **options)

        assert (found.status, found.answerable) == (expected, None)
        assert [one.entry_id for one in found.entries] == list(self.IDS)
        assert all(one.level is None and one.probabilities == () for one in found.entries)

    def test_late(self):
        """Fewer results than candidates: the rest is late."""
        found = rule(self.IDS, [OTHER], mode=Mode.LIVE)

        assert (found.status, found.answerable) == (VerdictStatus.PARTIAL, None)
        assert [one.entry_id for one in found.entries] == ["b", "c", "a"]

    def test_not_judged_at_all(self):
        """An event that was too old on arrival is in search order."""
        found = rule(self.IDS, [], mode=Mode.LIVE)

        assert (found.status, found.answerable) == (VerdictStatus.TIMEOUT, None)
        assert [one.entry_id for one in found.entries] == list(self.IDS)

    def test_more_candidates_than_are_judged(self):
        """All are in the verdict, the first eight with a level, and that is not late."""
        ids = [str(place) for place in range(12)]

        found = rule(ids, [OTHER] * 12, mode=Mode.LIVE)

        assert (found.status, found.answerable) == (VerdictStatus.APPLIED, False)
        assert [one.entry_id for one in found.entries] == [*ids[8:], *ids[:8]]
        assert [one.level for one in found.entries] == [None] * 4 + [0] * 8

    def test_no_candidates(self):
        """A search that found nothing is no proof that nothing is there."""
        found = rule([], [], mode=Mode.LIVE)

        assert (found.status, found.answerable) == (VerdictStatus.APPLIED, None)
        assert found.entries == ()
