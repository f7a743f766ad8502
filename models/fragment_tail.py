"""
Last words that seem to lead on and do not: what a sentence has put there by inversion.

"refund kab aayega mera", "mere paas paise the", "bataunga soch ke" and "the card I paid with" are
whole, though "mera", "the", "ke" and "with" begin something elsewhere. And the other way round:
what ends in "ki", "jo" or "what I wanted was" says that it goes on.
"""

import re

from models.language_words import flatten


def _words(*lines: str) -> frozenset[str]:
    return frozenset(flatten(" ".join(lines)).split())


#: Possessives that Hindi may put last.
POSSESSIVES = _words(
    "mera meri mere aapka aapki aapke hamara hamari tumhara tumhari",
    "मेरा मेरी मेरे आपका आपकी आपके हमारा हमारी",
)
#: A finite verb or a question word of Hindi: what came before it is a sentence.
_FINITE = re.compile(
    flatten(
        "(?:hai|hain|h|hu|hun|hoon|ho|tha|thi|hua|hui|hue|kya|kab|kahan|kaha|kaun|kaunsa|kaunsi"
        "|kitna|kitni|kitne|kyun|kyu|kaise|kaisa|chahiye|gaya|gayi|gai|gaye|raha|rahi|rahe|karo"
        "|karna|do|dena|dijiye|lo|lena|diya|di|liya|li|liye|kiya|aaya|aayi|aaye|aya|ayi|mila|mili"
        r"|mile|chuka|chuki|bolo|batao|\w+(?:ega|egi|enge|unga|ungi|oge|ogi|iye|iyega)|hoga|hogi"
        "|honge|है|हैं|हूँ|हो|था|थी|थे|हुआ|हुई|हुए|क्या|कब|कहाँ|कौन|कितना|कितनी|कितने|क्यों|कैसे"
        "|चाहिए|गया|गई|गयी|गए|गये|चले|रहा|रही|रहे|करो|करना|दो|देना|लो|लेना|दिया|दी|लिया|ली|किया|आया"
        "|आई|आए|मिला|मिली|मिले|बोलो|बताओ|.+(?:गा|गी|गे|िए|िएगा|इए|इएगा))"
    )
)
#: After one of these a possessive begins something new.
_CONNECTIVE = _words(
    "ki aur lekin magar par kyunki kyuki kyonki to toh agar jab ya matlab phir isliye haan ji jo",
    "कि और लेकिन मगर पर क्योंकि क्यूंकि तो अगर जब या मतलब फिर इसलिए हाँ जी जो",
)
#: Verb stems before "ke": "having asked".
_STEM = re.compile(
    flatten(
        "(?:kar|ho|ja|aa|le|de|dekh|soch|samajh|mila|mil|bol|bata|puch|pooch|sun|likh|padh|bhar|bhej"
        "|rakh|khol|daba|laga|hata|chhod|chod|kha|pi|nikal|baith|uth|so|nahaa?|gin|phaad|kaat|jod|tod"
        "|bech|khareed|kharid|banaa?|chala|chal|bula|utha|daal|maan|jaan|रख|कर|हो|जा|आ|ले|दे|देख|सोच"
        "|समझ|मिला|मिल|बोल|बता|पूछ|सुन|लिख|पढ़|भर|भेज|खोल|दबा|लगा|हटा|छोड़|खा|पी|निकल|बैठ|उठ|सो|नहा"
        "|गिन|फाड़|काट|जोड़|तोड़|बेच|खरीद|बना|चला|चल|बुला|उठा|डाल|मान|जान)"
    )
)
#: Before Hindi "the" (were): participles and words of place, number and person.
_WERE = re.compile(
    r"(?:\w+(?:aye|ye|ae|[hkdtrlpg]e|iye|ote|ate|ete)|nahi|nahin|hi|to|bhi|kahan|kaha|yahan|wahan"
    r"|mein|me|par|pe|saath|paas|log|sab|kuch|bahut|kam|ek|do|teen|char|chaar|paanch|hum|wo|woh|aap"
    r"|hue|aage|band|busy|papa|bhaiya)"
)
_ENGLISH_E = _words(
    "like the are were have take make these those one here there we be he she me more some use",
    "please because where before since same done give leave love see change update service phone",
    "note while care share home time come store whole late date",
)
#: Words of a Hindi sentence that ends in "the", whatever stands before it.
_HINDI = _words(
    "mere hamare aapke unke mera wo woh ye yeh hum aap maine humne hamne unhone usne usme isme jo",
    "hai kal log nahi bahut sirf sab kitne mein ke kapde kuch bachche",
)
#: English words that go on after "the" is said.
_BEFORE_ARTICLE = _words(
    "of is in on for with from at by about and or but that was are were check cancel give send book"
    " change want need see like get has have do did use take make put over into as than if when",
)


