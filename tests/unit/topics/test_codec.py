"""Bytes that are not an event, each refused in its own words; and what is accepted all the same."""

import json
import math
import traceback
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from tests.unit.topics.examples import MINIMAL
from topics.codec import (
    MAX_DEPTH,
    MAX_PARTS,
    MAX_RECORD_BYTES,
    SCHEMA_VERSION,
    DecodeError,
    Tombstone,
    decode,
    decode_compacted,
    encode,
)
from topics.decision import Candidate, Decision
from topics.entry import KbEntry
from topics.names import TOPICS
from topics.prediction import TurnPredictions
from topics.profile import AgentProfile
from topics.utterance import Utterance

#: Stands for what a caller said; it must not come out anywhere.
SAID = "zanzibar"
#: The same as a number.
NUMBER = 987_654_321


def _utterance(**changes: Any) -> bytes:
    return json.dumps({**_fields(), **changes}).encode()


def _fields() -> dict[str, Any]:
    return {
        "tenant_id": "t",
        "agent_id": "a",
        "call_id": "c",
        "seq": 0,
        "text": SAID,
        "said_at_ms": 1,
    }


def _without(name: str) -> bytes:
    fields = _fields()
    del fields[name]
    return json.dumps(fields).encode()


def _after(text: str) -> bytes:
    """Write an utterance with more JSON text at its end."""
    return _utterance()[:-1] + b"," + text.encode() + b"}"


def _nested(depth: int) -> bytes:
    """Write an utterance whose unknown field makes it this deep."""
    return _after('"x":' + "[" * (depth - 1) + "]" * (depth - 1))


