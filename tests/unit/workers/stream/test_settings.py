"""Tests of what the stream layer takes from the worker's settings."""

import ssl
from itertools import product

import pytest

from workers.errors import SettingsError
from workers.settings import Secret, load
from workers.stream.settings import Security, stream_settings


class TestStreamSettings:
    def test_takes_addresses_names_and_times(self):
        """
        Group names carry the deployment's prefix; units stay as they are named.
        """
        settings = load(
            {"KAFKA": "a:1,b:2", "TURNGATE_PREFIX": "x.", "TURNGATE_KAFKA_COMMIT_S": "2"}
        )

        taken = stream_settings(settings, client_id="me")

        assert (
            taken.brokers,
            taken.group,
            taken.client_id,
            taken.commit_s,
        ) == ("a:1,b:2", "x.turngate-hot", "me", 2.0)

    @pytest.mark.parametrize(
        ("security", "with_tls", "mechanism"),
        [
            pytest.param("PLAINTEXT", False, "", id="plain"),
            pytest.param("SSL", True, "", id="tls"),
            pytest.param("SASL_SSL", True, "SCRAM-SHA-512", id="sasl over tls"),
            pytest.param("SASL_PLAINTEXT", False, "SCRAM-SHA-512", id="sasl in plain, as asked"),
        ],
    )
    def test_security(self, security, with_tls, mechanism):
        """
        Where TLS is asked for there is a context that checks certificates, and nowhere else.
        """
        account = {"TURNGATE_KAFKA_USER": "me", "TURNGATE_KAFKA_PASSWORD": "hidden"}
        settings = load({"TURNGATE_KAFKA_SECURITY": security} | (account if mechanism else {}))

        taken = stream_settings(settings, client_id="me").security

        assert mechanism == taken.mechanism
        assert with_tls == (taken.tls is not None and taken.tls.verify_mode == ssl.CERT_REQUIRED)
        assert "hidden" not in repr(taken)

    @pytest.mark.parametrize(
        ("security", "name"),
        [
            *product((None, "PLAINTEXT"), ("USER", "PASSWORD", "CA", "CERT", "KEY")),
            *product(("SASL_PLAINTEXT",), ("CA", "CERT", "KEY")),
            *product(("SSL",), ("USER", "PASSWORD")),
        ],
    )
    def test_what_would_not_be_used_is_refused(self, security, name):
        """
        Whoever names a password or a certificate does not get plain text, or nobody's name, in
        silence: the setting is named, and its value is not.
        """
        given = {f"TURNGATE_KAFKA_{name}": "hunter2"}
        if security is not None:
            given["TURNGATE_KAFKA_SECURITY"] = security

        with pytest.raises(SettingsError, match=f"TURNGATE_KAFKA_{name} needs") as excinfo:
            stream_settings(load(given), client_id="me")

        assert "hunter2" not in str(excinfo.value)

    def test_a_key_without_its_certificate_is_refused(self):
        """
        Alone it proves nothing to a broker.
        """
        given = {"TURNGATE_KAFKA_SECURITY": "SSL", "TURNGATE_KAFKA_KEY": "/key.pem"}

        with pytest.raises(SettingsError, match="TURNGATE_KAFKA_KEY needs TURNGATE_KAFKA_CERT"):
            stream_settings(load(given), client_id="me")

    @pytest.mark.parametrize(
        ("environment", "named"),
        [
            pytest.param({"TURNGATE_KAFKA_SECURITY": "SASL_SSL"}, "KAFKA_USER", id="no user"),
            pytest.param(
                {"TURNGATE_KAFKA_SECURITY": "SSL", "TURNGATE_KAFKA_CA": "/nowhere.pem"},
                "KAFKA_CA",
                id="no such authority",
            ),
        ],
    )
    def test_refuses_half_a_security(self, environment, named):
        """
        A setting that is missing is named.
        """
        with pytest.raises(SettingsError, match=named):
            stream_settings(load(environment), client_id="me")


class TestSecurity:
    def test_hides_the_password(self):
        """
        A password never shows in a representation.
        """
        assert "hidden" not in repr(Security(password=Secret("hidden")))
