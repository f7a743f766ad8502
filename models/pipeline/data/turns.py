"""
Longer turns made of cluster surfaces, as callers really say them.

* A small word before a question or a request ("hello, who is this", "haan, kitne ka hai") leaves it
  the same turn, and does not make it a yes.
* Two acts in one turn ("I'm busy, call me later") equal the same two acts in other words, in either
  order, and not a turn in which one of them is another.
"""

import random
from collections import defaultdict
from collections.abc import Iterator

from models.pipeline.data.clusters import SEVERITY, Surface, relations, surfaces
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side

#: Clusters that a small word before them does not change.
ASKS = (
    "who_is_this", "price", "documents", "location", "opening_hours", "how_long", "cannot_hear",
    "repeat", "reason", "robot", "human", "is_free", "discount", "order_status", "eligibility",
    "benefits", "instalments", "other_options", "your_number", "how_got_number", "send_whatsapp",
    "send_email", "english", "complaint", "online_or_visit", "speak_slowly",
)  # fmt: skip
#: Acts that callers put into one turn.
COMBINED = (
    ("busy", "callback_later"), ("decline", "stop_calling"), ("not_interested", "stop_calling"),
    ("affirm", "send_whatsapp"), ("affirm", "send_email"), ("interested", "price"),
    ("interested", "documents"), ("interested", "send_whatsapp"), ("wrong_person", "stop_calling"),
    ("thanks", "goodbye"), ("need_time", "callback_later"), ("no_money", "will_pay"),
    ("already_paid", "stop_calling"), ("too_expensive", "discount"), ("greeting", "who_is_this"),
    ("cannot_hear", "callback_later"), ("not_working", "complaint"), ("not_working", "refund"),
    ("not_interested", "goodbye"), ("ask_family", "callback_later"), ("hold_on", "not_home"),
    ("have_provider", "not_interested"), ("dispute", "complaint"), ("affirm", "how_long"),
    ("decline", "have_provider"), ("cannot_come", "reschedule"), ("satisfied", "thanks"),
    ("dissatisfied", "cancel"), ("human", "complaint"), ("busy", "i_call_back"),
    ("confirm_identity", "reason"), ("clarify", "human"), ("already_done", "thanks"),
)  # fmt: skip
_PREFIXES = {
    "en": ("hello,", "okay,", "hi,", "yeah,", "okay so", "alright,", "oh,"),
    "hi": ("हेलो,", "अच्छा,", "हाँ,", "ठीक है,", "जी,", "नमस्ते,"),
    "hinglish": ("hello,", "accha,", "haan,", "theek hai,", "ji,", "ok", "namaste,"),
    "ar-EG": ("ألو،", "طيب،", "اه،", "ماشي،", "أهلا،"),
    "ar-MSA": ("مرحبا،", "حسنا،", "نعم،", "أهلا،"),
    "ar-Gulf": ("ألو،", "زين،", "إي،", "هلا،"),
}
_JOINERS = {
    "en": (", ", ". ", " and "),
    "hi": (", ", "। "),
    "hinglish": (", ", " aur ", ". "),
    "ar-EG": ("، ", " و"),
    "ar-MSA": ("، ", " و"),
    "ar-Gulf": ("، ", " و"),
}

Parts = dict[str, dict[str, dict[str, list[Surface]]]]


def rows(rng: random.Random, side: Side, *, per_act: int = 6, per_pair: int = 8) -> Iterator[Row]:
    """
    Yield the rows of both kinds.

    Args:
        rng: source of every choice.
        side: the split of a surface's key.
        per_act: turns with a small word, per cluster and variant.
        per_pair: combined turns, per pair of clusters and variant.
    """
    parts: Parts = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for surface in surfaces(rng):
        parts[side(surface.key)][surface.variant][surface.cluster].append(surface)
    known = relations()
    for by_variant in parts.values():
        for variant, by_cluster in by_variant.items():
            for cluster in ASKS:
                for _ in range(per_act if len(by_cluster[cluster]) > 1 else 0):
                    yield from _prefixed(by_cluster, cluster, variant, rng, known)
            for pair in COMBINED:
                for _ in range(per_pair if all(len(by_cluster[one]) > 1 for one in pair) else 0):
                    yield from _combined(by_cluster, pair, variant, rng, known)


