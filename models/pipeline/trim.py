"""
Stage: cut the vocabulary to the trained languages.

The base table has 250,037 rows and nearly all parameters are in it; English, Hindi, Hinglish and
Arabic use about a fifth::

    python -m models.pipeline.trim --base base-full --data data --out base

`--data` is the folder of public data sets; nine lines in ten are read for the words that must keep
their pieces, the tenth is held out and measured. Kept pieces:

* Latin: those that segment a word seen at least twice in the data, or one of wordfreq's top
  60,000 English words (and the top 30,000 capitalised), and every short fallback piece;
* Devanagari: all; Arabic script: all in the Arabic alphabet, and single letters of the rest
  (Persian and Urdu never reach a model: the language guard stands before it);
* digits of the three scripts, punctuation, currency signs, emoji.

Writes `encoder.pt` (trimmed), `tokenizer.json`, `trim.json` and a sample of the held-out texts for
the stage `quantise`, `texts.jsonl`, into `--out`. The last line of stdout is one JSON document: per
language, the share of held-out texts whose segmentation is unchanged, and that of unknown tokens.
"""

# mypy: disable-error-code="import-not-found, no-any-return"

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import re
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from tokenizers import Tokenizer

from models.pipeline.network import BertEncoder, load_trimmed, save_encoder
from models.pipeline.vocabulary import compare, trim_tokenizer, used_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Times a word must stand in the data before its pieces are kept; once is mostly noise.
SEEN = 2
#: Held-out texts of each language in the sample.
SAMPLE = 300
#: One line in this many is held out of the search and measured.
HELD_OUT = 10
#: Words of wordfreq's English list: plain, and capitalised.
TOP_PLAIN, TOP_CAPITAL = 60_000, 30_000

_WORD = re.compile(r'[\s"]+')

#: Where the report reads texts: file, column, language.
_REPORT_ON = (
    ("banking77/train.csv.gz", "text", "en"),
    ("bitext_cs/train.csv.gz", "utterance", "en"),
    ("tatoeba_en_hi/pairs.tsv.gz", "en", "en"),
    ("tatoeba_en_hi/pairs.tsv.gz", "hi", "hi"),
    ("hdrs_hindi/train.jsonl.gz", "user", "hi"),
    ("hinglish_top/train.tsv.gz", "cs_query", "hinglish"),
    ("codemix_dstc2/user_turns_en_hinglish_tanglish.tsv.gz", "hinglish", "hinglish"),
    ("arbanking77/train_msa_pal.csv.gz", "text", "ar"),
    ("tatoeba_en_ar/pairs.tsv.gz", "ar", "ar"),
)


def _held_out(line: str) -> bool:
    return zlib.crc32(line.rstrip("\r\n").encode()) % HELD_OUT == 0


def _lines(path: Path) -> Iterator[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        yield from file


def read_words(data: Path) -> Counter[str]:
    """Count the words of every data file, without the held-out lines."""
    words: Counter[str] = Counter()
    for path in sorted(data.glob("*/*")):
        if path.name.startswith(("SOURCE", "LICENSE")):
            continue
        for line in _lines(path):
            if not _held_out(line):
                words.update(_WORD.split(line))
    del words[""]
    return words


def read_texts(data: Path) -> dict[str, list[str]]:
    """The held-out texts of each language, without repetitions."""
    texts: dict[str, dict[str, None]] = {}
    for name, column, language in _REPORT_ON:
        lines = _lines(data / name)
        if ".jsonl" in name:
            found = [json.loads(line)[column] for line in lines if _held_out(line)]
        else:
            header, mark = next(lines), "," if ".csv" in name else "\t"
            at = next(csv.reader([header], delimiter=mark)).index(column)
            kept = [line for line in lines if _held_out(line)]
            rows = (
                csv.reader(kept, delimiter=mark) if mark == "," else (k.split("\t") for k in kept)
            )
            found = [row[at].strip() for row in rows if len(row) > at]
        texts.setdefault(language, {}).update(dict.fromkeys(filter(None, found)))
    return {language: list(found) for language, found in texts.items()}


def english_words() -> list[str]:
    """wordfreq's top English words, plain and capitalised."""
    from wordfreq import top_n_list  # noqa: PLC0415

    top = top_n_list("en", TOP_PLAIN)
    return [*top, *(word.capitalize() for word in top[:TOP_CAPITAL])]


def trim_encoder(encoder: BertEncoder, kept: list[int]) -> BertEncoder:
    """The same network with only the kept rows of the word table."""
    smaller = BertEncoder(replace(encoder.config, vocabulary=len(kept)))
    state = encoder.state_dict()
    state["word.weight"] = state["word.weight"][torch.tensor(kept)]
    smaller.load_state_dict(state)
    return smaller.eval()


def sample(texts: dict[str, list[str]]) -> str:
    """Some texts of each language as JSON lines, shuffled the same way each time."""
    rng = random.Random(1)  # noqa: S311
    drawn = [text for found in texts.values() for text in rng.sample(found, SAMPLE)]
    rng.shuffle(drawn)
    return "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in drawn)


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True, help="folder that stage 1 wrote")
    parser.add_argument("--data", type=Path, required=True, help="folder of public data sets")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    args = parser.parse_args(argv)
    source = args.base / "tokenizer.json"
    full = Tokenizer.from_file(str(source))
    words = [word for word, count in read_words(args.data).items() if count >= SEEN]
    seen = used_pieces(full, words) | used_pieces(full, english_words())
    content, kept = trim_tokenizer(json.loads(source.read_bytes()), seen)
    encoder = trim_encoder(load_trimmed(args.base), kept)
    save_encoder(args.out, encoder, {"trimmed_from": "base", "rows": len(kept)})
    target = args.out / "tokenizer.json"
    target.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), "utf-8")
    trimmed = Tokenizer.from_file(str(target))
    texts = read_texts(args.data)
    (args.out / "texts.jsonl").write_text(sample(texts), "utf-8")
    report = {
        "vocabulary": len(kept),
        "tokenizer_bytes": target.stat().st_size,
        "held_out": {name: compare(full, trimmed, found) for name, found in texts.items()},
    }
    (args.out / "trim.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
