"""Where the parts of a JSON text stand, so that a mistake can be shown by its line."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field

#: Keys and positions from the whole document down to a part.
Path = tuple[str | int, ...]

#: Strings, marks, and everything else; of text that is known to be JSON.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+')


@dataclass(frozen=True, slots=True)
class Places:
    """Lines of a document, from 1."""

    #: Where each part begins.
    lines: dict[Path, int]
    #: Where a key stands that its object has already.
    repeated: tuple[int, ...]

    def line(self, path: Path) -> int:
        """Line of a part, or of what it is missing from."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


@dataclass(slots=True)
class _Open:
    """An object or a list that is not closed yet."""

    path: Path
    #: Of a list, the next position; of an object, -1.
    position: int
    #: Of an object, the key whose value comes next.
    key: str | None = None
    keys: set[str] = field(default_factory=set)

    def next_path(self) -> Path:
        """Path of the value that begins now."""
        if self.position >= 0:
            self.position += 1
            return (*self.path, self.position - 1)
        name, self.key = self.key, None
        return (*self.path, name or "")


def places(text: str) -> Places:
    """Find the parts of a text that `json` can read."""
    newlines = [match.start() for match in re.finditer("\n", text)]
    lines: dict[Path, int] = {}
    repeated: list[int] = []
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text):
        said, line = token.group(), bisect_right(newlines, token.start()) + 1
        if said in "}]":
            stack.pop()
        elif said not in ",:":
            inside = stack[-1] if stack else None
            if inside is not None and inside.position < 0 and inside.key is None:
                inside.key = json.loads(said)
                if inside.key in inside.keys:
                    repeated.append(line)
                inside.keys.add(inside.key or "")
                continue
            path = inside.next_path() if inside is not None else ()
            lines.setdefault(path, line)
            if said in "{[":
                stack.append(_Open(path, 0 if said == "[" else -1))
    return Places(lines, tuple(repeated))


def written(path: Path) -> str:
    """Write a path as people do: `intents[2].examples[0]`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{printable(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def printable(name: str) -> str:
    """Write a name so that nothing in it can move or hide what stands around it."""
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in name)
