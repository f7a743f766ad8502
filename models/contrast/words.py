"""How a text's words are compared: folded, without fillers, what denies apart from its verb."""

import re

from models.values.spelling import key


def row(words: str) -> frozenset[str]:
    """Return words as texts are compared by them."""
    return frozenset(key(word) for word in words.split())


#: Said without meaning anything; a text is the same without them.
FILLERS = row(
    """
    uh um er erm hmm oh well like so okay ok please pls kindly sir madam maam just actually really
    hey hello hi
    जी सर मैडम अरे देखिए देखो प्लीज प्लीज़ यार भाई अच्छा मतलब वैसे
    ji sir madam arre are dekhiye dekho please yaar bhai bhaiya accha achha matlab waise
    يعني والله بس طب طيب لو سمحت فضلك معلش يا فندم حضرتك بقي اصل اصلا اسمع بصراحه
    """
)
#: Denies what stands after it.
_AFTER = row("not no never مش مو مب موب ليس ليست لا لم لن غير")
#: Denies what stands before it, as verbs and objects come first.
_BEFORE = row("नहीं नही मत ना nahi nahin nahee nai nhi mat")
DENIALS = _AFTER | _BEFORE
#: Replies that say yes, or no, and nothing else.
YES = row(
    """
    yes yeah yep yup yah uhhuh mhm mmhmm हाँ हां हा haan han haa haanji hanji
    ايوه ايوا اه ايه نعم اجل
    """
)
NO = row("no nope nah uhuh nuhuh नहीं नही ना nahi nahin لا لاء كلا")
#: May stand beside them.
THANKS = row("thanks thank you much very शुक्रिया धन्यवाद shukriya dhanyavaad dhanyawad شكرا")
#: Replies of two sounds, as one word.
SOUNDS = {
    ("uh", "huh"): "uhhuh",
    ("mm", "hmm"): "mmhmm",
    ("uh", "uh"): "uhuh",
    ("nuh", "uh"): "nuhuh",
}
#: Between two things that may as well stand the other way round.
EVEN = row("and or an a the to of और या aur ya او و na ना nor ولا لا")

_EDGES = ".,!?;:\"'()[]…।॥؟،؛–—"
#: "don't", "isn't".
_CONTRACTED = re.compile(r"(.+)n['’]t$")
_IRREGULAR = {"wo": "will", "ca": "can", "sha": "shall"}
_HELPERS = frozenset(("do", "does", "did"))
#: "ما بنوصلش" in one word, as Egyptian has it.
_AROUND = re.compile(r"م(\w{3,})ش")
_NOT_AROUND = row("مفروش منقوش مبحوش مدهش مناقش مفتش")
_ARTICLE = re.compile(r"^(?:و|ب|ف|ك|ع)?ال(?=\w{2})|^لل(?=\w{2})")
_NOT = "not"
#: Stand between a denial and what it denies.
_DETERMINERS = row("the a an my your our any this that")
#: After these, "no" answers what was asked and denies nothing of what follows.
_SPEAKERS = frozenset("i i'm i'll i'd we you it that this he she they".split())
#: Least letters of a word that a denial is held against; shorter ones are pronouns and particles.
_NAMED = 3


def tokens(text: str) -> list[str]:
    """
    Return the folded words of a cleaned text.

    A denial that is a part of a word stands apart.
    """
    found: list[str] = []
    for word in key(text).replace("-", " ").split():
        bare = word.strip(_EDGES).removesuffix("'s")
        if not bare:
            continue
        if bare.isascii():
            found += _apart(bare) if bare.endswith("t") else (bare,)
        elif bare[-1] == "ش" and bare[0] == "م" and bare not in _NOT_AROUND:
            match = _AROUND.fullmatch(bare)
            found += (_NOT, match.group(1)) if match else (bare,)
        else:
            found.append(bare)
    return found


def _apart(word: str) -> tuple[str, ...]:
    if word == "cannot":
        return "can", _NOT
    match = _CONTRACTED.match(word)
    if match is None:
        return (word,)
    stem = match.group(1)
    return _IRREGULAR.get(stem, stem), _NOT


def meant(words: list[str]) -> list[str]:
    """
    Return what the words mean: without fillers, and once what is said twice in a row.

    What only carries a denial ("do not") goes too.
    """
    found: list[str] = []
    if words[:1] == ["no"] and words[1:2] and words[1] in _SPEAKERS:
        words = words[1:]
    for place, word in enumerate(words):
        carries = word in _HELPERS and words[place + 1 : place + 2] == [_NOT]
        if word not in FILLERS and not carries and found[-1:] != [word]:
            found.append(word)
    return found


def plain(word: str) -> str:
    """Return a word without the Arabic article and what is written together with it."""
    return _ARTICLE.sub("", word) if word >= "\u0600" else word


def denied(words: tuple[str, ...]) -> set[str]:
    """Return the words that a denial stands at; one that opens a reply is an answer, no denial."""
    found = set()
    for place, word in enumerate(words):
        if place and word in DENIALS:
            at = place + 1 if word in _AFTER else place - 1
            while at < len(words) and words[at] in _DETERMINERS:
                at += 1
            if at < len(words) and words[at] not in DENIALS and len(words[at]) >= _NAMED:
                found.add(words[at])
    return found


def alike(one: str, other: str) -> bool:
    """Tell whether two words are one, or forms of one: most of what they begin with is shared."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    needed = max(3, -(-len(longer) * 2 // 3))
    return len(shorter) >= needed and shorter[:needed] == longer[:needed]
