"""`turngate eval kb`: search and answer judges on questions whose answers are known."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import orjson

from models.encoder import Encoder
from models.evaluation.kb import report as page
from models.evaluation.kb.cases import Case, Outcome, cases
from models.evaluation.kb.measure import COLUMNS, measure
from models.evaluation.kb.rows import Question, read_entries, read_questions
from models.kb import JUDGED, LIMIT, THRESHOLD, rule, shown
from models.kb.answer import AnswerModel
from topics.profile import Mode
from workers.commands.output import check_output, saving
from workers.commands.tables import print_table
from workers.deadline import Deadline
from workers.inference import Inference
from workers.kb.judges import AnswerJudge, OnnxJudge, RemoteJudge
from workers.settings import Settings
from workers.system_one import connect, endpoint_of

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_ONNX, _OFF = "onnx", "off"
_COLUMNS = (
    *("n", "answerable", "recall8_search", "top1_search", "top1_judged", "improved", "worsened"),
    *("auroc_search", "auroc_judged", "caught_at_50", "false_at_50", "ece"),
)
#: Time of a question where none is given, seconds: how good a judge is does not depend on it.
_UNHURRIED_S = 600.0


@click.command("kb")
@click.option("--entries", "entries_file", type=_FILE, help="What is searched, JSONL.")
@click.option("--questions", "questions_file", type=_FILE, required=True, help="JSONL.")
@click.option(
    "--judge",
    "judge_name",
    default=_ONNX,
    show_default=True,
    metavar="onnx|off|URL",
    help="The bundle, nobody, or a System One endpoint (key and model from the settings).",
)
@click.option("--bundle", type=_FOLDER, help="Answer judge; the worker's own by default.")
@click.option(
    "--top", default=LIMIT, show_default=True, type=click.IntRange(1, 100),
    help=f"Entries that search brings; the first {JUDGED} are judged.",
)  # fmt: skip
@click.option("--by", multiple=True, help="Column to group by; may be given several times.")
@click.option(
    "--budget-ms",
    type=click.IntRange(1),
    help="Time of the judge for one question; without it, as much as it takes.",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="HTML to write; it shows texts.",
)
@click.pass_obj
def kb(
    settings: Settings,
    *,
    entries_file: Path | None,
    questions_file: Path,
    judge_name: str,
    bundle: Path | None,
    top: int,
    by: Sequence[str],
    budget_ms: int | None,
    report_file: Path | None,
) -> None:
    """
    Search the entries for each question, judge what is found, and measure both.

    An entry is {"id","tenant","title","content"} with optional "lang", "category" and "updated"; a
    question {"id","tenant","question","gold":[ids]}, with an empty list where nothing answers it.
    A question may bring its own "candidates" [{"id","title","content"}], and "answerable" in place
    of gold; then --entries may be left out. Other fields are columns: `variety` and `language_pair`
    are grouped by, and those of --by.

    With --judge off everything is as search has it. Nothing is trained or stored. The last line is
    JSON; only the report shows texts.
    """
    if report_file is not None:
        check_output(report_file, "--report")
    entries = None if entries_file is None else read_entries(entries_file)
    questions = read_questions(questions_file, entries)
    _check_columns(questions, by)
    threads = settings.inference_threads
    # Before the search, which takes a while.
    model = None
    if judge_name == _ONNX:
        folder = bundle or settings.answer
        if not folder.is_dir():
            raise click.UsageError(
                f"there is no answer judge in {folder}: name one with --bundle, or an endpoint with"
                " --judge URL; --judge off measures search alone"
            )
        model = AnswerModel.load(folder, threads=threads)
        model.warm()
    encoder = Encoder.load(settings.encoder, threads=threads)
    found = list(cases(questions, entries or (), encoder=encoder, top=top))
    budget_s = _UNHURRIED_S if budget_ms is None else budget_ms / 1e3
    outcomes, judge = asyncio.run(_judged(settings, judge_name, model, found, budget_s))
    measures = measure(outcomes, threshold=judge["threshold"], judge=judge_name != _OFF, by=by)
    measures |= {**judge, "top": top, "encoder": encoder.fingerprint}
    _print_groups(measures)
    if report_file is not None:
        with saving(report_file, "--report"):
            report_file.write_text(page.render(outcomes, measures), "utf-8")
        click.echo(f"report: {report_file}")
    click.echo(orjson.dumps(measures).decode())


def _check_columns(questions: Sequence[Question], by: Sequence[str]) -> None:
    known = {name for question in questions for name in question.columns}
    if missing := [name for name in by if name not in known]:
        raise click.BadParameter(
            f"no question has a column {missing[0]!r}; there are {', '.join(sorted(known))}",
            param_hint="--by",
        )


async def _judged(
    settings: Settings,
    name: str,
    model: AnswerModel | None,
    found: Sequence[Case],
    budget_s: float,
) -> tuple[list[Outcome], dict[str, Any]]:
    """Each question with its verdict, and what judged."""
    if name == _OFF:
        searched = [
            Outcome(case=one, ruling=rule(one.ids, (), mode=Mode.OFF), judged=(), took_ms=None)
            for one in found
        ]
        return searched, {"judge": None, "threshold": THRESHOLD}
    async with _judge(settings, name, model) as judge:
        outcomes = [await _one(judge, one, budget_s) for one in found]
        return outcomes, {"judge": judge.name, "threshold": judge.threshold}


async def _one(judge: AnswerJudge, case: Case, budget_s: float) -> Outcome:
    entries = [shown(one) for one in case.candidates[:JUDGED]]
    started = time.perf_counter()
    opinion = await judge.judge(case.text, entries, Deadline.after(budget_s))
    took_ms = (time.perf_counter() - started) * 1e3
    ruling = rule(
        case.ids,
        opinion.judged,
        mode=Mode.LIVE,
        failed=opinion.failed,
        threshold=judge.threshold,
        cosines=case.cosines,
    )
    judged = () if opinion.failed else opinion.judged
    return Outcome(case=case, ruling=ruling, judged=judged, took_ms=took_ms)


@asynccontextmanager
async def _judge(
    settings: Settings, name: str, model: AnswerModel | None
) -> AsyncIterator[AnswerJudge]:
    if model is not None:
        async with Inference(capacity=1) as inference:
            yield OnnxJudge(model, inference)
        return
    endpoint = endpoint_of(replace(settings, system_one_url=name))
    async with connect(endpoint) as remote:
        yield RemoteJudge(remote, model=endpoint.model, threshold=settings.system_one_threshold)


def _print_groups(found: dict[str, Any]) -> None:
    groups = {"all": found}
    for name, part in found.items():
        if name.startswith("by_"):
            column = name.removeprefix("by_")
            label = "" if column in COLUMNS else f"{column} "
            groups |= {f"{label}{value}": own for value, own in part.items()}
    print_table(groups, _COLUMNS)
