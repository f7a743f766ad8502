"""
The value reader: how fast it reads, and how often its guard is wrong on public pairs.

Both print JSON. The pairs come from public sets beside the repository (`../shared/data`), in
halves: the reader was tuned while looking at one; of the other one the errors were looked at once,
late, and the kinds that could be mended were. The sets of `unseen_pairs` nobody tuned on.
"""

import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import pytest

from models.values import conflict, read
from tests.benchmarks.machine import percentiles, report

pytestmark = pytest.mark.benchmark

DATA = Path(__file__).parents[3] / "shared" / "data"
#: Texts of about this many words are timed.
WORDS = range(18, 23)
REPEATS = 3

#: About twenty words each, dense with values; the last one states none.
TEXTS = (
    """
    kal subah saadhe aath baje ya parson shaam paanch baje do din ke liye 2 lakh rupaye lekar aana
    please sir
    """,
    """
    I need two hundred and fifty rupees by quarter to eight on Monday the 5th of March 2026 or in
    two hours
    """,
    """
    मुझे सोमवार को सुबह साढ़े नौ बजे से शाम पाँच बजे तक दो कमरे डेढ़ लाख रुपये में चाहिए अगले हफ़्ते
    तीन दिन
    """,
    """
    عايز أحجز يوم الخميس خمسة عشر أكتوبر الساعة تلاتة ونص العصر وحول ميتين وخمسين ريال على صفر
    خمسة صفر واحد
    """,
    """
    I would really like to know whether you can come over to my place and help me with all of this
    """,
)


class Pair(NamedTuple):
    """Two texts of one set, known to be of the same value or of different ones."""

    source: str
    key: str
    one: str
    other: str


def rows(path: str) -> Iterator[dict[str, str]]:
    raw = (DATA / path).read_bytes()
    text = (gzip.decompress(raw) if path.endswith(".gz") else raw).decode()
    head, *lines = text.split("\n")
    names = head.rstrip("\r").split("\t")
    for line in lines:
        if line:
            yield dict(zip(names, line.rstrip("\r").split("\t"), strict=False))


def spoken_cases() -> list[tuple[str, str]]:
    lines = (DATA / "spoken_numbers_ar" / "cases.tsv").read_text(encoding="utf-8").split("\n")
    cases = [line.split("\t") for line in lines if "\t" in line and not line.startswith("#")]
    return [(case[0], case[1]) for case in cases]


def same_pairs() -> Iterator[Pair]:
    """Give pairs of one meaning: paraphrases, translations, other forms of one value."""
    yield from tatoeba("tatoeba_en_ar", "ar")
    yield from tatoeba("tatoeba_en_hi", "hi")
    yield from labelled("1")
    for row in rows("recognizers_values/aligned_en.tsv.gz"):
        yield Pair("recognizers_values aligned", row["en"], row["en"], row["translation"])
    for part in ("train", "validation"):
        for row in rows(f"hinglish_top/{part}.tsv.gz"):
            yield Pair("hinglish_top", row["en_query"], row["en_query"], row["cs_query"])
    yield from xsid()
    yield from refugee()
    for text, value in spoken_cases():
        yield Pair("spoken_numbers_ar", text, text, value)


def tatoeba(name: str, other: str) -> Iterator[Pair]:
    for row in rows(f"{name}/same_language_paraphrases.tsv.gz"):
        yield Pair(f"{name} paraphrases", row["shared_translation"], row["a"], row["b"])
    for row in rows(f"{name}/pairs.tsv.gz"):
        yield Pair(f"{name} translations", row["en"], row["en"], row[other])


def xsid() -> Iterator[Pair]:
    sides: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows("xsid_en_ar/xsid07_en_ar.tsv.gz"):
        sides.setdefault((row["split"], row["idx"]), {})[row["lang"]] = row["text"]
    for key, texts in sides.items():
        if len(texts) == 2:
            yield Pair("xsid_en_ar", str(key), texts["en"], texts["ar"])


def refugee() -> Iterator[Pair]:
    for row in rows("refugee_phrases/phrases.tsv.gz"):
        for column in ("ur_latin", "ar_syrian"):
            others = [text.strip() for text in row[column].split("/") if text.strip()]
            for one, other in product(row["en"].split("/"), others):
                yield Pair("refugee_phrases", row["en"], one.strip(), other)


