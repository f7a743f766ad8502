"""
The value reader.

One pass over the words of a text: each place where a value may begin is tried in a fixed order
(clock time, date, digits read out, amount), then neighbours complete each other. Where nothing is
certain nothing is read.
"""

from models.values import (
    amount,
    clock,
    clock_ar,
    code,
    date,
    day,
    digit_run,
    length,
    money,
    ordinal,
    week,
)
from models.values.draft import Draft
from models.values.line import Line, line_of, said
from models.values.link import link
from models.values.number import number_at
from models.values.past import past_at
from models.values.value import Value, ValueKind
from models.values.word import Function, Tongue, Weak, Word
from models.values.words.time_parts import MINUTE

#: More values than any turn states; what follows is not read, so that time stays bounded.
MAX_VALUES = 32
_DIRECTION = Function.NEXT | Function.THIS | Function.LAST | Function.THIS_HINDI
_SHIFT = Function.AFTER | Function.BEFORE


def read(text: str) -> tuple[Value, ...]:
    """
    Read every value that a text states.

    Args:
        text: a cleaned text in English, Hindi, Hinglish or Arabic.

    Returns:
        The values in the order of the text; spans are those of the text.

    """
    line = line_of(text)
    if line is None:
        return ()
    return tuple(
        Value(
            draft.kind,
            frozenset(draft.values),
            (line.starts[draft.start], line.ends[draft.end - 1]),
            draft.role,
            draft.counted,
        )
        for draft in link(line, _scan(line))
    )


def _scan(line: Line) -> list[Draft]:
    drafts: list[Draft] = []
    end = 0
    for index, word in enumerate(line.words):
        if len(drafts) >= MAX_VALUES:
            break
        if index < end or word is None or not word.opens:
            continue
        draft = _open(line, index, word)
        if draft is None:
            continue
        # A value that reaches back over one already read says nothing new.
        if not drafts or draft.start >= drafts[-1].end:
            if draft.kind is ValueKind.PART_OF_DAY:
                told = day.day_of_part(line, draft)
                drafts += [] if told is None else [told]
            drafts.append(draft)
        end = draft.end
    return drafts


def _open(line: Line, index: int, word: Word) -> Draft | None:
    """Read the value that begins at a word."""
    if word.weekday is not None and word.weak is Weak.COLLIDES:  # sat: Saturday, or seven
        weekday = week.weekday_at(line, index, word)
        if weekday is not None:
            return weekday
    counts = word.number is not None or word.multiplier is not None or word.fraction is not None
    if counts or (word.teen_head is not None and not word.article):
        return _numeric(line, index, word)
    if word.clock is not None:
        return clock.written_clock(line, index, word)
    if word.dates is not None or word.pair is not None:
        return date.written_date(line, index, word)
    if word.clock_word is not None:
        return clock.time_draft(index, index + 1, word.clock_word)
    return _named(line, index, word) or _day_word(line, index, word)


def _numeric(line: Line, index: int, word: Word) -> Draft | None:
    draft = None
    if word.tongue is Tongue.ARABIC or word.joined or word.digits is not None:
        draft = _after_unit(line, index, word)
    if draft is None and word.digits is not None:
        draft = code.code_at(line, index)
    if draft is None and word.weekday is None:
        draft = _plainly_counted(line, index)
    return (
        draft
        or past_at(line, index)
        or clock.clock_at(line, index)
        or (clock_ar.clock_of_hour(line, index) if _may_be_arabic(line, index, word) else None)
        or date.date_at(line, index)
        or _run(line, index)
        or ordinal.position_at(line, index)
        or _counting(line, index, word)
    )


def _may_be_arabic(line: Line, index: int, word: Word) -> bool:
    """Tell whether a number may be an hour in Arabic: in words, or digits before "ونص"."""
    if word.tongue is Tongue.ARABIC:
        return True
    follows = word.tongue is Tongue.DIGITS and line.after[index] is not None
    return follows and line.is_arabic(index + 1)


