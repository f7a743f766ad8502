"""
What the events look like, for agents written in other languages.

* json_schema   JSON Schema (2020-12) of one topic's event
* all_schemas   the same for every topic
* asyncapi      AsyncAPI 3.0 document: topics, events, who writes them, how long they are kept

Everything is made from the dataclasses, their docstrings and their `#:` lines.
"""

import dataclasses
import inspect
import typing
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec

from topics.codec import MAX_DEPTH, MAX_PARTS, MAX_RECORD_BYTES, SCHEMA_VERSION
from topics.names import TOPICS, Topic
from topics.notes import notes

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_IN_DOCUMENT = "#/components/schemas/{name}"
_KAFKA_BINDING_VERSION = "0.5.0"

#: What holds for every record and no schema can say.
RULES = (
    "Values are JSON in UTF-8, one object a record. Fields that a reader does not know are "
    "ignored; an optional field that is null may be left out. Integers are written without "
    "fraction or exponent and fit 64 bits. No object names a key twice. A record has at most "
    f"{MAX_RECORD_BYTES} bytes, {MAX_PARTS} objects, lists and keys, and a depth of {MAX_DEPTH}. "
    "What breaks a rule goes to `dead.letters`."
)

_ACTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "in": (("receive", "Turngate reads"),),
    "out": (("send", "Turngate writes"),),
    "internal": (
        ("send", "Turngate's hot worker writes"),
        ("receive", "Turngate's slow worker reads"),
    ),
}


def json_schema(topic: Topic) -> dict[str, Any]:
    """Make the JSON Schema of the event on a topic."""
    return {
        "$schema": _DIALECT,
        "$id": f"urn:turngate:{topic.name}:{SCHEMA_VERSION}",
        "title": topic.name,
        "$comment": RULES,
        "$ref": f"#/$defs/{topic.event.__name__}",
        "$defs": _definitions([topic.event], "#/$defs/{name}"),
    }


def all_schemas() -> dict[str, dict[str, Any]]:
    """Make the JSON Schemas of all events, by topic name."""
    return {topic.name: json_schema(topic) for topic in TOPICS}


def asyncapi() -> dict[str, Any]:
    """Make the AsyncAPI document of all topics, seen from Turngate: it receives what you send."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Turngate",
            "version": f"{SCHEMA_VERSION}.0.0",
            "description": RULES,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": dict(_operations(TOPICS)),
        "components": {
            "messages": {topic.event.__name__: _message(topic) for topic in TOPICS},
            "schemas": _definitions([topic.event for topic in TOPICS], _IN_DOCUMENT),
        },
    }


def _channel(topic: Topic) -> dict[str, Any]:
    name = topic.event.__name__
    return {
        "address": topic.name,
        "description": _summary(topic),
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        "bindings": {
            "kafka": {
                "topic": topic.name,
                "partitions": topic.partitions,
                "topicConfiguration": _kept(topic),
                "bindingVersion": _KAFKA_BINDING_VERSION,
            }
        },
    }


def _kept(topic: Topic) -> dict[str, Any]:
    if topic.compacted:
        return {"cleanup.policy": ["compact"]}
    return {"cleanup.policy": ["delete"], "retention.ms": topic.retention_ms}


def _message(topic: Topic) -> dict[str, Any]:
    name = topic.event.__name__
    deletes = " A null value deletes what had the key." if topic.compacted else ""
    return {
        "name": name,
        "summary": inspect.getdoc(topic.event),
        "description": f"{_summary(topic)}{deletes}",
        "contentType": "application/json",
        "payload": {"$ref": _IN_DOCUMENT.format(name=name)},
        "bindings": {"kafka": {"key": _key(topic), "bindingVersion": _KAFKA_BINDING_VERSION}},
    }


def _key(topic: Topic) -> dict[str, Any]:
    if topic.key == "none":
        return {"type": "null", "description": "No key."}
    return {"type": "string", "description": f"{topic.key}, in UTF-8."}


def _operations(topics: Iterable[Topic]) -> Iterator[tuple[str, dict[str, Any]]]:
    for topic in topics:
        name, channel = topic.event.__name__, f"#/channels/{topic.name}"
        for action, who in _ACTIONS[topic.direction]:
            yield (
                f"{action}{name}",
                {
                    "action": action,
                    "channel": {"$ref": channel},
                    "summary": f"{who} `{topic.name}`.",
                    "messages": [{"$ref": f"{channel}/messages/{name}"}],
                },
            )


def _summary(topic: Topic) -> str:
    """Take what the event's module says of itself: "`turn.utterances`: what the caller said."."""
    said = inspect.getdoc(inspect.getmodule(topic.event)) or ""
    summary = said.partition(": ")[2].replace("\n", " ")
    return summary[:1].upper() + summary[1:]


def _definitions(events: Sequence[type], ref_template: str) -> dict[str, Any]:
    _, components = msgspec.json.schema_components(events, ref_template=ref_template)
    owners = {owner.__name__: owner for event in events for owner in _owners(event)}
    # Defaults of lists are tuples until they are made plain.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(components))
    return {name: _with_notes(each, owners[name]) for name, each in plain.items()}


def _owners(hint: Any) -> Iterator[type]:
    """Find the dataclasses and enums in a type, at any depth."""
    if dataclasses.is_dataclass(hint):
        yield typing.cast("type", hint)
        for field in typing.get_type_hints(hint).values():
            yield from _owners(field)
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield hint
    else:
        for part in typing.get_args(hint):
            yield from _owners(part)


def _with_notes(schema: dict[str, Any], owner: type) -> dict[str, Any]:
    said = notes(owner)
    if issubclass(owner, Enum):
        members = (f"* `{member.value}`: {said[member.name]}" for member in owner)
        return {**schema, "description": "\n".join((schema["description"], *members))}
    properties = {
        name: {"description": said[name], **_no_bare_ref(each)}
        for name, each in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _no_bare_ref(schema: dict[str, Any]) -> dict[str, Any]:
    """Wrap a reference: older tools, AsyncAPI's among them, ignore what stands beside one."""
    if "$ref" not in schema:
        return schema
    rest = {name: value for name, value in schema.items() if name != "$ref"}
    return {"allOf": [{"$ref": schema["$ref"]}], **rest}
