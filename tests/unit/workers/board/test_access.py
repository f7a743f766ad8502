"""Who may see the board."""

import pytest

from workers.board.access import SESSION_S, TRIES, Access
from workers.errors import SettingsError
from workers.settings import Secret

TOKEN = "0123456789abcdef"  # noqa: S105 - of the tests


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(clock) -> Access:
    return Access(Secret(TOKEN), clock=clock)


class TestToken:
    @pytest.mark.parametrize("token", ["", "x" * 15], ids=["none", "too short"])
    def test_a_token_is_needed(self, token):
        """Without a token that cannot be guessed, nothing is served; the error does not show it."""
        with pytest.raises(SettingsError, match="TURNGATE_BOARD_TOKEN") as excinfo:
            Access(Secret(token))

        assert "xx" not in str(excinfo.value)

    @pytest.mark.parametrize("given", ["", "0", TOKEN + "0", TOKEN.upper(), "\ud800", "رمز"])
    def test_only_the_token_is_right(self, access, given):
        """Whatever else is given is wrong, and never an error."""
        assert access.is_right(TOKEN, "a")
        assert not access.is_right(given, "a")

    def test_guessing_ends(self, access, clock):
        """After ten wrong tokens an address waits five minutes; others do not."""
        for _ in range(10):
            assert access.may_try("a")
            access.is_right("wrong", "a")

        assert not access.may_try("a")
        assert access.may_try("b")
        clock.now_s += 299
        assert not access.may_try("a")
        clock.now_s += 2
        assert access.may_try("a")

    def test_the_time_tells_nothing_of_the_token(self, access, monkeypatch):
        """A token is compared by what takes equally long wherever two differ."""
        compared = []
        monkeypatch.setattr(
            "hmac.compare_digest", lambda *two: compared.append(two) or two[0] == two[1]
        )

        assert access.is_right(TOKEN, "a")
        assert not access.is_right(TOKEN[:-1], "a")
        assert len(compared) == 2

    def test_right_tokens_cost_no_try(self, access):
        """Who logs in often is not held up."""
        for _ in range(3 * TRIES):
            access.is_right(TOKEN, "a")

        assert access.may_try("a")

    def test_addresses_are_forgotten(self, access):
        """However many addresses guess, memory is bounded."""
        for number in range(10_100):
            access.is_right("wrong", str(number))

        assert len(access._tries) == 10_000


class TestSession:
    def test_a_session_lasts_a_day(self, access, clock):
        """It is known by its name until it ends."""
        name = access.open()

        assert access.session(name) is not None
        clock.now_s += SESSION_S
        assert access.session(name) is None

    def test_what_nobody_opened_is_none(self, access):
        """A made-up name, or one that was closed, opens nothing."""
        access.open()
        name = access.open()
        access.close(name)

        assert access.session(name) is None
        assert access.session("") is None
        assert access.session("\ud800") is None

    def test_forms_belong_to_their_session(self, access):
        """The token of one session's forms is no use in another's."""
        one, other = (access.session(access.open()) for _ in range(2))

        assert one.sent_by(one.csrf)
        assert not one.sent_by(other.csrf)
        assert not one.sent_by("")

    def test_sessions_are_bounded(self, access):
        """The oldest one ends when there are too many."""
        first = access.open()
        for _ in range(1_000):
            access.open()

        assert access.session(first) is None
        assert len(access._sessions) == 1_000
