"""The Faust app: only settings, and the classes that carry the commit rule."""

import logging
from typing import Any

import faust
import faust.streams
from faust.tables import TableManager
from mode import CrashingSupervisor

from workers.stream.acks import HandledEvent
from workers.stream.consumer import Consumer, Transport
from workers.stream.hand import InHand
from workers.stream.prefix import HandledPrefix
from workers.stream.settings import Security, StreamSettings

#: How long a rebalance may take, seconds; whoever is not back by then is out of the group.
REBALANCE_S = 30.0
#: How long a request may take, seconds: joining the group waits for the whole rebalance.
REQUEST_S = REBALANCE_S + 10.0


class _NoTables(TableManager):
    """Faust's table manager, which also starts the flow of records after each rebalance."""

    logger = logging.getLogger("faust.tables")
    mundane_level = "debug"

    async def on_start(self) -> None:
        """Start as Faust does, without the second that it waits for tables to be registered."""
        await self._update_channels()
        await self.recovery.start()


class StreamApp(faust.App):
    """A Faust app that consumes raw bytes by our commit rule."""

    # For what Faust's own code logs from within this class: its texts are not our event names.
    logger = logging.getLogger("faust.app")
    mundane_level = "debug"

    def __init__(self, settings: StreamSettings, **options: Any) -> None:
        #: What this layer was told.
        self.settings = settings
        #: What may be committed.
        self.prefix = HandledPrefix()
        #: What handlers work on.
        self.in_hand = InHand()
        super().__init__(settings.group, **options)
        # The setting `web_enabled` does not always decide; this does.
        self.boot_strategy.enable_web = False

    @property
    def started_consumer(self) -> Consumer | None:
        """The consumer, if there is one yet; Faust's `consumer` would make it."""
        return self._consumer  # type: ignore[return-value]

    def has_room(self, topic: str) -> bool:
        """Tell whether the topic's agent can take what one poll brings."""
        return self.prefix.unhandled_of(topic) <= self.settings.buffer - self.settings.poll_records

    def _new_transport(self) -> Transport:
        return Transport(self.conf.broker_consumer, self)

    def _create_directories(self) -> None:
        """Make none: without tables there is nothing to keep, and the disk may be read-only."""


def new_app(settings: StreamSettings) -> StreamApp:
    """
    Build the app; agents are added by `workers.stream.consume.consume`.

    Raises:
        RuntimeError: `faust` was imported before this package, with its compiled iterator, which
            acknowledges events past our rule.

    """
    if getattr(faust.streams, "_CStreamIterator", None) is not None:
        raise RuntimeError("import workers.stream before faust: its compiled iterator is in use")
    return StreamApp(
        settings,
        # Faust lets variables as BROKER_URL or WEB_ENABLED win over what stands here.
        env={},
        broker=[f"kafka://{address.strip()}" for address in settings.brokers.split(",")],
        broker_client_id=settings.client_id,
        broker_credentials=_credentials(settings.security),
        broker_session_timeout=settings.session_s,
        broker_heartbeat_interval=min(settings.heartbeat_s, settings.session_s / 3),
        broker_rebalance_timeout=REBALANCE_S,
        broker_request_timeout=max(REQUEST_S, settings.session_s),
        broker_commit_interval=settings.commit_s,
        broker_max_poll_records=settings.poll_records,
        consumer_auto_offset_reset="earliest",
        producer_request_timeout=settings.produce_s,
        producer_acks=-1,
        stream_buffer_maxsize=settings.buffer,
        # One record at a time and no exactly-once, which has open faults.
        processing_guarantee="at_least_once",
        Event=HandledEvent,
        # Without tables nor standbys, partitions are dealt out evenly over the workers, in turn.
        TableManager=_NoTables,
        table_standby_replicas=0,
        # An agent that crashes ends the process, which is restarted, instead of losing an event.
        agent_supervisor=CrashingSupervisor,
        # Only bytes: other codecs decode before our code runs, and one of them runs theirs.
        key_serializer="raw",
        value_serializer="raw",
        # Topics are made by us, with their partitions and retention.
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
        autodiscover=False,
    )


def _credentials(security: Security) -> faust.SASLCredentials | faust.SSLCredentials | None:
    if security.mechanism:
        return faust.SASLCredentials(
            username=security.user,
            password=security.password.reveal(),
            mechanism=security.mechanism,
            ssl_context=security.tls,
        )
    if security.tls is not None:
        return faust.SSLCredentials(security.tls)
    return None
