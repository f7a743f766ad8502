"""Redis keys."""

import itertools

import pytest
from prometheus_client import REGISTRY

from topics.decision import decision_id
from topics.verdict import verdict_id
from workers.errors import CacheGarbage
from workers.keys import Keys, open_keys
from workers.settings import Secret

_ODD = ["a", "a:b", "b", "", "*", "{a}", "a\nb", "\u00e9", "e\u0301", "a b", "\u0663", "3"]
#: A key of each kind, of a tenant where it has one.
KINDS = {
    "predictions": lambda keys, tenant: keys.predictions(tenant, "c", 1, "e"),
    "newest turn": lambda keys, tenant: keys.newest_turn(tenant, "c"),
    "profile version": lambda keys, tenant: keys.profile_version(tenant, "a"),
    "router": lambda keys, tenant: keys.router(tenant, "a", "e", "d"),
    "decision": lambda keys, tenant: keys.decision(decision_id(tenant, "c", 1)),
    "verdict": lambda keys, tenant: keys.verdict(verdict_id(tenant, "c", 1)),
}


class TestKeys:
    def test_no_two_lists_of_parts_share_a_key(self):
        """
        Every combination of odd ids has a key of its own.
        """
        keys = Keys("s")
        made = [
            keys.predictions(tenant, call, seq, "e")
            for tenant, call, seq in itertools.product(_ODD, _ODD, (0, 1, 10))
        ]

        assert len(set(made)) == len(made)

    @pytest.mark.parametrize("separator", [":", "/", "|", "\n", "\0", ""], ids=ascii)
    def test_no_separator_runs_into_an_id(self, separator):
        """
        Whatever stands between parts, an id may hold it.
        """
        keys = Keys("s")

        assert keys.newest_turn(f"a{separator}b", "c") != keys.newest_turn("a", f"b{separator}c")

    def test_kinds_never_meet(self):
        """
        The same parts under another kind are another key.
        """
        keys = Keys("s")

        assert keys.newest_turn("t", "c") != keys.profile_version("t", "c")
        assert keys.decision("d") != keys.verdict("d")

    def test_no_part_is_readable(self):
        """
        A key shows nothing of the ids it is made of.
        """
        key = Keys("s").newest_turn("tenant-acme", "call-4711")

        assert b"acme" not in key
        assert b"4711" not in key

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(("t2", "c", 1, "e"), id="tenant"),
            pytest.param(("t", "c2", 1, "e"), id="call"),
            pytest.param(("t", "c", 2, "e"), id="turn"),
            pytest.param(("t", "c", 1, "e2"), id="encoder"),
        ],
    )
    def test_predictions_belong_to_tenant_call_turn_and_encoder(self, other):
        """
        Another tenant, call, turn or encoder never finds the predictions.
        """
        keys = Keys("s")

        assert keys.predictions("t", "c", 1, "e") != keys.predictions(*other)

    @pytest.mark.parametrize("kind", KINDS)
    def test_another_secret_is_another_key(self, kind):
        """
        Deployments with their own secrets share no key, of whatever kind.
        """
        make = KINDS[kind]

        assert make(Keys("s"), "t") != make(Keys("r"), "t")

    @pytest.mark.parametrize("kind", KINDS)
    def test_another_tenant_is_another_key(self, kind):
        """
        The same call, turn and agent of another tenant is elsewhere.
        """
        make, keys = KINDS[kind], Keys("s")

        assert make(keys, "t") != make(keys, "u")

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(("t2", "a", "e", "d"), id="tenant"),
            pytest.param(("t", "a2", "e", "d"), id="agent"),
            pytest.param(("t", "a", "e2", "d"), id="encoder"),
            pytest.param(("t", "a", "e", "d2"), id="phrases"),
        ],
    )
    def test_a_router_belongs_to_tenant_agent_encoder_and_phrases(self, other):
        """
        Another tenant, agent, encoder or profile never finds the router.
        """
        keys = Keys("s")

        assert keys.router("t", "a", "e", "d") != keys.router(*other)

    @pytest.mark.parametrize(
        ("secret", "key", "content"),
        [
            pytest.param("r", b"k", b"content", id="secret"),
            pytest.param("s", b"l", b"content", id="key"),
            pytest.param("s", b"k", b"contenT", id="content"),
            pytest.param("s", b"kc", b"ontent", id="where the key ends"),
        ],
    )
    def test_a_seal_is_of_one_value_under_one_key(self, secret, key, content):
        """
        Nothing else has the same seal, and who lacks the secret cannot make it.
        """
        seal = Keys("s").seal(b"k", b"content")

        assert len(seal) == Keys.SEAL_BYTES
        assert Keys(secret).seal(key, content) != seal

    @pytest.mark.parametrize("content", [b"", b"content", b"x" * 20_000], ids=len)
    def test_what_is_sealed_is_opened(self, content):
        """
        A value comes back as it was, under its key and secret.
        """
        keys = Keys("s")

        assert keys.opened(b"k", keys.sealed(b"k", content)) == content

    @pytest.mark.parametrize(
        ("secret", "key", "value"),
        [
            pytest.param("r", b"k", Keys("s").sealed(b"k", b"content"), id="another secret"),
            pytest.param("s", b"l", Keys("s").sealed(b"k", b"content"), id="another key"),
            pytest.param("s", b"kc", Keys("s").sealed(b"k", b"content"), id="where the key ends"),
            pytest.param("s", b"k", Keys("s").sealed(b"k", b"content")[:-1], id="cut"),
            pytest.param("s", b"k", Keys("s").sealed(b"k", b"")[:-1], id="half a MAC"),
            pytest.param("s", b"k", b"content", id="no MAC"),
            pytest.param("s", b"k", b"", id="nothing"),
            pytest.param("s", b"k", Keys("s").seal(b"k", b"") + b"content", id="a router's MAC"),
        ],
    )
    def test_nothing_else_is_opened(self, secret, key, value):
        """
        Who lacks the secret cannot make a value, nor move one to another key.
        """
        with pytest.raises(CacheGarbage):
            Keys(secret).opened(key, value)

    def test_a_value_s_mac_is_no_key_s(self):
        """
        What is made of an id that somebody chose never stands for the MAC of a value.
        """
        keys = Keys("s")
        mac = bytes.fromhex(keys.text_digest("k"))

        assert keys.sealed(b"k", b"") != mac
        with pytest.raises(CacheGarbage):
            keys.opened(b"k", mac)

    def test_values_of_before_are_not_found(self):
        """
        Values that had no MAC lie under other keys, so that an upgrade is no attack to anybody.
        """
        keys = Keys("s")

        assert keys.predictions("t", "c", 1, "e").startswith(b"tg:p2:")
        assert keys.decision("d").startswith(b"tg:d2:")
        assert keys.verdict("v").startswith(b"tg:k2:")


class TestSecret:
    def test_a_missing_secret_is_told(self, caplog):
        """
        A warning under its fixed name, once, and a metric; a secret takes both back.
        """
        open_keys(Secret())

        (record,) = caplog.records
        assert (record.levelname, record.getMessage()) == ("WARNING", "cache_secret_missing")
        assert REGISTRY.get_sample_value("turngate_cache_secret_missing") == 1
        caplog.clear()

        open_keys(Secret("s3cret"))

        assert caplog.records == []
        assert REGISTRY.get_sample_value("turngate_cache_secret_missing") == 0

    def test_keys_are_of_the_secret(self):
        """
        What is opened is what the secret makes.
        """
        assert open_keys(Secret("s")).decision("d") == Keys("s").decision("d")
