"""`turngate bundle sign`, as a person types it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from models import signature
from models.bundle import load_bundle
from models.errors import BundleError
from workers.cli import main

TINY = Path(__file__).parents[2] / "models" / "fixtures" / "judge"
KEY = "a key of sixteen"


@pytest.fixture(autouse=True)
def unasked():
    """Take back what the command line asked for."""
    yield
    signature.require("")


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(TINY, tmp_path / "judge")


def run(folder, *, env=None):
    return CliRunner(env=env or {}).invoke(main, ["bundle", "sign", str(folder)])


def test_what_is_signed_is_loaded_under_the_same_key(folder) -> None:
    """The last line names the bundle; another key is another signature."""
    result = run(folder, env={"TURNGATE_BUNDLE_KEY": KEY})

    assert result.exit_code == 0, result.output
    manifest = load_bundle(folder).manifest
    said = json.loads(result.output.splitlines()[-1])
    assert (said["fingerprint"], said["seal"]) == (manifest.fingerprint, manifest.seal)
    signature.require(KEY + "x")
    with pytest.raises(BundleError, match=r"manifest\.sig"):
        load_bundle(folder)


def test_the_key_may_be_in_a_file(folder, tmp_path) -> None:
    """As secrets are mounted."""
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n", "utf-8")

    result = run(folder, env={"TURNGATE_BUNDLE_KEY_FILE": str(path)})

    assert result.exit_code == 0, result.output
    signature.require(KEY)
    assert load_bundle(folder)


@pytest.mark.parametrize("key", [None, "", "hunter2"], ids=["none", "empty", "too short"])
def test_without_a_key_nothing_is_signed(folder, key) -> None:
    """The error names the setting and does not show what it was."""
    result = run(folder, env={"TURNGATE_BUNDLE_KEY": key})

    assert result.exit_code == 1
    assert "TURNGATE_BUNDLE_KEY" in result.output + result.stderr
    assert "hunter2" not in result.output + result.stderr
    assert not (folder / "manifest.sig").exists()


def test_a_bundle_that_is_broken_is_a_sentence(folder) -> None:
    """No traceback, and no signature."""
    (folder / "model.onnx").write_bytes(b"another")

    result = run(folder, env={"TURNGATE_BUNDLE_KEY": KEY})

    assert result.exit_code == 1
    assert "model.onnx" in result.stderr
    assert not (folder / "manifest.sig").exists()


def test_every_command_asks_for_signatures(folder) -> None:
    """Where the key is set, a gate too looks at no bundle that is not signed."""
    env = {"TURNGATE_BUNDLE_KEY": KEY}

    result = CliRunner(env=env).invoke(main, ["gate", str(folder)])

    assert result.exit_code == 1
    assert "manifest.sig" in result.stderr
