"""`turngate mask`: what masking would take out of a text."""

import click
import orjson

from models.masking import Masked, mask


@click.command("mask")
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a text.")
def mask_text(text: str, *, as_json: bool) -> None:
    """
    Show TEXT masked, and each span with its kind; `-` reads a text a line from standard input.

    Spans are [start, end) in characters of the text as given. What was masked is not printed.
    """
    source = click.get_text_stream("stdin", encoding="utf-8", errors="replace")
    texts = (line.rstrip("\r\n") for line in source) if text == "-" else (text,)
    for one in texts:
        # A terminal's broken bytes come as surrogates, which cannot be printed.
        masked = mask(one.encode("utf-8", "replace").decode())
        click.echo(_json(masked) if as_json else _shown(masked))


def _shown(masked: Masked) -> str:
    spans = (f"  {span.kind.value} {span.start}-{span.end}" for span in masked.spans)
    return "\n".join((masked.text, *spans))


def _json(masked: Masked) -> str:
    spans = [
        {"start": span.start, "end": span.end, "type": span.kind.value} for span in masked.spans
    ]
    return orjson.dumps({"masked": masked.text, "spans": spans}).decode()
