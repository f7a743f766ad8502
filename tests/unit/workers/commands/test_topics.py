"""`turngate topics`, as a person types it."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from topics.names import TOPICS, UTTERANCES
from topics.schema import all_schemas, asyncapi, json_schema
from workers.admin import BrokerConnection, Creation
from workers.cli import main
from workers.commands import topics as command
from workers.errors import BrokerUnavailable

_ENVIRONMENT = {"KAFKA": "kafka.test:9092", "TURNGATE_PREFIX": "blue."}


class CreateStub:
    """Stands for `create_topics`: answers as told, and remembers how it was asked."""

    def __init__(self, answer: Creation | Exception) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, broker: BrokerConnection, *, prefix: str) -> Creation:
        """Answer."""
        self.asked.append((broker.address, prefix))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def _run(*arguments: str) -> Result:
    return CliRunner(env=_ENVIRONMENT).invoke(main, ["topics", *arguments])


def _create(
    monkeypatch: pytest.MonkeyPatch, answer: Creation | Exception, *arguments: str
) -> tuple[Result, CreateStub]:
    stub = CreateStub(answer)
    monkeypatch.setattr(command, "create_topics", stub)
    return _run("create", *arguments), stub


def test_create_says_what_became_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made and found topics go to stdout, warnings beside it, and all is well."""
    answer = Creation(created=("a",), existing=("b",), warnings=("b is odd",))

    result, stub = _create(monkeypatch, answer)

    assert result.exit_code == 0
    assert result.stdout == "created a\nexists  b\n"
    assert result.stderr == "warning: b is odd\n"
    assert stub.asked == [("kafka.test:9092", "blue.")]


@pytest.mark.parametrize("prefix", ["green.", ""], ids=["other", "none"])
def test_create_takes_the_prefix_given(monkeypatch: pytest.MonkeyPatch, prefix: str) -> None:
    """The option goes before the setting, also to say that there is no prefix."""
    _, stub = _create(monkeypatch, Creation(), "--prefix", prefix)

    assert stub.asked == [("kafka.test:9092", prefix)]


def test_create_fails_if_a_topic_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic that could not be made is an exit code that scripts see."""
    result, _ = _create(monkeypatch, Creation(created=("a",), failed=("b was not created: X",)))

    assert result.exit_code == 1
    assert result.stdout == "created a\n"
    assert "b was not created: X" in result.stderr


def test_create_without_a_broker_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person sees what is wrong, not a traceback."""
    result, _ = _create(monkeypatch, BrokerUnavailable("no answer from Kafka"))

    assert result.exit_code == 1
    assert result.stderr == "Error: no answer from Kafka\n"


def _json(*arguments: str) -> Any:
    result = _run(*arguments)
    assert result.exit_code == 0
    assert result.stderr == ""
    return json.loads(result.stdout)


def test_schema_prints_one_event() -> None:
    """A topic's name gives its schema and nothing else on stdout."""
    assert _json("schema", "turn.utterances") == json_schema(UTTERANCES)


def test_schema_prints_all_events() -> None:
    """Without a name the schemas of all topics are printed, by name."""
    printed = _json("schema")

    assert printed == all_schemas()
    assert set(printed) == {topic.name for topic in TOPICS}


def test_schema_knows_its_topics() -> None:
    """A name that is none is refused with the names that are."""
    result = _run("schema", "turn.utterance")

    assert result.exit_code == 2
    assert "turn.utterances" in result.stderr


def test_asyncapi_is_printed() -> None:
    """The document of all topics goes to stdout as JSON."""
    assert _json("asyncapi") == asyncapi()
