"""
The hand-written suites: what training has not seen, held to strict rules when read.

    python -m models.suites                       counts and plain-overlap AUCs; last line JSON
    python -m models.suites --pairs natural.pairs.jsonl
                                                  also the natural turns as pairs, for `eval match`

`suites/README.md` says what they are, what a label answers, and how the rows were written.
Training data is held against `texts()` and uses nothing else here.
"""

import argparse
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec
import orjson

from models.errors import ModelError
from models.pipeline.data.overlap import auc, jaccard
from models.script_report import RowError
from models.text import clean, letter_scripts, match_key

FOLDER = Path(__file__).parent / "suites"

Language = Literal["en", "hi", "hinglish", "ar"]
Label = Literal[0, 1]
Kind = Literal[
    "polarity", "negation", "am_pm", "clock_time", "day_date", "amount", "count",
    "role_swap", "question_statement", "hedge_commit", "condition", "defer_decline",
    "order_swap", "entity", "antonym", "near_topic", "short_reply", "long_turn",
    "paraphrase", "filler",
]  # fmt: skip
LANGUAGES: tuple[str, ...] = get_args(Language)
KINDS: tuple[str, ...] = get_args(Kind)

#: Least size of each suite in each language: natural counts turns, the others pairs.
LEAST = {"natural": 60, "hard": 200, "gate": 110}
#: Least rows of each class and language in the hard suite.
LEAST_OF_KIND = 8
#: Predictions of a natural turn, least and most.
PREDICTIONS = (4, 8)
#: Share of natural turns that have a match, of hard pairs and of gate pairs that are one: least
#: and most in each language. The gate is nearly all traps; a few matches show it is not all "no".
MATCHES = {"natural": (0.6, 0.7), "hard": (0.45, 0.55), "gate": (0.05, 0.15)}

_SCRIPT = {"en": "latin", "hinglish": "latin", "hi": "devanagari", "ar": "arabic"}


class UnsoundSuiteError(ModelError):
    """A suite breaks a rule that its numbers rest on; the reason names rows, never their texts."""


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """One prediction of a turn."""

    text: str
    #: 1 where the reply prepared for it could be spoken to this caller, nothing wrong or missing.
    label: Label
    #: What the pair tests.
    kind: Kind


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole turn of the natural suite."""

    id: str
    language: Language
    #: What the agent had just said.
    agent: str
    utterance: str
    predictions: tuple[Prediction, ...]


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """A row of the hard and the gate suite."""

    id: str
    language: Language
    kind: Kind
    utterance: str
    prediction: str
    label: Label


class Suites(msgspec.Struct, frozen=True):
    """All three, checked."""

    natural: tuple[Turn, ...]
    hard: tuple[Pair, ...]
    gate: tuple[Pair, ...]

    @property
    def pairs(self) -> dict[str, tuple[Pair, ...]]:
        """Each suite as pairs, by name."""
        return {"natural": flatten(self.natural), "hard": self.hard, "gate": self.gate}


Row = TypeVar("Row", bound=msgspec.Struct)


def load(folder: Path = FOLDER) -> Suites:
    """
    Read and check the suites of a folder.

    Raises:
        RowError: a line is no row; the error names file and line.
        UnsoundSuiteError: rows do not fit together.
        OSError: a file cannot be read.
    """
    suites = Suites(
        natural=read_rows(folder / "natural.jsonl", Turn),
        hard=read_rows(folder / "hard.jsonl", Pair),
        gate=read_rows(folder / "gate.jsonl", Pair),
    )
    check(suites)
    return suites


def flatten(turns: Iterable[Turn]) -> tuple[Pair, ...]:
    """Turns as pairs, named `<turn>-<place of the prediction, from 1>`."""
    return tuple(
        Pair(
            id=f"{turn.id}-{place}",
            language=turn.language,
            kind=one.kind,
            utterance=turn.utterance,
            prediction=one.text,
            label=one.label,
        )
        for turn in turns
        for place, one in enumerate(turn.predictions, 1)
    )


def texts(suites: Suites) -> frozenset[str]:
    """The exact-tier key of every utterance and prediction: what training must not hold."""
    return frozenset(
        match_key(clean(text).text)
        for pairs in suites.pairs.values()
        for pair in pairs
        for text in (pair.utterance, pair.prediction)
    )


def check(suites: Suites) -> None:
    """
    Hold the suites to their rules: texts clean and in their script, ids unique, no pair twice,
    none labelled both ways, sizes and shares of matches as the constants say.

    Raises:
        UnsoundSuiteError: the first rule broken.
    """
    _check_turns(suites.natural)
    every = [pair for pairs in suites.pairs.values() for pair in pairs]
    for pair in every:
        _check_texts(pair)
    check_ids([*(turn.id for turn in suites.natural), *(p.id for p in suites.hard + suites.gate)])
    _check_repeats(every)
    _check_hard_kinds(suites.hard)
    for name, matches in _matches(suites).items():
        for language in LANGUAGES:
            _check_balance(name, language, matches[language])


def summary(suites: Suites) -> dict[str, Any]:
    """Counts and the AUC of plain word overlap for the label, by suite, language and class."""
    found: dict[str, Any] = {}
    for name, pairs in suites.pairs.items():
        matches = _matches(suites)[name]
        found[name] = {
            "pairs": len(pairs),
            "overlap_auc": _overlap_auc(pairs),
            "languages": {
                language: {
                    "pairs": len(own := [pair for pair in pairs if pair.language == language]),
                    "positives": sum(pair.label for pair in own),
                    "overlap_auc": _overlap_auc(own),
                    "classes": dict(sorted(Counter(pair.kind for pair in own).items())),
                }
                | ({"turns": len(matches[language])} if name == "natural" else {})
                | ({"with_match": sum(matches[language])} if name == "natural" else {})
                for language in LANGUAGES
            },
        }
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Check the suites and print what they hold."""
    parser = argparse.ArgumentParser(description="Check the hand-written suites and count them.")
    parser.add_argument("--pairs", type=Path, help="write the natural turns here as pairs, JSONL")
    options = parser.parse_args(arguments)
    suites = load()
    if options.pairs:
        options.pairs.write_bytes(b"".join(_lines_for_match(suites.natural)))
    found = summary(suites)
    _print_tables(found)
    sys.stdout.write(orjson.dumps(found).decode() + "\n")