def _prefixed(
    by_cluster: dict[str, list[Surface]], cluster: str, variant: str, rng: random.Random,
    known: dict[frozenset[str], str],
) -> Iterator[Row]:  # fmt: skip
    first, second = rng.sample(by_cluster[cluster], 2)
    prefix = rng.choice(_PREFIXES[variant])
    turn = f"{prefix} {first.text}"
    other_prefix = rng.choice((f"{rng.choice(_PREFIXES[variant])} ", ""))
    yield _row("prefix", turn, other_prefix + second.text, 1, variant, (first, second), 1.0)
    yield _row("prefix", turn, first.text, 1, variant, (first,), 1.0)

    wrong = _different(by_cluster, cluster, rng, known)
    if wrong:
        text = f"{prefix} {wrong.text}"
        yield _row("prefix", turn, text, 0, variant, (first, wrong), SEVERITY["near"])
    yes = by_cluster["affirm"]
    if yes:
        answer = rng.choice(yes)
        yield _row("prefix", turn, answer.text, 0, variant, (first, answer), SEVERITY["severe"])


def _combined(
    by_cluster: dict[str, list[Surface]], pair: tuple[str, str], variant: str, rng: random.Random,
    known: dict[frozenset[str], str],
) -> Iterator[Row]:  # fmt: skip
    one, two = pair
    left, left_again = rng.sample(by_cluster[one], 2)
    right, right_again = rng.sample(by_cluster[two], 2)
    joiner = rng.choice(_JOINERS[variant])
    turn = left.text + joiner + right.text
    again = [left_again.text, right_again.text]
    if rng.random() < 0.3:  # noqa: PLR2004 - the usual order is the more common one
        again.reverse()
    same = rng.choice(_JOINERS[variant]).join(again)
    used = (left, right, left_again, right_again)
    yield _row("combined", turn, same, 1, variant, used, 1.0)

    wrong = _different(by_cluster, two, rng, known, beside=one)
    if wrong:
        text = left.text + joiner + wrong.text
        yield _row("combined", turn, text, 0, variant, (left, right, wrong), SEVERITY["severe"])
    wrong = _different(by_cluster, one, rng, known, beside=two)
    if wrong:
        text = wrong.text + joiner + right.text
        yield _row("combined", turn, text, 0, variant, (left, right, wrong), SEVERITY["severe"])


def _different(
    by_cluster: dict[str, list[Surface]], cluster: str, rng: random.Random,
    known: dict[frozenset[str], str], *, beside: str = "",
) -> Surface | None:  # fmt: skip
    """Return a surface that surely says something else, rather of an opposite cluster."""
    relation = {
        other: known.get(frozenset((cluster, other)), "other")
        for other in by_cluster
        if other not in (cluster, beside) and by_cluster[other]
    }
    allowed = [other for other, kind in relation.items() if kind != "excluded"]
    sharp = [other for other in allowed if relation[other] in ("opposite", "severe")]
    pool = sharp if sharp and rng.random() < 0.7 else allowed  # noqa: PLR2004
    return rng.choice(by_cluster[rng.choice(pool)]) if pool else None


def _row(  # noqa: PLR0917 - one caller shape
    kind: str, a: str, b: str, label: int, variant: str, used: tuple[Surface, ...], weight: float
) -> Row:
    return Row(
        a=a,
        b=b,
        label=label,
        layer="turns",
        kind=kind,
        language_a=variant,
        language_b=variant,
        group=tuple(dict.fromkeys(surface.key for surface in used)),
        source="clusters",
        weight=weight,
    )
