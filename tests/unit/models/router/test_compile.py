"""From phrases to decisions."""

import numpy as np
import pytest

from models.router import Gate, Options, Reason, RouterError, compile_router
from models.router.phrases import Problem
from tests.unit.models.router.factories import WIDTH, TableEncoder, World, around

GATES = pytest.mark.parametrize("gate", list(Gate))


def compiled(world, gate=Gate.DEFAULT, *, target=0.95, share=0.2, **changes):
    """Compile some phrases of a world."""
    options = Options(gate=gate, target=target, out_of_scope_share=share)
    return compile_router(world.profile(**changes), world.encoder, options)


@GATES
def test_clear_phrases_are_routed_and_others_are_not(gate):
    """
    New phrases amid an intent go to it; new phrases of none go to the LLM.
    """
    router = compiled(World(), gate).router

    inside = [router.route(row) for row in around(2, 20, 0.08, 500)]
    outside = [router.route(row) for row in around(WIDTH - 1, 20, 0.08, 501)]

    assert router.state is Reason.ROUTED
    assert [one.intent for one in inside].count("intent 2") >= 18
    assert [one.intent for one in outside].count(None) >= 18
    assert {one.reason for one in outside if one.intent is None} == {Reason.UNCLEAR}


@GATES
def test_a_decision_explains_itself(gate):
    """
    A decision has candidate, runner-up, cosine, margin, confidence and threshold.
    """
    world = World()
    router = compiled(world, gate).router
    vector = around(1, 1, 0.05, 500)[0]

    routed = router.route(vector)

    cosines = np.sort(router.prototypes @ vector)
    assert routed.intent == routed.candidate == "intent 1"
    assert routed.runner_up in world.intents
    assert routed.runner_up != routed.candidate
    assert routed.score == pytest.approx(float(cosines[-1]))
    assert routed.margin == pytest.approx(float(cosines[-1] - cosines[-2]))
    assert routed.confidence >= routed.threshold == router.threshold


@GATES
def test_the_threshold_is_that_of_the_curve(gate):
    """
    The threshold is a point of the curve that holds the target, and the router's quality is that
    point's.
    """
    found = compiled(World(spread=0.25), gate, target=0.9)

    place = found.curve.thresholds.tolist().index(found.router.threshold)
    assert found.curve.accuracy[place] >= 0.9
    assert found.router.quality.accuracy == found.curve.accuracy[place]
    assert found.router.quality.answered == found.curve.answered[place]


@GATES
def test_no_intents(gate):
    """
    Without intents every utterance goes to the LLM.
    """
    router = compiled(World(), gate, intents={}, validation={}).router

    routed = router.route(around(0, 1, 0.1, 0)[0])

    assert (routed.intent, routed.candidate, routed.reason) == (None, None, Reason.NO_INTENTS)


@GATES
def test_one_intent(gate):
    """
    One intent is routed by how near it is, for it has no rival.
    """
    router = compiled(World(1, validation=30), gate).router

    near, far = around(0, 1, 0.05, 500)[0], around(WIDTH - 1, 1, 0.1, 501)[0]

    assert router.route(near).intent == "intent 0"
    assert router.route(far).intent is None
    assert router.route(near).runner_up is None


def test_one_intent_and_nothing_out_of_scope():
    """
    One intent and no out-of-scope phrase say nothing of what else callers say: it abstains.
    """
    found = compiled(World(1, validation=30, outside=0))

    assert found.router.state is Reason.TARGET_NOT_REACHED
    assert found.router.route(around(0, 1, 0.01, 0)[0]).intent is None


def test_without_out_of_scope_phrases():
    """
    Without out-of-scope phrases hidden intents stand in for them, so what is far from all intents
    still goes to the LLM.
    """
    router = compiled(World(outside=0)).router

    assert router.state is Reason.ROUTED
    assert router.route(around(2, 1, 0.05, 500)[0]).intent == "intent 2"
    far = [router.route(row).intent for row in around(9, 20, 0.08, 501)]
    assert far.count(None) >= 18


@GATES
def test_too_few_validation_phrases(gate):
    """
    With fewer validation phrases than a threshold needs the router abstains and says so.
    """
    found = compiled(World(validation=4), gate)

    routed = found.router.route(around(0, 1, 0.01, 0)[0])

    assert (routed.intent, routed.reason) == (None, Reason.TOO_FEW_PHRASES)
    assert routed.candidate == ("intent 0" if gate is Gate.MARGIN else routed.candidate)
    assert found.curve is None


@GATES
def test_a_target_that_cannot_be_reached(gate):
    """
    Where validation phrases are labelled at random the router routes nothing, says why, and still
    has the curve.
    """
    world = World(4)
    names = list(world.intents)
    phrases = [text for texts in world.validation.values() for text in texts]
    shuffled = {name: phrases[place :: len(names)] for place, name in enumerate(names)}

    found = compiled(world, gate, validation=shuffled)

    routed = found.router.route(around(0, 1, 0.01, 0)[0])
    assert (routed.intent, routed.reason) == (None, Reason.TARGET_NOT_REACHED)
    assert routed.threshold == np.inf
    assert found.router.quality is None
    assert len(found.curve.thresholds) > 1


