"""
Casual Latin spellings of words in Indian scripts, as callers and recognisers write them.

The scripts of India share one layout in Unicode, so one table serves Devanagari, Bengali, Gurmukhi,
Gujarati, Tamil, Telugu, Kannada and Malayalam. Spelling is free in life; `variants` gives several.
"""

import random
import re

_BASES = (0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B80, 0x0C00, 0x0C80, 0x0D00)
_CONSONANTS = dict(
    zip(
        range(0x15, 0x3A),
        "k kh g gh ng ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h"
        .split(),
        strict=True,
    )
)  # fmt: skip
_VOWELS = {
    0x05: "a", 0x06: "aa", 0x07: "i", 0x08: "ee", 0x09: "u", 0x0A: "oo", 0x0B: "ri", 0x0D: "e",
    0x0E: "e", 0x0F: "e", 0x10: "ai", 0x11: "o", 0x12: "o", 0x13: "o", 0x14: "au",
}  # fmt: skip
_SIGNS = {at + 0x38: sound for at, sound in _VOWELS.items() if sound != "a"}
_VIRAMA, _NUKTA_SIGN = 0x4D, 0x3C
_NUKTA = {"k": "q", "kh": "kh", "g": "g", "j": "z", "ph": "f", "d": "r", "dh": "rh"}
_LOOSE = (
    (re.compile("aa"), "a"), (re.compile("ee"), "i"), (re.compile("oo"), "u"),
    (re.compile("v"), "w"), (re.compile("ph"), "f"), (re.compile("chh"), "ch"),
    (re.compile("au"), "o"), (re.compile("ai"), "e"), (re.compile("q"), "k"),
    (re.compile("z"), "j"), (re.compile("n(?=[pb])"), "m"), (re.compile("ee$"), "i"),
    (re.compile("aa$"), "a"), (re.compile("sh"), "s"), (re.compile("y(?=e)"), ""),
    (re.compile("en$"), "ein"), (re.compile("en$"), "e"), (re.compile("ain$"), "ai"),
    (re.compile("(?<=[aeiou])t(?=[aeiou])"), "th"), (re.compile("(?<=n)t"), "d"),
    (re.compile("(?<=[aeiou])k(?=[aeiou])"), "g"),
)  # fmt: skip


def romanise(word: str, *, drop_schwa: bool = True, schwa: str = "a") -> str:
    """
    One plain Latin spelling of a word in an Indian script; empty where it holds something else.

    Args:
        word: One word.
        drop_schwa: Leave the unspoken last vowel out, as Hindi does and Tamil does not.
        schwa: How the unwritten vowel sounds: "a", or "o" in Bengali.
    """
    sounds: list[tuple[str, str]] = []
    for letter in word:
        if not _spell(letter, sounds):
            return ""
    if drop_schwa and len(sounds) > 1 and sounds[-1][0] and sounds[-1][1] == "A":
        sounds[-1] = (sounds[-1][0], "")
    if drop_schwa:
        _drop_inner(sounds)
    return "".join(consonant + vowel for consonant, vowel in sounds).replace("A", schwa)


def _spell(letter: str, sounds: list[tuple[str, str]]) -> bool:
    base = next((base for base in _BASES if base <= ord(letter) < base + 0x80), None)
    if base is None:
        return letter in "\u200c\u200d"
    at = ord(letter) - base
    last = sounds[-1] if sounds else ("", "")
    if at in _CONSONANTS:
        sounds.append((_CONSONANTS[at], "A"))
    elif at in _VOWELS:
        sounds.append(("", _VOWELS[at]))
    elif at in _SIGNS and sounds:
        sounds[-1] = (last[0], _SIGNS[at])
    elif at == _VIRAMA and sounds:
        sounds[-1] = (last[0], "")
    elif at == _NUKTA_SIGN and sounds:
        sounds[-1] = (_NUKTA.get(last[0], last[0]), last[1])
    elif at in (0x01, 0x02, 0x70):
        sounds.append(("n", ""))
    elif at not in (0x03, 0x71, 0x3D):
        return False
    return True


def _drop_inner(sounds: list[tuple[str, str]]) -> None:
    for at in range(len(sounds) - 2, 0, -1):
        consonant, vowel = sounds[at]
        before, after = sounds[at - 1], sounds[at + 1]
        if consonant and vowel == "A" and before[1] and after[0] and after[1]:
            sounds[at] = (consonant, "")


#: How often a spelling rule is followed.
LOOSENESS = 0.7


def variants(
    word: str, rng: random.Random, count: int, *, drop_schwa: bool = True, schwa: str = "a"
) -> list[str]:
    """Up to `count` different casual spellings of a word, the plain one first."""
    plain = romanise(word, drop_schwa=drop_schwa, schwa=schwa)
    if not plain:
        return []
    found = dict.fromkeys([plain])
    for _ in range(count * 3):
        if len(found) >= count:
            break
        spelling = plain
        for pattern, loose in rng.sample(_LOOSE, 6):
            if rng.random() < LOOSENESS:
                spelling = pattern.sub(loose, spelling)
        found.setdefault(spelling)
    return list(found)
