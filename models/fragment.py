"""
Unfinished utterances: what breaks off before it says anything ("Actually,", "I mean the").

A fragment never matches content. Fillers are no content, but they do not hide it either: they are
left out first, so "umm okay stop" is judged as "okay stop". Short replies that are whole
("yes", "not now", "what for", "मुझे नहीं", "ليه", Egyptian "آه") are no fragments.
"""

import functools
import re

from models.fragment_tail import announces, ends_inverted, is_stranded
from models.language_words import Reading, flatten, read

_TOKEN = re.compile(r"[^\s.,!?;:،؟؛।…\"“”()\[\]–—-]+")
_CUT_OFF = re.compile(r"\w[-–—]+\s*$")

_FILLER = re.compile(
    r"(?:u+m+|u+h+m*|e+r+m*|e+h+|h+m+|m{2,}|a+h+|o+h+|hu+h|erm|ahem"
    r"|हम्+म*|ह+म+्म+|उ+म्+म*|अ+म्+म*|अं+|म्+म+|ऊँ|ऊं"
    r"|ا*م{2,}م*|ه+م{2,}|ا{3,}ه*|ا+ه{2,}|اا+م+|ايي+ه*)"
)


def _words(*lines: str) -> frozenset[str]:
    return frozenset(flatten(" ".join(lines)).split())


#: Hummed, but a yes.
_HUMMED_YES = re.compile(r"\b(?:uh[ -]?huh|m+[ -]?hm+)\b")

#: Words that open an utterance and say nothing alone.
_OPENER = _words(
    "actually so well but and because cause cuz basically anyway anyways like honestly",
    "listen look see",
    "also then though obviously literally technically alternatively however",
    "matlab mtlb yani yaani aur lekin magar kyunki kyuki kyonki isliye waise vaise asal",
    "darasal dekho",
    "dekhiye suno suniye agar jab toh",
    "मतलब यानी यानि और लेकिन मगर किन्तु क्योंकि क्यूंकि इसलिए वैसे असल दरअसल देखो देखिए",
    "सुनो सुनिए अगर जब तो",
    "يعني لكن ولكن فا اصل اصلا بصراحة بصراحه الحقيقة الحقيقه عشان علشان لان لانه لانو",
    "المهم وبعدين ثم",
    "طيب_و اسمع شوف بص يعنى لو اذا",
)
#: Openers of several words.
_OPENING = re.compile(
    r"^(?:(?:i mean|you know|you see|i was (?:just )?(?:going to|gonna) say|the thing is"
    r"|it's just|it's like"
    r"|what i mean is|what i meant was|how do i say|let me see|let's see"
    r"|asal me|asal mein|baat ye hai|baat yeh hai|मेरा मतलब|असल में|बात ये है|बात यह है"
    r"|mera matlab|اقصد|قصدي|انا اقصد|في الحقيقة|في الواقع|هو يعني)\s*)+"
)
#: First words of those and of single openers.
_OPENING_WORDS = _OPENER | _words(
    "i you the it's what how let let's asal mera baat मेरा असल बात اقصد قصدي انا في هو"
)
#: May follow an opener without saying anything: "मतलब वो", "so it".
_POINTER = _words(
    "i it he she they we this that there the a",
    "woh wo voh ye yeh main mai hum mujhe maine usne isne uska iska",
    "वो वह ये यह मैं हम मुझे मैंने उसने इसने उसका इसका उस इस",
    "ال و انا هو هي ده دي هذا هذه احنا انت",
)
#: A text that ends in one of these goes on.
_LEADS_ON = _words(
    "the a an my your our their and but or because cuz than whether unless although if",
    "while every",
    "very i'm i'll i'd i've it's he's she's we're they're you're we'll they'll you'll",
    "we've they've there's",
    "what's where's who's how's when's into onto between",
    "aur lekin magar kyunki kyuki kyonki agar jab ke mera meri mere aapka aapki aapke",
    "hamara hamari",
    "tumhara tumhari matlab yani",
    "और लेकिन मगर किन्तु क्योंकि क्यूंकि या अगर जब के मेरे आपके हमारे मेरा मेरी आपका आपकी",
    "हमारा हमारी मतलब यानी",
    "و ال لكن ولكن او عشان علشان لان لانه لانو اللي الذي التي الذين ان لو اذا من عن مع بين",
    "يعني ب ل حتي",
    "بتاع بتاعة بتاعت تبع",
)
#: Whole after all, though the last word leads on.
_WHOLE = re.compile(
    r"(?:\b(?:if|or|and|but) (?:not|so)|\bwhat if|\bas if|\bno (?:but|and|if)s|\bthank you very"
    r"|\ba while|\bjust because|\bin between|\blike (?:this|that)|या नहीं|مين مع|^(?:do"
    r"|did) it|\bdone with"
    r"|(?:कुछ|कोई) और|और कुछ|\b(?:kuch|koi|aur) (?:aur|kuch))$"
)
#: One of these alone is a question or an answer, not a beginning.
_WHOLE_ALONE = _words("a because why من بين ان لو या mera meri mere मेरा मेरी मेरे آه")
#: Folded, these are also the name Ali and "to me": the spelling decides.
_ARABIC_PREPOSITION = _words("على الى")
#: Before "في", which then means "there is": "ما في".
_THERE_IS = _words("ما مو شو ايش وش ايه مش لا ايوه")
#: Longer sentences end in a preposition as relative clauses do: "a name I can live with".
STRANDED_WORDS = 5
_STRANDED = _words("of to for with from at about by")
_STRANDING = re.compile(
    r"\b(?:what|what's|who|who's|whom|which|where|where's|how|why|that's|not|n't|no|nothing"
    r"|anything|something"
    r"|someone|nobody|anyone|never|don't|doesn't|didn't|won't|can't|cannot|couldn't"
    r"|wouldn't|love to|happy to"
    r"|glad to|used to|have to|had to|has to|do|did|does|is it|kind of|sort of|heard of"
    r"|think of|thought of"
    r"|rid of|taken care of|care of|first of|worth of|look(?:ed|ing)? at|come with"
    r"|deal with|fine with|ok with"
    r"|okay with|cared for|paid for|asked for|yes|yeah|sure|ready to|able to|allowed to"
    r"|supposed to|close by"
    r"|it to|them to|him to|her to|better to|free to|like to do|whatever|whoever|everything)\b"
)
#: Whole utterances that ask for their rest, of at most so many words.
LONGEST_BEGINNING = 8
_BEGINNING = re.compile(
    r"^(?:(?:and|but|so|well|ok|okay|yeah|yes|no|hi|hello|please|actually|um) )*"
    r"(?:(?!do it|did it)(?:can|could|would|will|do|did|are|is|was|were|have|has|should"
    r"|may) (?:i|you|we|they|he|she|it|there)"
    r"(?: please)?|please (?:can|could) (?:i|you)"
    r"|i|i (?:just )?(?:want|wanted|need|needed|would like|have a|need a|want a|am trying"
    r"|was trying)"
    r"|i'd like|i'm (?:trying|calling|looking|just)|i am (?:calling|looking|here for)"
    r"|(?:my|the|our|his|her) (?:\w+ ){1,3}(?:is|are|was|were)|let me|is this"
    r"|i think that|i think it|(?:ok|okay|yeah|yes|no|well|right|alright|hi|hello) so"
    r"|mujhe|maine|main|mai|hamne|humne|usne|mujhko|mujhe (?:ek|apna|apni|apne|wo|woh)|mera naam"
    r"|kya (?:aap|main|mai|mujhe)"
    r"|मुझे|मैंने|मैं|हमने|उसने|मुझको|मुझे (?:एक|अपना|अपनी|अपने|वो)|मेरा नाम|क्या (?:आप|मैं|मुझे)"
    r"|(?:انا )?(?:كنت )?(?:عايز|عاوز|عايزة|عاوزه|عاوزة|عايزه)(?: ا?ل?ا?ن)?"
    r"|(?:انا )?(?:اريد|ابغي|ابي|بدي|ابغا|اود|حابب|حابة)"
    r"(?: ان)?|(?:هل )?(?:ممكن|يمكنك) (?:ان|ا)|هل (?:يمكنك|يمكن|يمكنني|انت)|اسمي)$"
)


