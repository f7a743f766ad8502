"""What a recogniser says of a turn's language; it can only make serving rarer."""

import re

#: Primary subtags of the trained languages; Hinglish is Hindi by its tag.
_TRAINED = frozenset({"en", "hi", "ar"})
#: Arabic as its varieties are tagged: Egyptian, Standard, Gulf, Najdi, Hijazi, Levantine.
_ARABIC = frozenset({"arb", "arz", "afb", "ars", "acw", "apc", "ajp"})
#: Subtags that name no language: undetermined, several, none coded, no linguistic content.
_NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})
_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{1,8})*")


def names_a_stranger(hint: str | None) -> bool:
    """
    Tell whether a language tag names a language that is not trained.

    Args:
        hint: a BCP 47 tag such as `es-MX`; anything else, like `auto`, says nothing.

    """
    tag = _TAG.fullmatch(hint or "")
    if tag is None:
        return False
    return tag[1].lower() not in _TRAINED | _ARABIC | _NO_LANGUAGE
