import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.encoder import Encoder
from models.errors import BundleError
from models.gaps.clause import clauses
from models.gaps.same import JudgedSame, Why
from models.gaps.same.bundle import CENTRES
from models.gaps.same.features import NAMES, columns, language_of, read_question
from models.judge import Judge
from tests.unit.models.gaps.same.factories import DIMENSION, FakeEncoder, FakeJudge, asked, write
from workers.settings import load

TEXTS = st.text(max_size=30) | st.sampled_from(
    ["do you deliver to Maadi", "بتوصلوا المعادي", "क्या डिलीवरी है", "5 days", "\ud800", "…"]
)


@pytest.fixture
def judge():
    """A judge that knows nothing."""
    return FakeJudge()


@pytest.fixture
def decider(tmp_path, judge):
    """A decider over fakes."""
    write(tmp_path)
    return JudgedSame.load(tmp_path, FakeEncoder(), judge)


def decide(decider, a, b, places=(0, 0)):
    (found,) = decider.decide([(asked(a, places[0]), asked(b, places[1]))])
    return found


class TestRules:
    @pytest.mark.parametrize(
        ("a", "b"),
        [("Do you deliver?", "do you deliver"), ("هل توصلون؟", "هل توصلون"), ("क्या है?", "क्या है")],
    )
    def test_spelled_alike(self, decider, judge, a, b):
        """What is spelled alike is always one question, and no model is asked."""
        found = decide(decider, a, b, (0, 1))

        assert (found.same, found.why) == (True, Why.EXACT)
        assert judge.asked == []

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("how long is the 3 month plan", "how long is the 6 month plan"),
            ("is it open at 5 pm", "فاتحين الساعة ٦ مساء"),
            ("50 रुपये वाला प्लान", "the plan for 100 rupees"),
        ],
    )
    def test_other_value(self, decider, a, b):
        """Another value is another question, in any script."""
        found = decide(decider, a, b)

        assert (found.same, found.why) == (False, Why.VALUE)

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("do you have a branch in Jeddah", "do you have a branch in Dammam"),
            ("عندكم فرع في جدة", "عندكم فرع في الدمام"),
            ("do you have a branch in Jeddah", "عندكم فرع في الدمام"),
            ("क्या दिल्ली में शाखा है", "is there a branch in Mumbai"),
        ],
    )
    def test_other_entity(self, decider, a, b):
        """The same words about another place are another question, also across languages."""
        found = decide(decider, a, b)

        assert (found.same, found.why) == (False, Why.ENTITY)

    def test_same_entity(self, decider):
        """One place in two scripts is no other entity."""
        found = decide(decider, "do you have a branch in Jeddah", "عندكم فرع في جدة")

        assert found.why is Why.JUDGED


class TestJudged:
    def test_both_orders(self, decider, judge):
        """The judge is asked both orders, and the lower logit counts."""
        judge.known = {("one thing", "another thing"): 9.0, ("another thing", "one thing"): -9.0}

        found = decide(decider, "one thing", "another thing")

        assert len(judge.asked) == 2
        assert found.chance < 0.5

    @pytest.mark.parametrize(("place", "same"), [(0, True), (1, False)])
    def test_cosine(self, decider, place, same):
        """Near vectors make one question, far ones two."""
        assert decide(decider, "one thing", "another matter", (0, place)).same is same

    def test_many(self, decider):
        """A pair's verdict does not depend on what stands beside it; none give none."""
        pairs = [(asked("one", 0), asked("two", at)) for at in range(3)]
        pairs.insert(1, (asked("same"), asked("Same!")))

        together = decider.decide(pairs)

        assert together == [decider.decide([pair])[0] for pair in pairs]
        assert decider.decide([]) == []

    @settings(max_examples=60, deadline=None)
    @given(TEXTS, TEXTS)
    @example("", "")
    @example("\u200f", "…")
    def test_order(self, tmp_path_factory, a, b):
        """The order of the two does not matter, whatever they are."""
        folder = tmp_path_factory.mktemp("same")
        write(folder)
        decider = JudgedSame.load(folder, FakeEncoder(), FakeJudge())

        assert decide(decider, a, b, (0, 1)) == decide(decider, b, a, (1, 0))


class TestColumns:
    def test_names(self):
        """There is a name for each column, and numbers stay small."""
        read = [
            read_question(text, np.eye(DIMENSION, dtype=np.float32)[0], {})
            for text in ("how much is delivery to Maadi", "التوصيل للمعادي بكام")
        ]

        row = columns(*read, 3.0)

        assert row.shape == (len(NAMES),)
        assert np.abs(row).max() <= 1.01
        assert dict(zip(NAMES, row, strict=True))["facts_shared"] == 1
        assert dict(zip(NAMES, row, strict=True))["across"] == 1

    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("where is the shop", "en"),
            ("dukaan kahan hai aapki", "hinglish"),
            ("दुकान कहाँ है", "hi"),
            ("المحل فين", "ar"),
            ("…", "other"),
        ],
    )
    def test_language(self, text, language):
        """Hinglish is told from English, and Hindi by its letters."""
        assert language_of(text, clauses(text)) == language


class TestBundle:
    def test_other_models(self, tmp_path, judge):
        """A bundle of another encoder or judge is refused."""
        write(tmp_path, encoder_fingerprint="c" * 64)
        with pytest.raises(BundleError, match="another encoder"):
            JudgedSame.load(tmp_path, FakeEncoder(), judge)

        write(tmp_path, judge_fingerprint="c" * 64)
        with pytest.raises(BundleError, match="another judge"):
            JudgedSame.load(tmp_path, FakeEncoder(), judge)

    @pytest.mark.parametrize(
        "changed",
        [{"weights": {"cosine": 1.0}}, {"threshold": 2}, {"bias": None}, {"more": 1}],
        ids=["columns", "threshold", "type", "unknown field"],
    )
    def test_senseless(self, tmp_path, judge, changed):
        """A manifest that says something senseless is refused."""
        write(tmp_path, **changed)

        with pytest.raises(BundleError, match=r"manifest\.json"):
            JudgedSame.load(tmp_path, FakeEncoder(), judge)

    @pytest.mark.parametrize("name", [CENTRES, "card.md"])
    def test_changed_file(self, tmp_path, judge, name):
        """A file that was changed is refused."""
        write(tmp_path)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b" ")

        with pytest.raises(BundleError, match="SHA-256"):
            JudgedSame.load(tmp_path, FakeEncoder(), judge)

    def test_shipped(self):
        """The shipped bundle is of the shipped encoder and judge, and better than a cosine."""
        settings = load({})
        decider = JudgedSame.load(
            settings.same, Encoder.load(settings.encoder), Judge.load(settings.judge)
        )
        found = decider.manifest.cross_validated

        assert found.accuracy > found.cosine_accuracy
