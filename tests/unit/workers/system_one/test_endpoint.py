"""The endpoint as the settings describe it."""

import ssl

import pytest
import trustme

from workers.errors import SettingsError
from workers.settings import load
from workers.system_one.endpoint import endpoint_of


def make_endpoint(**settings):
    """Read an endpoint from settings that are named without their prefix."""
    given = {"url": "https://judge.example/v1/systemone"} | settings
    return endpoint_of(
        load({f"TURNGATE_SYSTEM_ONE_{name.upper()}": value for name, value in given.items()})
    )


class TestUrl:
    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            pytest.param("http://[::1]:8000", "http://[::1]:8000/v1/systemone", id="host alone"),
            pytest.param("https://a.example/", "https://a.example/v1/systemone", id="slash"),
            pytest.param("https://a.example/v2/systemone", None, id="another version"),
            pytest.param("https://openrouter.ai/api/v1/systemone", None, id="longer path"),
            pytest.param(
                "https://api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/clef",
                None,
                id="cloudflare",
            ),
        ],
    )
    def test_a_path_is_kept_and_a_host_gets_the_usual_one(self, given, expected):
        """
        Whoever names a path means it.
        """
        assert make_endpoint(url=given).url == (expected or given)

    @pytest.mark.parametrize(
        "url",
        [
            pytest.param("", id="none"),
            pytest.param("judge.hunter2", id="no scheme"),
            pytest.param("ftp://hunter2/x", id="another scheme"),
            pytest.param("http:///hunter2", id="no host"),
            pytest.param("http://hunter2:99999/", id="port too large"),
            pytest.param("http://hunter2:0/", id="port zero"),
            pytest.param("http://[hunter2/", id="broken address"),
            pytest.param("https://user:hunter2@judge.example/", id="password"),
            pytest.param("https://hunter2@judge.example/", id="user"),
            pytest.param("https://judge.example/?key=hunter2", id="query"),
            pytest.param("https://judge.example/#hunter2", id="fragment"),
            pytest.param("https://judge.example/hunter2 x", id="space"),
            pytest.param("https://judge.example/hunter2\r\nX: y", id="line break"),
            pytest.param("https://जज.example/hunter2", id="not ASCII"),
        ],
    )
    def test_a_senseless_url_is_refused_by_name(self, url):
        """
        What no client could use, or what would show a secret, stops the start unshown.
        """
        with pytest.raises(SettingsError, match="TURNGATE_SYSTEM_ONE_URL") as excinfo:
            make_endpoint(url=url)

        assert "hunter2" not in str(excinfo.value)


class TestKey:
    def test_the_key_never_shows(self):
        """
        Printing the endpoint or the settings does not print the key.
        """
        endpoint = make_endpoint(key="hunter2")

        assert endpoint.key.reveal() == "hunter2"
        assert "hunter2" not in f"{endpoint!r} {endpoint}"

    @pytest.mark.parametrize("key", ["hunter2\n", "hunter2\r\nX: y", "hunter 2", "hunter२"])
    def test_a_key_that_no_header_can_carry_is_refused(self, key):
        """
        A key with a line break is a mistake, or somebody else's header.
        """
        with pytest.raises(SettingsError, match="TURNGATE_SYSTEM_ONE_KEY") as excinfo:
            make_endpoint(key=key)

        assert "hunter" not in str(excinfo.value)

    @pytest.mark.parametrize(
        "url", ["http://judge.example/", "http://10.0.0.7:8000", "http://localhost.example/"]
    )
    def test_a_key_never_leaves_in_clear(self, url):
        """
        A key and plain HTTP go together on this machine only.
        """
        with pytest.raises(SettingsError, match="https only"):
            make_endpoint(url=url, key="k")

        assert make_endpoint(url=url).tls is None

    @pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"])
    def test_a_key_may_go_over_loopback(self, url):
        """
        A server on this machine may want a key, and has no certificate.
        """
        assert make_endpoint(url=url, key="k").key


class TestTls:
    def test_certificates_and_names_are_verified(self):
        """
        Over https there is no way to leave the server unverified.
        """
        tls = make_endpoint().tls

        assert tls.verify_mode is ssl.CERT_REQUIRED
        assert tls.check_hostname

    @pytest.mark.parametrize("content", [pytest.param(None, id="absent"), "", "no certificate"])
    def test_a_senseless_authority_is_refused_by_name(self, tmp_path, content):
        """
        A file without certificates would verify nothing.
        """
        path = tmp_path / "ca.pem"
        if content is not None:
            path.write_text(content)

        with pytest.raises(SettingsError, match="TURNGATE_SYSTEM_ONE_CA"):
            make_endpoint(ca=str(path))

    def test_an_authority_of_our_own(self, tmp_path):
        """
        A PEM file replaces the system's authorities.
        """
        trustme.CA().cert_pem.write_to_path(tmp_path / "ca.pem")

        assert len(make_endpoint(ca=str(tmp_path / "ca.pem")).tls.get_ca_certs()) == 1

    def test_an_authority_without_tls_is_refused(self, tmp_path):
        """
        Whoever names an authority wants TLS; plain text in its place would be a surprise.
        """
        path = tmp_path / "ca.pem"
        trustme.CA().cert_pem.write_to_path(path)

        with pytest.raises(SettingsError, match="TURNGATE_SYSTEM_ONE_CA needs"):
            make_endpoint(url="http://127.0.0.1:8000", ca=str(path))


class TestModel:
    @pytest.mark.parametrize("model", ["", "a b", "x" * 101, "clef\n", "क्लेफ़"])
    def test_a_senseless_model_is_refused_by_name(self, model):
        """
        A model is a name.
        """
        with pytest.raises(SettingsError, match="TURNGATE_SYSTEM_ONE_MODEL"):
            make_endpoint(model=model)

    @pytest.mark.parametrize("model", ["clef-flash", "jev-1.13.0", "@cf/cloudflare/clef", "a:7b"])
    def test_names_of_models(self, model):
        """
        Every provider's way to name models is taken.
        """
        assert make_endpoint(model=model).model == model
