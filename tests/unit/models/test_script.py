import pytest

from models.script import Writing, compatible, writing


class TestWriting:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param("मुझे नहीं चाहिए", Writing("devanagari", "hi"), id="Hindi"),
            pytest.param("لا أريد", Writing("arabic", "ar"), id="Arabic"),
            pytest.param("i want to cancel my order", Writing("latin", "en"), id="English"),
            pytest.param(
                "mujhe order cancel karna hai", Writing("latin", "hinglish"), id="Hinglish"
            ),
            pytest.param("theek hai", Writing("latin", "hinglish"), id="short Hinglish"),
            pytest.param("ok", Writing("latin"), id="could be either"),
            pytest.param("order number", Writing("latin"), id="loan words could be either"),
            pytest.param("123", Writing("none"), id="digits"),
            pytest.param("👍", Writing("none"), id="emoji"),
            pytest.param("да", Writing("other"), id="another script"),
            pytest.param("मेरा WhatsApp नंबर", Writing("devanagari", "hi"), id="brand in Hindi"),
            pytest.param("عندي مشكلة في Careem", Writing("arabic", "ar"), id="brand in Arabic"),
            pytest.param("مكالمة من John Smith", Writing("arabic", "ar"), id="name in Arabic"),
            pytest.param("what does नमस्ते mean in your country", Writing("latin", "en"), id="word"),
        ],
    )
    def test_writing(self, text, expected):
        """
        Script and language are told, the language only where it is sure.
        """
        assert writing(text) == expected


class TestCompatible:
    @pytest.mark.parametrize(
        ("said", "predicted"),
        [
            pytest.param("yes please", "sure go ahead", id="English"),
            pytest.param("हाँ जी", "जी हाँ", id="Hindi"),
            pytest.param("haan ji", "ji haan bilkul", id="Hinglish"),
            pytest.param("ايوه", "نعم من فضلك", id="Egyptian and standard Arabic"),
            pytest.param("ok", "haan theek hai", id="a word of both languages"),
            pytest.param("12", "मेरा नंबर बारह है", id="digits and Hindi"),
            pytest.param("👍", "نعم", id="emoji and Arabic"),
            pytest.param("ممكن refund لو سمحت", "أريد استرداد المبلغ", id="loan word in Arabic"),
            pytest.param("मेरा order कहाँ है", "मेरा ऑर्डर कहाँ है", id="loan word in Hindi"),
        ],
    )
    def test_fits(self, said, predicted):
        """
        One script and no sure difference of language: the response may be played.
        """
        assert compatible(said, predicted)
        assert compatible(predicted, said)

    @pytest.mark.parametrize(
        ("said", "predicted"),
        [
            pytest.param("हाँ जी", "haan ji", id="Hindi in two scripts"),
            pytest.param("नहीं", "no", id="Hindi and English"),
            pytest.param("لا", "no", id="Arabic and English"),
            pytest.param("لا", "नहीं", id="Arabic and Hindi"),
            pytest.param("ايوه", "aiwa", id="Arabic in two scripts"),
            pytest.param(
                "i want to cancel my order",
                "mujhe order cancel karna hai",
                id="English and Hinglish",
            ),
        ],
    )
    def test_does_not_fit(self, said, predicted):
        """
        Another script, or surely another language: the response is never played.
        """
        assert not compatible(said, predicted)
        assert not compatible(predicted, said)

    def test_precomputed(self):
        """
        A pair of writings is as good as a pair of texts.
        """
        said, predicted = "हाँ जी", "haan ji"

        assert compatible(writing(said), predicted) == compatible(said, writing(predicted))
