"""
What we rely on in the libraries under us, pinned.

The stream layer overrides private methods and replaces others whole. A new version that changes
one of them must not pass unnoticed, so each has the digest of its source here. When one fails: read
what changed, see whether our code still fits (the reason stands beside it), then renew the digest.
"""

import hashlib
import inspect
import textwrap

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka.consumer.fetcher import Fetcher as KafkaFetcher
from aiokafka.consumer.group_coordinator import GroupCoordinator
from aiokafka.consumer.subscription_state import Subscription
from faust import App
from faust.agents.agent import Agent
from faust.events import Event
from faust.streams import Stream
from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery
from faust.topics import Topic
from faust.transport.conductor import Conductor, ConductorCompiler
from faust.transport.consumer import Consumer, Fetcher
from faust.transport.drivers import aiokafka as driver
from faust.types.tuples import Message
from mode.supervisors import CrashingSupervisor
from mode.threads import ServiceThread
from mode.utils.queues import FlowControlEvent, FlowControlQueue, ThrowableQueue

PINNED = [
    # Acknowledgement: the loop acks in `finally`, skips while the flow is suspended, and every ack
    # ends in `Consumer.ack`.
    (Stream._py_aiter, "125c81c2d38d"),
    (Stream.__aiter__, "5b6b0d2ca5f5"),
    (Event.__init__, "87b99777f830"),
    (Event.ack, "5e8bcc5ff1f1"),
    (Message.__init__, "34616bad2796"),
    (Message.ack, "3c9ee05236d3"),
    (Message.from_message, "8f491946189a"),
    (Consumer.ack, "5548cf0f7584"),
    # Records in: who calls our pump, what it asks, and where records wait.
    (Fetcher._fetcher.fun, "64ea6297f5a0"),
    (Consumer._drain_messages, "8f35dd7a1114"),
    (Consumer.getmany, "e486c434b792"),
    (Consumer._wait_next_records, "ba40cd367132"),
    (driver.Consumer._to_message, "a2a5aefda42d"),
    (driver.AIOKafkaConsumerThread._fetch_records, "9e7369fc572d"),
    (driver.AIOKafkaConsumerThread._create_worker_consumer, "c179c0bdb975"),
    (Conductor._compile_message_handler, "86322d3c7943"),
    (ConductorCompiler.build, "70ded0e71910"),
    (Consumer.on_buffer_full, "edcee17978c4"),
    (Consumer.on_buffer_drop, "c5f80b096c71"),
    (FlowControlQueue, "15f15a87fd6d"),
    (FlowControlEvent, "1da8f905ab65"),
    (ThrowableQueue, "44872deb6547"),
    # Flow: a rebalance stops it, empties the buffers, waits, and starts it again from the commits.
    (App._on_partitions_revoked, "c1abd58dcb37"),
    (App._on_partitions_assigned, "c9c5485eb273"),
    (App._stop_consumer, "96573acf5f04"),
    (Recovery._resume_streams, "fbe0f747b84c"),
    (TableManager.on_start, "b82e759be50c"),
    (Consumer.on_partitions_revoked, "652177e770ee"),
    (Consumer.stop_flow, "aa77389dc23a"),
    (Consumer.resume_flow, "192f20bc377f"),
    (Consumer.perform_seek, "2b4ceebd23de"),
    # Commits: everything goes through `force_commit`; what we do instead of aiokafka's `commit`.
    (Consumer.commit, "e43a7d03685f"),
    (Consumer.force_commit, "464b62ae9172"),
    (Consumer.wait_empty, "53195dca246c"),
    (Consumer.on_stop, "7accc1bf4f97"),
    (driver.AIOKafkaConsumerThread._commit, "78c931ecfa8d"),
    (GroupCoordinator.commit_offsets, "67fb44337ca7"),
    (GroupCoordinator._do_commit_offsets, "c1259c2b2068"),
    (GroupCoordinator.reset_generation, "3cb4a2490077"),
    (GroupCoordinator._on_join_prepare, "620a6bbc6725"),
    (GroupCoordinator.check_errors, "c67ee34a37d9"),
    (Subscription._assign, "53cfb172a178"),
    (KafkaFetcher.error_future.fget, "1d9432ae8217"),
    (AIOKafkaConsumer.start, "5ba1baa38f62"),
    # A crash ends the process; a stop cancels agents.
    (CrashingSupervisor, "37e805f0af21"),
    (Agent._execute_actor, "f5fa58d0f95a"),
    (ServiceThread.stop, "22d5a8dad369"),
    # Logs and the producer.
    (Topic._on_published, "1242f6b07f9c"),
    (driver.Producer.send, "72f84e7a1b56"),
]


def digest(source):
    """Return what identifies the source."""
    return hashlib.sha256(textwrap.dedent(source).encode()).hexdigest()[:12]


@pytest.mark.parametrize(
    ("relied_on", "known"),
    [pytest.param(what, known, id=what.__qualname__) for what, known in PINNED],
)
def test_is_as_we_know_it(relied_on, known):
    """
    The source of what we override, replace or call is the one that was read.
    """
    assert known == digest(inspect.getsource(getattr(relied_on, "__wrapped__", relied_on)))