@GATES
def test_duplicates_change_nothing(gate):
    """
    The same example twice gives the router that it gives once, and a finding.
    """
    world = World()
    doubled = {name: [*texts, texts[0].upper()] for name, texts in world.intents.items()}

    once, twice = compiled(world, gate), compiled(world, gate, intents=doubled)

    assert {one.problem for one in twice.findings} == {Problem.REPEATED}
    assert once.router.digest == twice.router.digest
    assert once.router.threshold == twice.router.threshold


def test_the_same_twice():
    """
    The same phrases give the same router, whatever else was compiled between.
    """
    first, _, second = compiled(World()), compiled(World(3)), compiled(World())

    assert first.router.threshold == second.router.threshold
    assert first.router.digest == second.router.digest


def test_another_language_than_the_examples():
    """
    Languages are the encoder's business: an utterance in another one goes where its vector lies.
    """
    world = World(2, validation=24)
    world.vectors["बिल भरना है"] = around(1, 1, 0.05, 7)[0]
    router = compiled(world).router

    assert router.route(world.encoder.encode(["बिल भरना है"])[0]).intent == "intent 1"


def test_the_digest_names_phrases_and_options():
    """
    Another phrase, another target or another gate is another digest.
    """
    world = World()
    digests = {
        compiled(world).router.digest,
        compiled(world, target=0.9).router.digest,
        compiled(world, share=0.3).router.digest,
        compiled(world, Gate.MARGIN).router.digest,
        compiled(world, out_of_scope=world.out_of_scope[1:]).router.digest,
    }

    assert len(digests) == 5


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(Options(target=0.0), id="target 0"),
        pytest.param(Options(target=1.1), id="target above 1"),
        pytest.param(Options(out_of_scope_share=1.0), id="nothing in scope"),
        pytest.param(Options(out_of_scope_share=-0.1), id="negative share"),
    ],
)
def test_options_out_of_range(options):
    """
    A target or share that is no share is refused.
    """
    with pytest.raises(RouterError):
        compile_router(World().profile(), World().encoder, options)


def test_validation_does_not_judge_itself():
    """
    Validation phrases in pairs of near copies, far from all examples, promise nothing: near copies
    share a fold, so neither finds the other.
    """
    world = World(2, examples=6, validation=0, outside=40)
    random = np.random.default_rng(5)
    for name in world.intents:
        texts = [f"{name} said {place} {copy}" for place in range(15) for copy in "ab"]
        spots = np.repeat(random.normal(0, 1, (15, WIDTH)), 2, axis=0)
        spots /= np.linalg.norm(spots, axis=1, keepdims=True)
        world.vectors |= dict(zip(texts, spots.astype(np.float32), strict=True))
        world.validation[name] = texts

    found = compiled(world)

    right = (found.fitted.picked[:60] == [label for _, label in found.validation]).mean()
    assert right < 0.75
    learned = [found.router.route(world.vectors[text]) for text, _ in found.validation]
    known = [found.router.names[label] for _, label in found.validation]
    assert np.mean([one.candidate for one in learned] == np.array(known)) > right


def test_examples_only():
    """
    Where validation phrases only judge, none of them is a neighbour, and they still choose the
    threshold.
    """
    world = World()

    taught = compiled(world).router
    found = compile_router(world.profile(), world.encoder, Options(examples_only=True)).router

    assert len(taught.knowledge.phrases) == 4 * (8 + 12)
    assert len(found.knowledge.phrases) == 4 * 8
    assert found.state is Reason.ROUTED
    assert found.route(around(2, 1, 0.05, 500)[0]).intent == "intent 2"


@GATES
def test_a_vector_of_another_width(gate):
    """
    A vector of another width is a mistake of the caller's.
    """
    router = compiled(World(), gate).router

    with pytest.raises(ValueError, match="width 16"):
        router.route(np.zeros(WIDTH + 1, np.float32))


@GATES
@pytest.mark.parametrize("value", [0.0, np.nan], ids=["zeros", "no numbers"])
def test_a_vector_that_says_nothing(gate, value):
    """
    Zeros and what is no number are handed over.
    """
    router = compiled(World(), gate).router

    assert router.route(np.full(WIDTH, value, np.float32)).intent is None


def test_texts_are_cleaned_before_they_are_encoded():
    """
    The encoder sees cleaned texts, the form in which utterances reach it.
    """
    world = World()
    world.intents["intent 0"] = [f"  {text}\u200b" for text in world.intents["intent 0"]]

    assert isinstance(world.encoder, TableEncoder)  # knows cleaned texts only
    assert compiled(world).router.state is Reason.ROUTED
