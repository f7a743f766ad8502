import shutil
import threading
from pathlib import Path

import msgspec
import numpy as np
import pytest

from models import runtime
from models.encoder import Encoder
from models.errors import BundleError, InferenceCancelled, InferenceError
from models.runtime import Cancel

SHIPPED = Path(__file__).parents[3] / "models" / "bundles" / "encoder"
#: A request, the same in other words, and another one.
NEAR_AND_FAR = {
    "en": [
        ("call me tomorrow", "ring me up tomorrow", "I want a refund"),
        ("how much is it", "what does that cost", "where are you"),
        ("I can't hear you", "you're breaking up", "I want a refund"),
        ("stop calling me", "don't ring this number again", "call me later"),
    ],
    "hi": [
        ("कल फ़ोन करना", "मुझे कल कॉल करो", "मुझे पैसे वापस चाहिए"),
        ("कितने का है", "इसकी क्या क़ीमत है", "आप कहाँ हैं"),
        ("आवाज़ नहीं आ रही", "मुझे सुनाई नहीं दे रहा", "मुझे पैसे वापस चाहिए"),
        ("मैं अभी व्यस्त हूँ", "अभी बात नहीं हो पाएगी", "पता क्या है"),
    ],
    "hinglish": [
        ("kal phone karna", "mujhe kal call karo", "paise wapas chahiye"),
        ("kitne ka hai", "iska price kya hai", "aap kahan ho"),
        ("awaaz nahi aa rahi", "mujhe sunai nahi de raha", "paise wapas chahiye"),
        ("main abhi busy hoon", "abhi baat nahi ho payegi", "address kya hai"),
    ],
    "ar": [
        ("كلمني بكرة", "اتصل بي غداً", "عايز فلوسي ترجع"),
        ("بكام ده", "كم سعره", "انتوا فين"),
        ("مش سامعك", "الصوت بيقطع", "عايز فلوسي ترجع"),
        ("انا مشغول دلوقتي", "مش فاضي حالياً", "العنوان ايه"),
    ],
}
TEXTS = ["yes", "नहीं, अभी नहीं", "kal call karna bhai", "أيوه تمام", "my order number is 40 22 17"]


@pytest.fixture(scope="module")
def encoder():
    """The shipped encoder."""
    return Encoder.load(SHIPPED)


class TestLoad:
    def test_shipped(self, encoder):
        """
        The shipped bundle verifies and tells what it is.
        """
        assert encoder.dimension == 384
        assert len(encoder.fingerprint) == 64
        assert 0 < encoder.conservative < 1
        assert set(encoder.manifest.languages) == {"en", "hi", "hinglish", "ar"}

    def test_judge_is_no_encoder(self):
        """
        A judge's bundle is refused as an encoder.
        """
        with pytest.raises(BundleError, match="kind"):
            Encoder.load(Path(__file__).parent / "fixtures" / "judge")

    def test_one_bit_flipped(self, tmp_path):
        """
        One flipped bit in the weights is refused.
        """
        folder = shutil.copytree(SHIPPED, tmp_path / "encoder")
        with (folder / "model.onnx").open("r+b") as file:
            file.seek(20_000_000)
            byte = file.read(1)[0]
            file.seek(20_000_000)
            file.write(bytes([byte ^ 1]))

        with pytest.raises(BundleError, match=r"model\.onnx"):
            Encoder.load(folder)


class TestEncode:
    def test_unit_vectors(self, encoder):
        """
        Each text gets a float32 vector of length 1, in the order of the texts.
        """
        vectors = encoder.encode(TEXTS)

        assert vectors.shape == (len(TEXTS), 384)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert (vectors @ encoder.encode(TEXTS[2:3])[0]).argmax() == 2

    def test_nothing(self, encoder):
        """
        No texts are an empty array of the right width.
        """
        assert encoder.encode([]).shape == (0, 384)

    def test_neighbours_do_not_matter(self, encoder):
        """
        A text's vector is the same alone, in a batch, and beside a long neighbour.
        """
        alone = np.concatenate([encoder.encode([text]) for text in TEXTS])

        together = encoder.encode([*TEXTS, "yes " * 100])[: len(TEXTS)]

        assert np.abs(alone - together).max() < 1e-6

    def test_same_again(self, encoder):
        """
        A redelivered text has the same vector to the last bit.
        """
        assert (encoder.encode(TEXTS) == encoder.encode(TEXTS)).all()

    def test_kernels_are_exact(self, encoder, monkeypatch):
        """
        The kernels that this CPU gets give the vectors of the exact ones: nothing saturates.
        """
        monkeypatch.setattr(runtime, "cpu_features", tuple)
        exact = Encoder.load(SHIPPED)

        assert (exact.encode(TEXTS) == encoder.encode(TEXTS)).all()

    @pytest.mark.parametrize("language", NEAR_AND_FAR)
    def test_near_and_far(self, encoder, language):
        """
        The same request in other words is mostly nearer than another request, in every language.
        """
        found = [encoder.encode(texts) for texts in NEAR_AND_FAR[language]]
        right = [query @ like > query @ unlike for query, like, unlike in found]

        assert sum(right) >= len(right) - 1

    def test_truncation_is_told(self, encoder):
        """
        A text beyond the limit is encoded up to it, and told when asked.
        """
        texts = ["yes", "yes " * 300]

        assert encoder.truncated(texts).tolist() == [False, True]
        assert np.isfinite(encoder.encode(texts)).all()

    def test_truncation_of_signs_that_are_several(self, encoder):
        """
        A short text of signs that are spelled out as four characters each is cut, and told.
        """
        assert encoder.truncated(["\u33c2" * 60]).tolist() == [True]
        assert encoder.truncated(["\u33c2" * 6]).tolist() == [False]

    def test_cancelled(self, encoder):
        """
        A token that is set stops the work.
        """
        cancel = Cancel()
        cancel.set()

        with pytest.raises(InferenceCancelled):
            encoder.encode(TEXTS, cancel)

    def test_not_finite(self, encoder, monkeypatch):
        """
        Numbers that are not finite never leave the encoder.
        """
        monkeypatch.setattr(
            encoder._session,
            "run",
            lambda feeds, _: [np.full((len(feeds["input_ids"]), 384), np.nan)],
        )

        with pytest.raises(InferenceError):
            encoder.encode(["yes"])

    def test_from_any_thread(self, encoder):
        """
        A call from another thread gives the same vectors.
        """
        found = []
        thread = threading.Thread(target=lambda: found.append(encoder.encode(TEXTS)))
        thread.start()
        thread.join()

        assert (found[0] == encoder.encode(TEXTS)).all()


class TestProve:
    def test_shipped(self, encoder):
        """
        The shipped encoder gives its golden cosines on this machine, warm.
        """
        encoder.warm()
        encoder.prove()

    def test_other_numbers(self, encoder):
        """
        An encoder that gives other cosines than its manifest says is refused, by the pair's number.
        """
        golden = list(encoder.manifest.golden)
        golden[1] = msgspec.structs.replace(golden[1], cosine=golden[1].cosine - 0.02)
        manifest = msgspec.structs.replace(encoder.manifest, golden=tuple(golden))

        with pytest.raises(BundleError, match=r"golden\[1\]"):
            Encoder(manifest, encoder._session, encoder._tokens).prove()
