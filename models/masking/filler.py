"""What callers say inside a number without meaning it: fillers, corrections, interruptions."""

import re

from models.masking.line import Line
from models.masking.phrase import listed

_FILLERS = """
uh; um; uhm; umm; er; erm; ah; hmm; mm; like; so; then; and; yeah; yes; no; okay; ok; right
sorry; oops
wait; wait wait; hang on; hold on; one moment; one second; one sec; one minute; just a second;
just a minute; let me see; let me check; i mean; sorry i mean; can you hear me
are you there; hello
you know; scratch that; no sorry; got it; actually; again; that is; space; dash; hyphen
slash; dot; pause; after that; followed by; and after that
मतलब; यानी; अच्छा; हाँ; हां; जी; नहीं; सॉरी; रुकिए; रुको; एक मिनट; एक सेकंड; फिर; और; उम
अरे; माफ़ कीजिए; आगे; उसके बाद; है और फिर; है फिर; और फिर; डैश; हाइफ़न; स्लैश
matlab; yaani; yani; accha; achha; haan; han; haan ji; ji; nahi; nahin; sorry; ruko; rukiye
ek minute
ek min; ek second; ek sec; phir; fir; aur; arre; aage; uske baad; hello; sun rahe ho
hai aur phir; hai phir; hai uske baad; aur uske baad; hai aur fir
يعني; آه; اه; أيوه; ايوه; لا; لأ; استنى; استني; ثانية; ثواني; دقيقة; لحظة; لحظه; معلش; آسف
اسف; عفوا; طيب
طب; و; ثم; بعدين; وبعدين; بعدها; أقصد; قصدي; نعم; ألو; سامعني; سامعاني; معايا; إيه; اممم; امم
وبعدها; وبعديها; بعديها; بعد كده; وبعد كده; بعد كدا; وبعد كدا; بعد ذلك; داش; شرطه; سلاش
"""
#: Hesitations, however long a recogniser writes them: "ummm", "उम्म", "آآآ".
_HESITATION = re.compile(
    r"u+h*m+|u+h+|e+r+m*|e+h+m*|a+h+m*|h+m+|m{2,}|m+h+m+"
    r"|उ(?:म्?)+म?|(?:ह्?)म्+म?|अ+ं|आ{2,}|ا{2,}ه*|اه{2,}|ام{2,}|ه?م{2,}"
)
#: Words and their phrases, longest first.
_PHRASES: dict[str, list[tuple[str, ...]]] = {}
for _words in listed(_FILLERS):
    _PHRASES.setdefault(_words[0], []).append(_words)
for _entries in _PHRASES.values():
    _entries.sort(key=len, reverse=True)


def skip(line: Line, index: int) -> int:
    """Give the index after the fillers that begin at a token, else the index."""
    while index < len(line.tokens):
        for words in _PHRASES.get(line.word(index), ()):
            end = index + len(words)
            if all(line.word(index + place) == word for place, word in enumerate(words)):
                index = end
                break
        else:
            if _HESITATION.fullmatch(line.word(index)) is None:
                return index
            index += 1
    return index


def is_filler(line: Line, index: int) -> bool:
    """Tell whether a filler of one word stands at a token."""
    word = line.word(index)
    return (word,) in _PHRASES.get(word, ()) or _HESITATION.fullmatch(word) is not None
