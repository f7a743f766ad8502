"""Names in a draft that no evidence has, in scripts with capitals and without."""

from collections.abc import Sequence
from itertools import pairwise

from models.gaps import align
from models.gaps.clause import Clause, Word, known, same_word
from models.gaps.evidence import Evidence
from models.kb.words import words

#: Stand before a name where letters have no capitals.
_INTRODUCERS = frozenset(
    words(
        """
        شارع خارج داخل فرع مدينة حي منطقة محافظة دكتور دكتورة الدكتور مستشفى بنك شركة باقة مطار
        محطة ميدان مول برج عيادة فندق
        डॉक्टर डॉ doctor dr
        """
    )
)
#: Stand behind one.
_FOLLOWERS = frozenset(
    words(
        """
        शाखा शहर सड़क मार्ग प्लान पैक बैंक अस्पताल स्टेशन होटल shakha sheher plan pack branch
        hospital station
        """
    )
)


def is_misnamed(clause: Clause, evidence: Evidence) -> bool:
    """Tell whether a clause names what no evidence names."""
    if any(word.named and not align.heard(word, evidence.words) for word in clause.content):
        return True
    return any(_is_replaced(clause, other, evidence.words) for other in evidence.clauses)


def _is_replaced(clause: Clause, other: Clause, said: Sequence[Word]) -> bool:
    """Tell whether a word that no evidence has stands where the evidence has another name."""
    if clause.language != other.language:
        return False
    for pair in pairwise(clause.content):
        for side in (0, 1):
            new, anchor = pair[side], pair[1 - side]
            if not (new.capital or _introduces(anchor, side)) or known(new.text, said):
                continue
            if _has_name_at(other, anchor, side, clause):
                return True
    return False


def _has_name_at(other: Clause, anchor: Word, side: int, clause: Clause) -> bool:
    """Tell whether a name that the clause lacks stands at that side of a word."""
    for pair in pairwise(other.content):
        old, beside = pair[side], pair[1 - side]
        if same_word(beside.text, anchor.text) and not known(old.text, clause.words):
            return old.named or _introduces(beside, side)
    return False


def _introduces(word: Word, side: int) -> bool:
    return word.text in (_INTRODUCERS if side else _FOLLOWERS)
