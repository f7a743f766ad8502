"""What every run begins with: base weights, trimmed words, data, and the warmed-up encoder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from models.pipeline.data.build import HELD_FILES
from models.pipeline.stages import Stage, StageFailed, run_stages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: glibc gives activations back to the kernel after each step, and page faults then take most of
#: the time; so it keeps up to 8 GB, and takes 256 MB at once. Few spins, for shared cores.
TRAINING = {
    "GOMP_SPINCOUNT": "20000",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "8000000000",
    "MALLOC_TOP_PAD_": "268435456",
}
#: Version of a bundle that nobody may serve with.
TINY_VERSION = "0.0.0-tiny"


def stage(
    name: str,
    *arguments: str | Path,
    writes: tuple[Path, ...],
    reads: tuple[Path, ...] = (),
    module: str | None = None,
    environment: dict[str, str] | None = None,
) -> Stage:
    """Return the stage of one module of this package, named like it unless told."""
    return Stage(
        name=name,
        module=f"models.pipeline.{module or name}",
        arguments=arguments,
        reads=reads,
        writes=writes,
        environment=environment or {},
    )


def first_stages(data: Path, run: Path, *, tiny: bool) -> list[Stage]:
    """
    Return the stages up to the warmed-up encoder, in order.

    Args:
        data: folder of the public data sets.
        run: folder that takes everything: base, data, warm.
        tiny: the smoke run.
    """
    full, base, made, warm = run / "base-full", run / "base", run / "data", run / "warm"
    groups = made / "groups.jsonl"
    files = ("train", *HELD_FILES, "turns", "texts")
    written = (*(made / f"{name}.jsonl" for name in files), groups)
    small = ("--tiny",) if tiny else ()
    return [
        stage("base", "--out", full, writes=(full,)),
        stage("trim", "--base", full, "--data", data, "--out", base, reads=(full, data),
              writes=(base,)),
        stage("data", "--data", data, "--out", made, *small, module="data.build", reads=(data,),
              writes=written),
        stage("warm", "--base", base, "--groups", groups, "--out", warm, *small,
              reads=(base, groups), writes=(warm,), environment=TRAINING),
    ]  # fmt: skip


def run_from_arguments(
    description: str | None,
    version: str,
    stages_of: Callable[..., list[Stage]],
    argv: Sequence[str] | None,
) -> tuple[list[Stage], Path]:
    """
    Run the stages that the command line asks for, and return them with the folder of the run.

    Args:
        description: of the command.
        version: of the bundle, where none is given.
        stages_of: makes the stages of data folder, run folder, `version` and `tiny`.
        argv: the command line.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of public data sets")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--version", default=version, help="of the bundle")
    parser.add_argument("--tiny", action="store_true", help="the smoke run")
    parser.add_argument("--from", dest="first", metavar="STAGE", help="go on from this stage")
    args = parser.parse_args(argv)
    if not args.data.is_dir():
        parser.error(f"--data: no folder of public data sets at {args.data}")
    stages = stages_of(args.data, args.out, version=args.version, tiny=args.tiny)
    names = [one.name for one in stages]
    if args.first not in (None, *names):
        parser.error(f"--from: a stage is one of {', '.join(names)}")
    try:
        run_stages(stages, args.out, args.first)
    except StageFailed as failure:
        raise SystemExit(f"{failure}; what is finished stays: go on with --from") from failure
    return stages, args.out
