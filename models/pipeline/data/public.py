"""
Public sets, where their labels truly fit "interchangeable as the caller's turn".

What each set gives:

* same meaning in other words, or parallel sentences: 1;
* contradiction, negation, another value, another act: 0, and so is NLI's "neutral", since a
  text that says more or less is not interchangeable;
* entailment holds one way, so it is 1 with a low weight, and only in sets of minimal edits.

Left out on purpose: `chitchat_en` (its clusters group topics, "do you eat cake?" with "how
many calories do you need?"), `conj_nli` (encyclopaedia text, most of it too long), intent sets
(same intent is not interchangeable), and everything whose labels are by question and answer.

The sets stay in the folder that `--data` names: share-alike rows are read while training and
never committed.
"""

import gzip
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from models.pipeline.data.overlap import jaccard
from models.pipeline.data.romanise import romanise
from models.pipeline.data.row import Row
from models.pipeline.data.tables import read_table

#: Longest side, in words; callers' turns are seldom longer, and length is training time.
MAX_WORDS = 20
_ONE_WAY = 0.4  # weight of entailment as "same"
_WEAK = 0.5  # weight of labels that a rule made

Loader = Callable[[Path, random.Random], Iterator[Row]]


def rows(data: Path, rng: random.Random) -> Iterator[Row]:
    """
    Yield the rows of every public set.

    Args:
        data: folder with one folder per set.
        rng: source of every choice.

    Raises:
        FileNotFoundError: a set is missing.
    """
    for loader in LOADERS:
        for row in loader(data, rng):
            sides = (row.a, row.b)
            if row.a != row.b and all(0 < len(side.split()) <= MAX_WORDS for side in sides):
                yield row


def _row(  # noqa: PLR0917 - one caller shape
    a: str, b: str, label: int, kind: str, languages: str | tuple[str, str],
    source: str, keys: Sequence[str], weight: float = 1.0,
) -> Row:  # fmt: skip
    first, second = (languages, languages) if isinstance(languages, str) else languages
    return Row(
        a=a.strip(),
        b=b.strip(),
        label=label,
        layer="public",
        kind=kind,
        language_a=first,
        language_b=second,
        group=tuple(f"{source}:{key}" for key in keys),
        source=source,
        weight=weight,
    )


def _checklist(data: Path, rng: random.Random) -> Iterator[Row]:
    cells = list(read_table(data / "checklist_pairs" / "pairs.tsv.gz"))
    for cell in rng.sample(cells, 5000):
        yield _row(
            cell["a"], cell["b"], int(cell["label"]), f"checklist:{cell['capability']}", "en",
            "checklist_pairs", [cell["test"] + cell["a"]],
        )  # fmt: skip


def _sugarcrepe(data: Path, _: random.Random) -> Iterator[Row]:
    for cell in read_table(data / "sugarcrepe_pp" / "triples.tsv.gz"):
        base, kind = cell["caption"], f"sugarcrepe:{cell['kind']}"
        for column, label in (("same_meaning", 1), ("different_meaning", 0)):
            yield _row(base, cell[column], label, kind, "en", "sugarcrepe_pp", [base])


def _tatoeba(name: str, column: str, variant: str) -> Loader:  # noqa: C901 - one set, four files
    def load(data: Path, rng: random.Random) -> Iterator[Row]:  # noqa: C901
        folder = data / name
        forms: list[tuple[str, Callable[[str], str]]] = [(variant, str)]
        if variant == "hi":
            forms.append(("hinglish", lambda text: romanise(text, rng)))
        cells = list(read_table(folder / "pairs.tsv.gz"))
        for cell in cells:
            wrong = _nearest(cell, rng.sample(cells, 60))
            keys = [cell["en"], wrong["en"]]
            for form, write in forms:
                other, near = write(cell[column]), write(wrong[column])
                yield _row(cell["en"], other, 1, "parallel", ("en", form), name, [cell["en"]])
                if form == "hinglish":  # grounds the Latin spelling in the Devanagari one
                    said, unsaid = cell[column], wrong[column]
                    yield _row(said, other, 1, "spelling", ("hi", form), name, [cell["en"]])
                    yield _row(unsaid, other, 0, "near", ("hi", form), name, keys)
                if variant == "hi":  # its near negatives are few
                    yield _row(cell["en"], near, 0, "near", ("en", form), name, keys)
                    yield _row(other, near, 0, "near", form, name, keys)
        for cell in read_table(folder / "same_language_paraphrases.tsv.gz"):
            pair_forms = [("en", str)] if cell["lang"] == "en" else forms
            for form, write in pair_forms:
                keys = [cell["a"], cell["b"]]
                yield _row(write(cell["a"]), write(cell["b"]), 1, "paraphrase", form, name, keys)
        for file, kind in (("minimal_contrasts", "contrast"), ("near_negatives", "near")):
            for cell in read_table(folder / f"{file}.tsv.gz"):
                keys = [cell["en_a"], cell["en_b"]]
                yield _row(cell["en_a"], cell["en_b"], 0, kind, "en", name, keys)
                for form, write in forms:
                    one, two = write(cell[f"{column}_a"]), write(cell[f"{column}_b"])
                    if one != two:
                        yield _row(one, two, 0, kind, form, name, keys)
                        yield _row(cell["en_a"], two, 0, kind, ("en", form), name, keys)

    return load


