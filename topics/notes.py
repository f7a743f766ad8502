"""The `#:` lines of our classes: what each field and enum member means, read from the source."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Mapping, Sequence

_MARK = "#:"


@functools.cache
def notes(owner: type) -> Mapping[str, str]:
    """
    Read what stands above each field of a dataclass, or each member of an enum.

    Returns:
        The text by name, on one line; names without a note are left out.

    Raises:
        OSError: the source is not there.

    """
    source = textwrap.dedent(inspect.getsource(owner))
    lines = source.splitlines()
    (definition,) = (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef))
    found = {
        name: _above(lines, node.lineno) for node in definition.body for name in _assigned(node)
    }
    return {name: note for name, note in found.items() if note}


def _assigned(node: ast.stmt) -> list[str]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
        case _:
            return []


def _above(lines: Sequence[str], lineno: int) -> str:
    note: list[str] = []
    for line in reversed(lines[: lineno - 1]):
        text = line.strip()
        if not text.startswith(_MARK):
            break
        note.insert(0, text.removeprefix(_MARK).strip())
    return " ".join(note)
