"""
The command line, `turngate`.

Each command is imported only when it is called, so that a light one does not pay for a heavy one.
"""

import importlib
import os
from typing import Any

import click

from models import signature
from models.errors import ModelError
from workers import log
from workers.errors import WorkerError
from workers.settings import load

#: Where each command is: module and name in it.
_COMMANDS = {
    "hot": ("workers.commands.hot", "hot"),
    "slow": ("workers.commands.slow", "slow"),
    "gaps": ("workers.commands.gaps", "gaps"),
    "board": ("workers.commands.board", "board"),
    "up": ("workers.commands.up", "up"),
    "demo": ("workers.commands.demo", "demo"),
    "topics": ("workers.commands.topics", "topics"),
    "lag": ("workers.commands.lag", "lag"),
    "profile": ("workers.commands.profile", "profile"),
    "judge": ("workers.commands.judge", "judge"),
    "mask": ("workers.commands.mask", "mask_text"),
    "eval": ("workers.commands.evaluate", "evaluate"),
    "gate": ("workers.commands.gate", "gate"),
    "bundle": ("workers.commands.bundle", "bundle"),
    "calibrate": ("workers.commands.calibrate", "calibrate"),
    "replay": ("workers.commands.replay", "replay"),
    "compare": ("workers.commands.compare", "compare"),
    "label": ("workers.commands.label", "label"),
    "audit": ("workers.commands.audit", "audit"),
    "deny": ("workers.commands.deny", "deny"),
    "kb": ("workers.commands.kb", "kb"),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        _ = ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        _ = ctx
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of ours is a sentence for the user, not a traceback."""
        try:
            return super().invoke(ctx)
        except (WorkerError, ModelError) as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=_Commands)
@click.version_option(package_name="turngate")
@click.pass_context
def main(context: click.Context) -> None:
    """Decide in milliseconds whether a voice agent's prepared reply may be played."""
    settings = load(os.environ)
    log.configure(settings.log_level)
    signature.require(settings.bundle_key.reveal())
    context.obj = settings


if __name__ == "__main__":
    main()
