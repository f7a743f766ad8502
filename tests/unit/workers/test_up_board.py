"""What `turngate up` runs beside its stack."""

import re
from typing import Any, cast

import pytest

from workers.child import Child, ChildSpec
from workers.errors import SettingsError
from workers.settings import Secret, load
from workers.up import Stack
from workers.up_board import BoardSide, _board_spec, _manual, _new_token, _slow_spec


def child(name: str, port: int) -> Child:
    """Make a child that was not started."""
    return Child(ChildSpec(name=name, arguments=(), environment={}, port=port))


def make_stack(**environment: str) -> Stack:
    """Make a stack with one worker."""
    given = {f"TURNGATE_{name.upper()}": value for name, value in environment.items()}
    workers = (child("worker-1", 7001),)
    return Stack(settings=load(given), environment=given, workers=workers, broker=None, cache=None)


class TestToken:
    def test_one_is_made(self):
        """Where the user gave none, each run has another that cannot be guessed."""
        one, two = _new_token({}).reveal(), _new_token({}).reveal()

        assert one != two
        assert len(one) >= 32

    def test_the_users_own(self, tmp_path):
        """A token of the user's is used and never printed, from a file as well."""
        path = tmp_path / "token"
        path.write_text("hunter2hunter2hunter2", "utf-8")
        stack = make_stack(board_token_file=str(path))
        token = _new_token(stack.environment)
        side = BoardSide(slow=child("slow", 1), board=child("board", 2), token=token)

        assert not token
        assert "TURNGATE_BOARD_TOKEN" not in _environment(stack, token)
        assert "hunter2" not in "".join(_manual(stack, side))

    def test_too_short(self):
        """A token that can be guessed stops the start before anything runs."""
        with pytest.raises(SettingsError, match="TURNGATE_BOARD_TOKEN"):
            _new_token({"TURNGATE_BOARD_TOKEN": "short"})


def _environment(stack: Stack, token: Secret) -> dict[str, Any]:
    return cast("dict[str, Any]", _board_spec(stack, child("slow", 7002), token, None).environment)


class TestBoard:
    def test_it_hears_all_workers_and_stays_on_loopback(self):
        """Its settings name every monitor, and it listens on this machine alone."""
        stack = make_stack(board_host="0.0.0.0")  # noqa: S104 - what must not come through
        found = load(_environment(stack, Secret("x" * 32)))

        assert found.board_host == "127.0.0.1"
        assert found.board_workers == "127.0.0.1:7001,127.0.0.1:7002"
        assert found.board_token.reveal() == "x" * 32

    @pytest.mark.parametrize(("given", "kept"), [({}, False), ({"board_port": "9999"}, True)])
    def test_port(self, given, kept):
        """A free one, or the user's."""
        spec = _board_spec(make_stack(**given), child("slow", 7002), Secret(), None)

        assert (spec.port == 9999) is kept
        assert load(spec.environment).board_port == spec.port

    def test_the_slow_worker_leaves_the_cores_to_the_turns(self):
        """It takes one thread, unless the user says otherwise."""
        assert load(_slow_spec(make_stack(), None).environment).inference_threads == 1
        given = make_stack(inference_threads="3")
        assert load(_slow_spec(given, None).environment).inference_threads == 3


class TestSlowPort:
    def test_it_follows_the_hot_workers(self):
        """Where the user names the first monitor's port, the slow worker has the one after them."""
        stack = make_stack(monitor_port="9500")

        spec = _slow_spec(stack, None)
        assert spec.port == 9501
        assert load(spec.environment).monitor_port == 9501

    @pytest.mark.parametrize("given", [{}, {"monitor_port": "0"}, {"monitor_port": "-1"}])
    def test_a_free_one(self, given):
        """Where none is named, it is a free one that is not the same again."""
        ports = {_slow_spec(make_stack(**given), None).port for _ in range(9)}

        assert len(ports) > 1
        assert 9464 not in ports

    def test_no_room(self):
        """A port that leaves no room stops the start with a sentence."""
        with pytest.raises(SettingsError, match="TURNGATE_MONITOR_PORT"):
            _slow_spec(make_stack(monitor_port="65535"), None)


def test_the_manual_says_how_to_log_in():
    """Address and token are printed once, and the token stands in no address."""
    token = Secret("made-for-this-run")
    side = BoardSide(slow=child("slow-worker", 7002), board=child("board", 7003), token=token)
    lines = _manual(make_stack(), side)
    (line,) = [line for line in lines if token.reveal() in line]

    assert re.search(r"http://127\.0\.0\.1:7003 +log in with: made-for-this-run$", line)
    assert any("slow-worker  http://127.0.0.1:7002/metrics" in line for line in lines)
    assert not any("board" in line for line in _manual(make_stack(), None))


def test_the_manual_says_how_gaps_come_about():
    """Who sees an empty board is told what fills it; without a board there is nothing to fill."""
    side = BoardSide(slow=child("slow-worker", 7002), board=child("board", 7003), token=Secret())

    assert any("kb.questions" in line and "kb load" in line for line in _manual(make_stack(), side))
    assert not any("kb.questions" in line for line in _manual(make_stack(), None))
