"""`turngate hot`: the hot worker."""

import sys

import click

from workers.hot.app import run_hot
from workers.settings import Settings


@click.command("hot")
@click.pass_obj
def hot(settings: Settings) -> None:
    """Decide turns until SIGTERM: utterances and predictions in, decisions out."""
    sys.exit(run_hot(settings))
