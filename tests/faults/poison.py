"""Records that are no utterances, each kind with one fault and otherwise sound."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

#: A word that occurs in the text of every poison record, and must not occur in any reason or log.
CANARY = "zqxcanary"

#: Bytes of the largest poison record: more than a broker takes by default.
HUGE_BYTES = 6_000_000
#: Levels of the deep records; no parser in use takes as many.
_DEEP = 100_000
#: More bits than any number in JSON that two languages agree on.
_HUGE_INT = 10**400


def _sound(choose: random.Random) -> dict[str, Any]:
    return {
        "tenant_id": "acme",
        "agent_id": "bookings",
        "call_id": f"poisoned-{choose.randrange(8)}",
        "seq": choose.randrange(100),
        "text": f"{CANARY} is my name",
        "said_at_ms": 1_700_000_000_000,
    }


def _with(**fields: Any) -> Callable[[random.Random], bytes]:
    return lambda choose: json.dumps(_sound(choose) | fields).encode()


def _without(name: str) -> Callable[[random.Random], bytes]:
    def make(choose: random.Random) -> bytes:
        return json.dumps({k: v for k, v in _sound(choose).items() if k != name}).encode()

    return make


def _constant(value: bytes | None) -> Callable[[random.Random], bytes | None]:
    return lambda _choose: value


def _edited(old: str, new: str) -> Callable[[random.Random], bytes]:
    """Replace a piece of the JSON, for what no encoder would write."""

    def make(choose: random.Random) -> bytes:
        sound = json.dumps(_sound(choose))
        if old not in sound:
            raise ValueError(old)
        return sound.replace(old, new).encode("utf-8", "surrogatepass")

    return make


def _cut(choose: random.Random) -> bytes:
    sound = json.dumps(_sound(choose)).encode()
    return sound[: choose.randrange(1, len(sound))]


def _bad_utf8(choose: random.Random) -> bytes:
    bad = choose.choice([b"\xff", b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"])
    return json.dumps(_sound(choose)).encode().replace(b"is my", b"is " + bad + b" my")


def _deep(opening: str, closing: str) -> Callable[[random.Random], bytes]:
    nested = opening * _DEEP + "0" + closing * _DEEP
    return _edited('"seq":', f'"extra": {nested}, "seq":')


#: Every kind, by name.
POISON: Mapping[str, Callable[[random.Random], bytes | None]] = {
    "null value": _constant(None),
    "empty value": _constant(b""),
    "white space": _constant(b" \n"),
    "not JSON": _constant(f"hello, {CANARY}".encode()),
    "cut JSON": _cut,
    "two documents": _edited("}", "}{}"),
    "byte order mark": _edited("{", "\ufeff{"),
    "UTF-16": lambda choose: json.dumps(_sound(choose)).encode("utf-16"),
    "bad UTF-8": _bad_utf8,
    "JSON null": _constant(b"null"),
    "a list": lambda choose: json.dumps([_sound(choose)]).encode(),
    "a string": _constant(f'"{CANARY}"'.encode()),
    "a number": _constant(b"1"),
    "NaN": _edited('"said_at_ms": 1700000000000', '"said_at_ms": NaN'),
    "NaN in an unknown field": _edited('"seq":', '"extra": NaN, "seq":'),
    "infinity": _edited('"said_at_ms": 1700000000000', '"said_at_ms": 1e999'),
    "huge integer": _with(said_at_ms=_HUGE_INT),
    "huge integer in an unknown field": _with(extra=_HUGE_INT),
    "integer of 65 bits": _with(said_at_ms=2**64),
    "negative time": _with(said_at_ms=-1),
    "time after the year 9999": _with(said_at_ms=253_402_300_800_000),
    "negative turn": _with(seq=-1),
    "turn of 32 bits": _with(seq=2**31),
    "turn as text": _with(seq="1"),
    "turn as truth": _with(seq=True),
    "turn as fraction": _with(seq=1.5),
    "turn missing": _without("seq"),
    "tenant missing": _without("tenant_id"),
    "tenant empty": _with(tenant_id=""),
    "tenant null": _with(tenant_id=None),
    "tenant as number": _with(tenant_id=1),
    "tenant too long": _with(tenant_id="t" * 257),
    "agent missing": _without("agent_id"),
    "call missing": _without("call_id"),
    "call as list": _with(call_id=["a"]),
    "text missing": _without("text"),
    "text null": _with(text=None),
    "text as object": _with(text={"text": CANARY}),
    "time missing": _without("said_at_ms"),
    "time as text": _with(said_at_ms="1700000000000"),
    "language as number": _with(language=1),
    "agent text as list": _with(agent_text=[CANARY]),
    "unknown version": _with(schema_version=2),
    "version as text": _with(schema_version="1"),
    "duplicate key": _edited('"seq":', '"seq": 7, "seq":'),
    "duplicate nested key": _edited('"seq":', '"extra": {"a": 1, "a": 2}, "seq":'),
    "deep lists": _deep("[", "]"),
    "deep objects": _deep('{"a":', "}"),
    "lone surrogate": _edited(CANARY, f"{CANARY} \\ud800"),
    "lone surrogate in a key": _edited('"seq":', '"\\udc00": 1, "seq":'),
    "lone surrogate as an id": _edited('"acme"', '"\\udfff"'),
    "text of 1 MiB": _with(text=f"{CANARY} " + "a" * 1_048_576),
    "a million zero-width spaces": _with(text=f"{CANARY}" + "\u200b" * 1_000_000),
    "record of 6 MB": _with(text=f"{CANARY} " + "a" * HUGE_BYTES),
}

#: Kinds that a broker with the usual limit of 1 MiB a message does not take.
LARGE = frozenset({"text of 1 MiB", "a million zero-width spaces", "record of 6 MB"})
