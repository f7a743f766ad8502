from pathlib import Path

import numpy as np
import orjson
import pytest

from models.encoder import Encoder
from models.errors import BundleError
from models.gaps.reasons import REASONS, Classifier, Reason
from models.gaps.reasons.bundle import WEIGHTS, write_bundle
from models.gaps.reasons.classifier import Weights, weights_of
from models.gaps.reasons.features import COLUMNS, LENGTHS, features
from models.gaps.sealed import write_sealed
from workers.settings import load

ENCODER = "a" * 64
DIMENSION = 4
OFF, LIVE, UNCLEAR, MISSING = range(4)


def fields(**changed):
    """A manifest's fields."""
    return {
        "name": "tiny",
        "version": "1",
        "encoder_fingerprint": ENCODER,
        "dimension": DIMENSION,
        "languages": ["en"],
        "temperature": 1.0,
        "threshold": 0.4,
        "topic": {"shares": 1.0, "nearness": -20.0, "bias": 16.0},
        "cross_validated": {
            "rows": 4,
            "macro_f1": 0.5,
            "accuracy": 0.5,
            "calibration_error": 0.1,
            "f1": {one.value: 0.5 for one in REASONS},
            "languages": {"en": 0.5},
        },
        "training_data": {},
        "golden": [{"question": "hello", "nearness": None, "reason": "unclear", "share": 0.5}],
        "tolerance": 0.05,
        "licence": "none",
        **changed,
    }


def weights(**changed):
    """Each of the first four places of a vector speaks for one reason."""
    dense = np.zeros((DIMENSION + LENGTHS, len(REASONS)), np.float32)
    dense[:DIMENSION] = np.eye(DIMENSION, dtype=np.float32)
    found = {
        "centre": np.zeros(DIMENSION, np.float32),
        "dense": dense,
        "hashed": np.zeros((COLUMNS, len(REASONS)), np.float32),
        "bias": np.zeros(len(REASONS), np.float32),
    }
    return Weights(**(found | changed))


@pytest.fixture
def folder(tmp_path):
    """A bundle on disk."""
    write_bundle(tmp_path, {WEIGHTS: weights_of(weights()), "card.md": b"tiny"}, fields())
    return tmp_path


def vector(*values):
    found = np.array([values], np.float32)
    return found / np.linalg.norm(found)


class TestClassify:
    @pytest.mark.parametrize("place", range(4), ids=[one.value for one in REASONS])
    def test_reason(self, folder, place):
        """The likeliest reason is said, with how likely it is."""
        classifier = Classifier.load(folder, ENCODER)

        (found,) = classifier.classify(["what is it"], np.eye(4, dtype=np.float32)[[place]])

        assert found.reason is REASONS[place]
        assert found.confidence == pytest.approx(max(found.shares))
        assert sum(found.shares) == pytest.approx(1)

    def test_unsure(self, folder):
        """Where no reason is likely enough the question is unclear, and says so."""
        classifier = Classifier.load(folder, ENCODER)

        (found,) = classifier.classify(["what is it"], vector(1, 1, 0.9, 1))

        assert found.reason is Reason.UNCLEAR
        assert found.unsure
        assert found.confidence < 0.4

    @pytest.mark.parametrize("text", ["", "…", "؟؟", "\u200f"])
    def test_nothing_said(self, folder, text):
        """A question without a word is unclear whatever its vector says."""
        classifier = Classifier.load(folder, ENCODER)

        (found,) = classifier.classify([text], vector(0, 0, 0, 1))

        assert found.reason is Reason.UNCLEAR

    def test_nearness(self, folder):
        """The farther the tenant's entries, the likelier it is off topic; unclear stays."""
        classifier = Classifier.load(folder, ENCODER)
        vectors = np.repeat(vector(1, 1, 0, 1.2), 3, axis=0)

        near, far, unknown = classifier.classify(["what is it"] * 3, vectors, [0.95, 0.6, None])

        assert near.reason is Reason.MISSING_KNOWLEDGE
        assert far.reason is Reason.OFF_TOPIC
        assert near.shares[OFF] < unknown.shares[OFF] < far.shares[OFF]
        assert near.shares[UNCLEAR] == pytest.approx(far.shares[UNCLEAR])
        assert near.shares[LIVE] / near.shares[MISSING] == pytest.approx(
            far.shares[LIVE] / far.shares[MISSING]
        )

    def test_several(self, folder):
        """A question's answer does not depend on what stands beside it; none give none."""
        classifier = Classifier.load(folder, ENCODER)
        vectors = np.eye(4, dtype=np.float32)

        together = classifier.classify(["one two", "three", "four", "five"], vectors)

        assert together[1] == classifier.classify(["three"], vectors[[1]])[0]
        assert classifier.classify([], np.zeros((0, 4), np.float32)) == []


