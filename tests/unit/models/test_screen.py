import dataclasses

import pytest

from models import screen as module
from models.errors import BundleError
from models.screen import BypassReason, prove, screen
from models.script import Writing


class TestScreen:
    @pytest.mark.parametrize(
        ("raw", "reason"),
        [
            pytest.param("", BypassReason.EMPTY, id="empty"),
            pytest.param("\u200b\u200e\ufeff", BypassReason.EMPTY, id="empty after cleaning"),
            pytest.param("👍", BypassReason.EMPTY, id="emoji only"),
            pytest.param("?!", BypassReason.EMPTY, id="punctuation only"),
            pytest.param("a" * 100_000, BypassReason.TOO_LONG, id="100,000 characters"),
            pytest.param("\u200b" * 1_000_000, BypassReason.TOO_LONG, id="zero-width characters"),
            pytest.param("yes " * 200, BypassReason.TOO_LONG, id="longer than a turn"),
            pytest.param("quiero cancelar mi pedido", BypassReason.LANGUAGE, id="Spanish"),
            pytest.param("मला माझे पैसे परत हवे आहेत", BypassReason.LANGUAGE, id="Marathi"),
            pytest.param("p\u0430y my bill", BypassReason.LANGUAGE, id="homoglyph"),
            pytest.param("Actually,", BypassReason.FRAGMENT, id="fragment"),
            pytest.param("मतलब वो", BypassReason.FRAGMENT, id="Hindi fragment"),
            pytest.param("umm", BypassReason.FRAGMENT, id="filler"),
            pytest.param("please leave a message after the", BypassReason.VOICEMAIL, id="cut off"),
            pytest.param("الرقم الذي طلبته مغلق", BypassReason.VOICEMAIL, id="announcement"),
            pytest.param("yes", None, id="reply"),
            pytest.param("مش دلوقتي", None, id="Egyptian"),
            pytest.param("haan ji", None, id="Hinglish"),
            pytest.param("42", None, id="digits"),
            pytest.param("umm okay stop", None, id="filler before content"),
        ],
    )
    def test_reason(self, raw, reason):
        """
        Each guard gives its own reason, and what passes all has none.
        """
        assert screen(raw).reason == reason

    def test_eligible(self):
        """
        An eligible utterance comes with all that the tiers after it need.
        """
        screened = screen("  Haan\u200b ji. ")

        assert screened.text == "Haan ji."
        assert screened.key == "haan ji"
        assert screened.language == "hinglish"
        assert screened.writing == Writing("latin", "hinglish")

    def test_too_long_holds_nothing(self):
        """
        Of a text that is too long nothing is kept.
        """
        screened = screen("yes " * 200)

        assert (screened.text, screened.key, screened.language) == ("", "", "none")

    def test_frozen(self):
        """
        What was screened does not change.
        """
        with pytest.raises(dataclasses.FrozenInstanceError):
            screen("yes").text = "no"

    def test_reasons_are_fixed(self):
        """
        The values are part of the decisions that others read.
        """
        assert {str(reason) for reason in BypassReason} == {
            "empty", "too_long", "language", "fragment", "voicemail",
        }  # fmt: skip


class TestProve:
    def test_proves(self):
        """
        The guards as they are say what they must of the known texts.
        """
        prove()

    def test_refuses(self, monkeypatch):
        """
        Guards that miss a known text refuse to start, without showing the text.
        """
        monkeypatch.setattr(module, "_TRAPS", (("yes", None), ("secret", BypassReason.VOICEMAIL)))

        with pytest.raises(BundleError) as excinfo:
            prove()

        assert "trap 1" in str(excinfo.value)
        assert "secret" not in str(excinfo.value)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("a1" * 198 + "'b", id="letters and digits in turn"),
        pytest.param("a" * 399, id="one word"),
        pytest.param("you " * 99, id="a word of many rules"),
        pytest.param("i mean " * 57, id="openers"),
        pytest.param("leave a message " * 24, id="half a greeting"),
        pytest.param("जिस नंबर कॉल " * 28, id="half an announcement"),
        pytest.param("لا" * 199, id="one Arabic word"),
        pytest.param("नहीं" * 99, id="one Hindi word"),
        pytest.param("x'" * 199 + "x", id="apostrophes"),
        pytest.param("no " * 133, id="repetition"),
        pytest.param("-" * 399, id="dashes"),
        pytest.param("k" + "\u0301\u0316" * 700, id="marks"),
    ],
)
@pytest.mark.timeout(5)
def test_hostile(raw):
    """
    No text of eligible length keeps a guard busy: a runaway pattern would hit the time limit.
    """
    for _ in range(100):
        assert screen(raw).reason in {None, *BypassReason}
