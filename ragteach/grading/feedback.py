"""The page that a student gets: one self-contained HTML file in the notebook's language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape

from ragteach import exercises
from ragteach.checking import words as verdicts
from ragteach.checking.exercise import Text
from ragteach.checking.render import as_html, mark
from ragteach.checking.run import Result
from ragteach.checking.tell import diagnosis_text, error_text
from ragteach.grading import words
from ragteach.grading.marking import Marked
from ragteach.grading.remarks import scrubbed
from ragteach.grading.written import Written

MAX_STEPS = 3

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222;
  background: #fff; overflow-wrap: break-word }
table { border-collapse: collapse } th, td { text-align: left; padding: .2em 1em .2em 0; vertical-align: top }
blockquote { white-space: pre-wrap; margin: .5em 0; padding-left: 1em; border-left: 3px solid #999 }
td.points { white-space: nowrap } section { margin: 1.2em 0 }
"""


def page(marked: Marked, remarks: Sequence[Text] = (), student: str = "") -> str:
    """Write the feedback page of a submission, for the student where the download names one.

    Inputs that are no hand-picked example are not shown.
    """
    lang = marked.lang
    text = {key: value[lang] for key, value in words.PAGE.items()}
    chapter = exercises.chapter(marked.chapter).title[lang] if marked.chapter else ""
    title = f"{text['title']} · {chapter}" if chapter else text["title"]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(student or marked.name)}</p>",
        f"<p><strong>{escape(headline(marked))}</strong></p>",
    ]
    if steps := next_steps(marked):
        items = "".join(f"<li>{escape(scrubbed(step, lang))}</li>" for step in steps)
        parts.append(f"<h2>{escape(text['next'])}</h2><ol>{items}</ol>")
    if remarks:
        items = "".join(f"<li>{escape(remark[lang])}</li>" for remark in remarks)
        parts.append(f"<h2>{escape(text['remarks'])}</h2><ul>{items}</ul>")
    if marked.results:
        parts.append(summary(marked.results, lang))
        parts += [
            f"<section>{scrubbed(as_html(exercises.get(result.exercise), result, lang, secret=True), lang)}</section>"
            for result in marked.results
        ]
    if marked.written:
        parts.append(f"<h2>{escape(text['written'])}</h2>" + "".join(written(one, lang) for one in marked.written))
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def next_steps(marked: Marked) -> list[str]:
    """Say what to do next, the most useful first: cells that stopped, mistakes with a name, others, what is undone."""
    lang = marked.lang
    if not marked.results or marked.status == "grader_error":
        return []
    undone = ("not_attempted", "missing")
    stopped: dict[str, list[str]] = defaultdict(list)
    for result in marked.results:
        if error := cell_error(result):
            stopped[error].append(title(result, lang))
    open_ones = [result for result in marked.results if not result.passed and not cell_error(result)]
    named = [result for result in open_ones if result.diagnosis]
    wrong = [result for result in open_ones if not result.diagnosis and result.verdict not in undone]
    steps = [words.mend_cells(titles, error, lang) for error, titles in stopped.items()]
    steps += [words.mend(title(r, lang), diagnosis(r, lang), lang) for r in named]
    steps += [words.look_again(title(result, lang), lang) for result in wrong]
    for result in open_ones:
        if result.verdict in undone:
            steps.append(words.do(title(result, lang), exercises.get(result.exercise).minutes, lang))
    steps += [words.answer_in_writing(one.id, one.points, lang) for one in marked.written if not one.text]
    return steps[:MAX_STEPS] or [words.ALL_DONE[lang]]


def cell_error(result: Result) -> str:
    """Give the error on which the cell stopped that should have defined a missing function."""
    case = result.counterexample
    return error_text(case.got) if case is not None and case.got.kind == "missing" else ""


def title(result: Result, lang: str) -> str:
    """Name an exercise."""
    return exercises.get(result.exercise).title[lang]


def diagnosis(result: Result, lang: str) -> str:
    """Give the sentence about a recognised mistake."""
    return diagnosis_text(exercises.get(result.exercise), result.diagnosis, lang)


def written(answer: Written, lang: str) -> str:
    """Show an answer that the teacher reads."""
    text = escape(answer.text) if answer.text else f"<em>{escape(words.PAGE['no_answer'][lang])}</em>"
    return f"<h3>{escape(answer.id)}</h3><blockquote>{text}</blockquote>"


def headline(marked: Marked) -> str:
    """Say the status, and the total where there is one."""
    status = words.STATUS[marked.status][marked.lang]
    if not marked.results or marked.max_points is None:
        return status[:1].upper() + status[1:]
    total = words.total(marked.points, marked.max_points)[marked.lang]
    label = verdicts.labelled(words.PAGE["total"][marked.lang], total, marked.lang)
    return label if marked.status == "graded" else f"{label} ({status})"


def summary(results: tuple[Result, ...], lang: str) -> str:
    """List the exercises with verdict and points in a table."""
    text = {key: value[lang] for key, value in words.PAGE.items()}
    head = "".join(f'<th scope="col">{escape(text[key])}</th>' for key in ("exercise", "verdict", "points"))
    rows = "".join(
        f'<tr><th scope="row">{escape(title(result, lang))}</th>'
        f"<td>{mark(result.verdict)} {escape(verdicts.TITLES[result.verdict][lang])}</td>"
        f'<td class="points">{result.points} / {result.max_points}</td></tr>'
        for result in results
    )
    return f"<h2>{escape(text['summary'])}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