POISON: dict[str, tuple[bytes | None, str]] = {
    "null": (None, "null record"),
    "empty": (b"", "empty record"),
    "blank": (b" \n ", "not valid JSON in UTF-8"),
    "words": (b"zanzibar", "not valid JSON in UTF-8"),
    "cut": (_utterance()[:-1], "not valid JSON in UTF-8"),
    "two_objects": (_utterance() * 2, "not valid JSON in UTF-8"),
    "trailing_comma": (_utterance()[:-1] + b",}", "not valid JSON in UTF-8"),
    "single_quotes": (b"{'text':'zanzibar'}", "not valid JSON in UTF-8"),
    "raw_control": (b'{"text":"zanzibar\n"}', "not valid JSON in UTF-8"),
    "bad_utf8": (b'{"text":"zanzibar\xff"}', "not valid JSON in UTF-8"),
    "overlong_utf8": (b'{"text":"zanzibar\xc0\xaf"}', "not valid JSON in UTF-8"),
    "utf16": (_utterance().decode().encode("utf-16"), "not valid JSON in UTF-8"),
    "bom": (b"\xef\xbb\xbf" + _utterance(), "not valid JSON in UTF-8"),
    "surrogate_bytes": (b'{"text":"zanzibar\xed\xa0\x80"}', "not valid JSON in UTF-8"),
    "lone_high_surrogate": (b'{"text":"zanzibar\\ud800"}', "not valid JSON in UTF-8"),
    "lone_low_surrogate": (b'{"text":"zanzibar\\udc00 "}', "not valid JSON in UTF-8"),
    "surrogate_in_key": (b'{"zanzibar\\ud800":1}', "not valid JSON in UTF-8"),
    "nan": (_after('"x":NaN'), "not valid JSON in UTF-8"),
    "infinity": (_after('"x":-Infinity'), "not valid JSON in UTF-8"),
    "beyond_float": (_after('"x":1e999'), "not valid JSON in UTF-8"),
    "five_thousand_digits": (_after('"x":' + "9" * 5000), "not valid JSON in UTF-8"),
    "list": (b'["zanzibar"]', "not a JSON object"),
    "string": (b'"zanzibar"', "not a JSON object"),
    "number": (b"987654321", "not a JSON object"),
    "json_null": (b"null", "not a JSON object"),
    "six_megabytes": (_utterance(text=SAID * 750_000), "record too large"),
    "six_megabytes_of_nothing": (b"[" * 6_000_000, "record too large"),
    "many_objects": (_after('"x":[' + "{}," * 60_000 + "{}]"), "too many parts"),
    "many_keys": (
        _after('"x":{' + ",".join(f'"{i}":0' for i in range(50_000)) + "}"),
        "too many parts",
    ),
    "too_deep": (_nested(MAX_DEPTH + 1), "nested too deeply"),
    "objects_too_deep": (
        _after('"x":' + '{"zanzibar":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH),
        "nested too deeply",
    ),
    "deeper_than_any_parser": (b'{"x":' + b"[" * 40_000, "not valid JSON in UTF-8"),
    "brackets_only": (b"[" * 500_000, "too many parts"),
    "duplicate": (_after('"call_id":"zanzibar"'), "duplicate key"),
    "duplicate_of_same_value": (_after('"call_id":"c"'), "duplicate key"),
    "duplicate_once_unescaped": (_after('"c\\u0061ll_id":"zanzibar"'), "duplicate key"),
    "duplicate_inside": (_after('"x":[{"y":{"zanzibar":1,"zanzibar":2}}]'), "duplicate key"),
    "integer_of_65_bits": (_after(f'"x":{2**64}'), "integer of more than 64 bits"),
    "negative_of_65_bits": (_after(f'"x":{-(2**63) - 1}'), "integer of more than 64 bits"),
    "hundred_digits": (_after('"x":[' + "987654321" * 11 + "]"), "integer of more than 64 bits"),
    "no_tenant": (_without("tenant_id"), "Object missing required field tenant_id"),
    "no_call": (_without("call_id"), "Object missing required field call_id"),
    "no_seq": (_without("seq"), "Object missing required field seq"),
    "no_fields": (b"{}", "Object missing required field tenant_id"),
    "empty_tenant": (_utterance(tenant_id=""), "Expected str of length >= 1 - at $.tenant_id"),
    "empty_call": (_utterance(call_id=""), "Expected str of length >= 1 - at $.call_id"),
    "long_call": (
        _utterance(call_id=SAID * 33),
        "Expected str of length <= 256 - at $.call_id",
    ),
    "null_text": (_utterance(text=None), "Expected str, got null - at $.text"),
    "number_for_text": (_utterance(text=NUMBER), "Expected str, got int - at $.text"),
    "list_for_text": (_utterance(text=[SAID]), "Expected str, got array - at $.text"),
    "text_for_integer": (_utterance(seq=SAID), "Expected int, got str - at $.seq"),
    "digits_for_integer": (_utterance(seq="987654321"), "Expected int, got str - at $.seq"),
    "true_for_integer": (_utterance(seq=True), "Expected int, got bool - at $.seq"),
    "fraction_for_integer": (_utterance(seq=1.5), "Expected int, got float - at $.seq"),
    "object_for_integer": (_utterance(seq={SAID: 1}), "Expected int, got object - at $.seq"),
    "negative_seq": (_utterance(seq=-NUMBER), "Expected int >= 0 - at $.seq"),
    "huge_seq": (_utterance(seq=NUMBER * 10), "Expected int <= 2147483647 - at $.seq"),
    "negative_time": (_utterance(said_at_ms=-NUMBER), "Expected int >= 0 - at $.said_at_ms"),
    "time_in_nanoseconds": (
        _utterance(said_at_ms=NUMBER * 10**10),
        "Expected int <= 253402300799999 - at $.said_at_ms",
    ),
    "unknown_version": (
        _utterance(schema_version=NUMBER),
        "unknown schema version at $.schema_version",
    ),
    "version_zero": (_utterance(schema_version=0), "unknown schema version at $.schema_version"),
    "version_as_text": (
        _utterance(schema_version=SAID),
        "Expected int, got str - at $.schema_version",
    ),
    "null_version": (
        _utterance(schema_version=None),
        "Expected int, got null - at $.schema_version",
    ),
}


@pytest.mark.parametrize(("raw", "reason"), POISON.values(), ids=POISON)
def test_poison_is_refused(raw: bytes | None, reason: str) -> None:
    """Each kind of bad bytes is one DecodeError that says where, and never what."""
    with pytest.raises(DecodeError) as refused:
        decode(Utterance, raw)

    assert refused.value.reason == str(refused.value) == reason
    assert refused.value.raw == (raw or b"")


@pytest.mark.parametrize(("raw", "_reason"), POISON.values(), ids=POISON)
def test_nothing_of_the_input_is_printed(raw: bytes | None, _reason: str) -> None:
    """Not even a whole traceback, as a logger prints it, holds a part of the input."""
    with pytest.raises(DecodeError) as refused:
        decode(Utterance, raw)

    printed = "".join(traceback.format_exception(refused.value))
    assert SAID not in printed
    assert str(NUMBER) not in printed


def _decision(**changes: Any) -> bytes:
    return orjson.dumps({**orjson.loads(MINIMAL[Decision]), **changes})


INNER: dict[str, tuple[type, bytes, str]] = {
    "unknown_kind": (Decision, _decision(kind=SAID), "unknown value at $.kind"),
    "kind_that_mimics_a_place": (
        Decision,
        _decision(kind=f"x - at `$.{SAID}`\n - at `$.{SAID}`"),
        "unknown value at $.kind",
    ),
    "kind_that_mimics_a_message": (
        Decision,
        _decision(kind=f"Expected `{SAID}`"),
        "unknown value at $.kind",
    ),
    "unknown_reason": (Decision, _decision(reasons=[SAID]), "unknown value at $.reasons[0]"),
    "case_of_kind": (Decision, _decision(kind="MISS"), "unknown value at $.kind"),
    "kind_of_would_have": (
        Decision,
        _decision(would_have={"kind": SAID}),
        "unknown value at $.would_have.kind",
    ),
    "key_of_a_map": (
        Decision,
        _decision(thresholds={SAID: SAID}),
        "Expected float, got str - at $.thresholds[...]",
    ),
    "boolean_for_float": (
        Decision,
        _decision(thresholds={SAID: True}),
        "Expected float, got bool - at $.thresholds[...]",
    ),
    "object_for_list": (
        Decision,
        _decision(reasons={SAID: 1}),
        "Expected array, got object - at $.reasons",
    ),
    "inner_without_id": (
        TurnPredictions,
        MINIMAL[TurnPredictions].replace(b"[]", b'[{"text":"zanzibar"}]'),
        "Object missing required field prediction_id - at $.predictions[0]",
    ),
    "too_many_predictions": (
        TurnPredictions,
        orjson.dumps(
            {
                **orjson.loads(MINIMAL[TurnPredictions]),
                "predictions": [{"prediction_id": str(i), "text": SAID} for i in range(65)],
            }
        ),
        "Expected array of length <= 64 - at $.predictions",
    ),
    "share_above_one": (
        AgentProfile,
        b'{"tenant_id":"t","agent_id":"a","version":1,"router":{"target_accuracy":987654321.5}}',
        "Expected float <= 1.0 - at $.router.target_accuracy",
    ),
    "version_nought": (
        AgentProfile,
        b'{"tenant_id":"t","agent_id":"a","version":0}',
        "Expected int >= 1 - at $.version",
    ),
}


@pytest.mark.parametrize(("event", "raw", "reason"), INNER.values(), ids=INNER)
def test_faults_inside_name_their_place(event: type, raw: bytes, reason: str) -> None:
    """Faults in lists, maps and nested objects are located without quoting keys or values."""
    with pytest.raises(DecodeError) as refused:
        decode(event, raw)

    assert str(refused.value) == reason
    printed = "".join(traceback.format_exception(refused.value))
    assert SAID not in printed
    assert str(NUMBER) not in printed


@pytest.mark.parametrize(
    "value",
    ["a:b", "*", "a\nb", "{}", "../..", "\x00", "a/b", "' OR 1=1", "नमस्ते", "x" * 256],
    ids=ascii,
)
def test_ids_hold_any_characters(value: str) -> None:
    """An id may be written with anything; it is never joined into a key as it is."""
    event = decode(Utterance, _utterance(tenant_id=value, call_id=value))

    assert (event.tenant_id, event.call_id) == (value, value)


@pytest.mark.parametrize("event", MINIMAL, ids=lambda event: event.__name__)
def test_unknown_fields_are_ignored(event: type) -> None:
    """What a newer producer adds changes nothing for this reader."""
    newer = MINIMAL[event][:-1] + b',"added_later":{"deep":[1,{"text":"zanzibar"}]}}'

    assert decode(event, newer) == decode(event, MINIMAL[event])


@pytest.mark.parametrize(
    ("raw", "holds"),
    [
        pytest.param(_nested(MAX_DEPTH), lambda event: event.seq == 0, id="deepest"),
        pytest.param(
            _after('"x":[' + "{}," * (MAX_PARTS - 10) + "{}]"),
            lambda event: event.seq == 0,
            id="most_parts",
        ),
        pytest.param(_after(f'"x":{2**64 - 1}'), lambda event: event.seq == 0, id="64_bits"),
        pytest.param(_after(f'"x":{-(2**63)}'), lambda event: event.seq == 0, id="negative_64"),
        pytest.param(_utterance(seq=2**31 - 1), lambda event: event.seq == 2**31 - 1, id="seq"),
        pytest.param(b"\n " + _utterance() + b"\r\n", lambda event: event.seq == 0, id="spaces"),
        pytest.param(_utterance(text=""), lambda event: event.text == "", id="empty_text"),
        pytest.param(
            _utterance(text="\\ud83d\\ude00"), lambda event: event.text[0] == "\\", id="backslash"
        ),
        pytest.param(_utterance(text="\U0001f600"), lambda event: len(event.text) == 1, id="pair"),
        pytest.param(_after('"x":{"call_id":1}'), lambda event: event.call_id == "c", id="inner"),
        pytest.param(_utterance(language=None), lambda event: event.language is None, id="null"),
        pytest.param(
            _utterance(text="x" * 1_000_000), lambda event: len(event.text) == 10**6, id="long"
        ),
    ],
)
def test_odd_but_honest_is_accepted(raw: bytes, holds: Callable[[Utterance], bool]) -> None:
    """What is at a limit, or only looks like poison, is an event."""
    assert holds(decode(Utterance, raw))


def test_size_limit_is_exact() -> None:
    """A record of just the allowed size is read, one byte more is not."""
    largest = _utterance().ljust(MAX_RECORD_BYTES)

    assert decode(Utterance, largest).text == SAID
    with pytest.raises(DecodeError, match="record too large"):
        decode(Utterance, largest + b" ")


def test_null_deletes_on_compacted_topics_only() -> None:
    """A null value is a deletion where the topic is compacted, and poison elsewhere."""
    assert decode_compacted(KbEntry, None) == Tombstone()
    assert decode_compacted(KbEntry, MINIMAL[KbEntry]) == decode(KbEntry, MINIMAL[KbEntry])
    with pytest.raises(DecodeError, match="null record"):
        decode(KbEntry, None)
    with pytest.raises(DecodeError, match="empty record"):
        decode_compacted(KbEntry, b"")


def test_null_is_left_out_at_every_depth() -> None:
    """Absent means null, so nulls are not written, but those of a payload are kept."""
    raw = encode(Candidate(prediction_id="p", cosine=0.5))

    assert raw == b'{"prediction_id":"p","cosine":0.5}'
    decision = decode(Decision, _decision(candidates=[{"prediction_id": "p"}], response=[None]))
    assert b'"candidates":[{"prediction_id":"p"}]' in encode(decision)
    assert b'"response":[null]' in encode(decision)


def test_text_is_written_as_it_is() -> None:
    """UTF-8 goes out unescaped and compact."""
    event = decode(Utterance, _utterance(text="हाँ 😀"))

    assert '"text":"हाँ 😀"'.encode() in encode(event)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf], ids=str)
def test_numbers_that_json_lacks_are_not_written(number: float) -> None:
    """A score that is not finite stops here, instead of arriving as null."""
    with pytest.raises(ValueError, match="not finite"):
        encode(Candidate(prediction_id="p", logit=number))


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_event_carries_the_version(topic: Any) -> None:
    """What we write says which version it is, in one place for all events."""
    raw = encode(decode(topic.event, MINIMAL[topic.event]))

    assert orjson.loads(raw)["schema_version"] == SCHEMA_VERSION
