"""Tables of numbers on the command line."""

from collections.abc import Mapping, Sequence
from typing import Any

import click


def print_table(rows: Mapping[str, Mapping[str, Any]], columns: Sequence[str]) -> None:
    """
    Print one line a row under a line of headings, columns aligned.

    Args:
        rows: fields by the row's name.
        columns: names of the fields to show; a row without one shows a dash.

    """
    lines = [["", *columns]]
    lines += [
        [name, *(_shown(fields.get(column)) for column in columns)] for name, fields in rows.items()
    ]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for first, *rest in lines:
        numbers = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        click.echo("  ".join([first.ljust(widths[0]), *numbers]).rstrip())


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
