"""Knowledge bases: how files are read, which rows they make, and what is held out."""

import json
from dataclasses import replace

import pytest

from models.pipeline.data import kb_tricks
from models.pipeline.data.kb import (
    KnowledgeBaseError,
    Target,
    knowledge_bases,
    read_knowledge_bases,
)
from models.pipeline.data.kb_groups import facts
from models.pipeline.data.kb_held import entries, held, questions, write_lines
from models.pipeline.data.kb_rows import kb_rows, language_pair, read_kb_rows, write_kb_rows
from models.pipeline.data.split import LeakError
from models.suites_answer import load as load_answer_gate
from tests.unit.models.pipeline.data.factory import make_rng

TRICKS = ("echo", "promise", "order")
FILE = """
# Corniche Fitness | gym
@ gold.price [en] Gold plan price :: The Gold plan costs 1,450 pounds a month.
@ gold.contents [en] What Gold includes :: Pool, classes and two guest passes a month.
@ gold.age [en] Who may take Gold :: From sixteen on.
@ silver.price [ar] سعر الفضي :: الاشتراك الفضي بـ 900 جنيه في الشهر.
@ pool.hours [en] Pool :: Open from six to ten.
? gold.price
en: how much is the gold plan
ar: بكام اشتراك الجولد
? gold.price + gold.contents
hinglish: gold mein kya milta hai aur kitne ka hai
? gold.price = silver.price / pool.hours
msa: ما أسعار الاشتراكات؟
? gold.contents ~
en: what is in gold and when
? none gold / silver.price pool.hours
en: can i pay for gold in instalments
? none
hi: क्या आप पता बदल सकते हैं

# Blue Kite | kites
@ kite.price [en] Kites :: From ten pounds.
? kite.price
en: what is a kite
"""


@pytest.fixture
def file(tmp_path):
    """A file of two knowledge bases."""
    path = tmp_path / "en-01.txt"
    path.write_text(FILE, "utf-8")
    return path


@pytest.fixture
def base(file):
    """The first of them."""
    return next(read_knowledge_bases(file))


class TestRead:
    def test_entries(self, base):
        """Title, domain, file, ids, languages and texts arrive as they stand."""
        price = base.entries[0]

        assert (base.title, base.domain, base.source) == ("Corniche Fitness", "gym", "en-01.txt")
        assert (price.id, price.topic, price.language) == ("gold.price", "gold", "en")
        assert price.title == "Gold plan price"
        assert price.content == "The Gold plan costs 1,450 pounds a month."
        assert [entry.language for entry in base.entries] == ["en", "en", "en", "ar", "en"]

    @pytest.mark.parametrize(
        ("place", "target", "levels"),
        [
            pytest.param(0, Target.WHOLE, (3, 1, 1, 0, 0), id="one answer"),
            pytest.param(2, Target.PARTS, (2, 2, 1, 0, 0), id="two parts"),
            pytest.param(3, Target.WHOLE, (3, 1, 1, 3, 1), id="two answers and a near one"),
            pytest.param(4, Target.PARTLY, (1, 2, 1, 0, 0), id="partly"),
            pytest.param(5, Target.NOTHING, (1, 1, 1, 1, 1), id="none though near"),
            pytest.param(6, Target.NOTHING, (0, 0, 0, 0, 0), id="none"),
        ],
    )
    def test_levels(self, base, place, target, levels):
        """Named entries have their level, their topic and named near ones 1, others 0."""
        question = base.questions[place]

        assert (question.target, question.levels) == (target, levels)

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ("| gym", "", 2),
            ("# Corniche Fitness | gym\n", "", 2),
            ("@ gold.age [en]", "@ gold.age [fr]", 5),
            ("@ gold.age [en]", "@ gold.price [en]", 5),
            (" :: From sixteen on.", "", 5),
            ("? gold.price\n", "", 8),
            ("? gold.price\n", "? gold.colour\n", 8),
            ("? none gold", "? none bronze", 17),
            ("/ silver.price pool.hours", "/ silver.price pool.depth", 17),
            ("+ gold.contents", "+ gold.price", 11),
            ("+ gold.contents", "+ gold.contents ~", 11),
            ("hi: क्या", "ur: क्या", 20),
            ("hi: क्या", "क्या", 20),
            ("? none\n", "? none\n@ gold.pool [en] a :: b\n", 20),
        ],
    )
    def test_a_wrong_line_is_refused_without_its_text(self, tmp_path, old, new, line):
        """File and line are told, never what somebody wrote."""
        assert old in FILE
        path = tmp_path / "en-01.txt"
        path.write_text(FILE.replace(old, new, 1), "utf-8")

        with pytest.raises(KnowledgeBaseError) as caught:
            list(read_knowledge_bases(path))

        assert str(caught.value).startswith(f"en-01.txt:{line}: ")
        assert "gold" not in str(caught.value).lower()

    def test_nothing_asked(self, tmp_path):
        """A knowledge base without questions is refused by its file."""
        path = tmp_path / "en-01.txt"
        path.write_text(FILE.split("? gold.price", maxsplit=1)[0], "utf-8")

        with pytest.raises(KnowledgeBaseError, match=r"^en-01\.txt: "):
            list(read_knowledge_bases(path))

    def test_a_title_twice(self, file):
        """Two knowledge bases of one title would be split by one key."""
        file.with_name("en-02.txt").write_text(FILE, "utf-8")

        with pytest.raises(KnowledgeBaseError, match=r"en-02\.txt.*en-01\.txt"):
            knowledge_bases(file.parent)