def _nearest(cell: dict[str, str], others: Sequence[dict[str, str]]) -> dict[str, str]:
    """Return the sentence with most words in common that surely says something else."""

    def closeness(other: dict[str, str]) -> float:
        shared = jaccard(cell["en"], other["en"])
        return shared if shared < 0.6 else -1.0  # noqa: PLR2004 - above it may be a rewording

    return max(others, key=closeness)


def _refugee(data: Path, rng: random.Random) -> Iterator[Row]:
    cells = [
        {key: value.split("/")[0].strip() for key, value in cell.items()}
        for cell in read_table(data / "refugee_phrases" / "phrases.tsv.gz")
    ]
    forms = (("en", "en"), ("ur_latin", "hinglish"), ("ar_syrian", "ar-LEV"))
    for cell in cells:
        for (one, left), (two, right) in ((forms[0], forms[1]), (forms[0], forms[2])):
            other = rng.choice(cells)
            if cell[two] and other[two] and other["en"] != cell["en"]:
                languages, source = (left, right), "refugee_phrases"
                yield _row(cell[one], cell[two], 1, "parallel", languages, source, [cell["en"]])
                keys = [cell["en"], other["en"]]
                yield _row(cell[one], other[two], 0, "near", languages, source, keys)


def _recognizers(data: Path, rng: random.Random) -> Iterator[Row]:
    source = "recognizers_values"
    variants = {"en": "en", "hi": "hi", "ar": "ar-MSA"}
    for cell in read_table(data / source / "same_carrier_pairs.tsv.gz"):
        weight = _WEAK if cell["lang"] == "ar" else 1.0
        kind = f"value:{cell['kind']}"
        forms: list[tuple[str, Callable[[str], str]]] = [(variants[cell["lang"]], str)]
        if cell["lang"] == "hi":
            forms.append(("hinglish", lambda text: romanise(text, rng)))
        for form, write in forms:
            yield _row(
                write(cell["a"]), write(cell["b"]), int(cell["label"]), kind, form, source,
                [cell["a"], cell["b"]], weight,
            )  # fmt: skip
    for cell in read_table(data / source / "aligned_en.tsv.gz"):
        languages = ("en", variants[cell["lang"]])
        kind = f"value:{cell['kind']}"
        keys = [cell["en"]]
        yield _row(cell["en"], cell["translation"], 1, kind, languages, source, keys, _WEAK)


def _duckling(data: Path, rng: random.Random) -> Iterator[Row]:
    variants = {"en": "en", "hi": "hi", "ar": "ar-MSA", "ar-EG": "ar-EG"}
    frames = {
        "en": ("{}", "I said {}", "it's {}", "{} please", "make it {}"),
        "hi": ("{}", "मैंने कहा {}", "{} कर दीजिए", "बस {}"),
        "ar-MSA": ("{}", "قلت {}", "{} من فضلك"),
        "ar-EG": ("{}", "قلت {}", "خليها {}", "{} لو سمحت"),
    }
    for cell in read_table(data / "duckling_values" / "pairs.tsv.gz"):
        variant = variants[cell["lang"]]
        one = rng.choice(frames[variant])
        two = one if rng.random() < 0.7 else rng.choice(frames[variant])  # noqa: PLR2004
        yield _row(
            one.format(cell["a"]), two.format(cell["b"]), int(cell["label"]),
            f"value:{cell['kind']}", variant, "duckling_values", [cell["a"], cell["b"]],
        )  # fmt: skip


