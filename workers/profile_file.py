"""
Profiles from a JSON file, one or an array of them, checked whole before anything is done with them.

A profile is written as it stands on `agent.profiles`; `version` may be left out. Mistakes and
remarks name line and path, and intents by name, and never quote a phrase.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from models.router.compile import MAX_PHRASES
from models.router.phrases import Finding, Part, Problem, prepare
from models.router.profile import named_twice, phrases, sources
from topics.codec import DecodeError, decode, encode
from topics.profile import AgentProfile, Mode
from workers.profile_places import Path as Place
from workers.profile_places import Places, places, printable, written
from workers.profile_shape import misshaped

#: Larger files are not read, bytes.
MAX_FILE_BYTES = 32 << 20
#: Kafka takes no larger record unless it is told to, and the record has a head, bytes.
MAX_PROFILE_BYTES = 1_000_000
#: Stands for a version that was left out, until it is known which one comes next.
NO_VERSION = 1
#: What may stand in a profile without being wrong.
_REMARKS = {Problem.REPEATED}


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a place in the file."""

    #: From 1.
    line: int
    #: Path within the document; empty for the whole of it.
    where: str
    what: str

    def __str__(self) -> str:
        """Write it after the file's name."""
        return (
            f"{self.line}: {self.where}: {self.what}" if self.where else f"{self.line}: {self.what}"
        )


@dataclass(frozen=True, slots=True)
class Given:
    """One profile of a file."""

    profile: AgentProfile
    #: False where the file leaves the version out.
    versioned: bool
    line: int
    #: What was left out of the router, as its compilation will find.
    remarks: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """What a file holds."""

    profiles: tuple[Given, ...]
    #: In the order of the lines; with any, nothing is to be done with the profiles.
    mistakes: tuple[Note, ...]


class _Unreadable(Exception):
    """The file as a whole cannot be read; holds nothing of it."""

    def __init__(self, what: str, line: int = 1) -> None:
        super().__init__(what)
        self.note = Note(line, "", what)


def read_profiles(path: Path) -> ProfileFile:
    """Read a file and find all of its mistakes."""
    try:
        text = _text(path)
        found = _json(text)
    except _Unreadable as error:
        return ProfileFile((), (error.note,))
    where = places(text)
    mistakes = [Note(line, "", "this key stands twice in its object") for line in where.repeated]
    several = isinstance(found, list)
    documents: list[tuple[Place, Any]] = (
        [((index,), one) for index, one in enumerate(found)] if several else [((), found)]
    )
    if not documents:
        mistakes.append(Note(1, "", "there is no profile in it"))
    profiles: list[Given] = []
    for root, document in documents:
        if (given := _given(root, document, where, mistakes)) is not None:
            profiles.append(given)
    mistakes += _same_agent(profiles)
    return ProfileFile(tuple(profiles), tuple(sorted(mistakes, key=lambda note: note.line)))


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise _Unreadable(f"the file is larger than {MAX_FILE_BYTES >> 20} MiB")
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _Unreadable("the file is not UTF-8 here", line) from None


