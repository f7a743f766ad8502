"""A seeded stream of utterances, repeats, conflicts and poison, as data."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.faults.poison import LARGE, POISON
from tests.records import Raw


class Nature(StrEnum):
    """What a record of the stream is."""

    #: An utterance of a turn that has not been heard yet.
    FRESH = "fresh"
    #: The bytes of an earlier record once more.
    REPEAT = "repeat"
    #: An earlier turn with another text.
    CONFLICT = "conflict"
    #: No utterance.
    POISON = "poison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One record of the stream, before its time is known."""

    nature: Nature
    #: The record's key: the call, or nothing.
    key: bytes | None
    #: The utterance without its time; None for poison and repeats.
    fields: Mapping[str, Any] | None = None
    #: How far the speaker's clock is off, milliseconds.
    skew_ms: int = 0
    #: What a clock that stands still says, Unix epoch, milliseconds.
    stopped_at_ms: int | None = None
    #: The record itself, for poison.
    value: bytes | None = None
    #: What is special about it: the kind of poison, or of text.
    kind: str = "plain"
    #: Position in the stream of the record that this one repeats.
    repeats: int | None = None

    @property
    def valid(self) -> bool:
        """Whether it must have a decision."""
        return self.nature is not Nature.POISON

    def encode(self, now_ms: int) -> bytes | None:
        """Make the record's value, said `now_ms` by a clock that may be off; not for repeats."""
        if self.fields is None:
            return self.value
        stopped = self.stopped_at_ms
        said_at_ms = now_ms + self.skew_ms if stopped is None else stopped
        return json.dumps({**self.fields, "said_at_ms": said_at_ms}).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """What a stream consists of; shares are of all records."""

    repeats: float = 0.1
    conflicts: float = 0.02
    poison: float = 0.1
    #: Turns that swap places with the next one of their call.
    swaps: float = 0.02
    #: Utterances by a clock that is an hour off, stands at 0 or is in the year 2100.
    wrong_clocks: float = 0.0
    #: Utterances with a text of `ODD_TEXTS`.
    odd_texts: float = 0.05
    #: Whether records over 1 MiB are among the poison.
    large: bool = False


PLAIN = Mix(repeats=0.0, conflicts=0.0, poison=0.0, swaps=0.0, odd_texts=0.0)

#: Tenants whose names would collide if keys were joined or read as patterns.
TENANTS = ("acme", "acme:1", "a*me", "{acme}", "ac\nme")
AGENT = "bookings"

TEXTS = (
    "yes, that works for me",
    "no, not on Monday",
    "can you call me back at five?",
    "I want to cancel my order",
    "what does it cost?",
    "हाँ, ठीक है",
    "नहीं, कल नहीं",
    "मुझे पाँच बजे कॉल करो",
    "haan theek hai, kal aa jao",
    "nahi yaar, abhi nahi",
    "نعم، هذا مناسب",
    "لا، ليس اليوم",
    "كم السعر؟",
)

#: Texts that are allowed but lead nowhere; each must have a decision all the same.
ODD_TEXTS: Mapping[str, str] = {
    "empty": "",
    "white space": " \n\t",
    "fragment": "Actually,",
    "emoji": "👍👍🏽",
    "null character": "yes\x00no",
    "bidi marks": "\u202eyes\u202c",
    "combining storm": "a" + "\u0301" * 2_000,
    "100,000 characters": "yes please " * 9_091,
    "300,000 zero-width spaces": "yes" + "\u200b" * 150_000 + "no",
    "nearly 1 MiB": "a" * 1_000_000,
}

_HOUR_MS = 3_600_000
_YEAR_2100_MS = 4_102_444_800_000
#: How far off, and where it stands still; milliseconds.
_RIGHT_CLOCK: tuple[int, int | None] = (0, None)
_WRONG_CLOCKS: Sequence[tuple[int, int | None]] = (
    (-_HOUR_MS, None),
    (_HOUR_MS, None),
    (0, 0),
    (0, _YEAR_2100_MS),
)


