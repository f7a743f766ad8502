"""The start of a slow worker on topics that do not fit."""

import pytest

from tests.records import create_topic
from topics.names import TOPICS
from workers.errors import SettingsError
from workers.settings import Settings
from workers.slow.app import _check


async def test_missing_topics_stop_the_start(broker, topic_prefix):
    """A worker that has nowhere to write says which topics are missing."""
    with pytest.raises(SettingsError, match=r"kb\.gap\.actions does not exist"):
        await _check(Settings(kafka=broker.address, prefix=topic_prefix))


async def test_items_and_actions_must_meet(broker, topic_prefix):
    """With unequal partition counts an action could reach a worker that has not the gap."""
    for topic in TOPICS:
        count = 3 if topic.name == "kb.review" else 2
        await create_topic(broker.address, topic_prefix + topic.name, partitions=count)
    with pytest.raises(SettingsError, match="equal partition counts"):
        await _check(Settings(kafka=broker.address, prefix=topic_prefix))
