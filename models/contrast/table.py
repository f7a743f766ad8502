"""Words that part what is alike: of each kind of opposites, a text means one side or the other."""

from collections.abc import Iterator
from pathlib import Path

_FILE = Path(__file__).with_name("opposites.txt")


def opposites(lines: str | None = None) -> dict[str, list[list[str]]]:
    """
    Read kinds of opposites: sides by name, each a list of phrases.

    Args:
        lines: a name, then its sides, indented, with commas between phrases; by default the
            file that lies beside this module, in English, Hindi, Hinglish and Arabic.

    Raises:
        ValueError: a side stands before any name, or a name has less than two sides.
    """
    found: dict[str, list[list[str]]] = {}
    sides: list[list[str]] | None = None
    for line in _meant(_FILE.read_text("utf-8") if lines is None else lines):
        if not line.startswith(" "):
            sides = found[line] = []
        elif sides is None:
            raise ValueError("a side of no kind of opposites")
        else:
            sides.append([phrase.strip() for phrase in line.split(",")])
    poor = [name for name, own in found.items() if len(own) == 1 or not own]
    if poor:
        raise ValueError(f"opposites of less than two sides: {', '.join(poor)}")
    return found


def _meant(lines: str) -> Iterator[str]:
    return (line for line in lines.splitlines() if line.strip() and not line.startswith("#"))