def schedule(seed: int, *, records: int, calls: int = 20, mix: Mix | None = None) -> list[Item]:
    """
    Make a stream; the same seed makes the same one.

    Args:
        seed: of everything that is chosen.
        records: how many records.
        calls: how many calls speak at once; each tenant has calls of the same names.
        mix: what it consists of.

    """
    mix = mix or Mix()
    choose = random.Random(seed)  # noqa: S311 - repeatable, not secret
    items: list[Item] = []
    turns = _turns(choose, calls, mix)
    poison = _poison(choose, large=mix.large)
    while len(items) < records:
        nature = _nature(choose, mix)
        said = [at for at, item in enumerate(items) if item.fields is not None]
        if nature is Nature.POISON:
            items.append(next(poison))
        elif nature is Nature.REPEAT and said:
            at = choose.choice(said[-50:])
            items.append(Item(nature=nature, key=items[at].key, repeats=at))
        elif nature is Nature.CONFLICT and said:
            items.append(_conflict(choose, items[choose.choice(said[-50:])]))
        else:
            items.append(next(turns))
    return items


def every_poison(seed: int, *, large: bool) -> list[Item]:
    """Make one record of each kind of poison, in a seeded order."""
    choose = random.Random(seed)  # noqa: S311
    kinds = len(POISON) - (0 if large else len(LARGE))
    poison = _poison(choose, large=large)
    return [next(poison) for _ in range(kinds)]


def predictions_for(items: Sequence[Item], *, now_ms: int, ttl_ms: int = 600_000) -> list[Raw]:
    """Make predictions for the fresh turns: for each second one, the very text is among them."""
    return [
        _prediction(item, number, now_ms, ttl_ms)
        for number, item in enumerate(items)
        if item.nature is Nature.FRESH and item.fields is not None and item.kind == "plain"
    ]


def _prediction(item: Item, number: int, now_ms: int, ttl_ms: int) -> Raw:
    fields = dict(item.fields or {})
    text = fields.pop("text")
    expected = [text if number % 2 else "please send me the brochure", "who is speaking?"]
    predictions = [
        {"prediction_id": f"p{place}", "text": each, "response_ref": f"audio/{number}/{place}"}
        for place, each in enumerate(expected)
    ]
    event = {**fields, "created_at_ms": now_ms, "ttl_ms": ttl_ms, "predictions": predictions}
    return Raw(key=item.key, value=json.dumps(event).encode())


def _nature(choose: random.Random, mix: Mix) -> Nature:
    shares = {
        Nature.POISON: mix.poison,
        Nature.REPEAT: mix.repeats,
        Nature.CONFLICT: mix.conflicts,
    }
    drawn = choose.random()
    for nature, share in shares.items():
        drawn -= share
        if drawn < 0:
            return nature
    return Nature.FRESH


def _turns(choose: random.Random, calls: int, mix: Mix) -> Iterator[Item]:
    """Let calls of several tenants speak in turn; a swapped turn comes after its successor."""
    next_seq: dict[tuple[str, str], int] = {}
    while True:
        call = (choose.choice(TENANTS), f"call {choose.randrange(calls)}")
        seq = next_seq.get(call, 0)
        if choose.random() < mix.swaps:
            next_seq[call] = seq + 2
            yield _utterance(choose, call, seq + 1, mix)
        else:
            next_seq[call] = seq + 1
        yield _utterance(choose, call, seq, mix)


def _utterance(choose: random.Random, call: tuple[str, str], seq: int, mix: Mix) -> Item:
    kind, text = "plain", choose.choice(TEXTS)
    if choose.random() < mix.odd_texts:
        kind, text = choose.choice(sorted(ODD_TEXTS.items()))
    is_wrong = choose.random() < mix.wrong_clocks
    skew_ms, stopped_at_ms = choose.choice(_WRONG_CLOCKS) if is_wrong else _RIGHT_CLOCK
    return Item(
        nature=Nature.FRESH,
        key=call[1].encode(),
        fields={
            "tenant_id": call[0],
            "agent_id": AGENT,
            "call_id": call[1],
            "seq": seq,
            "text": text,
        },
        skew_ms=skew_ms,
        stopped_at_ms=stopped_at_ms,
        kind=kind,
    )


def _conflict(choose: random.Random, earlier: Item) -> Item:
    fields = dict(earlier.fields or {})
    others = [text for text in TEXTS if text != fields["text"]]
    fields["text"] = choose.choice(others)
    return Item(nature=Nature.CONFLICT, key=earlier.key, fields=fields)


def _poison(choose: random.Random, *, large: bool) -> Iterator[Item]:
    """Go through all kinds before one comes again."""
    kinds = sorted(POISON.keys() - (frozenset() if large else LARGE))
    while True:
        choose.shuffle(kinds)
        for kind in kinds:
            key = choose.choice([None, b"call 0", b"\xff\x00"])
            yield Item(nature=Nature.POISON, key=key, value=POISON[kind](choose), kind=kind)
