"""Signatures of bundles."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models import signature
from models.bundle import MODEL, load_bundle, sign_bundle
from models.encoder import Encoder
from models.errors import BundleError
from models.gaps.reasons import Classifier
from models.gaps.reasons.bundle import read_bundle
from models.gaps.same import JudgedSame
from models.judge import Judge
from models.kb.answer import AnswerModel
from models.manifest import MANIFEST
from models.signature import SIGNATURE, require
from workers.settings import Settings

FIXTURES = Path(__file__).parent / "fixtures"
SHIPPED = Settings()
KEY = "a key of sixteen"
_NO_MODELS: Any = (None, None)
#: Every class that loads a bundle, and one of its kind; what is loaded beside it is not looked at.
LOADERS: dict[str, tuple[Callable[[Path], Any], Path]] = {
    "encoder": (Encoder.load, SHIPPED.encoder),
    "judge": (Judge.load, FIXTURES / "judge"),
    "answer": (AnswerModel.load, FIXTURES / "answer"),
    "reasons": (lambda folder: Classifier.load(folder, "x"), SHIPPED.reasons),
    "same": (lambda folder: JudgedSame.load(folder, *_NO_MODELS), SHIPPED.same),
}


@pytest.fixture(autouse=True)
def asked():
    """Ask for signatures, in these tests alone."""
    require(KEY)
    yield
    require("")


@pytest.fixture
def folder(tmp_path):
    """A copy of the tiny judge's bundle."""
    return shutil.copytree(FIXTURES / "judge", tmp_path / "judge")


class TestLoading:
    @pytest.mark.parametrize("kind", LOADERS)
    def test_without_a_signature_nothing_is_loaded(self, kind):
        """
        Every kind of bundle is refused that has none.
        """
        load, bundle = LOADERS[kind]

        with pytest.raises(BundleError, match=r"^manifest\.sig: cannot be read"):
            load(bundle)

    @pytest.mark.parametrize("kind", LOADERS)
    def test_a_wrong_signature_is_found_before_anything_is_used(self, tmp_path, kind):
        """
        It is the signature that is named, although nothing else in the folder could be used either.
        """
        load, _ = LOADERS[kind]
        (tmp_path / MANIFEST).write_bytes(b"{")
        (tmp_path / SIGNATURE).write_bytes(signature.sign(b"another", KEY))

        with pytest.raises(BundleError, match=r"^manifest\.sig: is not"):
            load(tmp_path)

    def test_a_signed_bundle_is_loaded(self, folder):
        """
        With its own signature under the key it is as good as it was.
        """
        sign_bundle(folder, KEY)

        assert load_bundle(folder).manifest.kind == "judge"

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"0" * 64, id="made up"),
            pytest.param(b"\xff" * 64, id="no text"),
            pytest.param(b"0" * 5_000, id="too long"),
            pytest.param(
                signature.sign((FIXTURES / "judge" / MANIFEST).read_bytes(), KEY + "x"),
                id="another key",
            ),
            pytest.param(
                signature.sign((FIXTURES / "answer" / MANIFEST).read_bytes(), KEY),
                id="another bundle's",
            ),
            pytest.param(
                signature.sign((FIXTURES / "judge" / MANIFEST).read_bytes(), KEY)[:32], id="half"
            ),
        ],
    )
    def test_any_other_is_refused(self, folder, content):
        """
        Only the HMAC of these bytes under this key will do.
        """
        (folder / SIGNATURE).write_bytes(content)

        with pytest.raises(BundleError, match=r"^manifest\.sig"):
            load_bundle(folder)

    def test_a_manifest_that_is_sealed_again_is_refused(self, folder):
        """
        Whoever loosens a threshold can seal it, and cannot sign it.
        """
        sign_bundle(folder, KEY)
        raw = (folder / MANIFEST).read_bytes()
        (folder / MANIFEST).write_bytes(raw + b" ")

        with pytest.raises(BundleError, match=r"^manifest\.sig: is not"):
            load_bundle(folder)

    def test_nothing_is_asked_without_a_key(self, folder):
        """
        Without the setting a bundle needs no signature, and a stale one does no harm.
        """
        require("")
        (folder / SIGNATURE).write_bytes(b"stale")

        assert load_bundle(folder).manifest.kind == "judge"


class TestSigning:
    @pytest.mark.parametrize("name", [MANIFEST, MODEL])
    def test_what_is_not_whole_is_not_signed(self, folder, name):
        """
        Nobody puts their name to a bundle that was damaged.
        """
        raw = bytearray((folder / name).read_bytes())
        raw[len(raw) // 2] ^= 1
        (folder / name).write_bytes(raw)

        with pytest.raises(BundleError):
            sign_bundle(folder, KEY)

        assert not (folder / SIGNATURE).exists()

    def test_any_kind_is_signed(self, tmp_path):
        """
        The small bundles of the slow path as well.
        """
        folder = shutil.copytree(SHIPPED.reasons, tmp_path / "reasons")

        signed = sign_bundle(folder, KEY)

        manifest, _ = read_bundle(folder)
        assert manifest.seal == signed.seal
