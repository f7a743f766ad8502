"""The profiles of agents with intents."""

from collections import defaultdict

from topics.profile import AgentProfile, Intent, MatchProfile, Mode, RouterProfile
from workers.demo.routes.data import Part, Phrase, RouteData


def profiles(data: RouteData) -> list[AgentProfile]:
    """Make the profiles of all agents: matched first, then routed."""
    return [_profile(agent, tenant, data) for agent, tenant in data.tenants.items()]


def _profile(agent: str, tenant: str, data: RouteData) -> AgentProfile:
    own = [phrase for phrase in data.phrases if phrase.agent == agent]
    examples = _by_intent(own, Part.EXAMPLE)
    return AgentProfile(
        tenant_id=tenant,
        agent_id=agent,
        version=1,
        match=MatchProfile(mode=Mode.LIVE),
        router=RouterProfile(mode=Mode.LIVE),
        intents=tuple(
            Intent(name=name, examples=texts, response_ref=f"replies/{agent}/{name}.wav")
            for name, texts in examples.items()
        ),
        validation_phrases=_by_intent(own, Part.VALIDATION),
        out_of_scope_phrases=tuple(one.text for one in own if one.part is Part.OUT_OF_SCOPE),
    )


def _by_intent(phrases: list[Phrase], part: Part) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in phrases:
        if one.part is part and one.intent is not None:
            found[one.intent].append(one.text)
    return {name: tuple(texts) for name, texts in found.items()}
