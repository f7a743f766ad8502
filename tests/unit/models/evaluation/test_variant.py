"""The language of a logged pair."""

import pytest

from models.evaluation.variant import OtherLanguage, variants
from models.pipeline.data.row import LANGUAGE_OF
from tests.unit.models.evaluation.factories import make_said


@pytest.mark.parametrize(
    ("said", "predicted", "hint", "agent", "expected"),
    [
        pytest.param("yes please", "go ahead", None, None, ("en", "en"), id="English"),
        pytest.param("kal call karo", "हाँ जी", None, None, ("hinglish", "hi"), id="two writings"),
        pytest.param("kal call karo", "ok", "hi-IN", None, ("hinglish", "hinglish"), id="Hinglish"),
        pytest.param("yes please", "ok", "hi", None, ("en", "hinglish"), id="text before hint"),
        pytest.param("نعم", "أيوه", None, None, ("ar-MSA", "ar-MSA"), id="Arabic"),
        pytest.param("نعم", "أيوه", "ar-EG", None, ("ar-EG", "ar-EG"), id="Egypt"),
        pytest.param("نعم", "أيوه", "afb", None, ("ar-Gulf", "ar-Gulf"), id="Gulf by variety"),
        pytest.param("نعم", "أيوه", "ar_LB", None, ("ar-LEV", "ar-LEV"), id="Levant"),
        pytest.param("5678", "56 78", "hi", None, ("hi", "hi"), id="digits, hint"),
        pytest.param("5678", "हाँ जी", None, None, ("hi", "hi"), id="digits, other side"),
        pytest.param("5678", "56 78", None, "آخر أربعة أرقام؟", ("ar-MSA", "ar-MSA"), id="agent"),
        pytest.param("5678", "56 78", "auto", None, None, id="nothing tells"),
        pytest.param("ok", "ok", "ar", None, ("en", "en"), id="Arabic is not in Latin letters"),
    ],
)
def test_variants(said, predicted, hint, agent, expected):
    """
    What the texts show comes first, then the hint, then what stands beside them.
    """
    found = variants(make_said(said, language=hint, agent_text=agent), predicted)

    assert found == expected
    assert set(found or ()) <= LANGUAGE_OF.keys()


@pytest.mark.parametrize(
    ("said", "predicted", "hint"),
    [
        pytest.param("да, конечно", "yes", None, id="script"),
        pytest.param("hola amigo que tal", "yes", None, id="words"),
        pytest.param("yes", "hola amigo que tal", None, id="prediction"),
        pytest.param("नमस्ते", "नमस्ते", "mr-IN", id="hint"),
    ],
)
def test_other_languages(said, predicted, hint):
    """
    A language that rows do not have is not written down as one that they do.
    """
    with pytest.raises(OtherLanguage):
        variants(make_said(said, language=hint), predicted)
