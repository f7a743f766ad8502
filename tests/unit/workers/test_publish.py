"""What commands publish: under which keys."""

import pytest

from models.kb import Tombstone
from topics.entry import KbEntry
from topics.names import pair_key
from topics.profile import AgentProfile
from workers import denial_publish, profile_publish
from workers.denial_publish import Pair, denial, publish_denials
from workers.kb import publish as kb_publish
from workers.kb.publish import publish_entries
from workers.profile_publish import publish_profiles
from workers.settings import Settings

TENANT, NAME = "a/b", "c/%2F"


@pytest.fixture
def keys(monkeypatch) -> list[bytes]:
    """Note the keys of what would be published."""
    noted: list[bytes] = []

    async def publish(_stream, _topic, records):
        noted.extend(key for key, _ in records)

    async def there(*_, **__):
        """Find every topic."""

    for module in (denial_publish, kb_publish, profile_publish):
        monkeypatch.setattr(module, "publish", publish)
        monkeypatch.setattr(module, "need_topics", there)
    return noted


class TestKeys:
    """Compaction keeps one record a key, so no two tenants' records may share one."""

    async def test_of_profiles(self, keys):
        """
        Tenant and agent, kept apart.
        """
        await publish_profiles(
            Settings(), [AgentProfile(tenant_id=TENANT, agent_id=NAME, version=1)]
        )

        assert keys == [pair_key(TENANT, NAME)]

    async def test_of_entries(self, keys):
        """
        Tenant and entry, kept apart, also where one is deleted.
        """
        entry = KbEntry(tenant_id=TENANT, entry_id=NAME, title="t", content="c")

        await publish_entries(Settings(), [entry, Tombstone(TENANT, NAME)])

        assert keys == [pair_key(TENANT, NAME)] * 2

    @pytest.mark.parametrize("lift", [False, True])
    async def test_of_bans(self, keys, lift):
        """
        Tenant and pair, kept apart, also where one is lifted.
        """
        made = denial(Pair(tenant_id=TENANT, utterance="yes", prediction="no"), by="kim")

        await publish_denials(Settings(), [made], lift=lift)

        assert keys == [pair_key(TENANT, made.pair)]