def _nli(name: str, files: Sequence[str], columns: tuple[str, str, str], weight: float) -> Loader:
    def load(data: Path, _: random.Random) -> Iterator[Row]:
        first, second, gold = columns
        for file in files:
            for cell in read_table(data / name / f"{file}.tsv.gz"):
                same = cell[gold] == "entailment"
                yield _row(
                    cell[first], cell[second], int(same), f"nli:{cell[gold]}", "en", name,
                    [" ".join(cell[first].split()[:4])], weight if same else 1.0,
                )  # fmt: skip

    return load


def _negation(data: Path, _: random.Random) -> Iterator[Row]:
    for cell in read_table(data / "negation_en" / "sem_anto_neg.tsv.gz"):
        same = cell["label"] == "0"
        yield _row(
            cell["premise"], cell["hypothesis"], int(same), "negation", "en", "negation_en",
            [cell["premise"]],
        )  # fmt: skip


def _codemix(data: Path, rng: random.Random) -> Iterator[Row]:
    source = "codemix_dstc2"
    name = "user_turns_en_hinglish_tanglish.tsv.gz"
    cells = list(read_table(data / source / name))
    for cell in cells:
        pair, keys = ("en", "hinglish"), [cell["english"]]
        yield _row(cell["english"], cell["hinglish"], 1, "parallel", pair, source, keys)
        other = rng.choice(cells)
        if jaccard(cell["english"], other["english"]) < 0.3:  # noqa: PLR2004 - surely other
            keys = [cell["english"], other["english"]]
            yield _row(cell["english"], other["hinglish"], 0, "near", pair, source, keys)


def _hinglish_top(data: Path, rng: random.Random) -> Iterator[Row]:
    source, pair = "hinglish_top", ("en", "hinglish")
    domains: dict[str, list[dict[str, str]]] = defaultdict(list)
    for file in ("train", "validation"):
        for cell in read_table(data / source / f"{file}.tsv.gz"):
            domains[cell["domain"]].append(cell)
    for cells in domains.values():
        for cell in cells:
            key = cell["en_query"]
            yield _row(key, cell["cs_query"], 1, "parallel", pair, source, [key])
            sample = [
                other for other in rng.sample(cells, min(80, len(cells)))
                if _bag(other["en_query"]) != _bag(key)
            ]  # fmt: skip
            if not sample:
                continue
            other = max(sample, key=lambda one: jaccard(one["cs_query"], cell["cs_query"]))
            keys = [key, other["en_query"]]
            yield _row(key, other["cs_query"], 0, "near", pair, source, keys)
            if jaccard(other["en_query"], key) < 0.75:  # noqa: PLR2004 - not a mere rewording
                yield _row(cell["cs_query"], other["cs_query"], 0, "near", "hinglish", source, keys)


