"""Letters that speak for or against the trained languages: the first step of the allowlist."""

import re

from models.language_table import STEP

#: Letters that Urdu, Persian, Pashto, Kurdish, Sindhi, Uyghur and their kin have and Arabic lacks,
#: less those that Arabic keyboards and dialects do produce (see _ARABIC_HINTS).
_ARABIC_FOREIGN = re.compile("[ٮ-ٯٲ-ٽٿ-څڇ-ڗڙ-ڣڥ-ڧڪ-ڬڮڰ-ڽڿ-ۋۍ-ێې-ۓەۮۯۺ-ۿݐ-ݿࢠ-ࣇ]")
#: What such a letter in a word adds, in sixteenths: shapes that both sides produce.
_ARABIC_HINTS = {
    "ی": -2 * STEP, "ک": -2 * STEP, "ژ": -3 * STEP, "پ": -STEP, "گ": -STEP, "چ": -STEP // 2,
    "ھ": -STEP, "أ": STEP // 2, "إ": STEP, "ى": STEP // 2, "ة": STEP // 4,
}  # fmt: skip
#: In Urdu and Persian, short replies look like Arabic ones but for these.
PERSIAN_SHAPE = re.compile("[یک]")
_ARABIC_HINT = re.compile("[" + "".join(_ARABIC_HINTS) + "]")
#: Sindhi and Kashmiri letters of Devanagari; Marathi and Sanskrit ones are hints.
_DEVANAGARI_FOREIGN = re.compile("[ऄऌॡॠऎऒऴॳ-ॷॸ-ॿ꣠-ꣿ]")
_DEVANAGARI_HINTS = {"ळ": -3 * STEP, "ऱ": -4 * STEP, "ॲ": -2 * STEP, "ऽ": -3 * STEP}
_DEVANAGARI_HINT = re.compile("[ळऱॲऽ]")
#: Latin letters that no trained language has; one may be a name, so it is a hint, save for those
#: of Vietnamese, Turkish, Yoruba and others that hardly occur in names said in English.
_LATIN_FOREIGN = re.compile(
    "[ơưăđạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹṣəŋƙɗɓɛɔ]", re.IGNORECASE
)
_LATIN_HINT = -round(1.5 * STEP)
#: Words of foreign origin that English writes with accents.
ENGLISH_ACCENTS = frozenset(
    (
        "café cafés résumé résumés fiancé fiancée naïve cliché clichés déjà touché jalapeño "
        "jalapeños entrée entrées sautéed purée crème brûlée façade à née über piñata soufflé pâté "
        "rosé décor exposé protégé matinée séance soirée première señor señora beyoncé pokémon"
    ).split()
)

_FOREIGN = {
    "latin": _LATIN_FOREIGN,
    "devanagari": _DEVANAGARI_FOREIGN,
    "arabic": _ARABIC_FOREIGN,
}
_HINTS = {
    "devanagari": (_DEVANAGARI_HINT, _DEVANAGARI_HINTS),
    "arabic": (_ARABIC_HINT, _ARABIC_HINTS),
}


def is_foreign(word: str, script: str) -> bool:
    """Whether a word holds a letter that only strangers in its script use."""
    return _FOREIGN[script].search(word) is not None


def hint(word: str, script: str) -> int:
    """What the letters of a word say beside its table weight, in sixteenths."""
    if script == "latin":
        return 0 if word.isascii() else _LATIN_HINT
    pattern, weights = _HINTS[script]
    return sum(weights[letter] for letter in set(pattern.findall(word)))
