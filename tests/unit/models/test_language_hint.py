"""Language hints."""

import pytest

from models.language_hint import names_a_stranger


class TestNamesAStranger:
    @pytest.mark.parametrize("hint", ["es", "es-MX", "ur", "ur_PK", "mr-IN", "fil", "ES"])
    def test_another_language(self, hint):
        """
        A tag of a language that is not trained is a stranger's.
        """
        assert names_a_stranger(hint)

    @pytest.mark.parametrize(
        "hint",
        [None, "", "en", "en-IN", "hi", "hi-Latn", "ar-EG", "arz", "und", "mul", "auto", "hinglish",
         "what the caller said"],
        ids=repr,
    )  # fmt: skip
    def test_a_trained_language_or_none(self, hint):
        """
        A trained language, and what is no tag, says nothing against the turn.
        """
        assert not names_a_stranger(hint)
