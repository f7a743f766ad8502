"""`turngate profile` as a user runs it, without a broker."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.unit.models.router.factories import World
from topics.profile import AgentProfile, Mode
from workers.cli import main
from workers.commands import profile as command


@pytest.fixture
def world(monkeypatch):
    """Phrases of known vectors, whose encoder stands in for the bundle."""
    world = World(spread=0.15)
    monkeypatch.setattr(command, "_encoder", lambda _: world.encoder)
    return world


@pytest.fixture
def broker(monkeypatch):
    """Stand in for the topic: what is on it, and what was published."""
    topic = {"known": {}, "published": []}

    async def published(_):
        return topic["known"]

    async def publish(_, profiles):
        topic["published"] += profiles

    monkeypatch.setattr(command, "published", published)
    monkeypatch.setattr(command, "publish_profiles", publish)
    return topic


def document(world, **overrides):
    """Make a profile without mistakes."""
    return {
        "tenant_id": "acme",
        "agent_id": "desk",
        "router": {"mode": "live"},
        "intents": [
            {"name": name, "examples": texts, "response": name}
            for name, texts in world.intents.items()
        ],
        "validation_phrases": world.validation,
        "out_of_scope_phrases": world.out_of_scope,
    } | overrides


def call(tmp_path, what, content, *arguments):
    """Run a command on a file."""
    path = tmp_path / "desk.json"
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False), "utf-8")
    return CliRunner().invoke(main, ["profile", what, str(path), *map(str, arguments)])


def last(result):
    """Read the last line of the output."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout.splitlines()[-1])


class TestCheck:
    def test_what_it_says(self, tmp_path, world):
        """
        State, curve with the chosen threshold, languages, JSON last; and no phrase.
        """
        result = call(tmp_path, "check", document(world))

        (found,) = last(result)["profiles"]
        assert (found["state"], found["intents"]) == ("routed", 4)
        assert found["accuracy"] >= found["target"]
        assert f"{found['threshold']:.3f} *" in result.output
        assert "Languages:" in result.output
        assert "number" not in result.output

    def test_the_report(self, tmp_path, world):
        """
        One HTML page, named in the output.
        """
        report = tmp_path / "out.html"

        result = call(tmp_path, "check", document(world), "--report", report)

        assert result.exit_code == 0, result.output
        assert report.read_text("utf-8").startswith("<!doctype html>")
        assert f"report: {report}" in result.output

    def test_a_report_that_cannot_be_written(self, tmp_path, world):
        """
        It is said before the work, not after it.
        """
        result = call(tmp_path, "check", document(world), "--report", tmp_path / "no" / "out.html")

        assert result.exit_code == 2
        assert "its folder does not exist" in result.output

    def test_mistakes(self, tmp_path, world):
        """
        Each with file, line and path, and an exit code for scripts.
        """
        result = call(tmp_path, "check", document(world, router={"mode": "on"}))

        assert result.exit_code == 1
        assert "desk.json:" in result.output
        assert "router.mode: must be one of off, shadow, live" in result.output
        assert "published" not in result.output

    def test_a_router_that_abstains(self, tmp_path, world):
        """
        That is no mistake of the file, but it is said first.
        """
        result = call(tmp_path, "check", document(world, validation_phrases={}))

        assert last(result)["profiles"][0]["state"] == "too_few_phrases"
        assert "Nothing will be routed: 0 validation phrases count" in result.output

    def test_a_router_that_no_caller_hears(self, tmp_path, world):
        """
        Neither line nor JSON promises answers that the hot path withholds.
        """
        validation = {name: texts[:4] for name, texts in world.validation.items()}
        for axis, name in enumerate(validation):
            spoken = world.phrases(f"हिन्दी में सवाल {axis} है", axis, 4, 0.08, 800 + axis)
            validation[name] = [*validation[name], *spoken]

        result = call(tmp_path, "check", document(world, validation_phrases=validation))

        (found,) = last(result)["profiles"]
        assert (found["state"], found["answered"], found["threshold"]) == (
            "no_language",
            None,
            None,
        )
        assert found["withheld"]["route_language"] >= 20
        assert {one["language"] for one in found["languages"] if not one["routed"]} >= {"Hindi"}
        assert "the router routes nothing (no language)" in result.output
        assert "Nothing will be routed: a language is routed from 20" in result.output


def test_the_sample():
    """
    The profile that a newcomer starts from is routed in all of its languages by what ships.
    """
    sample = Path(__file__).parents[4] / "deploy" / "profiles" / "shop.json"

    result = CliRunner().invoke(main, ["profile", "check", str(sample)])

    (found,) = last(result)["profiles"]
    assert (found["state"], found["intents"], found["left_out"]) == ("routed", 4, 0)
    assert {one["language"] for one in found["languages"] if one["routed"]} >= {
        "English",
        "Hindi",
        "Hinglish",
        "Arabic",
    }
    assert found["answered"] > 0
    assert "out-of-scope phrases, fewer than" not in result.output


class TestPut:
    def test_profiles_are_published(self, tmp_path, world, broker):
        """
        All of a file, each under its next version, with what its router does.
        """
        known = AgentProfile(tenant_id="acme", agent_id="desk", version=6)
        broker["known"] = {("acme", "desk"): known}

        result = call(tmp_path, "put", [document(world), {"tenant_id": "acme", "agent_id": "gate"}])

        assert [one["version"] for one in last(result)["published"]] == [7, 1]
        first, second = broker["published"]
        assert (first.agent_id, first.version, first.router.mode) == ("desk", 7, Mode.LIVE)
        assert len(first.intents) == 4
        assert second.intents == ()
        assert "acme/desk version 7: the router answers" in result.output

    def test_what_is_in_force_is_left_alone(self, tmp_path, world, broker):
        """
        Publishing a file twice publishes it once.
        """
        call(tmp_path, "put", document(world))
        (first,) = broker["published"]
        broker["known"] = {("acme", "desk"): first}

        result = call(tmp_path, "put", document(world))

        assert last(result) == {"published": [], "unchanged": 1}
        assert broker["published"] == [first]

    @pytest.mark.parametrize(
        "wrong",
        [
            pytest.param({"version": 2}, id="old version"),
            pytest.param({"router": {"mode": "on"}}, id="shape"),
            pytest.param({"validation_phrases": {"nobody": ["has this"]}}, id="sense"),
        ],
    )
    def test_one_mistake_and_nothing_is_published(self, tmp_path, world, broker, wrong):
        """
        The other profiles of the file wait until it is mended.
        """
        known = AgentProfile(tenant_id="acme", agent_id="desk", version=6)
        broker["known"] = {("acme", "desk"): known}
        good = document(world, agent_id="good")

        result = call(tmp_path, "put", [good, document(world, **wrong)])

        assert result.exit_code == 1
        assert "nothing was published" in result.output
        assert "has this" not in result.output
        assert broker["published"] == []

    def test_many_mistakes(self, tmp_path, world, broker):
        """
        The first of them are named, and how many more there are.
        """
        result = call(tmp_path, "put", document(world, out_of_scope_phrases=[1] * 50))

        assert result.output.count("out_of_scope_phrases[") == 20
        assert "and 30 more" in result.output
        assert broker["published"] == []

    def test_a_router_that_abstains(self, tmp_path, world, broker):
        """
        The profile is published, for its gate may work, and the warning is plain.
        """
        result = call(tmp_path, "put", document(world, validation_phrases={}))

        assert last(result)["published"][0]["state"] == "too_few_phrases"
        assert "warning: acme/desk: Nothing will be routed" in result.stderr
        assert len(broker["published"]) == 1
