"""
The dashboard, as code: `python deploy/grafana/build.py` writes turngate.json beside itself.

A panel is a title, a unit and queries with their legends; everything else is the same for all.
"""
# ruff: noqa: INP001 - a script, not part of a package

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

#: Where Grafana is told to find Prometheus.
_SOURCE = {"type": "prometheus", "uid": "prometheus"}
#: Grafana's grid is 24 columns wide; a panel's size in it.
_COLUMNS, _WIDTH, _HEIGHT = 24, 8, 8
_WORKERS = 'job="turngate", instance=~"$instance"'


class Panel(NamedTuple):
    """One graph."""

    title: str
    #: Grafana's name of the unit: `s`, `reqps`, `cps`, `percentunit`, `bytes`, `short`.
    unit: str
    #: Queries by legend.
    queries: dict[str, str]


def _of(metric: str, where: str = "") -> str:
    return f"{metric}{{{_WORKERS}{where}}}"


def _rate(metric: str, *by: str, where: str = "") -> str:
    return f"sum by ({', '.join(by)}) (rate({_of(metric, where)}[$__rate_interval]))"


def _quantile(share: float, metric: str, *by: str) -> str:
    return f"histogram_quantile({share}, {_rate(f'{metric}_bucket', *by, 'le')})"


def _quantiles(metric: str, *shares: int) -> dict[str, str]:
    return {f"p{share}": _quantile(share / 100, metric) for share in shares}


def _max(metric: str, *by: str) -> str:
    return f"max by ({', '.join(by)}) ({_of(metric)})"


ROWS = {
    "Decisions": (
        Panel(
            "Turns by what to do", "reqps", {"{{kind}}": _rate("turngate_decisions_total", "kind")}
        ),
        Panel(
            "Share of live turns served, share of turns that bypass (30 min)",
            "percentunit",
            {
                "served": 'turngate:hit_ratio:rate30m{job="turngate"}',
                "bypass": 'turngate:bypass_ratio:rate30m{job="turngate"}',
            },
        ),
        Panel(
            "Why turns are not served",
            "reqps",
            {
                "{{reason}}": _rate(
                    "turngate_decisions_total", "reason", where=', kind=~"miss|bypass"'
                )
            },
        ),
        Panel(
            "Predictions by what became of them",
            "cps",
            {"{{outcome}}": _rate("turngate_predictions_total", "outcome")},
        ),
        Panel(
            "Predictions that a guard took out",
            "cps",
            {"{{guard}}": _rate("turngate_guarded_predictions_total", "guard")},
        ),
        Panel(
            "Turns that the router was asked about",
            "reqps",
            {"{{outcome}}": _rate("turngate_routes_total", "outcome")},
        ),
        Panel(
            "Share of served replies that is surely right, by the last audit",
            "percentunit",
            {"{{language}}": (f"min by (language) ({_of('turngate_audit_precision_lower95')})")},
        ),
        Panel(
            "Served replies that people looked at, by the last audit",
            "short",
            {"{{language}}, {{verdict}}": _max("turngate_audit_served", "language", "verdict")},
        ),
        Panel(
            "Since the last audit",
            "s",
            {
                "{{language}}": (
                    f"time() - max by (language) ({_of('turngate_audit_timestamp_seconds')})"
                )
            },
        ),
    ),
    "Time": (
        Panel(
            "Receipt to stored decision", "s", _quantiles("turngate_decision_seconds", 50, 95, 99)
        ),
        Panel(
            "Stages, p95", "s", {"{{stage}}": _quantile(0.95, "turngate_stage_seconds", "stage")}
        ),
        Panel(
            "Age of utterances at receipt", "s", _quantiles("turngate_event_age_seconds", 50, 99)
        ),
        Panel(
            "Missed budgets",
            "cps",
            {"{{where}}": _rate("turngate_deadline_overruns_total", "where")},
        ),
        Panel(
            "Added to the models' own time", "s", _quantiles("turngate_overhead_seconds", 50, 95)
        ),
        Panel(
            "Queues: jobs, and how many may wait",
            "short",
            {
                "{{queue}}": _max("turngate_queue_jobs", "queue"),
                "{{queue}}, bound": _max("turngate_queue_capacity_jobs", "queue"),
            },
        ),
    ),
    "Degradation": (
        Panel(
            "Degraded components",
            "short",
            {"{{component}} of {{instance}}": _max("turngate_degraded", "instance", "component")},
        ),
        Panel(
            "Parts that are not ready",
            "short",
            {"{{part}} of {{instance}}": f"1 - {_of('turngate_ready')} > 0"},
        ),
        Panel(
            "Workers by bundle",
            "short",
            {
                "{{kind}} {{fingerprint}}": (
                    f"count by (kind, fingerprint) ({_of('turngate_bundle_info')})"
                )
            },
        ),
        Panel(
            "Since the gate last ran",
            "s",
            {"{{kind}} of {{instance}}": f"time() - {_of('turngate_gate_timestamp_seconds')}"},
        ),
        Panel(
            "Inferences skipped or stuck",
            "cps",
            {
                "{{why}}": _rate("turngate_inference_skipped_total", "why"),
                "stuck": _rate("turngate_inference_stuck_total"),
            },
        ),
        Panel(
            "Pairs that people have banned, and predictions that met one",
            "short",
            {
                "banned": _max("turngate_denials"),
                "met": _rate("turngate_guarded_predictions_total", where=', guard="denied"'),
            },
        ),
    ),
    "Consumers": (
        Panel(
            "Records not handled yet",
            "short",
            {"{{topic}}": f"sum by (topic) ({_of('turngate_consumer_lag_records')})"},
        ),
        Panel(
            "Age of the oldest record in hand",
            "s",
            {"{{topic}}": _max("turngate_consumer_lag_seconds", "topic")},
        ),
        Panel(
            "Standing still",
            "s",
            {
                "not handled": _max("turngate_oldest_unhandled_seconds"),
                "not committed": _max("turngate_oldest_uncommitted_seconds"),
                "broker silent": _max("turngate_fetch_age_seconds"),
                "event loop late": _max("turngate_loop_lag_seconds"),
            },
        ),
        Panel("Partitions read", "short", {"{{instance}}": _of("turngate_assigned_partitions")}),
        Panel(
            "Dead letters",
            "cps",
            {"{{topic}}: {{fault}}": _rate("turngate_dead_letters_total", "topic", "fault")},
        ),
        Panel(
            "Repeated turns, conflicts, wrong clocks",
            "cps",
            {
                "repeated": _rate("turngate_decisions_replayed_total"),
                "conflict": _rate("turngate_turn_conflicts_total"),
                "wrong clock": _rate("turngate_clock_skew_total"),
            },
        ),
    ),
    "Questions": (
        Panel(
            "Verdicts by how they came about",
            "reqps",
            {"{{status}}": _rate("turngate_verdicts_total", "status")},
        ),
        Panel("Receipt to stored verdict", "s", _quantiles("turngate_verdict_seconds", 50, 95, 99)),
        Panel(
            "Calls of a remote judge, p95",
            "s",
            {"{{outcome}}": _quantile(0.95, "turngate_system_one_seconds", "outcome")},
        ),
        Panel(
            "Handed to the slow path",
            "cps",
            {"{{cause}}": _rate("turngate_review_items_total", "cause")},
        ),
        Panel(
            "Reviewed, by result",
            "cps",
            {"{{result}}": _rate("turngate_reviewed_total", "result")},
        ),
        Panel(
            "Gaps in the backlog",
            "short",
            {"{{state}}": f"sum by (state) ({_of('turngate_gaps')})"},
        ),
    ),
    "Redis and the process": (
        Panel(
            "Round trips, p99",
            "s",
            {"{{operation}}": _quantile(0.99, "turngate_cache_seconds", "operation")},
        ),
        Panel(
            "Errors, and the breaker",
            "cps",
            {
                "{{operation}}: {{fault}}": _rate(
                    "turngate_cache_errors_total", "operation", "fault"
                ),
                "breaker open": _max("turngate_breaker_open"),
            },
        ),
        Panel("Memory", "bytes", {"{{instance}}": _of("process_resident_memory_bytes")}),
        Panel("CPU", "short", {"{{instance}}": _rate("process_cpu_seconds_total", "instance")}),
        Panel("Open files", "short", {"{{instance}}": _of("process_open_fds")}),
        Panel("Agents known", "short", {"{{instance}}": _of("turngate_profiles")}),
    ),
}


