"""The languages behind the guard's table in Latin script, and how much each weighs."""

import gzip
import json
import random
import re
from collections import Counter
from pathlib import Path

from models.language_words import words
from models.pipeline import lexicon_sources as source
from models.pipeline.lexicon_corpus import (
    Corpus,
    Folders,
    blend,
    counted,
    halves,
    jsonl,
    romanised,
    seeds,
    stranger,
    top,
    trained,
    training_half,
)
from models.pipeline.lexicon_romanise import variants

#: Languages in Latin script with word lists, and their weight in thousand phrases.
LATIN = {
    "es": 8, "fr": 8, "de": 7, "pt": 7, "it": 7, "id": 9, "ms": 7, "tr": 7, "nl": 7, "fil": 8,
    "vi": 5, "pl": 3, "cs": 2, "sv": 4, "da": 3, "nb": 3, "fi": 3, "ro": 4, "hu": 3, "sh": 3,
    "sl": 2, "sk": 2, "ca": 4, "is": 1, "lt": 2, "lv": 2,
}  # fmt: skip
_SEEDED = ("es", "fr", "de", "pt", "it", "id", "tr", "nl", "vi", "fil")
#: A word is English if English uses it this often, as a share of the stranger that uses it most.
CLAIM = 0.7
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
    english = jsonl(at.data / "nlupp/banking.jsonl.gz", "text") * 2
    english += halves(source.table(at.data / "multidogo_user/user_sentences.tsv.gz", "utterance"))
    english += halves(source.table(at.data / "sgd_user_acts/short_user_turns.tsv.gz", "text"))
    english += halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "en")) * 3
    clinc = json.loads(gzip.decompress((at.data / "clinc150/data_full.json.gz").read_bytes()))
    english += [text for text, _ in clinc["train"]] + seeds("en", 40)
    english += source.interface(at.debs, "en-gb")
    spoken = source.frequencies("en")
    roman_hindi = romanised(top(source.frequencies("hi"), 20_000), rng)
    hindi = jsonl(at.data / "hdrs_hindi/train.jsonl.gz", "user")
    hindi += halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "hi")) * 2
    hinglish = source.table(at.data / "hinglish_top/train.tsv.gz", "cs_query")
    dialogue = at.data / "codemix_dstc2/user_turns_en_hinglish_tanglish.tsv.gz"
    hinglish += halves(source.table(dialogue, "hinglish")) * 2
    hinglish += seeds("hinglish", 40)
    hindi_words = blend(
        (roman_hindi, 1.0), (counted(seeds("hinglish"), script), 0.7),
        (counted(hinglish, script), 0.5),
    )  # fmt: skip
    hinglish += [_respelt(line, rng) for line in hindi + seeds("hi", 15)]
    names = source.names(at.wheels, "en_IN") + source.names(at.wheels, "en_US")
    names += [rng.choice(names) + " " + rng.choice(names) for _ in range(4000)]
    corpora = [
        trained("en", 90_000, english, spoken, 0.6),
        trained(
            "hinglish", 75_000, hinglish, blend((hindi_words, 1), (spoken, 0.25)), 0.5, mixed=0.2
        ),
        trained("names", 5_000, names, {}, 1.0),
        trained("places", 3_000, source.places(at.wheels), {}, 1.0),
    ]
    for language, thousands in LATIN.items():
        lines = seeds({"fil": "tl"}.get(language, language), 30) if language in _SEEDED else []
        corpora.append(
            stranger(language, thousands * 1000, lines, source.frequencies(language),
                   0.2 if lines else 0.0, mixed=0.3 if language in _MIXERS else 0.0)
        )  # fmt: skip
    for language, (listed, drop, schwa) in ROMAN.items():
        native = source.frequencies(language) if listed else _native(at, language)
        spelt = romanised(top(native, 12_000), rng, drop_schwa=drop, schwa=schwa)
        lines = seeds(f"roman_{language}", 10)
        if language == "ta":
            lines += _tamil(dialogue)
        mixed = blend((spelt, 1.0), (counted(lines, script), 0.7), (spoken, 0.1))
        corpora.append(stranger(f"roman_{language}", 3_500, lines, mixed, 0.35, mixed=0.4))
    lines = seeds("roman_ml", 10)
    corpora.append(stranger("roman_ml", 1_500, lines, counted(lines, script), 0.6, mixed=0.4))
    lines = seeds("arabizi", 10)
    corpora.append(stranger("arabizi", 7_000, lines, counted(lines, script), 0.5, mixed=0.3))
    for language, (code, thousands) in SMALL.items():
        lines = source.declaration(at.npm, code)
        if language == "sw":
            lines += seeds("sw", 20) + source.smart_home(at.wheels, "sw") * 2
        corpora.append(
            stranger(language, thousands * 1000, lines, counted(lines, script), 0.5,
                   mixed=0.3 if language == "sw" else 0.0)
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


def english_claims() -> frozenset[str]:
    """
    Words that English uses about as much as any stranger: "will", "floor", "net", "elizabeth".

    They say nothing against English, whatever the regression makes of them.
    """
    strangers = [source.frequencies(language) for language in LATIN]
    return frozenset(
        word
        for word, frequency in source.frequencies("en").items()
        if frequency >= CLAIM * max(listed.get(word, 0.0) for listed in strangers)
    )


def _native(at: Folders, language: str) -> dict[str, float]:
    lines = source.interface(at.debs, _INTERFACE[language])
    pattern = re.compile(f"[{_NATIVE[language]}]+")
    return dict(Counter(word for line in lines for word in pattern.findall(line)))
