"""The backlog from outside the worker: what it holds, and actions for the worker to apply."""

import asyncio
import secrets
import time
from collections.abc import Iterable, Sequence

from topics.codec import encode
from topics.gap import Gap, GapReason, GapState
from topics.gap_action import GapAction, GapActionKind
from topics.names import GAP_ACTIONS, GAPS
from workers.admin import connection, need_topics
from workers.deadline import Deadline
from workers.publish import publish
from workers.settings import Settings
from workers.slow.gap import final
from workers.slow.read_back import read_gaps
from workers.stream.settings import StreamSettings, stream_settings

_CLIENT_ID = "turngate-gaps"
#: Pause between two looks whether an action was applied, seconds.
_LOOK_S = 0.3


async def read_backlog(settings: Settings) -> list[Gap]:
    """
    Read all gaps; the most asked first, merged ones last.

    Raises:
        SettingsError: the topic does not exist.
        BrokerUnavailable: Kafka did not answer in time.

    """
    stream = await _stream(settings)
    return ordered(await read_gaps(stream, settings.prefix + GAPS.name))


def ordered(gaps: Iterable[Gap]) -> list[Gap]:
    """Order gaps: the most asked first, merged ones last."""
    return sorted(gaps, key=lambda one: (one.merged_into is not None, -one.count, one.gap_id))


def chosen(
    gaps: Sequence[Gap],
    *,
    tenant_id: str | None = None,
    states: Sequence[GapState] = (),
    reasons: Sequence[GapReason] = (),
    language: str | None = None,
) -> list[Gap]:
    """Choose gaps; merged ones are never among them."""
    return [
        gap
        for gap in gaps
        if gap.merged_into is None
        and (tenant_id is None or gap.tenant_id == tenant_id)
        and (not states or gap.state in states)
        and (not reasons or gap.reason in reasons)
        and (language is None or language in gap.languages)
    ]


def find(gaps: Sequence[Gap], name: str) -> Gap | None:
    """Find a gap by its id, or by the beginning of it where only one begins so."""
    exact = [gap for gap in gaps if gap.gap_id == name]
    found = exact or [gap for gap in gaps if name and gap.gap_id.startswith(name)]
    return found[0] if len(found) == 1 else None


def whole(gaps: Sequence[Gap], gap: Gap) -> Gap:
    """Return the gap that one is a part of by now; itself where it is none."""
    return final({one.gap_id: one for one in gaps}, gap.gap_id) or gap


def why_not_merged(gap: Gap, into: Gap) -> str | None:
    """Say why a gap cannot become a part of another; None where it can."""
    if gap.tenant_id != into.tenant_id:
        return "the two are of different tenants"
    if gap.gap_id == into.gap_id:
        return "a gap cannot become a part of itself"
    return None


def new_action_id() -> str:
    """Make a name for an action; the action is applied once, however often it is sent."""
    return secrets.token_hex(12)


def new_action(
    gap: Gap,
    kind: GapActionKind,
    *,
    action_id: str | None = None,
    entry_id: str | None = None,
    into: str | None = None,
    example: str | None = None,
) -> GapAction:
    """Make an action on a gap, decided now."""
    return GapAction(
        action_id=action_id or new_action_id(),
        tenant_id=gap.tenant_id,
        gap_id=gap.gap_id,
        kind=kind,
        entry_id=entry_id,
        into=into,
        example=example,
        decided_at_ms=int(time.time() * 1e3),
    )


async def send(settings: Settings, action: GapAction) -> None:
    """
    Publish an action; it is applied as soon as a slow worker runs.

    Raises:
        SettingsError: the topics do not exist.
        BrokerUnavailable: Kafka did not take it in time; it may be sent again.

    """
    stream = await _stream(settings)
    record = (action.tenant_id.encode(), encode(action))
    await publish(stream, settings.prefix + GAP_ACTIONS.name, [record])


async def act(settings: Settings, action: GapAction, *, wait_s: float) -> bool:
    """
    Publish an action, and wait for the worker to apply it.

    Returns:
        Whether it was applied within `wait_s`; if not, it is as soon as a worker runs.

    Raises:
        SettingsError: the topics do not exist.
        BrokerUnavailable: Kafka did not take it in time.

    """
    await send(settings, action)
    stream = stream_settings(settings, client_id=_CLIENT_ID)
    deadline = Deadline.after(wait_s)
    while not deadline.passed:
        gaps = await read_gaps(stream, settings.prefix + GAPS.name)
        if any(action.action_id in gap.memory.actions for gap in gaps):
            return True
        await asyncio.sleep(_LOOK_S)
    return False


async def _stream(settings: Settings) -> StreamSettings:
    await need_topics(connection(settings), prefix=settings.prefix, topics=(GAPS, GAP_ACTIONS))
    return stream_settings(settings, client_id=_CLIENT_ID)
