"""The in-process answer judge, on a bundle that counts words."""

import shutil
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from models.errors import BundleError, InferenceCancelled, InferenceError
from models.judge import Judge
from models.kb.answer import AnswerModel, probabilities
from models.kb.shown import Shown
from models.kb.verdict import level
from models.runtime import Cancel

FIXTURES = Path(__file__).parents[1] / "fixtures"
TINY = FIXTURES / "answer"


@pytest.fixture(scope="module")
def model():
    """A judge to which a level is the word that stands in the text most often."""
    return AnswerModel.load(TINY)


def entry(content, title="title"):
    return Shown(title=title, content=content, category=None, lang=None)


def levels(model, *contents):
    judged = model.judge("when", [entry(content) for content in contents])
    return [None if one is None else level(one, model.threshold) for one in judged]


def with_known(model, **changes):
    """The judge with changes to its first known answer."""
    first, *rest = model.manifest.known_answers
    known = (msgspec.structs.replace(first, **changes), *rest)
    manifest = msgspec.structs.replace(model.manifest, known_answers=known)
    return AnswerModel(manifest, model._session, model._tokens)


class TestLoad:
    def test_tiny(self, model):
        """A bundle tells its threshold and fingerprint."""
        assert model.threshold == 0.5
        assert len(model.fingerprint) == 64

    def test_other_kinds(self):
        """A match judge is no answer judge, and the reverse."""
        with pytest.raises(BundleError, match="kind"):
            AnswerModel.load(FIXTURES / "judge")
        with pytest.raises(BundleError, match="kind"):
            Judge.load(TINY)

    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "card.md", "manifest.json"])
    def test_flipped_bit(self, tmp_path, name):
        """A file that is not the manifest's is refused."""
        folder = shutil.copytree(TINY, tmp_path / "answer")
        raw = bytearray((folder / name).read_bytes())
        raw[len(raw) // 2] ^= 1
        (folder / name).write_bytes(raw)

        with pytest.raises(BundleError):
            AnswerModel.load(folder)

    def test_absent(self, tmp_path):
        """No folder is a refusal like any other."""
        with pytest.raises(BundleError, match="manifest"):
            AnswerModel.load(tmp_path / "answer")


class TestJudge:
    def test_levels(self, model):
        """Each entry has its own level, in the order of the entries."""
        assert levels(model, "the whole", "a part", "only near", "other", "x") == [3, 2, 1, 0, 0]

    def test_company(self, model):
        """What is said of an entry does not depend on the entries beside it."""
        alone = model.judge("when", [entry("near " * 3)])

        beside = model.judge("when", [entry("whole " * 40), entry("near " * 3), entry("x")])

        assert beside[1] == alone[0]

    def test_probabilities(self, model):
        """They are the softmax of the logits over the temperature, and their sum is 1."""
        (judged,) = model.judge("when", [entry("whole")])

        # The sentence's own 2 for level 0, 4 for level 3, over temperature 2.
        powers = np.exp([1.0, 0.0, 0.0, 2.0])
        assert judged == pytest.approx(tuple(powers / powers.sum()), abs=1e-4)
        assert sum(judged) == pytest.approx(1, abs=1e-3)

    def test_nothing(self, model):
        """No entries are no levels."""
        assert model.judge("when", []) == ()

    def test_empty_texts(self, model):
        """An empty question and an empty entry are judged like any other."""
        judged = model.judge(" ", [entry("", title="")])

        assert len(judged[0]) == 4

    def test_a_long_entry_is_read_in_parts(self, model):
        """The answer at the end of a long entry is found, and its best part counts."""
        long = "x " * 100 + "whole"

        assert levels(model, long) == [3]
        assert model.judge("when", [entry(long)]) == model.judge("when", [entry("whole")])

    def test_what_is_not_read_to_its_end_is_not_known(self, model):
        """An entry beyond all parts answers where an answer was read, and is unjudged elsewhere."""
        endless = "x " * 2_000

        assert levels(model, "whole " + endless, endless, "x") == [3, None, 0]

    def test_a_hostile_entry_costs_no_time(self, model):
        """However long and strange an entry is, little of it is looked at, and a stop is heeded."""
        hostile = [entry("ﷺ " * 500_000), entry("a" + "\u0315\u0300" * 500_000)]
        started_s = time.process_time()

        judged = model.judge("when", hostile)

        # Seconds if all of it were looked at.
        assert time.process_time() - started_s < 0.5
        assert judged == (None, None)

    def test_not_finite(self, model):
        """A logit that is not finite never leaves the judge."""
        with pytest.raises(InferenceError):
            model.judge("when", [entry("endless")])

    def test_cancelled(self, model):
        """A token that is set stops the work, and the judge lives on."""
        cancel = Cancel()
        cancel.set()

        with pytest.raises(InferenceCancelled):
            model.judge("when", [entry("whole")], cancel)

        assert levels(model, "whole") == [3]


class TestProve:
    def test_tiny(self, model):
        """A judge that gives what is known proves itself, warm."""
        model.warm()
        model.prove()

    def test_wrong_verdict(self, model):
        """Another verdict than the known one is refused, by its number."""
        with pytest.raises(BundleError, match=r"known_answers\[0\].*verdict"):
            with_known(model, answers=False).prove()

    def test_other_numbers(self, model):
        """A right verdict at another probability than when it was packed is refused."""
        with pytest.raises(BundleError, match=r"known_answers\[0\]"):
            with_known(model, probability=0.99).prove()


def test_softmax_of_large_logits():
    """Logits of any size give probabilities."""
    found = probabilities(np.array([[1e4, 0, 0, 0], [-1e4, -1e4, -1e4, -1e4]], np.float32), 1.0)

    assert found == [(1, 0, 0, 0), (0.25, 0.25, 0.25, 0.25)]