def unseen_pairs() -> Iterator[Pair]:
    """Give pairs of one meaning that nothing was tuned on: parallel and noisy questions, turns."""
    questions = {language: xquad(language) for language in ("en", "hi", "ar")}
    for one, other in (("en", "hi"), ("en", "ar"), ("hi", "ar")):
        for key, text in questions[one].items():
            yield Pair(f"xquad {one}-{other}", key, text, questions[other][key])
    for name in ("asr_natural", "asr_synthetic", "keyboard_natural"):
        for row in rows(f"noiseqa/{name}.tsv.gz"):
            yield Pair(f"noiseqa {name}", row["xquad_id"], row["clean"], row["noisy"])
    for row in rows("codemix_dstc2/user_turns_en_hinglish_tanglish.tsv.gz"):
        yield Pair("codemix_dstc2", row["english"], row["english"], row["hinglish"])


def xquad(language: str) -> dict[str, str]:
    data = json.loads(gzip.decompress((DATA / f"xquad/xquad.{language}.json.gz").read_bytes()))
    return {
        question["id"]: question["question"]
        for article in data["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }


def different_pairs() -> Iterator[Pair]:
    """Give pairs of different values in one frame."""
    yield from labelled("0")
    cases = spoken_cases()
    for (text, value), (other, other_value) in pairwise(cases):
        if value != other_value:
            yield Pair("spoken_numbers_ar", text + other, text, other)


def labelled(label: str) -> Iterator[Pair]:
    for name, file in (("duckling_values", "pairs"), ("recognizers_values", "same_carrier_pairs")):
        for row in rows(f"{name}/{file}.tsv.gz"):
            if row["label"] == label:
                yield Pair(f"{name} {row['lang']}", row["a"] + row["b"], row["a"], row["b"])


def half(key: str) -> str:
    """Give the half of the data that a pair is in: the one looked at while tuning, or the other."""
    return "tuned" if hashlib.sha256(key.encode()).digest()[0] % 2 == 0 else "other"


def conflicts(pairs: Iterator[Pair]) -> dict[str, dict[str, dict[str, int]]]:
    """Count the pairs in which the guard sees a conflict, by half and source."""
    counts: dict[str, Counter[str]] = {"tuned": Counter(), "other": Counter()}
    totals: dict[str, Counter[str]] = {"tuned": Counter(), "other": Counter()}
    for pair in pairs:
        side = half(pair.key)
        found = conflict(read(pair.one), read(pair.other)) is not None
        for source in (pair.source, "all"):
            totals[side][source] += 1
            counts[side][source] += found
    return {
        side: {
            source: {"conflicts": counts[side][source], "pairs": total}
            for source, total in sorted(totals[side].items())
        }
        for side in totals
    }


def microseconds(text: str) -> float:
    """Time one reading: the best of a few, so that other programs count less."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter_ns()
        read(text)
        times.append(time.perf_counter_ns() - started)
    return min(times) / 1000


def test_speed():
    """
    Reads about twenty words; the time is printed, in microseconds.
    """
    times: list[float] = []
    found: dict[str, object] = {"dense": [round(microseconds(text), 1) for text in TEXTS]}
    if DATA.is_dir():
        pairs = list(same_pairs())
        texts = dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other))
        times = [microseconds(text) for text in texts if len(text.split()) in WORDS]
        found["any_length"] = percentiles([microseconds(text) for text in texts], 1)

    report("values read, of about twenty words", "us", times=times, digits=1, **found)

    assert read(TEXTS[-1]) == ()
    assert all(read(text) for text in TEXTS[:-1])


@pytest.mark.skipif(not DATA.is_dir(), reason="the public sets are not beside the repository")
def test_rates():
    """
    Finds few conflicts in pairs of one meaning; the rates on both kinds of pairs are printed.
    """
    same = conflicts(same_pairs())
    unseen = conflicts(unseen_pairs())
    different = conflicts(different_pairs())

    report("values in conflict", "pairs", same=same, unseen=unseen, different=different)

    counts = [side["all"] for side in (*same.values(), *unseen.values())]
    assert sum(count["conflicts"] for count in counts) < 0.02 * sum(c["pairs"] for c in counts)
