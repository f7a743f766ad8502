"""`turngate hot`: the hot worker."""

import sys

import click

from models.errors import ModelError
from workers.errors import WorkerError
from workers.hot.app import run_hot
from workers.settings import Settings


@click.command("hot")
@click.pass_obj
def hot(settings: Settings) -> None:
    """Decide turns until SIGTERM: utterances and predictions in, decisions out."""
    try:
        code = run_hot(settings)
    except (WorkerError, ModelError) as error:
        raise click.ClickException(str(error)) from error
    sys.exit(code)