class TestRefusals:
    def test_other_encoder(self, folder):
        """A bundle of another encoder is refused: its vectors mean something else."""
        with pytest.raises(BundleError, match="another encoder"):
            Classifier.load(folder, "b" * 64)

    @pytest.mark.parametrize("name", [WEIGHTS, "card.md", "manifest.json"])
    def test_missing(self, folder, name):
        """A missing file is refused by name."""
        (folder / name).unlink()

        with pytest.raises(BundleError, match=name):
            Classifier.load(folder, ENCODER)

    def test_flipped_bit(self, folder):
        """One changed byte is refused."""
        content = bytearray((folder / WEIGHTS).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / WEIGHTS).write_bytes(content)

        with pytest.raises(BundleError, match="SHA-256"):
            Classifier.load(folder, ENCODER)

    def test_changed_manifest(self, folder):
        """A threshold cannot be changed unnoticed."""
        path = folder / "manifest.json"
        path.write_bytes(path.read_bytes().replace(b'"threshold": 0.4', b'"threshold": 0.1'))

        with pytest.raises(BundleError, match="seal"):
            Classifier.load(folder, ENCODER)

    @pytest.mark.parametrize(
        "changed",
        [
            {"reasons": [one.value for one in REASONS[::-1]]},
            {"threshold": 1.5},
            {"temperature": 0},
            {"golden": []},
            {"more": 1},
        ],
        ids=["order", "threshold", "temperature", "golden", "unknown field"],
    )
    def test_senseless(self, tmp_path, changed):
        """A manifest that says something senseless is refused."""
        shared = {"schema": 1, "kind": "reasons", "reasons": [one.value for one in REASONS]}
        files = {WEIGHTS: weights_of(weights()), "card.md": b"tiny"}
        write_sealed(tmp_path, files, shared | fields() | changed)

        with pytest.raises(BundleError, match=r"manifest\.json"):
            Classifier.load(tmp_path, ENCODER)

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"no archive",
            weights_of(weights(bias=np.zeros(3, np.float32))),
            weights_of(weights(centre=np.full(4, np.nan, np.float32))),
            weights_of(weights(centre=np.zeros(4))),
        ],
        ids=["empty", "no archive", "shape", "not finite", "float64"],
    )
    def test_weights(self, tmp_path, content):
        """Weights that do not fit are refused."""
        write_bundle(tmp_path, {WEIGHTS: content, "card.md": b"tiny"}, fields())

        with pytest.raises(BundleError, match=WEIGHTS):
            Classifier.load(tmp_path, ENCODER)

    def test_other_golden(self, folder):
        """A bundle that does not give its known shares does not prove itself."""

        class Constant:
            def encode(self, texts):
                return np.repeat(vector(1, 0, 0, 0), len(texts), axis=0)

        with pytest.raises(BundleError, match=r"golden\[0\]"):
            Classifier.load(folder, ENCODER).prove(Constant())


class TestShipped:
    def test_proves_itself(self):
        """The shipped bundle is of the shipped encoder and gives its known shares."""
        settings = load({})
        encoder = Encoder.load(Path(settings.encoder))

        Classifier.load(settings.reasons, encoder.fingerprint).prove(encoder)

    def test_says_what_it_gave(self):
        """Its manifest says how it did on held-out rows, honestly calibrated."""
        manifest = orjson.loads((load({}).reasons / "manifest.json").read_bytes())

        assert manifest["cross_validated"]["macro_f1"] > 0.75
        assert manifest["cross_validated"]["calibration_error"] < 0.05


def test_features_are_one_length():
    """Words of a question together are of one length, however many there are."""
    found = features(["a b c", "one"], np.eye(2, dtype=np.float32), np.zeros(2, np.float32)).full()
    norms = np.linalg.norm(found[:, -COLUMNS:], axis=1)

    assert norms[0] == pytest.approx(norms[1])