class TestRows:
    def test_written(self, base):
        """Every entry above level 0 makes a row, and two of the others."""
        made = [row for row in kb_rows(make_rng(), [base]) if row.kind == "written"]

        first = {row.title: row.level for row in made if row.question.startswith("how much")}
        assert first == {
            "Gold plan price": 3, "What Gold includes": 1, "Who may take Gold": 1, "سعر الفضي": 0,
            "Pool": 0,
        }  # fmt: skip
        last = [row for row in made if row.question_language == "hi"]
        assert [row.level for row in last] == [0, 0]

    def test_where_rows_come_from(self, base):
        """The split key is the knowledge base, the pair is question first."""
        made = list(kb_rows(make_rng(), [base]))

        assert {row.group for row in made} == {("kb:Corniche Fitness",)}
        assert {row.source for row in made} == {"kb/en-01.txt"}
        pairs = {language_pair(row) for row in made}
        assert {"en-en", "ar-en", "en-ar", "hinglish-en", "ar-ar", "hi-en"} <= pairs

    def test_joined_entries_hold_what_their_level_says(self, base):
        """An answer keeps its level beside a near miss, two parts answer, near misses do not."""
        contents = {entry.content: entry.id for entry in base.entries}
        seen = set()

        for seed in range(30):
            for row in kb_rows(make_rng(seed), [base]):
                if row.kind == "joined":
                    parts = {name for text, name in contents.items() if text in row.content}
                    assert len(parts) == 2
                    question = next(one for one in base.questions if one.text == row.question)
                    levels = sorted(
                        level
                        for entry, level in zip(base.entries, question.levels, strict=True)
                        if entry.id in parts
                    )
                    wanted = {(1, 3): 3, (2, 2): 3, (1, 2): 2, (1, 1): 1}[tuple(levels)]
                    assert row.level == wanted
                    seen.add(wanted)

        assert seen == {1, 2, 3}

    def test_tricks_have_the_level_of_what_is_said(self, base):
        """
        An echo and a promise are near whatever their title says; an order changes no level.
        """
        made = [row for seed in range(40) for row in kb_rows(make_rng(seed), [base])]
        written = {(row.question, row.content): row.level for row in made if row.kind == "written"}
        orders = [text for texts in kb_tricks.ORDERS.values() for text in texts]
        promises = [text for texts in kb_tricks.PROMISES.values() for text in texts]
        tricks = {kind: [row for row in made if row.kind == kind] for kind in TRICKS}

        assert all(tricks.values())
        for row in tricks["echo"]:
            assert row.title.lower() == row.question.lower()
            assert written[row.question, row.content] == row.level == 1
        for row in tricks["promise"]:
            assert row.level == 1
            assert row.content.startswith(tuple(promises))
        for row in tricks["order"]:
            bare = row.content
            for text in orders:
                bare = bare.replace(text, "").strip()
            assert row.level == written.get((row.question, bare), 0)

    def test_rows_survive_a_file(self, base, tmp_path):
        """Rows come back as they were written."""
        made = list(kb_rows(make_rng(), [base]))

        assert write_kb_rows(tmp_path / "rows.jsonl", made) == len(made)
        assert list(read_kb_rows(tmp_path / "rows.jsonl")) == made

    def test_the_answer_gate_stays_apart(self, base, tmp_path):
        """A row of the gate's suite, however it is spelled, is not written, nor what is with it."""
        made = list(kb_rows(make_rng(), [base]))
        first = load_answer_gate()[0]
        leaked = replace(
            made[0], question=first.question.upper() + "?", title="", content=first.content
        )

        with pytest.raises(LeakError, match="1 rows"):
            write_kb_rows(tmp_path / "rows.jsonl", [*made, leaked])

        assert list(tmp_path.glob("rows*")) == []

    def test_half_of_a_pair_may_be_trained_on(self, base, tmp_path):
        """A question of the suite with another entry is no row of it."""
        row = next(kb_rows(make_rng(), [base]))
        other = replace(row, question=load_answer_gate()[0].question)

        assert write_kb_rows(tmp_path / "rows.jsonl", [other]) == 1


