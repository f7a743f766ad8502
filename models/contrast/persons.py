"""
Who does what to whom: "I'll call you" and "you call me" are not the same turn.

Persons are told by pronouns: in English by their order, in Hindi and Hinglish, whose order is free,
by their case. Arabic carries them inside of verbs, where these rules do not look.
"""

from collections.abc import Iterator, Mapping, Sequence

from models.contrast.words import row

#: Pronouns by person; each row is one case.
_ORDERED = {
    1: ("i me my mine myself",),
    2: ("you your yours",),
    3: ("he him his she her hers they them their",),
    4: ("we us our ours",),
}
_CASED = {
    1: ("मैं मैने मैंने main maine mai", "मुझे मुझको मुझसे mujhe mujhko mujhse", "मेरा मेरी मेरे mera meri mere"),
    2: (
        "आप आपने तुम तुमने aap aapne tum tumne",
        "आपको आपसे तुम्हें तुमको तुमसे aapko aapse tumhe tumko tumse",
        "आपका आपकी आपके तुम्हारा तुम्हारी aapka aapki aapke tumhara tumhari",
    ),
    3: (
        "वो वह उसने उन्होंने woh wo usne unhone unhonne",
        "उसे उसको उससे उन्हें उनको उनसे use usko usse unhe unko unse",
        "उसका उसकी उसके उनका उनकी उनके uska uski uske unka unki unke",
    ),
    4: (
        "हम हमने hum humne",
        "हमें हमको हमसे humein hamein humko humse",
        "हमारा हमारी हमारे hamara hamari",
    ),
}  # fmt: skip
#: Change with the person, and say nothing else.
_BENT = row(
    """
    am is are was were be will shall would 'm 're
    हूँ हूं है हैं हो था थी थे hun hoon hu hai hain ho tha thi the
    """
)
#: Letters that forms of one word begin with.
_STEM = 3
_AND = row("and or और या aur ya")


def _table(rows: Mapping[int, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    return {
        word: (person, case)
        for person, cases in rows.items()
        for case, words in enumerate(cases)
        for word in row(words)
    }


_ORDER, _CASE = _table(_ORDERED), _table(_CASED)


def swapped(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether two texts say the same of persons that have changed their parts."""
    own, others = list(_bare(left)), list(_bare(right))
    if len(own) != len(others) or not _begin_alike(_rest(own), _rest(others)):
        return False
    for table, read in ((_CASE, sorted), (_ORDER, list)):
        first = [table[word] for word in own if word in table]
        second = [table[word] for word in others if word in table]
        persons = sorted(person for person, _ in first)
        if len(persons) > 1 and persons == sorted(person for person, _ in second):
            return read(first) != read(second)
    return False


def _bare(words: Sequence[str]) -> Iterator[str]:
    """Words without what is written together with a pronoun: "i'm" is "i"."""
    for word in words:
        bare, mark, _ = word.partition("'")
        if bare not in _BENT:
            yield bare if mark else word


def _rest(words: Sequence[str]) -> list[str]:
    """What is said of the persons."""
    return [word for word in words if word not in _ORDER and word not in _CASE]


def _begin_alike(left: Sequence[str], right: Sequence[str]) -> bool:
    """Both say something, and the same; "you and me" is "me and you"."""
    return (
        len(left) == len(right) > 0
        and _AND.isdisjoint(left)
        and all(one[:_STEM] == other[:_STEM] for one, other in zip(left, right, strict=True))
    )
