"""The threat model names tests that exist, and says what it must."""

import ast
import re
from dataclasses import fields

import pytest

from tests.deployed import DEPLOY, ROOT
from workers.settings import Settings, load

THREATS = (DEPLOY / "THREATS.md").read_text("utf-8")
ROWS = [
    line
    for line in THREATS.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| threat"))
]
NAMED = re.findall(r"`(tests/[^`]+)`", "\n".join(ROWS))


def defined_in(path: str) -> set[str]:
    """Name the tests of a file as pytest does, without parameters."""
    found = set()
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {
                f"{node.name}::{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return found


def test_every_line_names_a_test() -> None:
    """A defence that no test holds is only a sentence."""
    assert len(ROWS) > 20
    assert [row for row in ROWS if "`tests/" not in row.split("|")[3]] == []


@pytest.mark.parametrize("named", sorted(set(NAMED)))
def test_a_named_test_exists(named) -> None:
    """A test that was renamed takes its line with it."""
    path, _, name = named.partition("::")

    assert (ROOT / path).is_file()
    assert name in defined_in(path)


@pytest.mark.parametrize(
    "kind",
    [
        "Cache poisoning",
        "Reading across tenants",
        "Oversized text",
        "Hostile text",
        "The board",
        "Injection through entries",
        "Stale or replayed events",
        "Supply chain",
    ],
)
def test_every_kind_of_threat_is_there(kind) -> None:
    """None is left out when lines move."""
    assert f"**{kind}**" in THREATS


@pytest.mark.parametrize("name", [one.name for one in fields(Settings) if "host" in one.name])
def test_what_is_served_is_bound_to_loopback(name) -> None:
    """Metrics, health and the board are nobody's business until a setting says so."""
    assert getattr(load({}), name) == getattr(Settings(), name) == "127.0.0.1"


def test_all_that_is_served_is_looked_at() -> None:
    """A new page is in that test too, or here where it goes by another name."""
    ports = {one.name for one in fields(Settings) if one.name.endswith("_port")}
    hosts = {one.name for one in fields(Settings) if one.name.endswith("_host")}

    assert ports == {"monitor_port", "board_port"}
    assert hosts == {"monitor_host", "board_host"}