class TestHeldOut:
    def test_only_held_out_knowledge_bases(self, file):
        """The side of a key decides about a whole knowledge base."""
        found = list(read_knowledge_bases(file))

        kept = held(lambda key: "validation" if "Kite" in key else "train", found)

        assert [base.title for base in kept] == ["Blue Kite"]

    def test_gold(self, base, tmp_path):
        """Answers and parts are gold, half answers are no question, ids fit the entries'."""
        made = list(questions(base))
        ids = {entry["id"] for entry in entries(base)}

        assert [len(one["gold"]) for one in made] == [1, 1, 2, 2, 0, 0]
        assert [one["language_pair"] for one in made] == [
            "en-en", "ar-en", "hinglish-en", "ar-ar+en", "none", "none",
        ]  # fmt: skip
        assert all(set(one["gold"]) <= ids for one in made)
        assert write_lines(tmp_path / "questions.jsonl", made) == 6
        lines = (tmp_path / "questions.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line) for line in lines] == made


def test_the_committed_knowledge_bases():
    """Every file is read; entries and questions are in all languages, and a quarter unanswered."""
    found = knowledge_bases()

    every = [question for base in found for question in base.questions]
    unanswered = [one for one in every if one.target == Target.NOTHING]
    assert len(found) > 200
    assert len(unanswered) > len(every) / 4
    assert {one.language for one in every} == {"en", "hi", "hinglish", "ar", "msa"}
    assert {entry.language for base in found for entry in base.entries} == {"en", "hi", "ar"}


class TestFacts:
    """A knowledge base as a group of meanings."""

    def test_a_question_stands_with_what_answers_it(self, base):
        """Questions in any language, and the entry as it is encoded."""
        found = [set(meaning) for meaning in facts(base, make_rng())]
        entry = "Gold plan price. The Gold plan costs 1,450 pounds a month."

        assert {"how much is the gold plan", "بكام اشتراك الجولد", entry} in found

    def test_what_nothing_answers_stands_alone(self, base):
        """It is near to the entries in words, and belongs to none."""
        found = facts(base, make_rng())

        assert ["can i pay for gold in instalments"] in found
        assert ["क्या आप पता बदल सकते हैं"] in found

    def test_parts_are_left_out(self, base):
        """A question in two parts belongs to both, one answered partly to none."""
        texts = {text for meaning in facts(base, make_rng()) for text in meaning}

        assert "gold mein kya milta hai aur kitne ka hai" not in texts
        assert "what is in gold and when" not in texts
