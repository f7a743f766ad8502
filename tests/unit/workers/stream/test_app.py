"""Tests of the app's settings."""

import dataclasses
import os
import ssl
import subprocess
import sys

import faust
import faust.streams
import faust.transport.conductor
import pytest
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from faust.types.enums import ProcessingGuarantee
from mode import CrashingSupervisor

from workers.settings import Secret
from workers.stream.acks import HandledEvent
from workers.stream.app import new_app
from workers.stream.consumer import Consumer, ConsumerThread
from workers.stream.settings import Security, StreamSettings


class TestCompiledIterator:
    def test_is_not_in_use(self):
        """
        The compiled stream loop and conductor, which bypass our acknowledgement, are switched off.
        """
        assert faust.streams._CStreamIterator is None
        assert faust.transport.conductor.ConductorHandler is None

    def test_refuses_to_go_on_with_it(self):
        """
        Where `faust` was imported before our package, no app is made.
        """
        program = (
            "import faust.streams\n"
            "from workers.stream.app import new_app\n"
            "from workers.stream.settings import StreamSettings\n"
            "new_app(StreamSettings(brokers='127.0.0.1:1', group='g'))\n"
        )
        environment = {name: value for name, value in os.environ.items() if name != "NO_CYTHON"}

        done = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            check=False,
            text=True,
        )

        assert done.returncode == 1
        assert "import workers.stream before faust" in done.stderr


class TestNewApp:
    async def test_settings_that_lose_nothing(self, app):
        """
        Only bytes, one commit rule, no topics or web server of Faust's own.
        """
        conf = app.conf

        assert (HandledEvent, CrashingSupervisor) == (conf.Event, conf.agent_supervisor)
        assert (conf.key_serializer, conf.value_serializer) == ("raw", "raw")
        assert conf.processing_guarantee is ProcessingGuarantee.AT_LEAST_ONCE
        assert (conf.producer_acks, conf.consumer_auto_offset_reset) == (-1, "earliest")
        assert conf.topic_disable_leader
        assert not conf.topic_allow_declare
        assert not app.boot_strategy._should_enable_web()
        assert (0, set()) == (conf.table_standby_replicas, app.tables.changelog_topics)

    async def test_settings_in_time(self, app, settings):
        """
        Each limit is the one that we were told, and within what the design allows.
        """
        conf = app.conf

        assert (settings.session_s, 2.0, settings.commit_s, settings.produce_s) == (
            conf.broker_session_timeout,
            conf.broker_heartbeat_interval,
            conf.broker_commit_interval,
            conf.producer_request_timeout,
        )
        assert conf.stream_buffer_maxsize <= 64
        assert conf.producer_request_timeout <= 10

    async def test_the_kafka_consumer(self, app, consumer):
        """
        The fetch wait, which Faust fixes, is ours; partitions are dealt out in turn.
        """
        made = consumer._thread._create_worker_consumer(app.transport)
        made._closed = True  # it was never opened

        assert app.settings.fetch_wait_ms == made._fetch_max_wait_ms
        assert consumer._thread._assignor is RoundRobinPartitionAssignor
        assert not made._enable_auto_commit

    async def test_the_producer_is_a_plain_one(self, app):
        """
        No idempotence and no transactions: they need recovery that Faust does not have.
        """
        assert app.producer._settings_extra() == {}

    async def test_a_short_session_has_its_heartbeats(self, settings):
        """
        Three heartbeats fit into any session.
        """
        app = new_app(dataclasses.replace(settings, session_s=3.0))

        assert app.conf.broker_heartbeat_interval == 1.0

    async def test_the_environment_does_not_interfere(self, settings, monkeypatch):
        """
        Faust reads variables of its own; they do not bring back what we switched off.
        """
        monkeypatch.setenv("WEB_ENABLED", "1")
        monkeypatch.setenv("BROKER_SESSION_TIMEOUT", "99")

        app = new_app(settings)

        assert not app.boot_strategy._should_enable_web()
        assert settings.session_s == app.conf.broker_session_timeout

    async def test_several_brokers(self, settings):
        """
        Every bootstrap address is used.
        """
        app = new_app(dataclasses.replace(settings, brokers="a:1, b:2"))

        assert [str(url) for url in app.conf.broker_consumer] == ["kafka://a:1", "kafka://b:2"]

    async def test_leaves_no_folder(self, app, tmp_path, monkeypatch):
        """
        Faust's data folders are not made: the disk may be read-only.
        """
        monkeypatch.chdir(tmp_path)

        await app.on_first_start()

        assert list(tmp_path.iterdir()) == []

    async def test_uses_our_consumer(self, consumer):
        """
        Consumer and thread are the ones with the commit rule.
        """
        assert (Consumer, ConsumerThread) == (type(consumer), type(consumer._thread))


class TestSecurity:
    @pytest.fixture
    def tls(self):
        """Give a TLS context."""
        return ssl.create_default_context()

    async def test_none(self, app):
        """
        Without security settings there are no credentials.
        """
        assert app.conf.broker_credentials is None

    async def test_tls(self, settings, tls):
        """
        TLS alone uses exactly the context that was given.
        """
        app = new_app(dataclasses.replace(settings, security=Security(tls=tls)))

        assert ("SSL", tls) == (
            app.conf.broker_credentials.protocol.value,
            app.conf.broker_credentials.context,
        )

    async def test_sasl(self, settings, tls):
        """
        SASL over TLS carries its context, without which it would run in plain text.
        """
        security = Security(tls=tls, mechanism="SCRAM-SHA-512", user="me", password=Secret("p"))

        credentials = new_app(
            dataclasses.replace(settings, security=security)
        ).conf.broker_credentials

        assert isinstance(credentials, faust.SASLCredentials)
        assert ("SASL_SSL", tls, "me", "p", "SCRAM-SHA-512") == (
            credentials.protocol.value,
            credentials.ssl_context,
            credentials.username,
            credentials.password,
            credentials.mechanism.value,
        )


class TestHasRoom:
    async def test_for_a_whole_poll_or_not_at_all(self, app, make_message):
        """
        A topic is fetched only while its agent's buffer can take all that a poll may bring.
        """
        settings = app.settings
        messages = [make_message(offset) for offset in range(settings.buffer)]
        rooms = []
        for message in messages:
            rooms.append(app.has_room("a"))
            app.prefix.fetched(message)
        other = app.has_room("b")

        assert rooms.count(True) == settings.buffer - settings.poll_records + 1
        assert other
        assert app.conf.broker_max_poll_records == settings.poll_records

    @pytest.mark.parametrize("buffer", [1, 3, 64])
    def test_never_shuts_an_idle_agent_out(self, buffer):
        """
        Whatever the buffer's size, an agent that has nothing to do is fetched for.
        """
        settings = StreamSettings(brokers="", group="", buffer=buffer)

        assert 1 <= settings.poll_records <= buffer


def test_buffer_is_bounded():
    """
    Stale events wait at the broker, where lag shows them, not in the worker.
    """
    assert StreamSettings(brokers="", group="").buffer <= 64
