"""Alert rules: sound, tested, in the runbook, and on metrics that exist."""

import json
import re
import runpy

import pytest
from prometheus_client import REGISTRY

from tests.deployed import (
    DASHBOARD,
    DEPLOY,
    PROMETHEUS,
    ROOT,
    RULES,
    RUNBOOK,
    alerts,
    metric_names,
    read_yaml,
    rules,
    run,
    tool,
)
from workers import metrics

#: What a sample of each type of metric is called beside its metric's name.
SUFFIXES = {
    "counter": ("_total", "_created"),
    "histogram": ("_bucket", "_count", "_sum", "_created"),
    "gauge": ("",),
}
TESTS = sorted((PROMETHEUS / "tests").glob("*.test.yml"))
SEVERITIES = {"critical", "warning", "info"}


def known_samples() -> set[str]:
    """Name every sample that a worker can show."""
    assert metrics.DECISIONS
    return {
        metric.name + suffix
        for metric in REGISTRY.collect()
        for suffix in SUFFIXES.get(metric.type, ("",))
    }


def test_the_rules_are_sound() -> None:
    """Prometheus itself says so."""
    assert "SUCCESS" in run(tool("promtool"), "check", "rules", RULES)


def test_the_configuration_is_sound() -> None:
    """Prometheus itself says so of its own."""
    run(tool("promtool"), "check", "config", "--syntax-only", PROMETHEUS / "prometheus.yml")


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_alerts_fire_when_they_should(path) -> None:
    """The cases of each file hold: what fires, with which words, and what does not."""
    assert "SUCCESS" in run(tool("promtool"), "test", "rules", path)


def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_not() -> None:
    """An alert that has never fired in a test may never fire at all."""
    fires: set[str] = set()
    silent: set[str] = set()
    for path in TESTS:
        for test in read_yaml(path)["tests"]:
            for case in test.get("alert_rule_test", ()):
                (fires if case["exp_alerts"] else silent).add(case["alertname"])

    assert fires == set(alerts())
    assert silent == set(alerts())


def test_every_alert_has_an_entry_in_the_runbook() -> None:
    """Whoever is woken up finds what to do under the alert's name; no entry is left over."""
    entries = re.findall(r"^### (\w+)$", RUNBOOK.read_text("utf-8"), re.MULTILINE)

    assert sorted(entries) == sorted(alerts())


@pytest.mark.parametrize("name", sorted(alerts()))
def test_an_alert_says_how_bad_it_is_and_where(name) -> None:
    """Severity routes it, and the summary is a sentence for a person."""
    alert = alerts()[name]

    assert name.startswith("Turngate")
    assert alert["labels"]["severity"] in SEVERITIES
    assert len(alert["annotations"]["summary"]) > 20


def test_rules_and_dashboard_name_metrics_that_exist() -> None:
    """A metric that was renamed breaks here, and not silently on the night it was needed."""
    used = set()
    for rule in rules():
        used |= metric_names(rule["expr"])
    for panel in json.loads(DASHBOARD.read_text("utf-8"))["panels"]:
        for target in panel.get("targets", ()):
            used |= metric_names(target["expr"])

    assert len(used) > 30
    assert used - known_samples() == set()


def test_recorded_names_are_recorded() -> None:
    """What a rule or a panel takes from a recording rule is there."""
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    texts = RULES.read_text("utf-8") + DASHBOARD.read_text("utf-8")

    assert set(re.findall(r"turngate:[a-z0-9_]+:[a-z0-9]+", texts)) == recorded


#: The rows of the runbook's table of what the worker goes on without.
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|").split("|")]
    for line in RUNBOOK.read_text("utf-8").splitlines()
    if line.startswith("|") and "`turngate_" in line
]


class TestDegradations:
    """Nothing fails open in silence."""

    def test_there_are_some(self) -> None:
        """
        The table is found.
        """
        assert len(ROWS) >= 10

    @pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[2]}")
    def test_each_is_logged_counted_and_alerted_on(self, row) -> None:
        """
        Nothing fails open in silence: an error under its fixed name, a metric, an alert on it.
        """
        _, _, event, metric, alert = row
        sources = [path.read_text("utf-8") for path in (ROOT / "workers").rglob("*.py")]
        logged = re.compile(rf'_log\.(error|exception)\(\s*"{event}"')

        assert any(logged.search(source) for source in sources)
        assert metric in known_samples()
        assert metric in metric_names(alerts()[alert]["expr"])

    def test_every_alert_of_the_table_is_in_it_once(self) -> None:
        """
        Each kind of degradation has its line.
        """
        pairs = [(row[2], row[4]) for row in ROWS]

        assert len(set(pairs)) == len(pairs)


