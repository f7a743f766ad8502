import json
import shutil
from pathlib import Path

import pytest

from models.bundle import load_bundle
from models.errors import BundleError
from models.manifest import Form
from models.pipeline.pack import amend, pack, prove

TINY = Path(__file__).parents[1] / "fixtures" / "judge"
GATE = {"passed": True, "cases": 12, "wrong_hits": 0, "suites": {"en": "0" * 64}}


@pytest.fixture
def arguments(tmp_path):
    """What packs the tiny judge again."""
    manifest = json.loads((TINY / "manifest.json").read_bytes())
    proof = [
        {"utterance": "yes", "prediction": "yes", "match": True},
        {"utterance": "maybe", "prediction": "no", "match": False},
    ]
    return {
        "out": tmp_path / "bundles" / "judge",
        "model": TINY / "model.onnx",
        "tokenizer": TINY / "tokenizer.json",
        "card": "# judge\n\nWords.",
        "version": "2",
        "thresholds": manifest["thresholds"],
        "calibration": manifest["calibration"],
        "quantisation": manifest["quantisation"],
        "proof": proof,
        "training_data": {"train.jsonl": "1" * 64},
        "licence": "Apache-2.0",
    }


class TestPack:
    def test_loads(self, arguments):
        """
        What was packed loads, has the scores of its own bytes, and a card with the numbers.
        """
        manifest = pack("judge", **arguments)

        bundle = load_bundle(arguments["out"])
        assert bundle.manifest == manifest
        assert [trap.logit for trap in manifest.traps] == [4.0, -2.5]
        card = bundle.files["card.md"].decode()
        assert card.startswith("# judge\n\nWords.\n")
        assert "| serve 1.5000 | en |" in card

    def test_same_again(self, arguments):
        """
        Packing the same parts again gives the same fingerprint and seal.
        """
        assert pack("judge", **arguments) == pack("judge", **arguments)

    def test_form(self, arguments):
        """
        What form is worth is in the manifest, and in the logits that the bundle proves itself with.
        """
        form = Form(bias=1.0, weights=(1.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))

        manifest = pack("judge", **arguments, form=form)

        assert manifest.form == form
        assert [trap.logit for trap in manifest.traps] == [3.0, -1.5]

    def test_wrong_trap(self, arguments):
        """
        A judge that fails a trap is not packed, and an older bundle in its place stays.
        """
        pack("judge", **arguments)
        before = (arguments["out"] / "manifest.json").read_bytes()
        arguments["proof"][1]["match"] = True

        with pytest.raises(BundleError, match="verdict"):
            pack("judge", **arguments)

        assert (arguments["out"] / "manifest.json").read_bytes() == before
        assert [path.name for path in arguments["out"].parent.iterdir()] == ["judge"]

    def test_senseless_threshold(self, arguments):
        """
        A threshold that loading refuses is refused when packing.
        """
        arguments["thresholds"]["serve"]["value"] = 0.0

        with pytest.raises(BundleError, match="serve"):
            pack("judge", **arguments)

        assert not arguments["out"].exists()


class TestPackAnswer:
    def test_same_as_the_fixture(self, tmp_path):
        """
        An answer judge's parts give its bundle again, with the probabilities of its own bytes.
        """
        folder = TINY.parent / "answer"
        content = json.loads((folder / "manifest.json").read_bytes())

        manifest = pack(
            "answer",
            out=tmp_path / "answer",
            model=folder / "model.onnx",
            tokenizer=folder / "tokenizer.json",
            card=(folder / "card.md").read_text("utf-8"),
            version=content["version"],
            thresholds=content["thresholds"],
            calibration=content["calibration"],
            quantisation=content["quantisation"],
            proof=[
                {name: known[name] for name in ("question", "title", "content", "answers")}
                for known in content["known_answers"]
            ],
            training_data={},
            licence=content["licence"],
            name=content["name"],
            temperature=content["temperature"],
            max_tokens=content["max_tokens"],
        )

        assert manifest.fingerprint == content["fingerprint"]
        assert [known.probability for known in manifest.known_answers] == [
            known["probability"] for known in content["known_answers"]
        ]
        assert prove(tmp_path / "answer") == manifest


class TestAmend:
    def test_gate(self, tmp_path):
        """
        A gate's result goes into manifest and card, and the bundle still verifies.
        """
        folder = shutil.copytree(TINY, tmp_path / "judge")

        manifest = amend(folder, gate=GATE)

        assert load_bundle(folder).manifest == manifest
        assert manifest.gate.cases == 12
        assert "12 pairs, 0 wrong hits" in (folder / "card.md").read_text("utf-8")

    def test_failed_gate(self, tmp_path):
        """
        A failed gate is refused, and the bundle is what it was.
        """
        folder = shutil.copytree(TINY, tmp_path / "judge")

        with pytest.raises(BundleError, match="gate"):
            amend(folder, gate=GATE | {"passed": False})

        assert load_bundle(folder) == load_bundle(TINY)

    def test_twice(self, tmp_path):
        """
        The numbers of the card are replaced, not repeated.
        """
        folder = shutil.copytree(TINY, tmp_path / "judge")
        thresholds = json.loads((TINY / "manifest.json").read_bytes())["thresholds"]
        thresholds["serve"]["value"] = 1.25

        amend(folder, gate=GATE)
        amend(folder, thresholds=thresholds)

        card = (folder / "card.md").read_text("utf-8")
        assert card.count("## Thresholds") == card.count("## Gate") == 1
        assert "serve 1.2500" in card
        assert "serve 1.5000" not in card


class TestProve:
    def test_shipped_encoder(self):
        """
        The shipped encoder proves itself from its folder.
        """
        folder = Path(__file__).parents[4] / "models" / "bundles" / "encoder"

        assert prove(folder).kind == "encoder"
