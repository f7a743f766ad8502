"""The printed schemas, against the decoder."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.unit.topics.examples import FULL, MINIMAL
from tests.unit.topics.strategies import events
from topics.codec import DecodeError, decode, encode
from topics.decision import Reason
from topics.names import DECISIONS, PROFILES, REVIEW, TOPICS, UTTERANCES, Topic
from topics.schema import all_schemas, asyncapi, json_schema

_BY_EVENT = {topic.event: topic for topic in TOPICS}
_VALIDATORS = {topic.event: Draft202012Validator(json_schema(topic)) for topic in TOPICS}
#: One of each kind of JSON value; a float that is whole is left out, since JSON Schema takes it for
#: an integer and the rules in the schema say that it is not one.
_ANYTHING: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 2**31, 2**53, 2**63, -0.5, 0.5, 1.5, 1e300),
    *("", "x", "live", "x" * 257),
    *([], [None], [1], ["x"], ["live"], [{}], [{}] * 65, {}, {"x": None}, {"x": 1}, {"x": ["y"]}),
)


def _name(event: Any) -> str:
    return event.__name__ if isinstance(event, type) else type(event).__name__


def _decodes(event: type, value: Any) -> bool:
    try:
        decode(event, orjson.dumps(value))
    except DecodeError:
        return False
    return True


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every value inside a JSON document."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in parts:
            yield (*path, key)
            yield from _places(inner, (*path, key))


def _copy_with(document: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    """Copy a document; give the copy and the container of what lies at the path."""
    copied = json.loads(json.dumps(document))
    parent = copied
    for key in path[:-1]:
        parent = parent[key]
    return copied, parent


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_schema_is_valid(topic: Topic) -> None:
    """Each schema is itself a valid JSON Schema of the dialect that it names."""
    schema = json.loads(json.dumps(json_schema(topic)))

    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert schema["title"] == topic.name


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_full_example_is_valid(event: object) -> None:
    """What we write is valid by the schema that we print."""
    _VALIDATORS[type(event)].validate(orjson.loads(encode(event)))


@pytest.mark.parametrize("event", MINIMAL, ids=_name)
def test_minimal_example_is_valid(event: type) -> None:
    """The schema requires no more than the decoder does."""
    _VALIDATORS[event].validate(orjson.loads(MINIMAL[event]))


@pytest.mark.parametrize("event", MINIMAL, ids=_name)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_event_is_valid(event: type, data: st.DataObject) -> None:
    """Whatever values the types allow, the schema allows too."""
    _VALIDATORS[event].validate(orjson.loads(encode(data.draw(events(event)))))


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_schema_and_decoder_agree_on_missing_fields(event: object) -> None:
    """A field that one of the two can do without, the other can too, at every depth."""
    document = orjson.loads(encode(event))

    for path in _places(document):
        changed, parent = _copy_with(document, path)
        del parent[path[-1]]
        valid = _VALIDATORS[type(event)].is_valid(changed)
        assert valid == _decodes(type(event), changed), path


@pytest.mark.parametrize("event", FULL, ids=_name)
def test_schema_and_decoder_agree_on_any_value_anywhere(event: object) -> None:
    """Any kind of value in any place is refused by both or by neither."""
    document = orjson.loads(encode(event))
    refused = 0

    for path, value in itertools.product(_places(document), _ANYTHING):
        changed, parent = _copy_with(document, path)
        parent[path[-1]] = value
        valid = _VALIDATORS[type(event)].is_valid(changed)
        assert valid == _decodes(type(event), changed), (path, value)
        refused += not valid

    assert refused > len(_ANYTHING)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_everything_is_described(topic: Topic) -> None:
    """Every event, field and enum value in the schema says what it means."""
    for definition in json_schema(topic)["$defs"].values():
        assert definition["description"]
        for field in definition.get("properties", {}).values():
            assert field["description"]


def test_enum_values_are_explained() -> None:
    """Agents in other languages read in the schema what each reason means."""
    reasons = json_schema(DECISIONS)["$defs"]["Reason"]

    assert "* `exact`: Serve: the cleaned utterance equals a prediction." in reasons["description"]
    assert set(reasons["enum"]) == {reason.value for reason in Reason}


def test_bounds_are_in_the_schema() -> None:
    """Limits of the event land in its schema, beside the words of its source."""
    field = json_schema(UTTERANCES)["$defs"]["Utterance"]["properties"]["said_at_ms"]

    assert field["minimum"] == 0
    assert field["description"].startswith("When the caller finished saying it")


def test_words_beside_a_reference_are_kept() -> None:
    """A described field of a named type does not lose its words to tools that stop at `$ref`."""
    for definition in all_schemas()["agent.profiles"]["$defs"].values():
        for field in definition.get("properties", {}).values():
            assert "$ref" not in field
    mode = json_schema(PROFILES)["$defs"]["MatchProfile"]["properties"]["mode"]
    assert mode["allOf"] == [{"$ref": "#/$defs/Mode"}]
    assert mode["default"] == "off"


def test_all_schemas_are_one_a_topic() -> None:
    """The whole set is keyed by topic name."""
    assert all_schemas() == {topic.name: json_schema(topic) for topic in TOPICS}


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _resolve(document: Any, reference: str) -> Any:
    found = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_asyncapi_is_json_whose_references_resolve() -> None:
    """The document is plain JSON, and every reference in it leads somewhere."""
    document = json.loads(json.dumps(asyncapi()))
    references = set(_references(document))

    assert document["asyncapi"] == "3.0.0"
    assert all(_resolve(document, reference) for reference in references)
    assert "#/components/schemas/Utterance" in references


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_asyncapi_tells_how_a_topic_is_kept(topic: Topic) -> None:
    """Each topic is a channel with its partitions and its retention or compaction."""
    channel = asyncapi()["channels"][topic.name]
    kafka = channel["bindings"]["kafka"]

    assert channel["address"] == topic.name
    assert channel["description"].endswith(".")
    assert kafka["partitions"] == topic.partitions
    assert kafka["topicConfiguration"]["cleanup.policy"] == [topic.config["cleanup.policy"]]
    assert kafka["topicConfiguration"].get("retention.ms") == (
        None if topic.compacted else topic.retention_ms
    )


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_asyncapi_message_has_key_and_payload(topic: Topic) -> None:
    """Each message names its key and holds the schema of the event."""
    document = asyncapi()
    message = document["components"]["messages"][topic.event.__name__]
    key = message["bindings"]["kafka"]["key"]

    assert key["type"] == ("null" if topic.key == "none" else "string")
    assert topic.key in key["description"].lower() or topic.key == "none"
    assert _resolve(document, message["payload"]["$ref"])["title"] == topic.event.__name__
    assert ("null value deletes" in message["description"]) == topic.compacted


def test_asyncapi_operations_follow_the_direction() -> None:
    """Turngate receives what comes in and sends what goes out; its own topic it does both with."""
    actions: dict[str, list[str]] = {topic.name: [] for topic in TOPICS}
    for operation in asyncapi()["operations"].values():
        name = operation["channel"]["$ref"].removeprefix("#/channels/")
        actions[name].append(operation["action"])

    expected = {"in": ["receive"], "out": ["send"], "internal": ["send", "receive"]}
    assert actions == {topic.name: expected[topic.direction] for topic in TOPICS}
    assert actions[REVIEW.name] == ["send", "receive"]


def test_asyncapi_schemas_validate_too() -> None:
    """The schemas inside the document accept what the decoder accepts."""
    document = asyncapi()

    for event, raw in MINIMAL.items():
        whole = {**document, "$ref": f"#/components/schemas/{event.__name__}"}
        validator = Draft202012Validator(whole)
        validator.validate(orjson.loads(raw))
        assert not validator.is_valid({})
