"""`turngate demo`: real caller turns through real processes."""

import asyncio
import os
import sys

import click
from rich.console import Console

from workers import log
from workers.commands.ranges import Between
from workers.demo.run import DemoOptions, run_demo
from workers.interrupt import until_signal

#: Exit code after Ctrl-C, as shells have it.
_INTERRUPTED = 130


@click.command("demo")
@click.option("--turns", default=400, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--rate", default=8.0, show_default=True, type=Between(0.1, 100), help="A second.")
@click.option(
    "--lead",
    default=1.0,
    show_default=True,
    type=Between(0, 60),
    help="Seconds from predictions to utterance.",
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 8), help="Hot workers to run."
)
@click.option(
    "--routes",
    default=70,
    show_default=True,
    type=click.IntRange(0),
    help="How many turns of agents with intents.",
)
@click.option(
    "--questions",
    default=55,
    show_default=True,
    type=click.IntRange(0),
    help="How many to the knowledge base; with 0 there is no slow worker either.",
)
def demo(
    *, turns: int, rate: float, lead: float, workers: int, routes: int, questions: int
) -> None:
    """
    Play real caller turns and questions in four languages and show what is decided.

    Everything runs on this machine: an embedded broker and cache, or yours if the environment
    variables KAFKA and REDIS name them, hot workers and a slow one. The last line is the summary as
    JSON. Fails if an event got no decision or two different ones, bad bytes got no dead letter, or
    a gap shows personal data.
    """
    # The screen is the demo's; what the workers log goes to files.
    log.configure("ERROR")
    options = DemoOptions(
        turns=turns, rate=rate, lead_s=lead, workers=workers, routes=routes, questions=questions
    )
    sys.exit(asyncio.run(until_signal(_demo(options), on_signal=_INTERRUPTED)))


async def _demo(options: DemoOptions) -> int:
    outcome = await run_demo(os.environ, options, Console(markup=False, highlight=False))
    click.echo(outcome.as_json())
    return 0 if outcome.ok else 1
