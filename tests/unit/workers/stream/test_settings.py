"""Tests of what the stream layer takes from the worker's settings."""

import ssl

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
        settings = load(
            {
                "TURNGATE_KAFKA_SECURITY": security,
                "TURNGATE_KAFKA_USER": "me",
                "TURNGATE_KAFKA_PASSWORD": "hidden",
            }
        )

        taken = stream_settings(settings, client_id="me").security

        assert mechanism == taken.mechanism
        assert with_tls == (taken.tls is not None and taken.tls.verify_mode == ssl.CERT_REQUIRED)
        assert "hidden" not in repr(taken)

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
