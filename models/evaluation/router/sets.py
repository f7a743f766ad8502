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
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from models.errors import ModelError
from models.evaluation.router.rows import OUT_OF_SCOPE, Row
from models.text import match_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

#: Different turns that an intent of `hdrs_hindi` needs: a quarter of them is validation.
_HDRS_LEAST = 40


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


def _hwu64(data: Path) -> list[RoutingSet]:
    """English commands to a home assistant, 64 intents, nothing out of scope."""
    parts: dict[str, list[Row]] = {"train": [], "test": []}
    for row in _table(data / "hwu64" / "hwu64_fold1.tsv.gz", "\t"):
        parts[row["split"]].append(Row(row["text"], row["intent"]))
    return [RoutingSet(name="hwu64", **parts)]


def _hdrs_hindi(data: Path) -> list[RoutingSet]:
    """
    Hindi turns about restaurants; an intent is what a turn states and asks for, all of it.

    What is said less often than `_HDRS_LEAST` times is out of scope, as is what states nothing:
    thanks, goodbyes, "anything else". Turns repeat themselves, so a test turn that train has word
    for word is left out.
    """
    train, test = (
        _hdrs_turns(data / "hdrs_hindi" / f"{name}.jsonl.gz") for name in ("train", "dev")
    )
    known = {match_key(text) for text, _ in train}
    said = Counter(intent for _, intent in dict(train).items())
    kept = {intent for intent, count in said.items() if intent and count >= _HDRS_LEAST}

    def rows(part: Iterable[tuple[str, str]]) -> list[Row]:
        return [Row(text, intent if intent in kept else OUT_OF_SCOPE) for text, intent in part]

    unseen = [(text, intent) for text, intent in test if match_key(text) not in known]
    return [RoutingSet(name="hdrs_hindi", train=rows(train), test=rows(unseen))]


def _hdrs_turns(path: Path) -> list[tuple[str, str]]:
    rows = map(orjson.loads, _text(path).split("\n"))
    return [(row["user"], _hdrs_intent(row["label"])) for row in rows]


def _hdrs_intent(label: Iterable[tuple[str, str]]) -> str:
    """What a turn states ("food") and asks for ("request phone"); nothing is empty."""
    stated = {f"{slot} {value}" if slot == "request" else slot for slot, value in label}
    return ", ".join(sorted(stated))


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
    return csv.DictReader(io.StringIO(_text(path), newline=""), delimiter=delimiter)


def _text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n")


#: Readers by name.
SETS: dict[str, Callable[[Path], list[RoutingSet]]] = {
    "clinc150": _clinc150,
    "hint3": _hint3,
    "banking77": _banking77,
    "arbanking77": _arbanking77,
    "hinglish_top": _hinglish_top,
    "hwu64": _hwu64,
    "hdrs_hindi": _hdrs_hindi,
    "homeassistant_hi": _homeassistant("hi"),
    "homeassistant_ar": _homeassistant("ar"),
    "homeassistant_en": _homeassistant("en"),
    "homeassistant_en_hi": _homeassistant_across("en", "hi"),
    "homeassistant_en_ar": _homeassistant_across("en", "ar"),
}
