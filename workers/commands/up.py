"""`turngate up`: broker, cache and hot workers on this machine."""

import asyncio
import os
import sys

import click

from workers.up import run_up


@click.command("up")
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 8), help="Hot workers to run."
)
def up(workers: int) -> None:
    """
    Run a broker, a cache and hot workers until Ctrl-C.

    The environment variables KAFKA and REDIS name services of yours to use; without them an
    embedded broker and cache run as long as this command does.
    """
    sys.exit(asyncio.run(run_up(os.environ, workers=workers, say=click.echo)))
