"""
Profiles onto `agent.profiles`: what is there, which version comes next, and storing all of them.

A version only grows: workers ignore an older one, so publishing it would change nothing, silently.
"""

from collections.abc import Mapping, Sequence

from topics.codec import DecodeError, Tombstone, decode_compacted, encode
from topics.names import PROFILES, pair_key
from topics.profile import AgentProfile
from workers.admin import connection, need_topics
from workers.compacted import follow
from workers.profile_file import Given, Note, numbered
from workers.publish import publish
from workers.settings import Settings
from workers.stream.consume import Record
from workers.stream.settings import stream_settings

_CLIENT_ID = "turngate-profile"

Agent = tuple[str, str]


async def published(settings: Settings) -> dict[Agent, AgentProfile]:
    """
    Read the profiles that are in force now.

    Raises:
        SettingsError: the topic does not exist.
        BrokerUnavailable: Kafka did not answer in time.

    """
    await need_topics(connection(settings), prefix=settings.prefix, topics=(PROFILES,))
    known: dict[Agent, AgentProfile] = {}
    by_key: dict[bytes | None, Agent] = {}

    async def take(record: Record) -> None:
        try:
            profile = decode_compacted(AgentProfile, record.value)
        except DecodeError:
            return
        if isinstance(profile, Tombstone):
            known.pop(by_key.pop(record.key, ("", "")), None)
            return
        agent = (profile.tenant_id, profile.agent_id)
        if agent not in known or known[agent].version <= profile.version:
            known[agent] = profile
            by_key[record.key] = agent

    stream = stream_settings(settings, client_id=_CLIENT_ID)
    async with follow(stream, settings.prefix + PROFILES.name, take):
        return known


def versions(
    given: Sequence[Given], known: Mapping[Agent, AgentProfile]
) -> tuple[list[AgentProfile], list[Note]]:
    """
    Find what is to be published: each profile under a version that workers will take.

    Returns:
        Profiles that differ from those in force, and what is wrong with the versions of others.

    """
    changed: list[AgentProfile] = []
    mistakes: list[Note] = []
    for one in given:
        before = known.get((one.profile.tenant_id, one.profile.agent_id))
        if before is None:
            changed.append(one.profile)
            continue
        same = numbered(one, before.version) == before
        version = one.profile.version if one.versioned else before.version + (not same)
        if version > before.version:
            changed.append(numbered(one, version))
        elif not same or version < before.version:
            mistakes.append(_too_old(one, before))
    return changed, mistakes


def _too_old(one: Given, before: AgentProfile) -> Note:
    return Note(
        one.line,
        "",
        f"version {one.profile.version} is not above {before.version}, which is in force, so no "
        "worker would take it; raise it, or leave it out and the next one is used",
    )


async def publish_profiles(settings: Settings, profiles: Sequence[AgentProfile]) -> None:
    """
    Publish profiles; each is stored when this returns.

    Raises:
        BrokerUnavailable: Kafka did not take a record in time; some may be stored.
        RecordRefused: Kafka takes no record of this size.

    """
    stream = stream_settings(settings, client_id=_CLIENT_ID)
    records = [
        (pair_key(profile.tenant_id, profile.agent_id), encode(profile)) for profile in profiles
    ]
    await publish(stream, settings.prefix + PROFILES.name, records)
