"""What the demo shows."""

import io

import pytest
from rich.console import Console

from tests.unit.workers.demo.factories import (
    make_answers,
    make_decision,
    make_planned,
    make_received,
    make_sent,
    make_serve,
    make_shadow,
    make_turn,
)
from topics.decision import Status
from workers.demo.score import marked, summarise
from workers.demo.show import show_summary, showing


@pytest.fixture
def console():
    """Give a console that keeps what is printed."""
    return Console(file=io.StringIO(), width=120, markup=False, highlight=False)


def printed(console):
    """Read what was printed."""
    return console.file.getvalue()


def one_marked(turn=None, decide=make_serve):
    """Make one decided turn."""
    planned = make_planned(turn)
    return marked(planned, make_received(decide(planned)), make_sent([planned]))


class TestProgress:
    def test_live_table(self, console):
        """
        The live table has the counts, and each turn with its decision and prediction.
        """
        with showing(console, 7) as progress:
            progress.add(one_marked())
            console.print(progress)

        assert "1/7 turns  serve 1  miss 0  bypass 0  wrong serves 0" in printed(console)
        assert "yes please" in printed(console)

    def test_text_is_not_markup(self, console):
        """
        Square brackets in what a caller says are shown as they are.
        """
        with showing(console, 1) as progress:
            progress.add(one_marked(make_turn(text="[red]press 1[/red]")))
            console.print(progress)

        assert "[red]press 1[/red]" in printed(console)

    def test_without_a_terminal(self, console, monkeypatch):
        """
        Without a terminal there is a plain line now and then, and no table.
        """
        monkeypatch.setattr("workers.demo.show._LINE_EVERY_S", 0.0)

        with showing(console, 7) as progress:
            progress.add(one_marked(decide=lambda planned: make_serve(planned, "p2")))

        [line] = printed(console).splitlines()
        assert line.endswith("1/7 turns  serve 1  miss 0  bypass 0  wrong serves 1")


class TestSummary:
    def summary(self, decide, **sent):
        """Summarise one turn."""
        planned = make_planned()
        decisions = [decide(planned)] if decide else []
        return summarise([planned], make_sent([planned], **sent), make_answers(decisions))

    def test_all_well(self, console):
        """
        A good run says so, with its decisions, marks and times.
        """
        show_summary(console, self.summary(make_serve), 1.0)

        text = printed(console)
        assert "judged 1" in text
        assert "sent to decision in hand" in text
        assert "Every turn has one decision" in text

    def test_wrong_serve(self, console):
        """
        A wrong serve is listed with the turn and both texts.
        """
        show_summary(console, self.summary(lambda planned: make_serve(planned, "p2")), 1.0)

        [line] = [line for line in printed(console).splitlines() if "en-001" in line]
        assert "yes" in line
        assert "wrong_polarity" in line

    def test_wrong_serve_in_shadow(self, console):
        """
        What shadow mode would have served wrongly is said not to have been played.
        """
        show_summary(console, self.summary(lambda planned: make_shadow(planned, "p2")), 1.0)

        assert "(shadow: not played)" in printed(console)

    @pytest.mark.parametrize(
        ("decide", "sent", "said"),
        [
            pytest.param(
                lambda planned: make_decision(planned, status=Status.DEGRADED),
                {"bad": {"broken": ("turn.utterances", 0, 1)}},
                "degraded: 1 turns were decided without a judge",
                id="degraded",
            ),
            pytest.param(
                lambda planned: make_decision(planned, status=Status.TIMEOUT),
                {"bad": {"broken": ("turn.utterances", 0, 1)}},
                "late: 1 turns were not decided in time",
                id="late",
            ),
            pytest.param(None, {}, "without a decision: en-001", id="no decision"),
            pytest.param(
                make_decision,
                {"bad": {"broken": ("turn.utterances", 0, 1)}},
                "without a dead letter: broken",
                id="no dead letter",
            ),
        ],
    )
    def test_what_is_wrong(self, console, decide, sent, said):
        """
        What is missing is named, and nothing says that all is well.
        """
        show_summary(console, self.summary(decide, **sent), 1.0)

        assert said in printed(console)
        assert "Every turn has one decision" not in printed(console)
