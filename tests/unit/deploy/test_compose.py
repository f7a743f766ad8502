"""docker-compose.yml: what Compose takes, and what we promise of it."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from tests.deployed import ROOT, read_yaml
from workers.board.access import MIN_TOKEN
from workers.cli import main
from workers.settings import Settings, load
from workers.slow.app import stop_limit_s as slow_stop_s
from workers.stream.stopping import StopLimits

COMPOSE = read_yaml(ROOT / "docker-compose.yml")
SERVICES = COMPOSE["services"]
OURS = ("topics", "gate", "hot", "slow")


def schema() -> dict[str, Any]:
    """Read the Compose specification's schema; the package around it need not be imported."""
    spec = importlib.util.find_spec("check_jsonschema")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "builtin_schemas" / "vendor" / "compose-spec.json"
    return json.loads(path.read_text("utf-8"))


def test_it_keeps_to_the_specification() -> None:
    """No field is mistyped."""
    validator = jsonschema.validators.validator_for(schema())(schema())

    assert [error.message for error in validator.iter_errors(COMPOSE)] == []


def test_the_schema_can_refuse() -> None:
    """A mistyped field is found."""
    wrong = {"services": {"hot": {"imagee": "x"}}}

    assert not jsonschema.validators.validator_for(schema())(schema()).is_valid(wrong)


def test_files_that_are_mounted_exist() -> None:
    """Compose would make an empty folder of a file that is not there."""
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (ROOT / source).exists(), source
            else:
                assert source in COMPOSE["volumes"]


def test_everything_waits_for_what_it_needs() -> None:
    """Workers start on topics that exist and a cache that answers; who is waited for is checked."""
    assert SERVICES["hot"]["depends_on"] == {
        "topics": {"condition": "service_completed_successfully"},
        "gate": {"condition": "service_completed_successfully"},
        "valkey": {"condition": "service_healthy"},
    }
    assert SERVICES["slow"]["depends_on"] == {
        "topics": {"condition": "service_completed_successfully"},
    }
    for service in SERVICES.values():
        for name, needed in service.get("depends_on", {}).items():
            if needed["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[name]


@pytest.mark.parametrize("name", OURS)
def test_a_worker_has_no_more_rights_than_it_needs(name) -> None:
    """Read-only, no capabilities, no new privileges, no way to the outside."""
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["networks"] == ["inside"]
    assert "ports" not in service
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_the_board_has_no_more_rights_than_it_needs() -> None:
    """As a worker, but that this machine reaches its page, with a token."""
    board = SERVICES["board"]

    assert board["read_only"] is True
    assert board["cap_drop"] == ["ALL"]
    assert board["ports"] == [f"127.0.0.1:{Settings().board_port}:{Settings().board_port}"]
    token = board["environment"]["TURNGATE_BOARD_TOKEN"]
    assert len(token.partition(":-")[2].removesuffix("}")) >= MIN_TOKEN
    workers = board["environment"]["TURNGATE_BOARD_WORKERS"].split(",")
    assert len(workers) == SERVICES["hot"]["deploy"]["replicas"] + 1
    assert all(one.endswith(f":{Settings().monitor_port}") for one in workers)


@pytest.mark.parametrize("name", [*OURS, "board"])
def test_a_worker_s_settings_are_settings(name) -> None:
    """Each variable is one that is read."""
    environment = SERVICES[name]["environment"]

    assert isinstance(load(environment), Settings)


@pytest.mark.parametrize("name", ["topics", "hot", "slow", "board"])
def test_commands_are_ours(name) -> None:
    """What a container is told to do is a command of ours."""
    assert SERVICES[name]["command"][0] in main.list_commands(click.Context(main))


def test_ports_are_published_on_loopback_alone() -> None:
    """Trying it out opens nothing to the network."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]

    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_two_hot_workers_run() -> None:
    """A turn is decided while one of them starts anew."""
    assert SERVICES["hot"]["deploy"]["replicas"] == 2


@pytest.mark.parametrize(
    ("name", "longest_s"),
    [
        ("hot", StopLimits(drain_s=Settings().drain_s).whole_s),
        ("slow", slow_stop_s(Settings().drain_s)),
    ],
    ids=["hot", "slow"],
)
def test_workers_are_stopped_with_patience(name, longest_s) -> None:
    """They may drain before they are killed."""
    assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) > longest_s


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in OURS])
def test_what_is_not_ours_says_whether_it_is_healthy(name) -> None:
    """Whoever waits for it, a person or a service, can see that it is there."""
    assert SERVICES[name]["healthcheck"]["test"]


def test_images_have_a_version() -> None:
    """Nothing is whatever happens to be newest."""
    for service in SERVICES.values():
        assert ":" in service["image"]
        assert not service["image"].endswith(":latest")


def test_prometheus_scrapes_the_workers_port() -> None:
    """The name and port that it resolves are the workers'."""
    config = read_yaml(ROOT / "deploy" / "prometheus" / "prometheus.yml")
    (job,) = config["scrape_configs"]
    (found,) = job["dns_sd_configs"]

    assert job["job_name"] == "turngate"
    assert found["names"] == ["hot", "slow"]
    assert found["port"] == Settings().monitor_port
