"""`turngate judge`: explain one decision."""

import click
import msgspec
import orjson

from models.encoder import Encoder
from models.explain import Explanation, explain
from models.judge import Judge
from workers.settings import Settings


@click.command("judge")
@click.argument("utterance")
@click.argument("prediction")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.pass_obj
def judge(settings: Settings, utterance: str, prediction: str, *, as_json: bool) -> None:
    """Explain whether PREDICTION's reply could be played when the caller says UTTERANCE."""
    encoder = Encoder.load(settings.encoder, threads=settings.inference_threads)
    judge = Judge.load(settings.judge, threads=settings.inference_threads)
    encoder.warm()
    judge.warm()
    try:
        explanation = explain(utterance, prediction, encoder=encoder, judge=judge)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    if as_json:
        click.echo(orjson.dumps(msgspec.to_builtins(explanation)).decode())
    else:
        _print(explanation)


def _print(explanation: Explanation) -> None:
    rows = msgspec.to_builtins(explanation)
    times = rows.pop("timings_ms")
    served, reason = rows.pop("served"), rows.pop("reason")
    for name, value in rows.items():
        if value is not None:
            click.echo(f"{name:<16}{_shown(value)}")
    click.echo(
        f"{'times':<16}" + ", ".join(f"{name} {took:.2f} ms" for name, took in times.items())
    )
    click.echo(f"{'verdict':<16}{'serve' if served else 'do not serve'} ({reason})")


def _shown(value: object) -> str:
    return f"{value:+.3f}" if isinstance(value, float) else str(value)
