"""
Does an utterance deny something?

Vectors hardly see it: "I do not want a refund" lies as near to an intent as "I want a refund", and
a router that is sure of either at 0.94 would play the same response to both. So an utterance that
denies is routed only to an intent one of whose phrases denies too, and one that does not only to an
intent one of whose phrases does not. Words alone decide, so a polite "can't I get a refund" denies
as well; it goes to the LLM, which is the cheap mistake.
"""

from __future__ import annotations

import re

#: Words of any of our languages, an apostrophe within them included.
_WORD = re.compile(r"[\w\u0900-\u097f]+(?:['\u2019][\w]+)*")
_ENGLISH = """
not no never none nothing nobody nowhere neither nor without cannot cant dont doesnt didnt isnt
arent wasnt werent wont wouldnt couldnt shouldnt havent hasnt hadnt aint
"""
_HINDI = "नहीं नहीँ नही नहि मत बिना बग़ैर बगैर न"
_HINGLISH = "nahi nahin nahee nahii nhi nai mat bina bagair"
#: Not a lone "ما": it asks as often as it denies.
_ARABIC = """
لا لم لن ليس ليست ليسوا لست لسنا مش مو موش مب مهوش مافي مافيش مفيش ماكو بدون بلا ولا ابدا
معنديش معرفش مجاش مقدرش مينفعش موصلش
"""
_DENIES = frozenset(f"{_ENGLISH} {_HINDI} {_HINGLISH} {_ARABIC}".split())
#: At the end of a sentence they ask for agreement; elsewhere they deny.
_TAGS = frozenset({"na", "ना", "no"})
#: Egyptian and its neighbours put the verb between two halves: "ماوصلش".
_AROUND = re.compile(r"ما\w{2,}ش")
#: One form of alef and of the apostrophe, and no vowel points.
_FOLDED = str.maketrans("أإآ\u2019", "ااا'", "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652")


def denies(text: str) -> bool:
    """Whether a cleaned text denies something."""
    words = _WORD.findall(text.casefold().translate(_FOLDED))
    if len(words) > 1 and words[-1] in _TAGS:
        words.pop()
    return any(_denies(word) for word in words)


def _denies(word: str) -> bool:
    if word in _DENIES or word in _TAGS or word.endswith("n't"):
        return True
    return _AROUND.fullmatch(word) is not None
