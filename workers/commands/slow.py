"""`turngate slow`: the slow worker."""

import sys

import click

from workers.settings import Settings
from workers.slow.app import run_slow


@click.command("slow")
@click.pass_obj
def slow(settings: Settings) -> None:
    """Review late and unanswered questions until SIGTERM: `kb.review` in, `kb.gaps` out."""
    sys.exit(run_slow(settings))
