"""Days counted from today, and parts of the day: "kal", "بعد بكرة", "in the evening"."""

from models.values.draft import Draft
from models.values.line import Line, said
from models.values.value import ValueKind
from models.values.week import direction_behind
from models.values.word import Function, Weak, Word
from models.values.words.time_parts import DAY, NIGHT, TONIGHT

#: "Aaj raat", "last night", "Friday night" are that evening to some.
_NIGHT_OF_A_DAY = TONIGHT.parts
_OF_A_DAY = Function.LAST | Function.THIS | Function.THIS_HINDI | Function.NEXT
_TODAY = (0,)
_YESTERDAY = (-1,)
_BEFORE_PART = (
    Function.AFTER
    | Function.AROUND
    | Function.AT
    | Function.IN
    | Function.LAST
    | Function.NEXT
    | Function.OF
    | Function.ON
    | Function.THE
    | Function.THIS
    | Function.THIS_HINDI
)
#: بعد الظهر, هذا المساء; but في العصر may be an age.
_BEFORE_ARABIC_PART = Function.AFTER | Function.BEFORE | Function.THIS
#: Whole texts that greet.
_GREETINGS = frozenset({"morning", "afternoon", "evening"})
#: After اليوم: some other day.
_OTHER_DAY = Function.NEXT | Function.LAST | Function.WHICH
#: Before اليوم: all day, a day.
_ANY_DAY = Function.WHOLE | Function.IN


def days_at(line: Line, start: int, word: Word) -> Draft | None:
    """Read today, kal, بكرة."""
    assert word.days is not None  # noqa: S101  # the caller looked
    before, after = line.before[start], line.after[start]
    # aaj kal: nowadays
    if word.days == _TODAY and _is_kal(after):
        return None
    if _is_kal(word) and before is not None and before.days == _TODAY:
        return None
    # اليوم الأول, اليوم التالي, طوال اليوم, في اليوم: not today
    if word.article and word.days == _TODAY:
        is_first = after is not None and after.ordinal is not None
        if is_first or said(after, _OTHER_DAY) or said(before, _ANY_DAY):
            return None
    return Draft(ValueKind.RELATIVE_DAY, word.days, start, start + 1)


def shifted_days_at(line: Line, start: int, word: Word) -> Draft | None:
    """Read "after tomorrow", "before yesterday", "بعد بكرة", "أول امبارح" at the shift."""
    end = start + 2
    day = line.after[start]
    if said(day, Function.THE):
        day = line.after[start + 1]
        end += 1
    if day is None or day.days not in ((1,), (-1,)):
        return None
    forward = bool(word.functions & Function.AFTER)
    before = line.before[start]
    with_day = before is not None and before.unit == DAY
    # "after tomorrow" in English may be any day later
    if forward is not (day.days == (1,)) or (line.is_latin(start) and not with_day):
        return None
    start -= 1 if with_day else 0
    return Draft(ValueKind.RELATIVE_DAY, (2 if forward else -2,), start, end)


def part_at(line: Line, start: int, word: Word) -> Draft | None:
    """Read a part of the day, unless it is a greeting or a word of another sense."""
    assert word.part is not None  # noqa: S101  # the caller looked
    before, after = line.before[start], line.after[start]
    if said(before, Function.GREETING) or said(after, Function.GREETED):
        return None
    if before is not None and before.unit == DAY and before.days is None:
        return None  # din raat: day and night
    if len(line.words) == 1 and line.text[line.starts[0] : line.ends[0]] in _GREETINGS:
        return None
    joints = _BEFORE_PART if line.is_latin(start) else _BEFORE_ARABIC_PART
    at_a_day = said(before, joints) or _is_day(before) or _is_day(after)
    parts = word.part
    if parts == NIGHT.parts and (_is_day(before) or _is_day(after) or said(before, _OF_A_DAY)):
        parts = _NIGHT_OF_A_DAY
    unsure = word.part_weak and word.days is None and not at_a_day
    weak = Weak.CONTEXT if unsure else Weak.NO  # a time beside it will still take it
    return Draft(ValueKind.PART_OF_DAY, parts, start, start + 1, weak)


def day_of_part(line: Line, part: Draft) -> Draft | None:
    """Give the day that a part of day tells: tonight, this morning, last night, الليلة الماضية."""
    start = part.start
    word, before = line.words[start], line.before[start]
    behind = direction_behind(line, part.end - 1)
    if behind is not None and line.text.startswith("ال", line.starts[start]):
        return Draft(ValueKind.RELATIVE_DAY, (behind[0],), start, behind[1])
    days = None if word is None else word.days
    if days is None and said(before, Function.THIS):
        days = _TODAY
    elif days is None and said(before, Function.LAST):
        days = _YESTERDAY
    return None if days is None else Draft(ValueKind.RELATIVE_DAY, days, start, part.end)


def _is_kal(word: Word | None) -> bool:
    return word is not None and word.days is not None and len(word.days) > 1


def _is_day(word: Word | None) -> bool:
    return word is not None and (word.days is not None or word.weekday is not None)
