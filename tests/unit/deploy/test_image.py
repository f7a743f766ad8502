"""The image: small, from hashed packages, not root."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.deployed import DEPLOY, ROOT, run

DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
IGNORED = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
RUNTIME = (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[=<>\[; ]", one)[0].lower().replace("_", "-") for one in requirements}


def locked() -> set[str]:
    return names(re.findall(r"^([A-Za-z0-9._-]+)==", RUNTIME, re.MULTILINE))


@pytest.mark.parametrize("extra", ["embedded", "train", "dev", "reference"])
def test_nothing_of_an_extra_is_in_it(extra) -> None:
    """No torch, no test tool, no embedded broker in production."""
    only_there = names(PROJECT["optional-dependencies"][extra]) - names(PROJECT["dependencies"])

    # What a dependency brings by itself is not the extra's.
    assert locked() & only_there <= {"pyyaml", "rich", "setuptools"}
    assert "torch" not in locked()


def test_the_sbom_names_every_package(tmp_path) -> None:
    """Whoever asks what is in the image gets all of it, with its hashes."""
    path = tmp_path / "sbom.json"
    command = [part.replace("$@", str(path)) for part in sbom_command()]

    run(Path(sys.executable).with_name("cyclonedx-py"), *command)

    document = json.loads(path.read_text("utf-8"))
    found = {one["name"].lower().replace("_", "-") for one in document["components"]}
    assert document["bomFormat"] == "CycloneDX"
    assert document["metadata"]["component"]["name"] == "turngate"
    assert found == locked()


def sbom_command() -> list[str]:
    """Take the arguments of `make sbom`."""
    makefile = MAKEFILE.replace("\\\n", " ")
    (line,) = re.findall(r"cyclonedx-py (.*)", makefile)
    return [str(ROOT / part) if (ROOT / part).is_file() else part for part in line.split()]


def test_every_package_has_its_hashes() -> None:
    """What was locked is what is installed."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", RUNTIME, flags=re.MULTILINE)[1:]

    assert len(blocks) > 30
    assert all("--hash=sha256:" in block for block in blocks)
    # The venv that models are trained in is another one, and nothing of it is shipped.
    ours = re.sub(r"^.*\.venv-train.*$", "", MAKEFILE, flags=re.MULTILINE)
    installs = re.findall(r"pip install (.*)", DOCKERFILE + ours)
    assert len(installs) == 4
    assert all("--require-hashes" in one or "--no-deps" in one for one in installs)


def test_the_build_s_own_tool_is_hashed_too() -> None:
    """The expression of the Dockerfile finds it in the developers' lock."""
    developers = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    found = re.search(r"^setuptools==(?:.*\\\n)+.*[^\\]$", developers, re.MULTILINE)

    assert found is not None
    assert "--hash=sha256:" in found.group()


def test_it_runs_as_nobody() -> None:
    """The last user is a number, and not root's."""
    users = re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE)

    assert users == ["10001:10001"]


def test_it_says_how_it_is() -> None:
    """An engine without probes of its own sees whether turns are decided."""
    assert "HEALTHCHECK" in DOCKERFILE
    assert "/readyz" in DOCKERFILE


def test_only_what_runs_is_copied() -> None:
    """A new folder is left out until somebody names it; the training data's sources stay out."""
    lines = [line for line in IGNORED.splitlines() if line and not line.startswith("#")]
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert lines[0] == "*"
    assert {"topics", "models", "workers", "requirements", "pyproject.toml"} <= kept
    assert not {"tests", "deploy", ".git", "docs"} & kept
    assert all((ROOT / name).exists() for name in kept)
