"""One case after the other at a terminal: right, wrong, skip, stop."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from models.evaluation.labels import read_labels
from workers.audit.case import Case

#: Isolates a text, so that its direction turns nothing round that stands beside it.
_FIRST_STRONG, _POP = "\u2068", "\u2069"
#: What an answer means; None leaves the case for later.
ANSWERS = {"y": 1, "n": 0, "s": None}
#: Ends the session.
STOP = "q"
_OWNER_ONLY = 0o600

#: Asks and returns one of `ANSWERS` or `STOP`.
Ask = Callable[[str], str]
#: Shows one line.
Show = Callable[[str], None]


def left(cases: Sequence[Case], labels: Path) -> list[Case]:
    """Return the cases that the file of labels says nothing of."""
    done = set()
    if labels.exists():
        given, _ = read_labels([labels])
        done = {(one.turn, one.label.prediction_id) for one in given}
    return [one for one in cases if (one.decision_id, one.prediction_id) not in done]


def go_through(
    cases: Sequence[Case], labels: Path, *, by: str, ask: Ask, show: Show
) -> dict[str, int]:
    """
    Ask about each case and append each answer at once, so that nothing is lost at a stop.

    Returns:
        How many were called right and wrong, and how many were skipped.

    """
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    for number, one in enumerate(cases, 1):
        show("")
        show(f"{number} of {len(cases)}   {one.language}")
        for line in _lines(one):
            show(line)
        answer = ask("May this reply be played? [y]es [n]o [s]kip [q]uit ")
        if answer == STOP:
            break
        label = ANSWERS[answer]
        if label is None:
            counts["skipped"] += 1
            continue
        _append(labels, one, label, by)
        counts["right" if label else "wrong"] += 1
    return counts


def _lines(one: Case) -> Iterator[str]:
    if one.agent_text:
        yield f"  agent      {plain(one.agent_text)}"
    yield f"  caller     {plain(one.utterance)}"
    yield f"  predicted  {plain(one.prediction)}"
    reply = one.response if isinstance(one.response, str) else orjson.dumps(one.response).decode()
    yield f"  reply      {plain(reply)}"


def plain(text: str) -> str:
    """Write a text so that nothing in it can move the cursor, hide, or turn its neighbours."""
    shown = "".join(letter if _shows(letter) else f"\\u{ord(letter):04x}" for letter in text)
    return f"{_FIRST_STRONG}{shown}{_POP}"


def _shows(letter: str) -> bool:
    # Joiners are not printable to Python, and words of Hindi and Urdu are misread without them.
    return letter.isprintable() or letter in "\u200c\u200d"


def _append(path: Path, one: Case, label: int, by: str) -> None:
    row = {
        "decision_id": one.decision_id,
        "prediction_id": one.prediction_id,
        "label": label,
        "labeller": by,
    }
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    with os.fdopen(os.open(path, flags, _OWNER_ONLY), "ab") as file:
        file.write(orjson.dumps(row) + b"\n")
