"""`turngate up`: broker, cache, workers and the board on this machine."""

import asyncio
import os
import sys

import click

from workers.up_board import run_up


@click.command("up")
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 8), help="Hot workers to run."
)
@click.option(
    "--board/--no-board",
    default=True,
    show_default=True,
    help="Also run a slow worker, and the board that shows its gaps.",
)
def up(workers: int, *, board: bool) -> None:
    """
    Run a broker, a cache, workers and the board until Ctrl-C.

    The environment variables KAFKA and REDIS name services of yours to use; without them an
    embedded broker and cache run as long as this command does. People log in to the board with
    TURNGATE_BOARD_TOKEN; without one a token is made and printed once.
    """
    sys.exit(asyncio.run(run_up(os.environ, workers=workers, say=click.echo, with_board=board)))