def _print_tables(found: dict[str, Any]) -> None:
    sys.stdout.write(f"{'':22}{'turns':>6}{'pairs':>7}{'same':>6}{'overlap AUC':>13}\n")
    for name, suite in found.items():
        for language, own in suite["languages"].items():
            label = f"{name:10}{language:12}{own.get('turns', ''):>6}"
            tail = f"{own['pairs']:>7}{own['positives']:>6}{own['overlap_auc']:>13.3f}"
            sys.stdout.write(f"{label}{tail}\n")
    sys.stdout.write("\npairs by class (" + ", ".join(LANGUAGES) + ")\n")
    for kind in KINDS:
        counts = [
            f"{name} "
            + " ".join(f"{suite['languages'][one]['classes'].get(kind, 0):>3}" for one in LANGUAGES)
            for name, suite in found.items()
        ]
        sys.stdout.write(f"{kind:20}{'   '.join(counts)}\n")


def read_rows(path: Path, kind: type[Row]) -> tuple[Row, ...]:
    """
    Read a JSONL file of one kind of rows.

    Raises:
        RowError: a line is no such row; the error names file and line.
        OSError: the file cannot be read.
    """
    rows: list[Row] = []
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            rows.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RowError(path, number, str(error)) from None
    return tuple(rows)


def _check_turns(turns: Iterable[Turn]) -> None:
    least, most = PREDICTIONS
    for turn in turns:
        if not least <= len(turn.predictions) <= most:
            raise UnsoundSuiteError(f"{turn.id}: {len(turn.predictions)} predictions")
        if not turn.agent.strip():
            raise UnsoundSuiteError(f"{turn.id}: the agent said nothing")


def _check_texts(pair: Pair) -> None:
    for text in (pair.utterance, pair.prediction):
        cleaned = clean(text)
        if not text or cleaned.too_long or cleaned.text != unicodedata.normalize("NFC", text):
            raise UnsoundSuiteError(f"{pair.id}: a text is not in its clean form")
        if not letter_scripts(text) <= {_SCRIPT[pair.language]}:
            raise UnsoundSuiteError(f"{pair.id}: a text is in another script")
    if match_key(pair.utterance) == match_key(pair.prediction):
        raise UnsoundSuiteError(f"{pair.id}: the exact tier decides it")


def check_ids(ids: Iterable[str]) -> None:
    """Hold ids to being unique; raises UnsoundSuiteError with the first that is not."""
    if doubled := sorted(name for name, times in Counter(ids).items() if times > 1):
        raise UnsoundSuiteError(f"id given twice: {doubled[0]}")


def _check_repeats(pairs: Iterable[Pair]) -> None:
    """A trap may stand in both orders, also in two suites; nothing may stand twice in one."""
    seen: dict[tuple[str, str], Pair] = {}
    labels: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        sides = (match_key(pair.utterance), match_key(pair.prediction))
        if (first := seen.setdefault(sides, pair)) is not pair:
            raise UnsoundSuiteError(f"{pair.id}: the same pair as {first.id}")
        if (other := labels.setdefault(frozenset(sides), pair)).label != pair.label:
            raise UnsoundSuiteError(f"{pair.id}: labelled unlike {other.id}")


def _check_hard_kinds(pairs: Iterable[Pair]) -> None:
    counts = Counter((pair.language, pair.kind) for pair in pairs)
    for language in LANGUAGES:
        for kind in KINDS:
            if (n := counts[language, kind]) < LEAST_OF_KIND:  # type: ignore[index]
                raise UnsoundSuiteError(f"hard, {language}, {kind}: only {n} rows")


def _matches(suites: Suites) -> dict[str, dict[str, list[int]]]:
    """Whether there is a match: of each natural turn, of each pair elsewhere; by language."""
    found: dict[str, dict[str, list[int]]] = {name: defaultdict(list) for name in LEAST}
    for turn in suites.natural:
        found["natural"][turn.language].append(max(one.label for one in turn.predictions))
    for name, pairs in (("hard", suites.hard), ("gate", suites.gate)):
        for pair in pairs:
            found[name][pair.language].append(pair.label)
    return found


def _check_balance(name: str, language: str, matches: Sequence[int]) -> None:
    if len(matches) < LEAST[name]:
        raise UnsoundSuiteError(f"{name}, {language}: only {len(matches)} of {LEAST[name]}")
    least, most = MATCHES[name]
    share = sum(matches) / len(matches)
    if not least <= share <= most:
        raise UnsoundSuiteError(f"{name}, {language}: {share:.2f} have a match")


def _overlap_auc(pairs: Sequence[Pair]) -> float | None:
    overlaps = [jaccard(pair.utterance, pair.prediction) for pair in pairs]
    area = auc(overlaps, [pair.label for pair in pairs])
    return None if area is None else round(area, 3)


def _lines_for_match(turns: Iterable[Turn]) -> Iterable[bytes]:
    for turn in turns:
        for pair in flatten([turn]):
            row = msgspec.to_builtins(pair) | {"agent": turn.agent}
            yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    main()
