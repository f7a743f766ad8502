"""`turngate deny`, as a person types it."""

import json

import pytest
from click.testing import CliRunner, Result

from topics.codec import encode
from topics.decision import decision_id
from topics.denial import denied_pair
from workers.cli import main
from workers.commands import deny as command


@pytest.fixture
def published(monkeypatch) -> list[tuple[str, bool]]:
    """Note what would be published: the pair, and whether its ban is lifted."""
    noted: list[tuple[str, bool]] = []

    async def publish(_settings, denials, *, lift):
        noted.extend((each.pair, lift) for each in denials)

    monkeypatch.setattr(command, "publish_denials", publish)
    return noted


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner(env={"KAFKA": "kafka.test:9092"}).invoke(
        main, ["deny", *arguments], input=given
    )


def test_a_pair_is_banned(published) -> None:
    """The texts are named as a worker names them, and are not printed."""
    result = run("add", "--tenant", "t", "Sure, go ahead.", "YES please")

    pair = denied_pair("t", "sure, go ahead", "yes please")
    assert published == [(pair, False)]
    assert json.loads(result.stdout) == {"denied": [pair]}
    assert "ahead" not in result.output


def test_texts_can_stay_out_of_the_shell_s_history(published) -> None:
    """A hyphen takes the text from standard input, a line each."""
    run("add", "--tenant", "t", "-", "-", given="हाँ जी\nyes please\n")

    assert published == [(denied_pair("t", "हाँ जी", "yes please"), False)]


def test_a_ban_is_lifted(published) -> None:
    """The same texts name the same pair."""
    result = run("remove", "--tenant", "t", "a", "b")

    assert published == [(denied_pair("t", "a", "b"), True)]
    assert json.loads(result.stdout) == {"lifted": [denied_pair("t", "a", "b")]}


@pytest.mark.parametrize("do", ["add", "remove"])
@pytest.mark.parametrize("tenant", ["", "t" * 257, "\udcff"], ids=["none", "too long", "no text"])
def test_a_tenant_that_is_none_is_refused(published, do, tenant) -> None:
    """A ban that no worker would take is not said to hold."""
    result = run(do, "--tenant", tenant, "a", "b")

    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "not a ban that a worker would take" in result.stderr
    assert published == []


def test_an_empty_text_is_refused(published) -> None:
    """Nothing is published, and the sentence says why."""
    result = run("add", "--tenant", "t", "", "yes")

    assert result.exit_code == 1
    assert "empty" in result.stderr
    assert published == []


def test_labels_without_texts_are_named(published, tmp_path) -> None:
    """A label whose turn is not in the log bans nothing, and says so by line."""
    log, labels = tmp_path / "log", tmp_path / "labels"
    log.write_bytes(b"")
    row = {"decision_id": decision_id("t", "c", 1), "prediction_id": "p", "label": 0}
    labels.write_bytes(encode(row))

    result = run("labelled", str(log), "--labels", str(labels))

    assert result.exit_code == 1
    assert published == []
    assert "line 1: the turn's texts are not in the log" in result.stderr
    assert "nothing was banned" in result.stderr
