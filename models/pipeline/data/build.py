"""
Stage: build the training and validation pairs::

    python -m models.pipeline.data.build --data ../shared/data --out data --seed 1

`--data` is the folder of public sets; `--tiny` builds a twentieth, for the smoke run. Writes:

* `groups.jsonl`: groups of meanings, for the contrastive warm-up;
* `texts.jsonl`: some of their texts, which set the ranges of an int8 encoder;
* `train.jsonl`: all layers in one mix;
* `validation.jsonl`: surfaces, items, frames and values that training never sees;
* `scenes.jsonl`, `questions.jsonl`: pairs of whole scenes and of sets of questions that training
  never sees;
* `turns.jsonl`: those scenes as turns, as `turngate eval turns` reads them;
* `kb.jsonl`, `kb_held.jsonl`: questions with entries and passages, for the answer judge, and of
  knowledge bases and articles that it never sees;
* `natural.jsonl`, `adversarial.jsonl`: the hand-written tables of those names, for thresholds;
* `report.json`: per layer and language the counts and the AUC of plain word overlap.

The build fails when a held-out text, a trap pair or a pair of the suites is in training. The last
line of stdout is one JSON document: rows and overlap AUC per file.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from models.pipeline.data import clusters, embedded, noise, public, questions, scenes, traps, turns
from models.pipeline.data.balance import balanced, capped, report
from models.pipeline.data.contrasts import sides
from models.pipeline.data.grids import clock, dates, names, quantities
from models.pipeline.data.groups import Group, groups, write_groups, write_texts
from models.pipeline.data.held import held_turns, write_turns
from models.pipeline.data.kb_rows import KbRow, kb_rows, write_kb_rows
from models.pipeline.data.passages import passage_rows
from models.pipeline.data.row import LANGUAGE_OF, Row, write_rows
from models.pipeline.data.split import (
    check_splits,
    pair_key,
    side_of,
    split_of,
    text_key,
    text_keys,
    without_texts,
)
from models.pipeline.data.traps import ADVERSARIAL, NATURAL
from models.suites import FOLDER as SUITES
from models.suites import load
from models.text import clean

#: Share of the keys of each layer that is held out.
HELD_OUT = {
    "public": 0.06, "clusters": 0.3, "turns": 0.3, "grids": 0.3, "contrasts": 0.18, "scenes": 0.12,
    "questions": 0.12, "knowledge": 0.12,
}  # fmt: skip
#: Share of training rows that arrive with noise on a side.
_NOISE = 0.35
#: Rows beside which a noisy twin stands, as a positive.
_TWINS = 0.2
#: Rows of scenes and questions with a noisy twin: few, since nothing balances the words that those
#: share.
_SET_TWINS = 0.08
#: Rows of each language pair in the mix, scenes apart.
TRAIN_CAPS = {
    "en": 26_000, "hi": 18_000, "hinglish": 22_000, "ar": 28_000, "ar+en": 2000, "en+hi": 1500,
    "en+hinglish": 8000, "ar+hi": 600, "ar+hinglish": 600, "hi+hinglish": 4000,
}  # fmt: skip
PUBLIC_CAPS = {
    "en": 9000, "hi": 3000, "hinglish": 5000, "ar": 4500, "ar+en": 2500, "en+hi": 2500,
    "en+hinglish": 6000, "hi+hinglish": 3000,
}  # fmt: skip
VALIDATION_CAPS = {"en": 1500, "hi": 1200, "hinglish": 1200, "ar": 1800}
_OTHER_VALIDATION = 150
#: Pairs and turns of held-out scenes that are written: enough to prove a ceiling, soon judged.
HELD_PAIRS, HELD_TURNS = 9000, 2500
#: Files of pairs that are never trained on.
HELD_FILES = ("validation", "scenes", "questions")
#: Share of the entries at level 0 that the answer judge is trained on.
_OTHER_SUBJECTS = 0.6
_TINY = 20


def call_rows(rng: random.Random) -> list[Row]:
    """Return the rows of every layer written here."""
    grids = side_of(HELD_OUT["grids"])
    found = list(clusters.rows(rng, side_of(HELD_OUT["clusters"])))
    found += turns.rows(rng, side_of(HELD_OUT["turns"]))
    found += embedded.rows(rng, side_of(HELD_OUT["clusters"]))
    for grid in (clock, quantities, dates, names):
        found += grid.rows(rng, grids)
    return [*found, *sides.rows(rng, side_of(HELD_OUT["contrasts"]))]


def cleaned(rows: Iterable[Row]) -> list[Row]:
    """Return the rows with cleaned texts, without pairs of two equal sides."""
    found = []
    for row in rows:
        a, b = clean(row.a).text, clean(row.b).text
        if a and b and a != b:
            found.append(replace(row, a=a, b=b))
    return found


def unique(rows: Sequence[Row], banned: frozenset[tuple[str, str]]) -> list[Row]:
    """Return the first row of each pair; pairs with both labels and banned pairs are dropped."""
    labels: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        labels[pair_key(row.a, row.b)].add(row.label)
    seen: set[tuple[str, str]] = set(banned)
    found = []
    for row in rows:
        key = pair_key(row.a, row.b)
        if key not in seen and len(labels[key]) == 1:
            seen.add(key)
            found.append(row)
    return found


def parted(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Return training rows and validation rows; training holds no validation text."""
    train, validation = [], []
    for row in rows:
        split = split_of(row, HELD_OUT[row.layer])
        if split == "train":
            train.append(row)
        elif split == "validation":
            validation.append(row)
    held = text_keys(validation)
    return without_texts(train, held), validation