def dashboard() -> dict[str, Any]:
    """Return the dashboard as Grafana reads it."""
    return {
        "uid": "turngate",
        "title": "Turngate",
        "tags": ["turngate"],
        "timezone": "",
        "schemaVersion": 39,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "editable": False,
        "templating": {"list": [_instance()]},
        "annotations": {"list": []},
        "panels": list(_panels()),
    }


def _instance() -> dict[str, Any]:
    query = 'label_values(turngate_build_info{job="turngate"}, instance)'
    return {
        "name": "instance",
        "label": "Worker",
        "type": "query",
        "datasource": _SOURCE,
        "query": {"query": query, "refId": "instance"},
        "refresh": 2,
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "current": {"text": "All", "value": "$__all"},
    }


def _panels() -> Iterator[dict[str, Any]]:
    number, top = 0, 0
    for row, panels in ROWS.items():
        number += 1
        yield {
            "id": number,
            "type": "row",
            "title": row,
            "collapsed": False,
            "gridPos": {"x": 0, "y": top, "w": _COLUMNS, "h": 1},
            "panels": [],
        }
        top += 1
        for index, panel in enumerate(panels):
            number += 1
            line, column = divmod(index * _WIDTH, _COLUMNS)
            yield _graph(number, panel, x=column, y=top + line * _HEIGHT)
        top += -(-len(panels) * _WIDTH // _COLUMNS) * _HEIGHT


def _graph(number: int, panel: Panel, *, x: int, y: int) -> dict[str, Any]:
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "datasource": _SOURCE,
        "gridPos": {"x": x, "y": y, "w": _WIDTH, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {
                "refId": chr(ord("A") + index),
                "datasource": _SOURCE,
                "expr": query,
                "legendFormat": legend,
            }
            for index, (legend, query) in enumerate(panel.queries.items())
        ],
    }


def main() -> None:
    """Write the file."""
    path = Path(__file__).with_name("turngate.json")
    path.write_text(json.dumps(dashboard(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