@functools.lru_cache(maxsize=8192)
def _filler(token: str) -> bool:
    return _FILLER.fullmatch(token) is not None


def is_fragment(text: str) -> bool:
    """
    Whether cleaned text breaks off before it says anything that could be answered.

    Args:
        text: Cleaned text, in any trained language.
    """
    return breaks_off(read(text))


def breaks_off(reading: Reading) -> bool:
    """As `is_fragment`, of a text that was cut already."""
    flat = reading.flat
    tokens = [token for token in _TOKEN.findall(flat) if not _filler(token)]
    if not tokens:
        return _HUMMED_YES.search(flat) is None
    if flat.endswith(("?", "؟")):
        return False
    if flat.endswith(("-", "–", "—")) and len(tokens) > 1 and _CUT_OFF.search(flat):
        return True
    broken = (
        (tokens[0] in _OPENING_WORDS and _only_opens(tokens))
        or _leads_on(tokens, reading.text)
        or (len(tokens) <= LONGEST_BEGINNING and _begins(" ".join(tokens)))
    )
    return broken and (len(tokens) == 1 or _WHOLE.search(" ".join(tokens)) is None)


def _begins(spoken: str) -> bool:
    return _BEGINNING.fullmatch(spoken) is not None or announces(spoken)


def _only_opens(tokens: list[str]) -> bool:
    spoken = " ".join(tokens)
    rest = _OPENING.sub("", spoken)
    opened = rest != spoken
    for token in rest.split():
        if token in _OPENER:
            opened = True
        elif not (opened and token in _POINTER):
            return False
    return opened


def _leads_on(tokens: list[str], text: str) -> bool:
    last = tokens[-1]
    if last in _LEADS_ON:
        return not ends_inverted(tokens) if len(tokens) > 1 else last not in _WHOLE_ALONE
    if last in _ARABIC_PREPOSITION:
        return text.rstrip(" .,،…").endswith(("على", "إلى", "الى"))
    if len(tokens) == 1:
        return False
    if last == "i":
        return tokens[-2] in ("and", "but", "so", "because", "then", "if", "when")
    if last in _STRANDED and len(tokens) <= STRANDED_WORDS:
        spoken = " ".join(tokens)
        return _STRANDING.search(spoken) is None and not is_stranded(spoken)
    return last == "في" and tokens[-2] not in _THERE_IS