def with_noise(rows: Sequence[Row], rng: random.Random, *, twins: float = _TWINS) -> list[Row]:
    """Return the rows, some with a noisy side, and for a share of them a noisy twin beside."""
    found = []
    for row in rows:
        changed = row
        if rng.random() < _NOISE:
            changed = replace(changed, a=noise.noisy(row.a, row.language_a, rng))
        if rng.random() < _NOISE / 2:
            changed = replace(changed, b=noise.noisy(row.b, row.language_b, rng))
        found.append(changed)
        if rng.random() < twins:
            twin = noise.noisy(row.a, row.language_a, rng, changes=rng.choice((1, 2)))
            found.append(
                replace(
                    row, b=twin, language_b=row.language_a, label=1, layer="noise", kind="noise",
                    source="noise", weight=1.0,
                )
            )  # fmt: skip
    return found


def scene_rows(rng: random.Random) -> tuple[list[Row], list[Row]]:
    """Return the training and the validation rows of the scenes."""
    return _set_rows(scenes.rows(rng), HELD_OUT["scenes"])


def question_rows(rng: random.Random) -> tuple[list[Row], list[Row]]:
    """Return the training and the validation rows of the questions that are easily confused."""
    share = HELD_OUT["questions"]
    return _set_rows(questions.rows(rng, side_of(share)), share)


def _set_rows(found: Iterable[Row], share: float) -> tuple[list[Row], list[Row]]:
    """
    Part the rows of sets that are held out as a whole.

    They keep the labels as they fall: word overlap says little there by the way they are written.
    A text that is also in training (short replies recur) takes its row out of validation.
    """
    made = without_texts(unique(cleaned(found), suite_pairs()), suite_questions())
    train = [row for row in made if split_of(row, share) == "train"]
    held = [row for row in made if split_of(row, share) == "validation"]
    return train, without_texts(held, text_keys(train))


def knowledge_rows(rng: random.Random, data: Path) -> tuple[list[KbRow], list[KbRow]]:
    """
    Return the answer judge's training rows, shuffled, and those of held-out bases and articles.

    Entries of another subject are soon told apart, so training keeps some of them only.
    """
    split = side_of(HELD_OUT["knowledge"])
    rows = [*kb_rows(rng), *passage_rows(data, rng)]
    train = [row for row in rows if split(row.group[0]) == "train"]
    train = [row for row in train if row.level or rng.random() < _OTHER_SUBJECTS]
    rng.shuffle(train)
    return train, [row for row in rows if split(row.group[0]) == "validation"]


def unheld(group: Group, held: frozenset[str]) -> Group:
    """Return a group without the texts that are held out, and without emptied meanings."""
    kept = [[text for text in texts if text_key(text) not in held] for texts in group]
    return [texts for texts in kept if texts]


