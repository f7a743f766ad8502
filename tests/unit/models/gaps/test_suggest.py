import random

import pytest

from models.gaps.suggest import BLANK, MAX_QUOTES, Asked, evidence_of, suggest
from models.gaps.validate import validate
from models.kb.shown import Shown
from models.pipeline.data.kb import knowledge_bases

ENTRY = Shown(
    title="Zamalek branch",
    content="The Zamalek branch is at 14 Nile St. Parking is under the building. Closed on Friday.",
    category=None,
    lang="en",
)


def asked(*texts, language="en"):
    return [Asked(text=text, language=language) for text in texts]


class TestSuggest:
    def test_parts(self):
        """A title in a caller's words, what near entries say, and a blank for the asked fact."""
        questions = [
            *asked("how much is parking at zamalek", "what does parking cost", "price of parking"),
            *asked("بكام الركنة", language="ar"),
        ]

        found = suggest(questions, [ENTRY])

        assert found.title in {one.text for one in questions}
        assert found.quotes == ("Parking is under the building.",)
        assert found.blanks == (f"Price: {BLANK}",)
        assert set(found.questions) == {"en", "ar"}
        assert validate(found.text, evidence_of(questions, [ENTRY])).ok

    def test_masked_is_no_title(self):
        """A question with something masked out is an example, and a title only where it must."""
        found = suggest(asked("my number is [PHONE] is parking free", "do you have free parking"))

        assert found.title == "do you have free parking"
        assert "my number is [PHONE] is parking free" in found.questions["en"]

    @pytest.mark.parametrize("texts", [[], [""], ["[PHONE]"], ["…", "\u200f"]])
    def test_nothing_asked(self, texts):
        """Where no question says anything there is no suggestion."""
        assert suggest(asked(*texts)) is None

    def test_much(self):
        """A gap of thousands of questions and entries of any length still gets its suggestion."""
        questions = asked(*(f"is there parking on level {at}" for at in range(2000)))
        long = Shown(title="All", content=ENTRY.content * 500, category=None, lang="en")

        found = suggest(questions, [long] * 20)

        assert found.quotes == ("Parking is under the building.",)
        assert found.title.startswith("is there parking")

    def test_order_does_not_matter(self):
        """The same questions in another order give the same suggestion but for nothing."""
        questions = asked("is there parking", "where is the parking", "parking at night?")

        assert suggest(questions, [ENTRY]) == suggest(questions[::-1], [ENTRY])


def test_passes_its_own_validator():
    """Whatever was asked beside whatever is near, the validator accepts the suggestion."""
    rng = random.Random(7)  # noqa: S311
    bases = [base for base in knowledge_bases() if base.questions and base.entries]
    for base in rng.sample(bases, 10):
        questions = [
            Asked(text=one.text, language="en") for one in rng.sample(list(base.questions), 3)
        ]
        near = [
            Shown(title=one.title, content=one.content, category=None, lang=one.language)
            for one in rng.sample(list(base.entries), 3)
        ]

        found = suggest(questions, near)

        assert found is not None
        assert len(found.quotes) <= MAX_QUOTES
        assert validate(found.text, evidence_of(questions, near)).ok
