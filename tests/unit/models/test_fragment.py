import pytest

from models.fragment import is_fragment
from models.text import clean

FRAGMENTS = (
    "Actually,",
    "I mean the",
    "so the",
    "so",
    "well",
    "and",
    "but um",
    "because i",
    "I want",
    "I want to talk to my",
    "can you",
    "could you please",
    "my name is",
    "let me",
    "it's",
    "okay so",
    "yeah but",
    "i need to speak with",
    "you know",
    "the",
    "I wan-",
    "uh",
    "umm",
    "hmm",
    "um uh",
    "Um...",
    "मतलब वो",
    "मतलब",
    "यानी",
    "और",
    "लेकिन",
    "नहीं लेकिन",
    "मुझे",
    "क्योंकि",
    "हम्म",
    "मेरा नाम",
    "matlab woh",
    "matlab",
    "aur",
    "haan lekin",
    "mujhe",
    "kyunki",
    "mera naam",
    "يعني ال",
    "يعني",
    "لكن",
    "عشان",
    "بس عشان",
    "انا عايز",
    "اللي",
    "أريد أن",
    "اممم",
    "اسمي",
    "عايز اروح على",
)

WHOLE = (
    "yes",
    "no",
    "ok",
    "that one",
    "not now",
    "I do",
    "I am",
    "it is",
    "what for",
    "why",
    "who is it",
    "see you",
    "hold on",
    "log in",
    "me",
    "you",
    "and you",
    "like that",
    "what if",
    "I think so",
    "never heard of it",
    "what is it about",
    "where to",
    "i don't want to",
    "i'd love to",
    "that's what i was looking for",
    "umm okay stop",
    "uh no",
    "uh huh",
    "mhm",
    "for a while",
    "is it?",
    "can you?",
    "yes do it",
    "nothing to add",
    "stop",
    "agent",
    "b",
    "none of them",
    "just because",
    "a hotel i can live with",
    "मुझे नहीं",
    "हाँ",
    "जी",
    "ठीक है",
    "या नहीं",
    "दिल्ली का",
    "मेरा नाम राजेश है",
    "वो वाला",
    "कुछ और",
    "haan",
    "ji haan",
    "ya",
    "na",
    "kal ki",
    "do logon ke liye",
    "kuch aur",
    "mera naam rajesh hai",
    "ليه",
    "آه",
    "اه",
    "ايوه",
    "لا",
    "ما في",
    "بس",
    "بس كده",
    "معاك حق",
    "اسمي محمد علي",
    "مين",
    "أنت على حق",
    "مش عايز",
)


@pytest.mark.parametrize("text", FRAGMENTS)
def test_unfinished(text):
    """
    What breaks off before it says anything is a fragment.
    """
    assert is_fragment(clean(text).text)


@pytest.mark.parametrize("text", WHOLE)
def test_whole(text):
    """
    Short replies that are whole are none, and fillers do not make them so.
    """
    assert not is_fragment(clean(text).text)


@pytest.mark.parametrize("filler", ["um", "uhh", "hmm", "er"])
@pytest.mark.parametrize("text", ["okay stop", "cancel it", "haan ji", "ठीक है", "تمام"])
def test_fillers_block_nothing(filler, text):
    """
    A filler before content leaves it content.
    """
    assert not is_fragment(f"{filler} {text}")