def suite_pairs() -> frozenset[tuple[str, str]]:
    """Return the pairs of the hand-written suites, as `pair_key` writes them."""
    found = load().pairs
    return frozenset(
        pair_key(pair.utterance, pair.prediction) for pairs in found.values() for pair in pairs
    )


def suite_questions() -> frozenset[str]:
    """Return the questions of the suite of same questions, as `text_key` writes them."""
    lines = (SUITES / "same.jsonl").read_bytes().splitlines()
    rows = [orjson.loads(line) for line in lines]
    return frozenset(text_key(row[side]) for row in rows for side in "ab")


def build(data: Path, out: Path, seed: int, *, tiny: bool) -> dict[str, object]:
    """
    Build every file and return the summary.

    Raises:
        LeakError: validation texts, trap pairs or pairs of the suites are in training.
        FileNotFoundError: a public set is missing.
        SceneError: a file of scenes is not as described.
    """
    rng = random.Random(seed)  # noqa: S311
    apart = frozenset(pair_key(trap.utterance, trap.prediction) for trap in traps.held_apart())
    banned = apart | suite_pairs()
    train, validation = parted(unique(cleaned([*public.rows(data, rng), *call_rows(rng)]), banned))
    staged, held_scenes = scene_rows(rng)
    asked, held_asked = question_rows(rng)
    # held-out twins with noise: the only positives that share nearly all words
    checked = balanced(unique(cleaned(with_noise(validation, rng)), banned), rng, tilt=0.25)
    caps = {name: VALIDATION_CAPS.get(name, _OTHER_VALIDATION) for name in _pairs()}
    checked = capped(checked, caps, rng)
    held = text_keys((*checked, *held_scenes, *held_asked))

    outside = without_texts((row for row in train if row.layer == "public"), held)
    inside = [row for row in train if row.layer != "public"]
    part = capped(balanced(outside, rng, tilt=0.3), PUBLIC_CAPS, rng)
    noised = unique(cleaned(with_noise([*inside, *part], rng)), banned)
    mixed = capped(balanced(without_texts(noised, held), rng, tilt=0.25), TRAIN_CAPS, rng)
    mixed += without_texts(
        unique(cleaned(with_noise([*staged, *asked], rng, twins=_SET_TWINS)), banned), held
    )
    rng.shuffle(mixed)
    drawn = rng.sample(held_scenes, min(HELD_PAIRS, len(held_scenes)))
    files = {"train": mixed, "validation": checked, "scenes": drawn, "questions": held_asked}
    split = (side_of(HELD_OUT[name]) for name in ("scenes", "contrasts", "clusters", "knowledge"))
    grouped = [kept for group in groups(rng, *split) if len(kept := unheld(group, held)) > 1]
    if tiny:
        files = {name: rows[: max(400, len(rows) // _TINY)] for name, rows in files.items()}
        grouped = rng.sample(grouped, len(grouped) // _TINY)
    check_splits(files["train"], (row for name in HELD_FILES for row in files[name]), banned)

    out.mkdir(parents=True, exist_ok=True)
    reports = {name: report(rows) for name, rows in files.items()}
    for name, rows in files.items():
        write_rows(out / f"{name}.jsonl", rows)
    write_groups(out / "groups.jsonl", grouped)
    for name, held_rows in zip(("kb", "kb_held"), knowledge_rows(rng, data), strict=True):
        write_kb_rows(out / f"{name}.jsonl", held_rows)
    write_texts(out / "texts.jsonl", grouped, rng)
    for table in (NATURAL, ADVERSARIAL):
        traps.write_rows(out / f"{table.stem}.jsonl", traps.load(table))
    made = list(held_turns(side_of(HELD_OUT["scenes"])))
    write_turns(out / "turns.jsonl", rng.sample(made, min(HELD_TURNS, len(made))))
    (out / "report.json").write_text(json.dumps(reports, indent=1, ensure_ascii=False))
    return {name: reports[name]["all"] for name in files}


def _pairs() -> set[str]:
    names_ = sorted(set(LANGUAGE_OF.values()))
    return {"+".join(sorted({one, two})) for one in names_ for two in names_}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description="Build the training and validation pairs.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)
    print(json.dumps(build(args.data, args.out, args.seed, tiny=args.tiny)))


if __name__ == "__main__":
    main()
