"""
Runs stages in order, each as a process of its own, and knows which of them need not run again.

A stage leaves two files in the folder `stages` of its run: `NAME.log`, what it printed (its last
line is one JSON document), and `NAME.json`, written once it is finished: command, seconds, that
document, and the SHA-256 of everything that it says it reads and writes. Code is no part of that:
whoever changes a stage's code names the stage with `--from`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

#: Folder of logs and records inside a run's folder.
FOLDER = "stages"


class StageFailed(Exception):
    """A stage ended with an error, or without the JSON document that it owes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One command of a run."""

    name: str
    #: Module that `python -m` runs.
    module: str
    arguments: tuple[str | Path, ...]
    #: Files and folders that it reads, and that it makes.
    reads: tuple[Path, ...]
    writes: tuple[Path, ...]
    #: Variables of its environment beside those that the run itself was given.
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def command(self) -> list[str]:
        """The command without the interpreter."""
        return ["-m", self.module, *map(str, self.arguments)]


def log_of(run: Path, name: str) -> Path:
    """File with what a stage printed."""
    return run / FOLDER / f"{name}.log"


def record_of(run: Path, name: str) -> dict[str, Any] | None:
    """What a stage left when it finished; None when it did not."""
    try:
        found = json.loads((run / FOLDER / f"{name}.json").read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def digests(paths: Sequence[Path]) -> dict[str, str | None]:
    """SHA-256 of each file or folder (names and content), None where there is nothing."""
    return {str(path): _digest(path) for path in paths}


def _digest(path: Path) -> str | None:
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file() and one.suffix != ".pyc")
        lines = "".join(f"{one.relative_to(path)}\n{_digest(one)}\n" for one in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why_run(stage: Stage, run: Path) -> str | None:
    """Why a stage has to run; None when it is finished and nothing has changed since."""
    record = record_of(run, stage.name)
    if record is None:
        return "not finished"
    if record["command"] != stage.command or record["environment"] != dict(stage.environment):
        return "other arguments"
    for side, paths in (("reads", stage.reads), ("writes", stage.writes)):
        now = digests(paths)
        changed = [name for name in now if now[name] != record[side].get(name)]
        if changed:
            return f"{changed[0]} changed"
    return None


def run_stages(stages: Sequence[Stage], run: Path, first: str | None = None) -> None:
    """
    Run every stage, or go on.

    Args:
        stages: in order.
        run: the run's folder.
        first: name of the stage to go on from; those before it only run when they have to.

    Raises:
        StageFailed: a stage failed; those after it did not run.
    """
    maybe = first is not None
    for number, stage in enumerate(stages, 1):
        mark = f"[{number}/{len(stages)}] {stage.name}"
        maybe = maybe and stage.name != first
        if maybe and (why := why_run(stage, run)) is None:
            _say(f"{mark}: unchanged, skipped")
            continue
        _say(f"{mark}: {f'({why}) ' if maybe else ''}python {shlex.join(stage.command)}")
        seconds = run_stage(stage, run)
        _say(f"{mark}: {seconds:.1f} s")


def run_stage(stage: Stage, run: Path) -> float:
    """Run one stage, whatever it left before, and return its seconds; StageFailed if it fails."""
    (run / FOLDER).mkdir(parents=True, exist_ok=True)
    record = run / FOLDER / f"{stage.name}.json"
    record.unlink(missing_ok=True)
    reads = digests(stage.reads)  # before: what changes meanwhile was not read for sure
    started = time.monotonic()
    last = _process(stage, log_of(run, stage.name))
    seconds = time.monotonic() - started
    content = {
        "command": stage.command,
        "environment": dict(stage.environment),
        "seconds": round(seconds, 1),
        "result": _result(stage, last),
        "reads": reads,
        "writes": digests(stage.writes),
    }
    if lacking := [name for name, digest in content["writes"].items() if digest is None]:
        raise StageFailed(f"{stage.name} did not write {lacking[0]}")
    record.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return seconds


def _process(stage: Stage, log: Path) -> str:
    """Run a stage's command, show and keep what it prints, and return its last line."""
    last = ""
    with (
        log.open("w", encoding="utf-8") as file,
        subprocess.Popen(  # noqa: S603 - the commands are ours
            [sys.executable, *stage.command],
            env={**os.environ, **stage.environment},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as process,
    ):
        for line in process.stdout or ():
            file.write(line)
            _say("    " + line.rstrip("\n"))
            last = line
    if process.returncode:
        raise StageFailed(f"{stage.name} failed with exit status {process.returncode}")
    return last


def _result(stage: Stage, last: str) -> Any:
    try:
        return json.loads(last)
    except ValueError:
        raise StageFailed(f"{stage.name} did not end with a JSON document") from None


def _say(line: str) -> None:
    print(line, flush=True)
