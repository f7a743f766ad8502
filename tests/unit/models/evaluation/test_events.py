"""Reading logged events."""

import pytest

from models.evaluation.events import read_logged, turn_of
from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)

DECIDED, SAID, PREDICTED = make_decision(), make_said(), make_predicted()
ID = DECIDED.decision_id


def test_a_file_may_mix_topics(tmp_path):
    """
    A line is told by its fields, and all events of a turn are found under its decision's id.
    """
    path = write_lines(tmp_path / "log.jsonl", PREDICTED, b" ", SAID, DECIDED)

    logged = read_logged([path])

    assert logged.decisions == {ID: DECIDED}
    assert logged.utterances == {ID: [SAID]}
    assert logged.predictions == {ID: [PREDICTED]}
    assert (logged.events, logged.repeated, logged.problems) == (3, 0, [])


def test_what_comes_twice_is_kept_once(tmp_path):
    """
    A redelivered event is counted as repeated; one that differs is kept beside the first, save for
    decisions, of which a turn has one.
    """
    other = make_said("no way")
    later = make_decision(decided_at_ms=99)
    lines = (DECIDED, later, SAID, SAID, other, PREDICTED, PREDICTED)
    path = write_lines(tmp_path / "log.jsonl", *lines)

    logged = read_logged([path])

    assert logged.decisions == {ID: DECIDED}
    assert logged.utterances == {ID: [SAID, other]}
    assert logged.predictions == {ID: [PREDICTED]}
    assert (logged.events, logged.repeated) == (7, 3)


def test_tenants_share_no_turn(tmp_path):
    """
    The same call and turn of another tenant is another turn.
    """
    other = make_said("no way", tenant_id="u")

    logged = read_logged([write_lines(tmp_path / "log.jsonl", SAID, other)])

    assert logged.utterances == {ID: [SAID], turn_of(other): [other]}


def test_only_wanted_turns_are_kept(tmp_path):
    """
    Events of other turns are read and dropped.
    """
    path = write_lines(tmp_path / "log.jsonl", SAID, make_said(seq=2), make_decision(seq=3))

    logged = read_logged([path], wanted={ID})

    assert (logged.utterances, logged.decisions, logged.events) == ({ID: [SAID]}, {}, 3)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"{secret", id="not JSON"),
        pytest.param(b'["secret"]', id="not an object"),
        pytest.param(b'{"title": "secret"}', id="another topic"),
        pytest.param(b'{"text": "secret"}', id="fields are missing"),
        pytest.param(b'{"predictions": [{"text": "secret"}]}', id="prediction without id"),
        pytest.param(b'{"decision_id": 3, "kind": "secret"}', id="no decision"),
    ],
)
def test_bad_line(tmp_path, bad):
    """
    A line that is no event is named by file and line, not shown, and the rest is read.
    """
    path = write_lines(tmp_path / "log.jsonl", SAID, b"", bad, DECIDED)

    logged = read_logged([path])

    (problem,) = logged.problems
    assert str(problem).startswith(f"{path}, line 3: ")
    assert "secret" not in str(problem)
    assert (logged.events, len(logged.decisions)) == (2, 1)
