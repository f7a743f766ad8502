"""
Who may see the board: one token for the team, sessions by cookie, and a brake on guessing.

The token is compared in constant time and kept nowhere else. A session is a random name in a cookie
that scripts cannot read and other sites cannot send; each has a token of its own for its forms.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workers.errors import SettingsError
from workers.settings import Secret

#: Shortest token, characters; shorter ones can be guessed.
MIN_TOKEN = 16
#: How long a login lasts, seconds: a working day.
SESSION_S = 12 * 3_600
#: Sessions at once; the oldest one ends when there are more.
_SESSIONS = 1_000
#: Wrong tokens that one address may send within `_TRIES_S`.
TRIES = 10
_TRIES_S = 300.0
#: Addresses whose tries are remembered.
_ADDRESSES = 10_000

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Session:
    """One login."""

    #: What its forms carry.
    csrf: str
    #: When it ends, seconds on the clock.
    ends_s: float

    def sent_by(self, given: str) -> bool:
        """Tell whether a form is one of this session's."""
        return hmac.compare_digest(self.csrf.encode(), given.encode())


class Access:
    """Checks tokens and keeps sessions; everything is in memory and ends with the process."""

    def __init__(self, token: Secret, *, clock: Clock = time.monotonic) -> None:
        """
        Take the team's token.

        Raises:
            SettingsError: there is none, or it is too short.

        """
        if len(token.reveal()) < MIN_TOKEN:
            raise SettingsError(
                f"TURNGATE_BOARD_TOKEN, or TURNGATE_BOARD_TOKEN_FILE: a token of at least "
                f"{MIN_TOKEN} characters is needed"
            )
        self._token = _digest(token.reveal())
        self._clock = clock
        self._sessions: dict[bytes, Session] = {}
        self._tries: dict[str, list[float]] = {}

    def may_try(self, address: str) -> bool:
        """Tell whether an address has tries left; while it has none, the right token is no use."""
        since_s = self._clock() - _TRIES_S
        return sum(at_s > since_s for at_s in self._tries.get(address, ())) < TRIES

    def is_right(self, given: str, address: str) -> bool:
        """Compare a token, in a time that does not depend on it; a wrong one is a try less."""
        right = hmac.compare_digest(self._token, _digest(given))
        if not right:
            tries = self._tries.pop(address, [])
            self._tries[address] = [*tries, self._clock()][-TRIES:]
            _forget(self._tries, _ADDRESSES)
        return right

    def open(self) -> str:
        """Begin a session and return its name, for the cookie."""
        name = secrets.token_urlsafe(32)
        session = Session(csrf=secrets.token_urlsafe(32), ends_s=self._clock() + SESSION_S)
        self._sessions[_digest(name)] = session
        _forget(self._sessions, _SESSIONS)
        return name

    def session(self, name: str) -> Session | None:
        """Find a session that has not ended."""
        found = self._sessions.get(_digest(name))
        return found if found is not None and found.ends_s > self._clock() else None

    def close(self, name: str) -> None:
        """End a session."""
        self._sessions.pop(_digest(name), None)


def _digest(text: str) -> bytes:
    # A form may hold half a character; whatever it holds is compared and found wrong.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _forget(kept: dict[Any, Any], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]
