import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.gaps.claim import Claim
from models.gaps.validate import MAX_DRAFT, MAX_EVIDENCE, validate

FEES = "Delivery inside Cairo takes 2 to 3 days and costs 45 pounds. Pets are not allowed."
MORE = [
    json.loads(line)
    for line in (Path(__file__).parent / "drafts.jsonl").read_text("utf-8").splitlines()
]

#: Pieces of drafts, and characters that have caused trouble.
PIECES = [
    *"45 pounds 9 am ____ Cairo not if all free 16442 help@a.example a.example/b . ; : ،".split(),
    *"الرياض ٤٥ جنيه لا لو كل مجاني नहीं अगर ४५ रुपये दो \u200f \u202e \u064b \ud800 ''".split(),
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=20).map(" ".join)


class TestRows:
    @pytest.mark.parametrize("row", [pytest.param(row, id=row["draft"]) for row in MORE])
    def test_bad_is_refused(self, row):
        """No draft that states what its evidence does not is accepted."""
        if not row["ok"]:
            assert not validate(row["draft"], row["evidence"]).ok

    def test_good_is_accepted(self):
        """Most good drafts are."""
        good = [row for row in MORE if row["ok"]]
        accepted = [row for row in good if validate(row["draft"], row["evidence"]).ok]

        assert len(accepted) >= 0.85 * len(good)


class TestReasons:
    @pytest.mark.parametrize(
        ("draft", "reason"),
        [
            ("Delivery inside Cairo costs 54 pounds.", Claim.PRICE),
            ("Delivery inside Cairo costs 45 dollars.", Claim.PRICE),
            ("Delivery inside Cairo costs 45 pounds a month.", Claim.PRICE),
            ("Delivery inside Cairo takes 2 to 3 hours.", Claim.DURATION),
            ("Delivery inside Giza costs 45 pounds.", Claim.NAME),
            ("Pets are allowed.", Claim.NEGATION),
            ("Delivery inside Cairo does not cost 45 pounds.", Claim.NEGATION),
            ("Delivery inside Cairo costs 45 pounds if you pay in cash.", Claim.CONDITION),
            ("Call 16442. Pets are not allowed.", Claim.PHONE),
            ("Pets are not allowed, see cairo.example/pets", Claim.LINK),
            ("Pets are not allowed: pets@cairo.example", Claim.EMAIL),
            ("Delivery inside Cairo costs 45 pounds plus 5 percent.", Claim.PERCENTAGE),
            ("Delivery inside Cairo at 9 am costs 45 pounds.", Claim.TIME),
            ("Delivery inside Cairo costs 45 pounds on Sunday.", Claim.DATE),
            ("Delivery inside Cairo of 5 kg costs 45 pounds.", Claim.QUANTITY),
            ("Submarines swim gracefully.", Claim.UNKNOWN),
        ],
    )
    def test_kind(self, draft, reason):
        """The reason names the kind."""
        assert reason in validate(draft, [FEES]).reasons

    @pytest.mark.parametrize(
        ("draft", "evidence"),
        [
            ("التوصيل داخل القاهرة ٤٥ جنيه", FEES),
            ("डिलीवरी काहिरा में पैंतालीस पाउंड", "Delivery in Kahira: 45 pounds"),
            ("Delivery costs 45 pounds.", "التوصيل بخمسة وأربعين جنيه"),
            ("Dr Salma sees patients on Sunday.", "الدكتورة سلمى موجودة يوم الأحد"),
        ],
    )
    def test_across_languages(self, draft, evidence):
        """Numbers compare by value and names by sound, in any script."""
        assert validate(draft, [evidence]).ok

    @pytest.mark.parametrize(
        ("draft", "evidence"),
        [
            ("التوصيل داخل القاهرة ٥٤ جنيه", FEES),
            ("Delivery costs 54 pounds.", "التوصيل بخمسة وأربعين جنيه"),
            ("Dr Mona sees patients on Sunday.", "الدكتورة سلمى موجودة يوم الأحد"),
            ("Home visits are offered on Sunday.", "لا توجد زيارات منزلية يوم الأحد"),
        ],
    )
    def test_across_languages_refused(self, draft, evidence):
        """What differs across languages is refused as it is within one."""
        assert not validate(draft, [evidence]).ok

    def test_no_evidence(self):
        """Without evidence nothing may be stated, and blanks are nothing."""
        assert not validate("Costs 45 pounds.", []).ok
        assert validate("Price: ____", []).ok


class TestAnyText:
    @settings(max_examples=60, deadline=None)
    @given(texts, st.lists(texts, max_size=3))
    @example("", [])
    @example("\ud800", ["\ud800"])
    @example("1" * 3000, ["a." * 3000])
    @example("____", [""])
    def test_never_raises(self, draft, evidence):
        """Any text gets a verdict, the same each time, with a reason where it is no."""
        verdict = validate(draft, evidence)

        assert verdict == validate(draft, evidence)
        assert verdict.ok is (not verdict.reasons)

    def test_too_much(self):
        """Texts longer than any entry are refused unread."""
        assert validate("a" * (MAX_DRAFT + 1), []).reasons == (Claim.SIZE,)
        assert validate("a", ["a" * (MAX_EVIDENCE + 1)]).reasons == (Claim.SIZE,)