def _json(text: str) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise _Unreadable(f"{constant} is no number in JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        # The library's words are about marks, never about the text.
        what = f"not JSON at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
        raise _Unreadable(what, error.lineno) from None
    except (RecursionError, ValueError):
        raise _Unreadable("not JSON that we can read: too deep, or a number without end") from None


def _given(root: Place, document: Any, where: Places, mistakes: list[Note]) -> Given | None:
    """Make one profile; `mistakes` grows, and without a shape there is no profile."""

    def note(place: Place, what: str) -> Note:
        return Note(where.line((*root, *place)), written((*root, *place)), what)

    versioned = isinstance(document, dict) and "version" in document
    complete = document
    if isinstance(document, dict) and not versioned:
        complete = document | {"version": NO_VERSION}
    wrong = [note(one.path, one.reason) for one in misshaped(AgentProfile, complete)]
    if wrong:
        mistakes += wrong
        return None
    try:
        raw = json.dumps(complete).encode()
        profile = decode(AgentProfile, raw)
        size = len(encode(profile))
    except DecodeError as error:
        mistakes.append(note((), error.reason))
        return None
    if size > MAX_PROFILE_BYTES:
        mistakes.append(note((), f"the profile has {size} bytes, at most {MAX_PROFILE_BYTES} fit"))
    mistakes += [note(place, what) for place, what in _senseless(profile)]
    remarks: list[Note] = []
    for place, finding in _findings(profile):
        said = note(place, _said(finding))
        (remarks if finding.problem in _REMARKS else mistakes).append(said)
    return Given(profile, versioned, where.line(root), tuple(remarks))


def _senseless(profile: AgentProfile) -> Iterator[tuple[Place, str]]:
    """Find what has the right shape and no sense."""
    twice = named_twice([intent.name for intent in profile.intents])
    for index, intent in enumerate(profile.intents):
        if intent.name in twice:
            yield ("intents", index, "name"), f"there is another intent {_quoted(intent.name)}"
        if intent.response is None and intent.response_ref is None and not intent.side_effect:
            name = _quoted(intent.name)
            yield ("intents", index), f"{name} has nothing to play: no response, no response_ref"
    given = phrases(sources(profile))
    if given.size > MAX_PHRASES:
        yield (), f"{given.size} phrases; a router takes {MAX_PHRASES} at most"
    if profile.router.mode is not Mode.OFF and not profile.intents:
        yield ("router", "mode"), "there are no intents to route to; leave it off"


def _findings(profile: AgentProfile) -> Iterator[tuple[Place, Finding]]:
    """What the compilation will leave out, with its place in the profile."""
    positions = {intent.name: index for index, intent in enumerate(profile.intents)}
    for finding in prepare(phrases(sources(profile))).findings:
        end: Place = () if finding.index is None else (finding.index,)
        if finding.part is Part.OUT_OF_SCOPE:
            yield ("out_of_scope_phrases", *end), finding
        elif finding.part is Part.VALIDATION:
            yield ("validation_phrases", finding.intent or "", *end), finding
        else:
            yield ("intents", positions[finding.intent or ""], "examples", *end), finding


def _said(finding: Finding) -> str:
    """Say what is wrong with a phrase, or with a list of them."""
    other = "out of scope" if finding.other is None else _quoted(finding.other)
    return {
        Problem.EMPTY: "nothing is left of the phrase once it is cleaned",
        Problem.TOO_LONG: "longer than anything that a caller says in one turn",
        Problem.REPEATED: "sounds the same as an earlier phrase, so it is left out",
        Problem.AMBIGUOUS: f"stands under {other} too, so it tells nothing of either",
        Problem.CONTRADICTED: f"an earlier list has it as {other}",
        Problem.UNKNOWN_INTENT: "there is no such intent, or none of its examples can be used",
        Problem.NO_EXAMPLES: "no example is left that tells the intent apart",
    }[finding.problem]


def _same_agent(profiles: Sequence[Given]) -> Iterator[Note]:
    agents: Mapping[tuple[str, str], list[Given]] = defaultdict(list)
    for given in profiles:
        agents[given.profile.tenant_id, given.profile.agent_id].append(given)
    for first, *others in agents.values():
        for given in others:
            yield Note(given.line, "", f"the same agent as the profile on line {first.line}")


def _quoted(name: str) -> str:
    return f'"{printable(name)}"'


def numbered(given: Given, version: int) -> AgentProfile:
    """Give a profile its version."""
    return replace(given.profile, version=version)


def counts(profile: AgentProfile) -> Counter[str]:
    """Count intents and phrases, as a summary."""
    return Counter(
        intents=len(profile.intents),
        examples=sum(len(intent.examples) for intent in profile.intents),
        validation=sum(map(len, profile.validation_phrases.values())),
        out_of_scope=len(profile.out_of_scope_phrases),
    )