def _plainly_counted(line: Line, index: int) -> Draft | None:
    """Read a number right before what it counts, the most frequent case; no minutes of an hour."""
    number = number_at(line, index)
    if number is None:
        return None
    unit = line.after[number.end - 1]
    if unit is None or not unit.counts or unit.unit == MINUTE or said(unit, Function.MONTH_AHEAD):
        return None
    draft = amount.amount_at(line, number)
    return None if draft.kind is ValueKind.NUMBER and draft.counted is None else draft


def _after_unit(line: Line, index: int, word: Word) -> Draft | None:
    """Read what makes the Arabic unit before it one: "ساعة ونص", "شهر واحد", "درهم وخمسين فلس"."""
    before = line.before[index]
    if before is None or before.number is not None:
        return None
    if said(before, Function.AND) and not line.is_latin(index - 1):
        unit = line.before[index - 1]
        if unit is None or unit.unit is None or not unit.singular:
            return None
        return length.indefinite_at(line, index - 2)
    if word.joined and before.unit is not None:
        return length.indefinite_at(line, index - 1)
    if word.joined and before.currency is not None:
        return money.change_after_one(line, index - 1)
    return length.one_behind(line, index, word)


def _run(line: Line, index: int) -> Draft | None:
    run = digit_run.run_at(line, index)
    return None if run is None else Draft(ValueKind.IDENTIFIER, (run.digits,), index, run.end)


def _counting(line: Line, index: int, word: Word) -> Draft | None:
    number = number_at(line, index)
    if number is None:
        return None
    draft = amount.amount_at(line, number)
    if draft.kind is not ValueKind.NUMBER or draft.counted is not None:
        return draft
    year = date.year_at(line, index)
    if year is not None:
        return year
    if said(line.before[index], Function.GRADE) and word.fraction is None:
        return Draft(ValueKind.ORDINAL, draft.values, index, draft.end)
    return draft


def _named(line: Line, index: int, word: Word) -> Draft | None:
    """Read what is told by name: an hour, a position, a currency, a dual."""
    if word.functions & Function.HOUR_AHEAD:
        return clock_ar.clock_after_marker(line, index)
    if word.functions & Function.MIDDLE:
        return clock_ar.middle_at(line, index)
    draft = None
    if word.hour is not None or word.hour_head is not None or word.teen_head is not None:
        draft = clock_ar.clock_of_hour(line, index)
    if draft is None and (word.ordinal is not None or word.teen_head is not None):
        draft = date.date_at(line, index) or ordinal.position_at(line, index)
    if draft is None and word.currency is not None:
        draft = money.money_before(line, index, word)
    elif draft is None and word.many is not None:
        draft = amount.dual_at(line, index, word)
    return draft


def _day_word(line: Line, index: int, word: Word) -> Draft | None:
    draft = None
    if word.weekday is not None:
        draft = week.weekday_at(line, index, word)
    is_month = word.month is not None or word.month_pair is not None
    if draft is None and (is_month or word.functions & Function.MONTH_AHEAD):
        draft = date.month_at(line, index)
    if draft is None and word.part is not None:
        return day.part_at(line, index, word)
    if draft is None and word.days is not None:
        draft = day.days_at(line, index, word)
    return draft or _function(line, index, word)


def _function(line: Line, index: int, word: Word) -> Draft | None:
    """Read what begins with a function word: "after tomorrow", "next week", "an hour", minus."""
    draft = None
    if word.functions & _SHIFT:
        draft = day.shifted_days_at(line, index, word) or length.one_ahead(line, index)
    if draft is None and word.functions & _DIRECTION:
        draft = week.period_at(line, index)
    if draft is None and word.period is not None:
        draft = week.period_behind(line, index, word)
    if draft is None and word.functions & Function.A:
        draft = length.indefinite_at(line, index) or money.change_after_one(line, index)
    if draft is None and word.repeat is not None:
        draft = _run(line, index)
    if draft is None and word.functions & Function.MINUS:
        number = number_at(line, index)
        draft = None if number is None else amount.amount_at(line, number)
    return draft
