"""TLS, passwords and least rights, on real clients and servers."""

import asyncio
import ssl

import pytest
import redis
import trustme
from aiokafka import AIOKafkaProducer

from tests.deployed import DEPLOY
from tests.faults.secured import Account, Door
from tests.waiting import wait_until
from topics.names import UTTERANCES
from workers.admin import connection, create_topics
from workers.cache import Cache, TurnKeys, connect
from workers.compacted import follow
from workers.embedded import running_broker
from workers.errors import BrokerUnavailable, CacheUnavailable, SettingsError
from workers.kafka import security_options
from workers.keys import Keys
from workers.lag import Reader, read_lag
from workers.settings import Settings, load
from workers.stream.settings import stream_settings

USER, PASSWORD = "turngate", "correct:horse/battery@staple,é"
#: A busy machine's share of a handshake, seconds.
PATIENT = {"TURNGATE_REDIS_TIMEOUT_S": "1"}
#: What OpenSSL calls a certificate of an authority that is not known, and one of another machine.
UNKNOWN_AUTHORITY, ANOTHER_NAME = 20, 62


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Sign what these tests trust."""
    return trustme.CA()


@pytest.fixture(scope="module")
def ca_file(authority, tmp_path_factory) -> str:
    """Give its certificate as a file."""
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


@pytest.fixture
def other_ca_file(tmp_path) -> str:
    """Give the certificate of an authority that signed nothing."""
    path = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(path)
    return str(path)


class TestRedis:
    @pytest.fixture
    def guarded(self, own_cache):
        """Give a server that knows only the users of our ACL file."""
        lines = (DEPLOY / "redis.acl").read_text("utf-8").splitlines()
        rules = [line.removeprefix("user ").split() for line in lines if line.startswith("user ")]
        with redis.Redis.from_url(own_cache.url, single_connection_client=True) as client:
            # Whoever is switched off while connected may finish, so the order makes no difference.
            for name, *rights in rules:
                given = [right.replace(">PASSWORD", f">{PASSWORD}") for right in rights]
                client.execute_command("ACL", "SETUSER", name, *given)
        return own_cache

    @pytest.fixture
    async def door(self, authority, guarded):
        """Give its door with TLS."""
        async with Door(authority, target=guarded.address) as opened:
            yield opened

    def settings(self, door, ca: str, **overrides: str) -> Settings:
        given = {
            "TURNGATE_REDIS": f"rediss://{door.address}/0",
            "TURNGATE_REDIS_USER": USER,
            "TURNGATE_REDIS_PASSWORD": PASSWORD,
            "TURNGATE_REDIS_CA": ca,
        }
        return load(PATIENT | given | overrides)

    async def test_every_command_of_ours_is_allowed(self, door, ca_file, guarded):
        """
        With the rights of the ACL file, TLS and a password, everything that a worker does works.
        """
        public = {name for name in vars(Cache) if not name.startswith("_")}
        assert public - ASKS_NOBODY == set(COMMANDS), "hold new commands against the rights too"
        keys = turn_keys(Keys("s"))

        async with connect(self.settings(door, ca_file)) as cache:
            # A handshake takes its time on a busy machine; the connection is kept.
            await wait_until(lambda: answers(cache), "the connection", 20)
            for command in COMMANDS.values():
                await command(cache, keys)

        assert door.admitted > 0
        with redis.Redis.from_url(guarded.url, username=USER, password=PASSWORD) as client:
            assert client.get(keys.predictions) == b"v"

    @pytest.mark.parametrize(
        "command",
        [
            ("FLUSHALL",),
            ("KEYS", "*"),
            ("CONFIG", "GET", "*"),
            ("ACL", "LIST"),
            ("SCAN", "0"),
            ("SCRIPT", "FLUSH"),
            ("GET", "other:key"),
            ("EVAL", "return redis.call('GET', 'other:key')", "0"),
            ("PUBLISH", "x", "y"),
        ],
        ids=lambda command: " ".join(command)[:30],
    )
    async def test_nothing_else_is(self, guarded, command):
        """
        A stolen password reads and writes our keys, and no more.
        """
        with (
            redis.Redis.from_url(guarded.url, username=USER, password=PASSWORD) as client,
            pytest.raises(redis.ResponseError, match=r"(?i)no permissions"),
        ):
            client.execute_command(*command)

    async def test_nobody_is_let_in_without_a_password(self, guarded):
        """
        The user whom every server has from the start is off.
        """
        with (
            redis.Redis.from_url(guarded.url) as client,
            pytest.raises(redis.AuthenticationError),
        ):
            client.get("tg:p2:x")

    @pytest.mark.parametrize(
        "overrides",
        [
            pytest.param({"TURNGATE_REDIS_PASSWORD": "wrong"}, id="wrong password"),
            pytest.param({"TURNGATE_REDIS_USER": "nobody"}, id="unknown user"),
        ],
    )
    async def test_a_wrong_password_is_a_refusal(self, door, ca_file, overrides, caplog):
        """
        It is a miss like any failure of Redis, and the password is in no log.
        """
        async with connect(self.settings(door, ca_file, **overrides)) as cache:
            with pytest.raises(CacheUnavailable) as excinfo:
                await cache.probe()

        assert "wrong" not in str(excinfo.value) + caplog.text

    async def test_a_server_of_another_authority_gets_nothing(self, door, other_ca_file):
        """
        Who cannot prove that it is ours never sees the password: not for want of time, but because
        of its certificate.
        """
        async with connect(self.settings(door, other_ca_file)) as cache:
            assert await certificate_fault(cache) == UNKNOWN_AUTHORITY

        assert door.admitted == 0

    async def test_the_address_must_be_the_certificate_s(self, authority, guarded, ca_file):
        """
        A certificate of our authority for another machine is not enough.
        """
        async with Door(authority, target=guarded.address) as door:
            port = door.address.rpartition(":")[2]
            wrong = self.settings(door, ca_file, TURNGATE_REDIS=f"rediss://localhost:{port}/0")
            async with connect(wrong) as cache:
                assert await certificate_fault(cache) == ANOTHER_NAME

        assert door.admitted == 0

    async def test_an_authority_without_tls_is_refused(self, ca_file):
        """
        Whoever names an authority wants TLS; plain text in its place would be a surprise.
        """
        settings = load({"TURNGATE_REDIS_CA": ca_file, "REDIS": "redis://127.0.0.1:1/0"})

        with pytest.raises(SettingsError, match="TURNGATE_REDIS_CA"):
            async with connect(settings):
                pass


async def certificate_fault(cache: Cache) -> int:
    """
    Ask until the server's certificate is what is wrong, and return OpenSSL's number for it.

    On a busy machine an attempt may run out of time before it has seen a certificate.
    """

    async def refused() -> int:
        with pytest.raises(CacheUnavailable) as excinfo:
            await cache.probe()
        error: BaseException | None = excinfo.value
        while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
            error = error.__cause__ or error.__context__
        return 0 if error is None else error.verify_code

    return await wait_until(refused, "the certificate to be refused", 20)


async def answers(cache: Cache) -> bool:
    try:
        await cache.probe()
    except CacheUnavailable:
        return False
    return True


def turn_keys(keys: Keys) -> TurnKeys:
    return TurnKeys(
        predictions=keys.predictions("t", "c", 1, "e"),
        newest_turn=keys.newest_turn("t", "c"),
        profile_version=keys.profile_version("t", "a"),
        decision=keys.decision("d"),
    )


#: One call of each public method of the cache that asks Redis.
COMMANDS = {
    "read_turn": lambda cache, keys: cache.read_turn(keys),
    "keep_decision": lambda cache, keys: cache.keep_decision(keys, b"v", 1),
    "keep_verdict": lambda cache, keys: cache.keep_verdict(keys.decision, b"v"),
    "keep_predictions": lambda cache, keys: cache.keep_predictions(
        keys.predictions, b"v", created_at_ms=1, ttl_ms=60_000
    ),
    "keep_profile_version": lambda cache, keys: cache.keep_profile_version(keys.profile_version, 1),
    "forget_profile_version": lambda cache, keys: cache.forget_profile_version(
        keys.profile_version
    ),
    "keep_router": lambda cache, _keys: cache.keep_router(b"tg:r:x", b"v"),
    "read_router": lambda cache, _keys: cache.read_router(b"tg:r:x"),
    "claim_router": lambda cache, _keys: cache.claim_router(b"tg:r:y", 60),
    "hold_router": lambda cache, _keys: cache.hold_router(b"tg:r:y", 60),
    "forget_router": lambda cache, _keys: cache.forget_router(b"tg:r:x"),
    "probe": lambda cache, _keys: cache.probe(),
}
#: Public, and asks nobody.
ASKS_NOBODY = {"breaker"}


class TestKafka:
    @pytest.fixture
    async def secured(self, authority):
        """Make a broker behind a door of the given kind."""
        running = []

        async def make(**door) -> Door:
            opened = Door(authority, **door)
            await opened.__aenter__()
            broker = running_broker(advertised=opened.address)
            opened.target = (await asyncio.to_thread(broker.__enter__)).address
            running.append((opened, broker))
            return opened

        yield make
        for opened, broker in running:
            await opened.__aexit__(None, None, None)
            await asyncio.to_thread(broker.__exit__, None, None, None)

    def settings(self, door, ca: str, **overrides: str) -> Settings:
        given = {
            "KAFKA": door.address,
            "TURNGATE_KAFKA_SECURITY": "SSL",
            "TURNGATE_KAFKA_CA": ca,
        }
        return load(given | overrides)

    async def round_trip(self, settings: Settings) -> None:
        """Do what our clients do: make topics, write, read, follow, look at the lag."""
        broker = connection(settings)
        creation = await create_topics(broker, topics=(UTTERANCES,))
        assert creation.created == (UTTERANCES.name,)
        options = security_options(stream_settings(settings, client_id="t").security)
        producer = AIOKafkaProducer(bootstrap_servers=settings.kafka, **options)
        await producer.start()
        try:
            await producer.send_and_wait(UTTERANCES.name, b"v", partition=0)
        finally:
            await producer.stop()
        taken = []

        async def take(record) -> None:
            taken.append(record.value)

        async with follow(stream_settings(settings, client_id="t"), UTTERANCES.name, take):
            await wait_until(lambda: taken, "the record to be followed")
        (group,) = await read_lag(broker, [Reader(group="g", topics=(UTTERANCES.name,))])
        assert (taken, group.unread) == ([b"v"], 1)

    async def test_tls(self, secured, ca_file):
        """
        Every client of ours speaks TLS to a broker of our authority.
        """
        door = await secured()

        await self.round_trip(self.settings(door, ca_file))

        assert door.admitted >= 3

    async def test_a_client_certificate(self, secured, authority, ca_file, tmp_path):
        """
        A broker that asks for a certificate gets ours.
        """
        door = await secured(asks_certificate=True)
        ours = authority.issue_cert("worker.turngate.test")
        path = tmp_path / "worker.pem"
        ours.private_key_and_cert_chain_pem.write_to_path(path)

        await self.round_trip(self.settings(door, ca_file, TURNGATE_KAFKA_CERT=str(path)))

        assert door.admitted >= 3

    async def test_an_unknown_broker_gets_nothing(self, secured, other_ca_file, caplog):
        """
        A broker of another authority is an error in time, because of its certificate, and no record
        is sent.
        """
        door = await secured()
        broker = connection(self.settings(door, other_ca_file))

        with pytest.raises(BrokerUnavailable, match="KafkaConnectionError"):
            await create_topics(broker)

        assert "unable to get local issuer certificate" in caplog.text
        assert door.admitted == 0

    async def test_the_address_must_be_the_certificate_s(self, secured, ca_file, caplog):
        """
        A certificate of our authority for another machine is not enough here either.
        """
        door = await secured()
        port = door.address.rpartition(":")[2]
        broker = connection(self.settings(door, ca_file, KAFKA=f"localhost:{port}"))

        with pytest.raises(BrokerUnavailable, match="KafkaConnectionError"):
            await create_topics(broker)

        assert "certificate is not valid for 'localhost'" in caplog.text
        assert door.admitted == 0

    @pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
    async def test_sasl(self, secured, ca_file, mechanism, tmp_path):
        """
        User and password, from a file, open the broker under each mechanism.
        """
        door = await secured(account=Account(mechanism, USER, PASSWORD))
        path = tmp_path / "password"
        path.write_text(f"{PASSWORD}\n", "utf-8")

        await self.round_trip(
            self.settings(
                door,
                ca_file,
                TURNGATE_KAFKA_SECURITY="SASL_SSL",
                TURNGATE_KAFKA_SASL=mechanism,
                TURNGATE_KAFKA_USER=USER,
                TURNGATE_KAFKA_PASSWORD_FILE=str(path),
            )
        )

        assert door.admitted >= 3
        assert door.refused == 0

    @pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512"])
    async def test_a_wrong_password(self, secured, ca_file, mechanism, caplog):
        """
        It is one clear error in time, and the password is in no log.
        """
        door = await secured(account=Account(mechanism, USER, PASSWORD))
        settings = self.settings(
            door,
            ca_file,
            TURNGATE_KAFKA_SECURITY="SASL_SSL",
            TURNGATE_KAFKA_SASL=mechanism,
            TURNGATE_KAFKA_USER=USER,
            TURNGATE_KAFKA_PASSWORD="hunter2 hunter2",  # noqa: S106 - a wrong one
        )

        with pytest.raises(BrokerUnavailable) as excinfo:
            await create_topics(connection(settings), topics=(UTTERANCES,))

        assert door.admitted == 0
        assert "hunter2" not in str(excinfo.value) + caplog.text
