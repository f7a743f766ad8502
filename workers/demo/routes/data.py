"""The demo's intents and the turns that mean one of them or none, read from `deploy/demo`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from workers.demo.data import (
    FOLDER,
    DataError,
    DemoAgent,
    DemoData,
    DemoPrediction,
    DemoTurn,
    Expected,
    evenly,
    table,
)

_COLUMNS = ["agent", "language", "intent", "part", "source", "text"]
#: Stands for no intent.
_NONE = "-"
#: Predictions of each turn: phrases of other intents, which the match gate must not take.
_PREDICTIONS = 2


class Part(StrEnum):
    """What a phrase is for."""

    #: One of an intent's examples.
    EXAMPLE = "example"
    #: To choose the threshold on.
    VALIDATION = "validation"
    #: What no intent answers.
    OUT_OF_SCOPE = "out_of_scope"
    #: What a caller says in the demo.
    TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One phrase of an agent's callers."""

    agent: str
    language: str
    #: None where it means none of the agent's.
    intent: str | None
    part: Part
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteData:
    """Agents with intents, and what their callers say."""

    #: Tenant of each agent.
    tenants: dict[str, str]
    #: What profiles are made of.
    phrases: tuple[Phrase, ...]
    #: The callers' turns; none of their predictions fits.
    turns: tuple[DemoTurn, ...]
    #: What each turn means, by its id; None where it is none of the agent's intents.
    meant: dict[str, str | None]

    def as_turns(self) -> DemoData:
        """Give the turns as a script takes them."""
        agents = [
            DemoAgent(agent=agent, tenant=tenant, mode="live")
            for agent, tenant in self.tenants.items()
        ]
        return DemoData(turns=self.turns, agents=tuple(agents), bad_records=())


def load_routes(count: int, folder: Path = FOLDER) -> RouteData:
    """
    Read the agents with intents and their callers' turns.

    Args:
        count: how many turns, taken evenly from all; all if there are fewer.
        folder: of the demo's files.

    Raises:
        DataError: a file is missing or not as it should be.

    """
    try:
        tenants = {row["agent"]: row["tenant"] for row in table(folder / "route-agents.tsv")}
        phrases = [
            _phrase(row)
            for path in sorted(folder.glob("routes*.tsv"))
            for row in table(path, _COLUMNS)
        ]
    except (OSError, KeyError, ValueError) as error:
        raise DataError(f"the routes in {folder} cannot be read: {error}") from error
    if not {phrase.agent for phrase in phrases} <= tenants.keys():
        raise DataError(f"the routes in {folder} need agents that route-agents.tsv does not have")
    said = evenly([phrase for phrase in phrases if phrase.part is Part.TURN], count)
    known = tuple(phrase for phrase in phrases if phrase.part is not Part.TURN)
    names = [f"{one.agent}-{one.language}-{place:02d}" for place, one in enumerate(said, 1)]
    return RouteData(
        tenants=tenants,
        phrases=known,
        turns=tuple(_turn(name, one, known) for name, one in zip(names, said, strict=True)),
        meant={name: one.intent for name, one in zip(names, said, strict=True)},
    )


def _phrase(row: dict[str, str]) -> Phrase:
    return Phrase(
        agent=row["agent"],
        language=row["language"],
        intent=None if row["intent"] == _NONE else row["intent"],
        part=Part(row["part"]),
        text=row["text"],
    )


def _turn(name: str, said: Phrase, known: tuple[Phrase, ...]) -> DemoTurn:
    others: dict[str, Phrase] = {}
    for one in known:
        same = (one.agent, one.language) == (said.agent, said.language)
        if same and one.part is Part.EXAMPLE and one.intent not in {None, said.intent}:
            others.setdefault(str(one.intent), one)
    predictions = [
        DemoPrediction(
            prediction_id=f"{name}/p{place}", text=one.text, kind="other_intent", serve=False
        )
        for place, one in enumerate([*others.values()][:_PREDICTIONS], 1)
    ]
    return DemoTurn(
        turn_id=name,
        agent=said.agent,
        language=said.language,
        text=said.text,
        expected=Expected.ABSENT,
        predictions=tuple(predictions),
    )
