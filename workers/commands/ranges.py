"""Numbers that options take."""

import math
from typing import Any

import click


class Between(click.FloatRange):
    """A number between two others; click's own takes `nan`, and `inf` where an end is open."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """
        Read a number.

        Raises:
            click.BadParameter: it is none, or outside.

        """
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number.", param, ctx)
        return number
