"""What is deployed, as the tests read it."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
RULES = PROMETHEUS / "turngate.rules.yml"
DASHBOARD = DEPLOY / "grafana" / "turngate.json"
RUNBOOK = DEPLOY / "RUNBOOK.md"


def read_yaml(path: Path) -> Any:
    """Read a file of one document."""
    return yaml.safe_load(path.read_text("utf-8"))


def rules() -> Iterator[dict[str, Any]]:
    """Give every rule, recording and alerting."""
    for group in read_yaml(RULES)["groups"]:
        yield from group["rules"]


def alerts() -> dict[str, dict[str, Any]]:
    """Give the alerting rules by name."""
    return {rule["alert"]: rule for rule in rules() if "alert" in rule}


def metric_names(query: str) -> set[str]:
    """Find our metrics in a query; labels and their values are no metrics."""
    without_texts = re.sub(r'"[^"]*"', "", query)
    return set(re.findall(r"\bturngate_[a-z0-9_]+", without_texts))


def run(*command: str | Path) -> str:
    """Run a program, which must end with 0, and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> str:
    """
    Find a program that Debian's package `prometheus` brings.

    Its tests are left out, and say so, where it is missing; CI installs it.
    """
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} IS NOT INSTALLED: alert rules stay unchecked (apt install prometheus)")
    return path
