"""The dashboard: what Grafana needs of it, and queries that Prometheus takes."""

import itertools
import json

import pytest

from tests.deployed import DASHBOARD, DEPLOY, read_yaml, run, tool

BOARD = json.loads(DASHBOARD.read_text("utf-8"))
GRAPHS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]


def test_panels_do_not_overlap() -> None:
    """Each lies on the grid and beside the others, with an id of its own."""
    cells = [
        (x, y)
        for panel in BOARD["panels"]
        for x, y in itertools.product(
            range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"]),
            range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"]),
        )
    ]

    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_every_graph_can_be_drawn() -> None:
    """A title, a unit, and queries with legends to the one source that is provisioned."""
    source = read_yaml(DEPLOY / "grafana" / "provisioning" / "datasources" / "prometheus.yml")
    (uid,) = [one["uid"] for one in source["datasources"]]

    for panel in GRAPHS:
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["targets"]
        for target in panel["targets"]:
            assert target["datasource"]["uid"] == uid
            assert target["expr"]
            assert target["legendFormat"]
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references)


def test_prometheus_takes_every_query(tmp_path) -> None:
    """A query with a typing error shows an empty graph and no word."""
    promtool = tool("promtool")
    queries = [target["expr"] for panel in GRAPHS for target in panel["targets"]]
    path = tmp_path / "queries.yml"
    path.write_text(
        json.dumps(
            {
                "groups": [
                    {
                        "name": "queries",
                        "rules": [
                            {
                                "record": f"query:{number}",
                                "expr": query.replace("$__rate_interval", "1m"),
                            }
                            for number, query in enumerate(queries)
                        ],
                    }
                ]
            }
        ),
        "utf-8",
    )

    assert f"{len(queries)} rules found" in run(promtool, "check", "rules", path)


@pytest.mark.parametrize("word", ["tenant", "call_id", "agent_id", "utterance="])
def test_nobody_is_named(word) -> None:
    """A dashboard shows machines and topics, never a tenant or a caller."""
    assert word not in DASHBOARD.read_text("utf-8")
