"""Rows of the public sets that the language guard was neither trained nor tuned on."""

import gzip
import json
from pathlib import Path

from models.pipeline.lexicon_corpus import training_half
from models.pipeline.lexicon_sources import table

#: Language, set and file, column, and the value that another column must have.
TABLES: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("en", "hwu64/hwu64_fold1.tsv.gz", "text", {}),
    ("en", "hint3/curekart_test.csv.gz", "sentence", {}),
    ("en", "hint3/sofmattress_test.csv.gz", "sentence", {}),
    ("en", "refugee_phrases/phrases.tsv.gz", "en", {}),
    ("hi", "homeassistant_tests/sentences.tsv.gz", "text", {"lang": "hi"}),
    ("hi", "yn_indirect/hindi_dev.tsv.gz", "question", {}),
    ("hi", "yn_indirect/hindi_dev.tsv.gz", "answer", {}),
    ("hinglish", "hinglish_top/validation.tsv.gz", "cs_query", {}),
    ("hinglish", "refugee_phrases/phrases.tsv.gz", "ur_latin", {}),
    ("ar", "arbanking77/test_msa.csv.gz", "text", {}),
    ("ar", "arbanking77/test_palestinian.csv.gz", "text", {}),
    ("ar", "helpdesk_ar/nlu.tsv", "text", {}),
    ("ar", "refugee_phrases/phrases.tsv.gz", "ar_syrian", {}),
    ("ar", "homeassistant_tests/sentences.tsv.gz", "text", {"lang": "ar"}),
    ("ur", "refugee_phrases/phrases.tsv.gz", "ur", {}),
    ("fa", "yn_indirect/persian_dev.tsv.gz", "question", {}),
    ("fa", "yn_indirect/persian_dev.tsv.gz", "answer", {}),
    ("ne", "yn_indirect/nepali_dev.tsv.gz", "question", {}),
    ("ne", "yn_indirect/nepali_dev.tsv.gz", "answer", {}),
    ("arabizi", "refugee_phrases/phrases.tsv.gz", "ar_syrian_latin", {}),
)
_DIALOGUE = "codemix_dstc2/user_turns_en_hinglish_tanglish.tsv.gz"
_HOME = "homeassistant_tests/sentences.tsv.gz"
#: The same for sets of which one half was used: whether the clean half is the training half.
HALVES: tuple[tuple[str, str, str, dict[str, str], bool], ...] = (
    ("hinglish", _DIALOGUE, "hinglish", {}, False),
    ("ta-latin", _DIALOGUE, "tamil_english", {}, False),
    ("ur", _HOME, "text", {"lang": "ur"}, True),
    ("fa", _HOME, "text", {"lang": "fa"}, True),
    ("ne", _HOME, "text", {"lang": "ne"}, True),
)


def public_rows(data: Path) -> list[tuple[str, str, str]]:
    """Language, set and text of each row; empty where the sets are not there."""
    if not data.exists():
        return []
    rows = [
        (language, file, text)
        for language, file, column, where in TABLES
        for text in table(data / file, column, where=where)
    ]
    english = {word for line in table(data / _DIALOGUE, "english") for word in line.split()}
    rows += [
        (language, file, text)
        for language, file, column, where, half in HALVES
        for text in table(data / file, column, where=where)
        if training_half(text) == half
        # Many rows of the Tamil column are plain English.
        and (language != "ta-latin" or any(word not in english for word in text.lower().split()))
    ]
    for file, key in (("nlupp/hotels.jsonl.gz", "text"), ("hdrs_hindi/dev.jsonl.gz", "user")):
        lines = gzip.decompress((data / file).read_bytes()).decode().splitlines()
        language = "hi" if "hindi" in file else "en"
        rows += [(language, file, json.loads(line)[key]) for line in lines]
    clinc = json.loads(gzip.decompress((data / "clinc150/data_full.json.gz").read_bytes()))
    rows += [("en", "clinc150", text) for text, _ in clinc["test"] + clinc["oos_test"]]
    return [(language, file, text) for language, file, text in rows if text.strip()]
