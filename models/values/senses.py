"""The senses of the words in each table, collected by subject."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from models.values.spelling import key, spellings
from models.values.word import Function, Tongue, Weak
from models.values.words import (
    measures,
    money,
    numbers_ar,
    numbers_en,
    numbers_hi,
    numbers_hinglish,
    times_ar,
    times_en,
    times_hi,
    times_hinglish,
)
from models.values.words.time_parts import Part

#: Folded word without marks to the fields of its `Word`.
Senses = dict[str, dict[str, Any]]

#: Hindi ordinals up to here have forms of their own.
IRREGULAR_ORDINALS = 4


def add(senses: Senses, words: Iterable[str], **fields: Any) -> None:
    """Give each word these senses; a sense that it has already stays."""
    for word in words:
        entry = senses[key(word)]
        functions = fields.get("functions", 0)
        if functions:
            entry["functions"] = entry.get("functions", 0) | functions
        if "number" in fields and "number" in entry:
            continue
        for name, value in fields.items():
            if name != "functions":
                entry.setdefault(name, value)


def _table(senses: Senses, table: Mapping[Any, str], field: str, **fields: Any) -> None:
    """Add a table of values to words."""
    for value, words in table.items():
        add(senses, spellings(words), **{field: value}, **fields)


def _numbers(senses: Senses) -> None:
    tables = (
        (Tongue.ENGLISH, numbers_en.CARDINALS, numbers_en.CONTEXT, ""),
        (Tongue.HINDI, numbers_hi.CARDINALS, numbers_hi.CONTEXT, ""),
        (Tongue.ENGLISH, numbers_hi.LOANS, numbers_hi.LOANS_CONTEXT, ""),
        (
            Tongue.HINGLISH,
            numbers_hinglish.CARDINALS,
            numbers_hinglish.CONTEXT,
            numbers_hinglish.COLLIDES,
        ),
        (Tongue.ARABIC, numbers_ar.CARDINALS, numbers_ar.CONTEXT, ""),
    )
    for values, words in numbers_hinglish.SHARED.items():
        add(senses, words.split(), number=values, tongue=Tongue.HINGLISH, weak=Weak.COLLIDES)
    for tongue, cardinals, context, collides in tables:
        needing = {key(word) for word in context.split()}
        colliding = {key(word) for word in collides.split()}
        for value, words in cardinals.items():
            for word in spellings(words):
                spelt = key(word)
                weak = Weak.CONTEXT if spelt in needing else Weak.NO
                weak = Weak.COLLIDES if spelt in colliding else weak
                add(senses, [word], number=(value,), tongue=tongue, weak=weak)


def _multipliers(senses: Senses) -> None:
    colliding = set(numbers_hinglish.COLLIDES.split())
    for tongue, multipliers, fractions in (
        (Tongue.ENGLISH, numbers_en.MULTIPLIERS, numbers_en.FRACTIONS),
        (Tongue.HINDI, numbers_hi.MULTIPLIERS, numbers_hi.FRACTIONS),
        (Tongue.HINGLISH, numbers_hinglish.MULTIPLIERS, numbers_hinglish.FRACTIONS),
        (Tongue.ARABIC, numbers_ar.MULTIPLIERS, numbers_ar.FRACTIONS),
    ):
        for field, table in (("multiplier", multipliers), ("fraction", fractions)):
            for value, words in table.items():
                for word in spellings(words):
                    weak = Weak.COLLIDES if word in colliding else Weak.CONTEXT
                    add(senses, [word], **{field: value}, tongue=tongue, weak=weak)
    arabic = {"tongue": Tongue.ARABIC, "weak": Weak.NO}
    _table(senses, numbers_ar.DUALS, "multiplier", many=2, **arabic)
    _table(senses, numbers_ar.TEEN_HEADS, "teen_head", tongue=Tongue.ARABIC)
    add(senses, numbers_ar.TEENS.split(), teen=True)
    _table(senses, numbers_en.SUFFIXES, "suffix")
    _table(senses, numbers_en.SPOKEN_DIGITS, "spoken_digit")
    for repeats in (numbers_en.REPEATS, numbers_hi.REPEATS, numbers_ar.REPEATS):
        _table(senses, repeats, "repeat")
    _markers(senses)


def _markers(senses: Senses) -> None:
    """Mark the words that prove a text to be romanised Hindi."""
    tables: tuple[Mapping[Any, str], ...] = (
        times_hinglish.UNITS,
        times_hinglish.WEEKDAYS,
        times_hinglish.PARTS,
        times_hinglish.DAYS,
        times_hinglish.FUNCTIONS,
        numbers_hinglish.FUNCTIONS,
    )
    unsure = set(times_hinglish.ENGLISH_TOO.split())
    unsure |= set(numbers_hinglish.FUNCTIONS[Function.STEM].split())
    words = {word for table in tables for text in table.values() for word in spellings(text)}
    add(senses, words - unsure, hinglish=True)
    add(senses, numbers_hinglish.MARKERS.split(), hinglish=True)


def _ordinals(senses: Senses) -> None:
    for ordinals, weak in (
        (numbers_en.ORDINALS, numbers_en.ORDINALS_WEAK),
        (numbers_hi.ORDINALS, numbers_hi.ORDINALS_WEAK),
        (numbers_hinglish.ORDINALS, numbers_hinglish.ORDINALS_WEAK),
        (numbers_ar.ORDINALS, numbers_ar.ORDINALS_WEAK),
    ):
        needing = {key(word) for word in spellings(weak)}
        for value, words in ordinals.items():
            for word in spellings(words):
                add(senses, [word], ordinal=value, ordinal_weak=key(word) in needing)
    for value, words in numbers_hi.CARDINALS.items():
        if value > IRREGULAR_ORDINALS:
            endings = numbers_hi.ORDINAL_ENDINGS.split()
            add(senses, (word + end for word in words.split() for end in endings), ordinal=value)
    for value, words in numbers_ar.ORDINALS.items():
        forms = (prefix + word for word in words.split() for prefix in ("ال", "وال"))
        add(senses, forms, ordinal=value, article=True)
    _table(senses, numbers_ar.ORDINAL_HEADS, "teen_head", article=True)
    _table(senses, numbers_ar.HOURS, "hour", article=True)
    _table(senses, numbers_ar.HOUR_HEADS, "hour_head", article=True)


def _times(senses: Senses) -> None:
    for units in (times_en.UNITS, times_hi.UNITS, times_hinglish.UNITS, times_ar.UNITS):
        _table(senses, units, "unit")
    _table(senses, times_ar.DUALS, "unit", many=2)
    _table(senses, times_en.UNIT_SUFFIXES, "unit_suffix")
    add(senses, times_ar.SINGULAR.split(), singular=True)
    for periods in (times_en.PERIODS, times_hi.PERIODS, times_hinglish.PERIODS):
        _table(senses, periods, "period")
    for period, words in times_ar.PERIODS.items():
        for word in words.split():
            add(senses, [word], period=period, article=word.startswith("ال"))
    for clock_words in (times_en.CLOCK_WORDS, times_hi.CLOCK_WORDS):
        _table(senses, clock_words, "clock_word")
    for meridiems in (times_en.MERIDIEMS, times_hi.MERIDIEMS, times_ar.MERIDIEMS):
        _table(senses, meridiems, "meridiem")
    _parts(senses, times_en.PARTS, times_en.PARTS_WEAK)
    _parts(senses, times_hi.PARTS, "")
    _parts(senses, times_hinglish.PARTS, times_hinglish.PARTS_WEAK)
    _parts(senses, times_ar.PARTS, times_ar.PARTS_WEAK)


def _parts(senses: Senses, table: Mapping[Part, str], weak: str) -> None:
    needing = {key(word) for word in weak.split()}
    for part, words in table.items():
        for word in spellings(words):
            unsure = key(word) in needing
            add(senses, [word], part=part.parts, hours=part.hours, part_weak=unsure)


def _days(senses: Senses) -> None:
    for weekdays, weak in (
        (times_en.WEEKDAYS, False),
        (times_en.WEEKDAYS_WEAK, True),
        (times_hi.WEEKDAYS, False),
        (times_hinglish.WEEKDAYS, False),
        (times_ar.WEEKDAYS_BARE, True),
    ):
        _table(senses, weekdays, "weekday", weekday_weak=weak)
    needing = {key(word) for word in times_ar.WEEKDAYS_WEAK.split()}
    for day, words in times_ar.WEEKDAYS.items():
        for word in words.split():
            weak = key(word) in needing
            add(senses, [word], weekday=day, weekday_weak=weak, article=True)
    for months, weak in (
        (times_en.MONTHS, False),
        (times_en.MONTHS_WEAK, True),
        (times_hi.MONTHS, False),
        (times_hi.MONTHS_WEAK, True),
        (times_hinglish.MONTHS, False),
        (times_ar.MONTHS, False),
        (times_ar.MONTHS_WEAK, True),
    ):
        _table(senses, months, "month", month_weak=weak)
    _table(senses, times_ar.MONTH_PAIRS, "month_pair")
    add(senses, ["اليوم"], article=True)
    for days in (times_en.DAYS, times_hi.DAYS, times_hinglish.DAYS, times_ar.DAYS):
        _table(senses, days, "days")


def _things(senses: Senses) -> None:
    _table(senses, money.CURRENCIES, "currency")
    _table(senses, money.DUALS, "currency", many=2)
    _table(senses, money.COUNTRIES, "country")
    _table(senses, measures.MEASURES, "measure")
    _table(senses, measures.COUNTED, "counted")
    _table(senses, measures.DUALS, "counted", many=2)


def add_functions(senses: Senses) -> None:
    for functions in (
        numbers_en.FUNCTIONS,
        numbers_hi.FUNCTIONS,
        numbers_hinglish.FUNCTIONS,
        numbers_ar.FUNCTIONS,
        times_en.FUNCTIONS,
        times_hi.FUNCTIONS,
        times_hinglish.FUNCTIONS,
        times_ar.FUNCTIONS,
    ):
        _table(senses, functions, "functions")


#: In this order: a sense that a word has already stays.
LAYERS: tuple[Callable[[Senses], None], ...] = (
    _numbers,
    _multipliers,
    _ordinals,
    _times,
    _days,
    _things,
)