def test_alertmanager_is_sound_and_inhibits_real_alerts() -> None:
    """Its own tool says so, and no rule names an alert that was renamed."""
    path = PROMETHEUS / "alertmanager.yml"
    named = set(re.findall(r"Turngate\w+", path.read_text("utf-8")))

    assert named <= set(alerts())
    receivers = {receiver["name"] for receiver in read_yaml(path)["receivers"]}
    route = read_yaml(path)["route"]
    assert {route["receiver"], *(one["receiver"] for one in route["routes"])} <= receivers


def hidden(source: dict[str, str], target: dict[str, str]) -> bool:
    """Tell whether Alertmanager hides the target while the source fires, by our configuration."""

    def matches(alert: dict[str, str], matchers: list[str]) -> bool:
        for matcher in matchers:
            ((name, how, wanted),) = re.findall(r'^(\w+)(=~?)"(.*)"$', matcher)
            value = alert.get(name, "")
            if not (re.fullmatch(wanted, value) if how == "=~" else value == wanted):
                return False
        return True

    return any(
        matches(source, rule["source_matchers"])
        and matches(target, rule["target_matchers"])
        and all(source.get(label, "") == target.get(label, "") for label in rule["equal"])
        for rule in read_yaml(PROMETHEUS / "alertmanager.yml")["inhibit_rules"]
    )


def alert_of(name: str, instance: str = "", **labels: str) -> dict[str, str]:
    """Make an alert as Prometheus sends it."""
    found = {"alertname": f"Turngate{name}", "job": "turngate", **labels}
    return found | ({"instance": instance} if instance else {})


class TestInhibition:
    @pytest.mark.parametrize(
        ("source", "target"),
        [
            pytest.param(("JudgeDegraded", {}), ("Degraded", {"component": "judge"}), id="judge"),
            pytest.param(
                ("RedisBreakerOpen", {}), ("Degraded", {"component": "redis"}), id="breaker"
            ),
            pytest.param(("RedisBreakerOpen", {}), ("RedisErrors", {}), id="Redis"),
            pytest.param(("BrokerLost", {}), ("ConsumerStuck", {}), id="broker"),
            pytest.param(("BrokerLost", {}), ("NotReady", {"part": "offsets_move"}), id="part"),
            pytest.param(("WorkerDown", {}), ("NotReady", {"part": "assigned"}), id="worker"),
        ],
    )
    def test_a_part_of_the_same_worker_is_hidden_and_of_another_is_not(self, source, target):
        """
        An alert hides what it explains, on its own instance alone.
        """
        (why, source_labels), (what, target_labels) = source, target
        cause = alert_of(why, "w1", **source_labels)

        assert hidden(cause, alert_of(what, "w1", **target_labels))
        assert not hidden(cause, alert_of(what, "w2", **target_labels))

    @pytest.mark.parametrize(
        ("source", "target", "labels"),
        [
            pytest.param("JudgeDegraded", "Degraded", {"component": "redis"}, id="redis"),
            pytest.param("JudgeDegraded", "Degraded", {"component": "answer_judge"}, id="answers"),
            pytest.param("JudgeDegraded", "RouterFailed", {}, id="router"),
            pytest.param("RedisBreakerOpen", "Degraded", {"component": "judge"}, id="judge"),
            pytest.param("BrokerLost", "NotReady", {"part": "profiles_read"}, id="another part"),
            pytest.param("BrokerLost", "InternalErrors", {}, id="faults"),
            pytest.param("BrokerLost", "WorkerDown", {}, id="the broker does not hide the worker"),
        ],
    )
    def test_what_else_is_wrong_with_the_worker_is_told(self, source, target, labels):
        """
        One component's trouble says nothing of another's.
        """
        assert not hidden(alert_of(source, "w1"), alert_of(target, "w1", **labels))

    @pytest.mark.parametrize("source", sorted(alerts()))
    def test_nothing_hides_what_is_told_of_all_workers(self, source):
        """
        Alerts on all workers together name no instance, and no single one's trouble hides them.
        """
        cause = {"alertname": source, "job": "turngate", "instance": "w1"}

        for target in ("HitRateCollapsed", "DeadlineOverruns", "LagGrowing"):
            assert not hidden(cause, alert_of(target))


def test_the_dashboard_is_what_its_script_makes() -> None:
    """Nobody edits the file by hand: `python deploy/grafana/build.py` writes it."""
    made = runpy.run_path(str(DEPLOY / "grafana" / "build.py"))["dashboard"]()

    assert json.loads(DASHBOARD.read_text("utf-8")) == made
