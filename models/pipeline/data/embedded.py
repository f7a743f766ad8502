"""
Statements inside other sentences: a few small words that keep a statement or turn it round.

"The thing is I don't have time" says what "I don't have time" says; "it's not true that ...",
"is it true that ...", "maybe ..." and "my brother says ..." do not. Both kinds share nearly every
word with the statement, so only the small words can tell.
"""

import random
from collections.abc import Iterator

from models.pipeline.data.clusters import surfaces
from models.pipeline.data.contrasts.sides import STATEMENTS, items
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side

#: Clusters whose surfaces are statements.
TOLD = (
    "busy", "not_interested", "already_done", "already_paid", "no_money", "wrong_person",
    "will_pay", "wont_pay", "will_come", "cannot_come", "come_today", "not_working", "dispute",
    "have_provider", "too_expensive", "satisfied", "dissatisfied", "not_home", "interested",
)  # fmt: skip
_KEEP = {
    "en": ("the thing is {x}", "to tell you the truth, {x}", "let me say it clearly, {x}",
           "like I told you, {x}"),
    "hi": ("बात यह है कि {x}", "मैं कह रहा हूँ कि {x}", "सच कहूँ तो {x}", "जैसा मैंने कहा, {x}"),
    "hinglish": ("baat ye hai ki {x}", "main keh raha hoon ki {x}", "sach bolun to {x}",
                 "jaisa maine kaha, {x}"),
    "ar-EG": ("الحقيقة إن {x}", "أنا بقولك {x}", "بصراحة كده {x}", "زي ما قلتلك {x}"),
    "ar-MSA": ("في الحقيقة {x}", "أقول لك بصراحة {x}", "كما قلت لك {x}"),
    "ar-Gulf": ("الصراحة {x}", "أقول لك {x}", "مثل ما قلت لك {x}"),
}  # fmt: skip
_TURN = {
    "en": ("it's not true that {x}", "is it true that {x}", "maybe {x}", "my brother says {x}",
           "I never said {x}", "I'm not sure if {x}"),
    "hi": ("क्या {x}", "ऐसा नहीं है कि {x}", "क्या यह सच है कि {x}", "शायद {x}", "मेरा भाई कहता है {x}",
           "मैंने कभी नहीं कहा कि {x}", "पक्का नहीं कि {x}"),
    "hinglish": ("kya {x}", "aisa nahi hai ki {x}", "kya ye sach hai ki {x}", "shayad {x}",
                 "mera bhai kehta hai {x}", "maine kabhi nahi kaha ki {x}", "pakka nahi ki {x}"),
    "ar-EG": ("هو {x} ولا لأ", "مش صحيح إن {x}", "هو صحيح إن {x}", "يمكن {x}", "أخويا بيقول {x}",
              "أنا ماقلتش إن {x}", "مش متأكد إن {x}"),
    "ar-MSA": ("هل {x}", "ليس صحيحا أن {x}", "هل صحيح أن {x}", "ربما {x}", "أخي يقول {x}",
               "لم أقل إن {x}", "لست متأكدا أن {x}"),
    "ar-Gulf": ("مو صحيح إن {x}", "صحيح إن {x} ولا لا", "يمكن {x}", "أخوي يقول {x}",
                "ما قلت إن {x}", "ماني متأكد إن {x}"),
}  # fmt: skip
_WEIGHT = 2.5

#: A statement in a variant, its paraphrases, and its split key.
Told = tuple[str, list[str], str]


def rows(rng: random.Random, side: Side, *, per_group: int = 3) -> Iterator[Row]:
    """
    Yield the rows.

    Args:
        rng: source of every choice.
        side: the split of a key; the surfaces of a cluster are grouped within it.
        per_group: statements per group, each giving two positives and three negatives.
    """
    for variant, texts, key in [*_from_items(), *_from_clusters(rng, side)]:
        for text in rng.sample(texts, min(per_group, len(texts))):
            others = [one for one in texts if one != text]
            kept = rng.choice(_KEEP[variant]).format(x=text)
            yield _row(kept, text, 1, variant, key, 1.0)
            if others:
                yield _row(kept, rng.choice(others), 1, variant, key, 1.0)
            for frame in rng.sample(_TURN[variant], 2):
                turned = frame.format(x=text)
                yield _row(text, turned, 0, variant, key, _WEIGHT)
            yield _row(kept, turned, 0, variant, key, _WEIGHT)


def _from_items() -> Iterator[Told]:
    for item in items():
        if item.kind in STATEMENTS:
            for variant, sides in item.surfaces.items():
                for texts in sides.values():
                    yield variant, texts, item.key


def _from_clusters(rng: random.Random, side: Side) -> Iterator[Told]:
    groups: dict[tuple[str, str, str], list[str]] = {}
    keys: dict[tuple[str, str, str], str] = {}
    for surface in surfaces(rng):
        if surface.cluster in TOLD:
            place = (surface.variant, surface.cluster, str(side(surface.key)))
            groups.setdefault(place, []).append(surface.text)
            keys[place] = surface.key
    for place, texts in groups.items():
        yield place[0], texts, keys[place]


def _row(  # noqa: PLR0917 - one caller shape
    a: str, b: str, label: int, variant: str, key: str, weight: float
) -> Row:
    return Row(
        a=a,
        b=b,
        label=label,
        layer="contrasts" if key.startswith("item:") else "clusters",
        kind="embedded",
        language_a=variant,
        language_b=variant,
        group=(key,),
        source="embedded",
        weight=weight,
    )
