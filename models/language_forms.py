"""
Word forms of the trained languages that their tables know too little of: floors under a weight.

Tables are made from written text; callers speak. Dialect verbs, polite and subjunctive forms and
words that strangers borrow as well would be held against a caller. A floor never makes a stranger
of a word, and most floors are zero: the word speaks for nobody and the others decide.
"""

import functools
import re
from pathlib import Path

from models.language_table import STEP, table

#: Hindi subjunctives and futures: "जाऊँ", "करूँ", "बताएँ"; Nepali shares some, so zero.
_HINDI_SHARED = re.compile("(?!गर).+(?:ऊं|ूं|ाएं)$|आएं$")
#: Hindi requests: "बताइए", "कीजिएगा".
_HINDI_REQUEST = re.compile("..+[इि](?:ए|ये)(?:गा)?$")

#: "of", possessed, in Egyptian and Levantine: "بتاعي"; and "if only".
_ARABIC_OURS = re.compile(r"(?:ال)?بتاع(?:ت?(?:ي|ك|ه|ها|نا|كم|كو|هم))?$|ياريت$|ريت$")
#: Verbs that callers say of themselves, for forms that bear no person: "هدفع".
_ARABIC_VERBS = (
    "كون|فكر|دفع|جيب|روح|شوف|كلم|بعت|ستني|عمل|قول|قولك|رجع|اخد|عرف|قدر|حاول|تصل|سال|لغي|حجز|طلب"
    "|جرب|بلغ|اجي|جي|فضل|نزل|وصل|سيب|كمل|غير|حول|سدد|شتري|خلص|رد|تاكد|راجع"
)
_ARABIC_SUFFIX = "(?:ه|ها|هم|ني|نا|ك|كم|كو|لي|لك|لكم|لكو|له|لها|لنا|لهم|هالك|هولك|وا|و)?"
_ARABIC_SPOKEN = re.compile(
    "(?!هند[سوي]|هنر[^ج]|هنوز|بتو|بترس)(?:و|ف)?(?:"
    # Present and future of the dialects, not Persian in -m and -nd: "بيعلق", "هنيجي", "حتوصل".
    r"(?:م?ب[يت]|[هح][يتن])\w{2,}(?<!م)(?<!ند)(?<!يد)$"
    rf"|[هح](?:{_ARABIC_VERBS}){_ARABIC_SUFFIX}$"
    # Denied, not Persian "his": "مقدرش", "ماجاش", "محدش", "مستلمتش".
    rf"|ما?(?:حد|عند\w*|ب?[يتن]\w{{2,}}|\w{{3,}}(?:ت|ها|ني|و)|(?:{_ARABIC_VERBS}){_ARABIC_SUFFIX})ش$"
    r"|ما(?!در|مان|شين)\w{2,}ش$)"
)

#: Words that only Hindi, said in Latin letters, has.
_SURELY_HINDI = frozenset(
    (
        *("maine", "mujhe", "mujhko", "usne", "humne", "hamne", "unhone", "aapne", "tumne"),
        *("isne", "inhone", "kisne", "hoon", "kiya", "kya", "karna", "raha", "rahi", "rahe"),
    )
)
#: Verbs that end a Hindi sentence, and what may stand before them.
_HINDI_END = frozenset(("hai", "hain", "tha", "thi"))
_SHORTEST_SENTENCE = 3
#: Hindi particles and short verbs that are spelt like words of strangers.
_HINDI_SMALL = frozenset(
    (
        *("ne", "se", "ki", "ka", "ke", "ko", "me", "mein", "pe", "par", "to", "bhi", "jo", "wo"),
        *("hum", "ho", "hua", "hui", "thi", "tha", "the", "di", "li", "de", "le", "do", "lo"),
    )
)
#: In a Hindi sentence such a word speaks for us, and a guess weighs little.
_SMALL = STEP
_GUESS = -STEP // 2


@functools.cache
def _shared() -> frozenset[str]:
    path = Path(__file__).parent / "language_data" / "shared.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def floor(folded: str, script: str, *, listed: bool) -> int | None:
    """
    The least that a word weighs, in sixteenths; None where there is no floor.

    Args:
        folded: The word as `fold` spells it.
        script: "devanagari" or "arabic"; Latin words have no floor by themselves.
        listed: Whether the table lists the word: what it lists, it has seen, so forms do not count.
    """
    if script == "latin":
        return None
    if folded in _shared():
        return 0
    if script == "devanagari":
        if _HINDI_REQUEST.match(folded):
            return STEP // 2
        return 0 if _HINDI_SHARED.match(folded) else None
    if _ARABIC_OURS.match(folded):
        return STEP
    return 0 if not listed and _ARABIC_SPOKEN.match(folded) else None


def _is_hindi_sentence(words: list[str]) -> bool:
    if not _SURELY_HINDI.isdisjoint(words):
        return True
    if len(words) < _SHORTEST_SENTENCE:
        return False
    return words[-1] in _HINDI_END or ("ne" in words and not _HINDI_END.isdisjoint(words))


def gain_as_hindi(words: list[str], weights: list[int]) -> int:
    """
    What Latin words that are surely a Hindi sentence gain over their weights, in sixteenths.

    Args:
        words: The words, in any case.
        weights: Their weights, one a word.
    """
    lowered = [word.lower() for word in words]
    if not _is_hindi_sentence(lowered):
        return 0
    known = table("latin").known
    gained = 0
    for word, weight in zip(lowered, weights, strict=True):
        if word in _HINDI_SMALL:
            gained += max(0, _SMALL - weight)
        elif word in _shared():
            gained += max(0, -weight)
        elif known(word) is None:
            gained += max(0, _GUESS - weight)
    return gained
