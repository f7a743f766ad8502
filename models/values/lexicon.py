"""Every word of every table, merged once at import: one look-up gives all senses of a word."""

from collections import defaultdict
from typing import Any

from models.values.senses import IRREGULAR_ORDINALS, LAYERS, Senses, add, add_functions
from models.values.spelling import spellings
from models.values.word import Function, Word
from models.values.words import numbers_hinglish

#: Senses that can begin a value.
_OPENERS = frozenset(
    """
    number multiplier fraction ordinal hour hour_head teen_head many currency weekday month
    month_pair part clock_word days
    """.split()  # a list of seventeen lines says no more
)
_OPENING_FUNCTIONS = (
    Function.A
    | Function.AFTER
    | Function.BEFORE
    | Function.DATE_BEHIND
    | Function.DAY_AHEAD
    | Function.GRADE
    | Function.HOUR_AHEAD
    | Function.LAST
    | Function.MIDDLE
    | Function.MINUS
    | Function.MONTH_AHEAD
    | Function.NEXT
    | Function.REPEAT
    | Function.THIS
    | Function.THIS_HINDI
    | Function.YEAR_AHEAD
)
#: Senses that can continue a number.
_CONTINUERS = frozenset({"number", "multiplier", "fraction", "suffix"})
_CONTINUING_FUNCTIONS = Function.AND | Function.POINT

#: Senses that a number before them counts.
_COUNTED = frozenset({"counted", "currency", "measure", "unit"})
#: Kinds of fraction that are a part of what follows.
_PARTS = frozenset({"half", "part"})
#: Written onto Arabic words: letters, with ال, joined by و, preposition.
_PREFIXES = (
    ("ال", True, False, None),
    ("و", False, True, None),
    ("وال", True, True, None),
    ("ب", False, False, "ب"),
    ("ل", False, False, "ل"),
    ("لل", True, False, "ل"),
    ("بال", True, False, "ب"),
)
#: Senses that make a word with a prefix worth listing, and all that it keeps.
_PREFIXED_SENSES = frozenset(
    """
    number multiplier fraction ordinal hour hour_head teen_head many currency weekday month part
    days unit measure counted
    """.split()
)
_KEPT = _PREFIXED_SENSES | {
    "hours",
    "month_weak",
    "ordinal_weak",
    "part_weak",
    "period",
    "singular",
    "tongue",
    "weak",
    "weekday_weak",
}
#: Shortest romanised cardinal that takes an ordinal ending.
_MIN_STEM = 3


def _prefixed(senses: Senses) -> None:
    """Add Arabic words with و, ال, ب, ل written onto them."""
    for word in [word for word in senses if "ء" <= word[0] <= "ي" and len(word) > 1]:
        fields = {name: value for name, value in senses[word].items() if name in _KEPT}
        if not fields.keys() & _PREFIXED_SENSES:
            continue
        has_article = word.startswith("ال")
        for prefix, article, joined, preposition in _PREFIXES:
            if article and (has_article or "month" in fields):
                continue
            if prefix + word in senses:  # واحد is no "and Sunday"
                continue
            fields |= {"article": article or has_article}
            fields |= {"joined": joined, "preposition": preposition}
            add(senses, [prefix + word], **fields)


def _build() -> dict[str, Word]:
    senses: Senses = defaultdict(dict)
    for layer in LAYERS:
        layer(senses)
    _prefixed(senses)
    add_functions(senses)
    return {word: _word(fields) for word, fields in senses.items()}


def _word(fields: dict[str, Any]) -> Word:
    functions = fields.get("functions", 0)
    counts = bool(fields.keys() & _COUNTED) or bool(functions & Function.PERCENT)
    opens = bool(fields.keys() & _OPENERS) or bool(functions & _OPENING_FUNCTIONS)
    fraction = fields.get("fraction")
    return Word(
        **fields,
        counts=counts,
        is_part=fraction is not None and fraction[0] in _PARTS,
        opens=opens or ("period" in fields and fields.get("article", False)),
        continues=bool(fields.keys() & _CONTINUERS) or bool(functions & _CONTINUING_FUNCTIONS),
    )


def _stems() -> dict[str, Word]:
    return {
        word: Word(ordinal=value, opens=True)
        for value, words in numbers_hinglish.CARDINALS.items()
        if value > IRREGULAR_ORDINALS
        for word in spellings(words)
        if len(word) >= _MIN_STEM
    }


#: Folded word without marks to its senses.
WORDS: dict[str, Word] = _build()
#: Romanised Hindi cardinals to what they are with an ordinal ending: paanch in paanchva.
ORDINAL_STEMS: dict[str, Word] = _stems()
