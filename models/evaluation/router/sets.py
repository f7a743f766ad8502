"""
Readers of public sets, by name; their files come from a folder of the user's, never from here.

Sets without a validation part give one from their training part (`draw.py`). None of them says what
production has: the mix of the test part stands for it.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from models.errors import ModelError
from models.evaluation.router.rows import OUT_OF_SCOPE, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path


class SetError(ModelError):
    """A public set cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingSet:
    """A labelled set in its parts."""

    name: str
    train: Sequence[Row]
    #: Empty where the set has none.
    validation: Sequence[Row] = ()
    test: Sequence[Row]


def read_set(name: str, data: Path) -> list[RoutingSet]:
    """
    Read a public set.

    Args:
        name: one of `SETS`.
        data: the folder with one folder a set.

    Returns:
        The set, or each of those that go by one name.

    Raises:
        SetError: its files are missing or not as they were published.
    """
    try:
        return SETS[name](data)
    except (OSError, EOFError, KeyError, ValueError) as error:
        raise SetError(f"{name}: cannot be read in {data} ({type(error).__name__})") from error


def _clinc150(data: Path) -> list[RoutingSet]:
    """English, 150 intents of ten domains, and out-of-scope phrases in every part."""
    parts = orjson.loads(gzip.decompress((data / "clinc150" / "data_full.json.gz").read_bytes()))

    def part(*names: str) -> list[Row]:
        return [Row(text, intent) for name in names for text, intent in parts[name]]

    return [
        RoutingSet(
            name="clinc150",
            train=part("train", "oos_train"),
            validation=part("val", "oos_val"),
            test=part("test", "oos_test"),
        )
    ]


def _hint3(data: Path) -> list[RoutingSet]:
    """Indian English and some Hinglish from live chatbots; out of scope in the test parts only."""

    def part(name: str) -> list[Row]:
        rows = _table(data / "hint3" / f"{name}.csv.gz")
        return [Row(row["sentence"], _hint3_intent(row["label"])) for row in rows]

    return [
        RoutingSet(name=name, train=part(f"{name}_train"), test=part(f"{name}_test"))
        for name in ("curekart", "sofmattress")
    ]


def _hint3_intent(label: str) -> str:
    return OUT_OF_SCOPE if label == "NO_NODES_DETECTED" else label


def _banking77(data: Path) -> list[RoutingSet]:
    """English, one domain, nothing out of scope."""
    train, test = (
        [Row(row["text"], row["category"]) for row in _table(data / "banking77" / f"{name}.csv.gz")]
        for name in ("train", "test")
    )
    return [RoutingSet(name="banking77", train=train, test=test)]


def _arbanking77(data: Path) -> list[RoutingSet]:
    """The same domain in Arabic: standard and Palestinian, nothing out of scope."""

    def part(*names: str) -> list[Row]:
        tables = (_table(data / "arbanking77" / f"{name}.csv.gz") for name in names)
        return [Row(row["text"], row["label"]) for table in tables for row in table]

    return [
        RoutingSet(
            name="arbanking77",
            train=part("train_msa_pal"),
            validation=part("val_msa_pal"),
            test=part("test_msa", "test_palestinian"),
        )
    ]


def _hinglish_top(data: Path) -> list[RoutingSet]:
    """Hinglish commands; what its authors call unsupported is out of scope."""

    def part(name: str) -> list[Row]:
        rows = _table(data / "hinglish_top" / f"{name}.tsv.gz", "\t")
        return [Row(row["cs_query"], _top_intent(row["cs_parse"])) for row in rows]

    return [RoutingSet(name="hinglish_top", train=part("train"), test=part("validation"))]


def _top_intent(parse: str) -> str:
    found = re.match(r"\[IN:(\w+)", parse)
    if found is None:
        raise ValueError("a parse without an intent")
    return OUT_OF_SCOPE if found[1].startswith("UNSUPPORTED") else found[1]


def _homeassistant(language: str) -> Callable[[Path], list[RoutingSet]]:
    def read(data: Path) -> list[RoutingSet]:
        """Commands to a home; every second phrase of an intent is test, for there are few."""
        by_intent = sorted(_commands(data, language), key=lambda row: row.intent)
        return [
            RoutingSet(name=f"homeassistant_{language}", train=by_intent[::2], test=by_intent[1::2])
        ]

    return read


def _homeassistant_across(examples: str, spoken: str) -> Callable[[Path], list[RoutingSet]]:
    def read(data: Path) -> list[RoutingSet]:
        """The router knows one language, callers speak another."""
        return [
            RoutingSet(
                name=f"homeassistant_{examples}_{spoken}",
                train=_commands(data, examples),
                test=_commands(data, spoken),
            )
        ]

    return read


def _commands(data: Path, language: str) -> list[Row]:
    rows = _table(data / "homeassistant_tests" / "sentences.tsv.gz", "\t")
    return [Row(row["text"], row["intent"]) for row in rows if row["lang"] == language]


def _table(path: Path, delimiter: str = ",") -> Iterable[dict[str, str]]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)


#: Readers by name.
SETS: dict[str, Callable[[Path], list[RoutingSet]]] = {
    "clinc150": _clinc150,
    "hint3": _hint3,
    "banking77": _banking77,
    "arbanking77": _arbanking77,
    "hinglish_top": _hinglish_top,
    "homeassistant_hi": _homeassistant("hi"),
    "homeassistant_ar": _homeassistant("ar"),
    "homeassistant_en": _homeassistant("en"),
    "homeassistant_en_hi": _homeassistant_across("en", "hi"),
    "homeassistant_en_ar": _homeassistant_across("en", "ar"),
}