def _bag(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def _xsid(data: Path, rng: random.Random) -> Iterator[Row]:
    sides: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(dict)
    for cell in read_table(data / "xsid_en_ar" / "xsid07_en_ar.tsv.gz"):
        sides[cell["split"], cell["idx"]][cell["lang"]] = cell
    intents: dict[str, list[dict[str, dict[str, str]]]] = defaultdict(list)
    whole = [side for side in sides.values() if {"en", "ar"} <= side.keys()]
    for side in whole:
        intents[side["en"]["intent"]].append(side)
    for side in whole:
        english, arabic, pair = side["en"], side["ar"], ("en", "ar-MSA")
        key = english["text"]
        yield _row(key, arabic["text"], 1, "parallel", pair, "xsid_en_ar", [key])
        other = rng.choice(intents[english["intent"]])
        if other["en"]["slots"] != english["slots"]:
            keys = [key, other["en"]["text"]]
            yield _row(key, other["ar"]["text"], 0, "near", pair, "xsid_en_ar", keys)


def _acts(data: Path, rng: random.Random) -> Iterator[Row]:
    """Paraphrases within an act and flips across acts, from turns without slots."""
    wanted = {
        "AFFIRM": "yes", "NEGATE": "no", "AFFIRM_INTENT": "yes", "NEGATE_INTENT": "no",
        "REQUEST_ALTS": "alternatives", "THANK_YOU": "thanks", "GOODBYE": "goodbye",
    }  # fmt: skip
    acts: dict[str, list[str]] = defaultdict(list)
    for cell in read_table(data / "sgd_user_acts" / "short_user_turns.tsv.gz"):
        if cell["acts"] in wanted and not cell["slots"]:
            acts[wanted[cell["acts"]]].append(cell["text"])
    yield from _by_act(acts, rng, "sgd_user_acts", (("thanks", "goodbye"),))


def _nlupp(data: Path, rng: random.Random) -> Iterator[Row]:
    wanted = {"affirm", "deny", "dont_know", "repeat", "greet", "end_call", "handoff", "thank"}
    acts: dict[str, list[str]] = defaultdict(list)
    for name in ("banking", "hotels"):
        with gzip.open(data / "nlupp" / f"{name}.jsonl.gz") as file:
            for turn in map(orjson.loads, file):
                intents = turn.get("intents", [])
                if len(intents) == 1 and intents[0] in wanted and not turn.get("slots"):
                    acts[intents[0]].append(turn["text"])
    yield from _by_act(acts, rng, "nlupp", (("thank", "end_call"),))


def _by_act(
    acts: dict[str, list[str]], rng: random.Random, source: str,
    unclear: tuple[tuple[str, str], ...], cap: int = 250,
) -> Iterator[Row]:  # fmt: skip
    for act, texts in acts.items():
        for text in rng.sample(texts, min(cap, len(texts))):
            same = rng.choice(texts)
            yield _row(text, same, 1, "act", "en", source, [text, same], _WEAK)
            other = rng.choice([name for name in acts if name != act])
            if (act, other) not in unclear and (other, act) not in unclear:
                wrong = rng.choice(acts[other])
                yield _row(text, wrong, 0, "act", "en", source, [text, wrong])


def _hdrs(data: Path, rng: random.Random) -> Iterator[Row]:
    """Hindi turns with one slot: same value weakly same, other value different."""
    slots: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name in ("train", "dev"):
        with gzip.open(data / "hdrs_hindi" / f"{name}.jsonl.gz") as file:
            for turn in map(orjson.loads, file):
                if len(turn["label"]) == 1:
                    slot, value = turn["label"][0]
                    slots[slot][value].append(turn["user"].strip())
    for values in slots.values():
        names = [name for name, texts in values.items() if len(texts) > 1]
        for name in names:
            for text in rng.sample(values[name], min(12, len(values[name]))):
                same, other = rng.choice(values[name]), rng.choice(names)
                for form, write in (("hi", str), ("hinglish", lambda one: romanise(one, rng))):
                    keys = [text, same]
                    yield _row(write(text), write(same), 1, "slot", form, "hdrs_hindi", keys, 0.3)
                    if other != name:
                        wrong = rng.choice(values[other])
                        keys = [text, wrong]
                        yield _row(write(text), write(wrong), 0, "slot", form, "hdrs_hindi", keys)


def _home(data: Path, rng: random.Random) -> Iterator[Row]:
    """Commands: same intent and slots are the same, other slots are different."""
    variants = {"en": "en", "hi": "hi", "ar": "ar-MSA"}
    source = "homeassistant_tests"
    intents: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cell in read_table(data / source / "sentences.tsv.gz"):
        if cell["lang"] in variants:
            intents[cell["lang"], cell["intent"]][cell["slots"]].append(cell["text"])
    for (language, _), values in intents.items():
        for slots, texts in values.items():
            for text in texts:
                same, other = rng.choice(texts), rng.choice(list(values))
                variant = variants[language]
                yield _row(text, same, 1, "slot", variant, source, [text, same], _WEAK)
                if other != slots:
                    wrong = max(values[other], key=lambda one: jaccard(one, text))
                    yield _row(text, wrong, 0, "slot", variant, source, [text, wrong])


_SENTENCES = ("sentence1", "sentence2", "gold")
_PREMISE = ("premise", "hypothesis", "label")

LOADERS: tuple[Loader, ...] = (
    _checklist,
    _sugarcrepe,
    _tatoeba("tatoeba_en_ar", "ar", "ar-MSA"),
    _tatoeba("tatoeba_en_hi", "hi", "hi"),
    _refugee,
    _recognizers,
    _duckling,
    _nli("negated_nli", ("snli", "mnli"), _PREMISE, _ONE_WAY),
    _nli("breaking_nli", ("breaking_nli",), _SENTENCES, _WEAK),
    _nli("cad_nli", ("train", "dev", "test"), _PREMISE, _ONE_WAY),
    _negation,
    _codemix,
    _hinglish_top,
    _xsid,
    _acts,
    _nlupp,
    _hdrs,
    _home,
)
