"""What a person decides on a gap: read from a form, checked against what the gap is now, sent."""

import asyncio
import hashlib
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from topics.gap import Gap
from topics.gap_action import GapAction, GapActionKind
from workers.board.source import Source
from workers.deadline import Deadline
from workers.gaps import new_action, why_not_merged

#: What the board offers.
KINDS = {
    one.value: one
    for one in (
        GapActionKind.ADDED,
        GapActionKind.DISMISSED,
        GapActionKind.REOPEN,
        GapActionKind.MERGE,
    )
}
#: How long an answer waits for the worker to apply an action, seconds.
WAIT_S = 3.0
#: Pause between two looks whether it did, seconds.
_LOOK_S = 0.05
#: Actions that are remembered as sent.
_SENT = 1_000
_MAX_ID = 256
_ACTION_ID = re.compile(r"[0-9a-f]{24}")

#: Publishes an action.
Send = Callable[[GapAction], Awaitable[None]]


class WrongForm(Exception):
    """A form says what cannot be done; the sentence is for its sender."""


class Changed(Exception):
    """The gap is not any more what the form's sender saw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a form says."""

    kind: GapActionKind
    #: The action's name, made with the form: sent twice, it is applied once.
    action_id: str
    #: What the sender saw, as `seen` marks it.
    seen: str
    entry_id: str | None
    into: str | None


def read_form(given: Mapping[str, object]) -> Form:
    """
    Read a form.

    Raises:
        WrongForm: it is none of ours, or a field is too long.

    """
    kind = KINDS.get(str(given.get("kind", "")))
    action_id = str(given.get("action_id", ""))
    if kind is None or not _ACTION_ID.fullmatch(action_id):
        raise WrongForm("This form is none that the board has made.")
    entry_id = str(given.get("entry_id", "")).strip()
    if len(entry_id) > _MAX_ID:
        raise WrongForm(f"An entry's id has at most {_MAX_ID} characters.")
    return Form(
        kind=kind,
        action_id=action_id,
        seen=str(given.get("seen", "")),
        entry_id=entry_id if kind is GapActionKind.ADDED and entry_id else None,
        into=str(given.get("into", "")) if kind is GapActionKind.MERGE else None,
    )


def seen(gap: Gap) -> str:
    """
    Mark what a decision on a gap rests on.

    It grows while one looks at it, so counts and examples do not count; its state and what became a
    part of it do.
    """
    parts = (gap.state.value, gap.entry_id, gap.merged_into, gap.merged_from)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def action_of(form: Form, gap: Gap, source: Source) -> GapAction:
    """
    Make the action.

    Raises:
        Changed: the gap is not what the sender saw.
        WrongForm: nothing is left of it to decide on, or the gap that it is to become a part of is
            none.

    """
    if form.seen != seen(gap):
        raise Changed
    if gap.merged_into is not None:
        raise WrongForm("This gap is a part of another one: decide there.")
    if form.kind is GapActionKind.MERGE:
        into = source.gaps.gap(form.into or "")
        if into is None:
            raise WrongForm("Choose the gap that it is to become a part of.")
        if into.merged_into is not None:
            raise WrongForm("The chosen gap has meanwhile become a part of another one.")
        why_not = why_not_merged(gap, into)
        if why_not is not None:
            raise WrongForm(f"Not merged: {why_not}.")
    return new_action(
        gap, form.kind, action_id=form.action_id, entry_id=form.entry_id, into=form.into
    )


class Actor:
    """Sends actions, and remembers which."""

    def __init__(self, source: Source, send: Send, *, wait_s: float = WAIT_S) -> None:
        self._source = source
        self._send = send
        self._wait_s = wait_s
        self._sent: deque[str] = deque(maxlen=_SENT)

    async def act(self, form: Form, gap: Gap) -> None:
        """
        Send an action, and wait a moment for the worker to apply it.

        Raises:
            Changed, WrongForm: as `action_of`.
            EdgeError: it may not be stored; it may be sent again.
            SettingsError: a topic is missing.

        """
        if self.applied(form.action_id, gap.gap_id):
            self._sent.append(form.action_id)
            return
        await self._send(action_of(form, gap, self._source))
        self._sent.append(form.action_id)
        deadline = Deadline.after(self._wait_s)
        while not deadline.passed:
            if self.applied(form.action_id, gap.gap_id):
                return
            await asyncio.sleep(_LOOK_S)

    def applied(self, action_id: str, gap_id: str) -> bool:
        """Tell whether the worker has applied an action."""
        gap = self._source.gaps.gap(gap_id)
        return gap is not None and action_id in gap.memory.actions

    def was_sent(self, action_id: str) -> bool:
        """Tell whether an action was sent from here."""
        return action_id in self._sent