def ends_inverted(tokens: list[str]) -> bool:
    """Whether a last word that leads on elsewhere ends a Hindi sentence here."""
    last, before = tokens[-1], tokens[-2]
    if last in POSSESSIVES:
        return before not in _CONNECTIVE and _is_sentence(tokens[:-1])
    if last in ("ke", "के"):
        return _STEM.fullmatch(before) is not None and _is_sentence(tokens[:-2])
    if last == "the":
        return before not in _ENGLISH_E | _BEFORE_ARTICLE and (
            _WERE.fullmatch(before) is not None or not _HINDI.isdisjoint(tokens[:-1])
        )
    return False


def _is_sentence(tokens: list[str]) -> bool:
    return any(_FINITE.fullmatch(token) for token in tokens)


#: A clause that says what something else is about: its preposition is the end of it.
_PRONOUN = "(?:i|you|we|they|he|she|it)"
_RELATIVE = re.compile(
    # "the card i paid with": a noun right before a pronoun, no verb, opener or connective.
    r"(?!(?:and|but|so|because|then|if|when|or|as|that's|please|hi|hello|hey|ok|okay|yes|yeah|no"
    r"|well|now|actually|sorry|sir|madam|ma'am|today|yesterday|like|can|could|may|shall|should"
    r"|would|will|do|did|does|have|has|had|are|is|was|were|am|um|right|alright|maybe|thanks"
    rf"|perhaps|just|also|until|while|say|said|think|thought|guess|hope|mean)\b)\b[a-z]+ {_PRONOUN}"
    r"(?:'(?:m|ve|d|re|ll|s))? \w+"
    # "if i need to"
    rf"|\b(?:if|when|whenever|unless|because|until|before) {_PRONOUN}"
    r" (?:need|want|have|got|wish) to$"
    # "nice to talk to", "a lot to think about"
    r"|\b(?:nice|good|hard|easy|easier|harder|difficult|impossible|fun|pleasure|ready|lot|lots|much"
    r"|more|plenty|many|few|things|stuff|enough|one|ones|somebody|anybody|nobody|everybody|people)"
    r" (?:else )?to \w+ (?:to|with|about|for|of|at|from)$"
    # "being lied to", "it was dealt with"
    r"|\b(?:be|been|being|got|get|gets|was|were|is|are|it's|already|well)(?: \w+ly| already)?"
    r" (?:lied|spoken|talked|listened|looked|paid|cared|dealt|unheard|uncalled|accounted|seen"
    r"|thought|heard|tampered|asked) (?:to|with|at|for|of|about)$"
    # Denied, with a verb between.
    r"|\b\w+n't \w+ (?:to|of|about|for|with|at|from)$|\bain't\b"
    # "more than i bargained for"
    rf"|\bthan {_PRONOUN} \w+ \w+$"
)


def is_stranded(spoken: str) -> bool:
    """Whether an English preposition at the end belongs to what was said before it."""
    return _RELATIVE.search(spoken) is not None


_ANNOUNCED = re.compile(
    # "so what i wanted was", "what happened is", "the problem is that"
    r"^(?:\w+ ){0,2}?what (?:(?:i|we|he|she|they|you)(?:'m|'re)? (?:\w+ ){1,4}?|happened )"
    r"(?:is|was)(?: that)?$"
    r"|^(?:\w+ ){0,2}?(?:the|my) (?:thing|problem|issue|point|reason|question)(?: (?:i|we) \w+)?"
    r" (?:is|was)(?: that)?$"
    # "what i"
    rf"|^(?:(?:so|and|but|well|basically|actually) )+what {_PRONOUN}$"
    # "matlab woh jo", "usne bola ki", "वो जो"
    + flatten(
        "|(?:^|.* )(?:woh|wo|voh|ye|yeh|wahi|wala|wali|wale|matlab|order|cheez|banda|aadmi) jo$"
        "|(?:^|.* )(?:जो|कि)$"
        "|(?:^|.* )(?:bola|boli|bole|kaha|kahi|matlab|yani|hai|hain|hoon|hu|tha|thi|laga|lagta"
        "|socha|suna|dekha|chahta|chahti|chahte|bataya|hua|ye|yeh|kyun|kyu|itna|bolna"
        "|puchna|taaki) ki$"
    )
)


#: Last words of what `_ANNOUNCED` may match: most utterances end here.
_ANNOUNCING = _words("is was that i you we they he she it jo ki जो कि")


def announces(spoken: str) -> bool:
    """Whether an utterance ends where it says that something follows."""
    last = spoken.rpartition(" ")[2]
    return last in _ANNOUNCING and _ANNOUNCED.search(spoken) is not None
