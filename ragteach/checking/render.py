"""Feedback on a page: as plain text for a terminal, as HTML for a notebook or a browser."""

from html import escape

from ragteach.checking import words
from ragteach.checking.exercise import Exercise
from ragteach.checking.run import Result
from ragteach.checking.tell import Told, tell

RIGHT, WRONG, OPEN = "✓", "✗", "○"


def as_text(exercise: Exercise, result: Result, lang: str, secret: bool = False) -> str:
    """Write feedback as plain text. With `secret`, random inputs are not shown."""
    told = tell(exercise, result, lang, secret)
    lines = [f"{mark(result.verdict)} {told.title}", told.facts]
    if told.diagnosis:
        lines.append(words.labelled(words.LABELS["diagnosis"][lang], told.diagnosis, lang))
    width = max((len(name) for name, _ in told.table), default=0)
    lines += [f"    {name:<{width}}  {value}" for name, value in told.table]
    lines += told.remarks
    if told.hints:
        lines += [f"    {RIGHT if right else WRONG} {point}" for right, point in told.examples]
        lines.append(words.ASK_HINT[lang].format(id=exercise.id))
    return "\n".join(lines)


def as_html(exercise: Exercise, result: Result, lang: str, secret: bool = False) -> str:
    """Write feedback as a self-contained HTML fragment, readable without colour. With `secret`, see `as_text`."""
    told = tell(exercise, result, lang, secret)
    colour = {"passed": "#2e7d32", "not_attempted": "#607d8b"}.get(result.verdict, "#b26a00")
    parts = [
        _paragraph(f"<strong>{mark(result.verdict)} {escape(told.title)}</strong>"),
        _paragraph(escape(told.facts)),
    ]
    if told.diagnosis:
        label = f"<strong>{words.LABELS['diagnosis'][lang]}</strong>"
        parts.append(_paragraph(words.labelled(label, escape(told.diagnosis), lang)))
    parts.append(_table(told))
    parts += [_paragraph(escape(remark)) for remark in told.remarks]
    parts.append(_examples(told, lang))
    parts.append(_nested_hints(told.hints, lang))
    style = f"border-left:4px solid {colour};padding:.4em .8em;margin:.3em 0;max-width:60em"
    return f'<div role="status" lang="{lang}" style="{style}">{"".join(parts)}</div>'


def mark(verdict: str) -> str:
    """Give the sign that stands for a verdict where colour is not seen."""
    return {"passed": RIGHT, "not_attempted": OPEN}.get(verdict, WRONG)


def _paragraph(html: str) -> str:
    return f'<p style="margin:.3em 0">{html}</p>'


def _table(told: Told) -> str:
    if not told.table:
        return ""
    cell = "text-align:left;vertical-align:top;padding:.15em .6em"
    code = "white-space:pre-wrap;overflow-wrap:anywhere"
    rows = "".join(
        f'<tr><th scope="row" style="{cell}">{escape(name)}</th>'
        f'<td style="{cell}"><code style="{code}">{escape(value)}</code></td></tr>'
        for name, value in told.table
    )
    return f'<table style="margin:.3em 0;border-collapse:collapse"><tbody>{rows}</tbody></table>'


def _examples(told: Told, lang: str) -> str:
    """List the hand-picked cases, folded away: the table above is what to read first."""
    if not told.examples:
        return ""
    items = []
    for right, point in told.examples:
        label = f"{RIGHT} {words.LABELS['right'][lang]}" if right else f"{WRONG} {words.LABELS['wrong'][lang]}"
        items.append(f"<li>{words.labelled(label, escape(point), lang)}</li>")
    listing = f'<ul style="list-style:none;padding-left:1em;margin:.2em 0">{"".join(items)}</ul>'
    return f"<details><summary>{words.LABELS['cases'][lang]}</summary>{listing}</details>"


def _nested_hints(hints: tuple[str, ...], lang: str) -> str:
    """Put each hint inside the one before it, so that a reader opens one at a time."""
    if not hints:
        return ""
    inside = _paragraph(words.LABELS["solution"][lang])
    for number in range(len(hints), 0, -1):
        summary = f"<summary>{words.LABELS['hint'][lang]} {number}</summary>"
        inside = f"<details>{summary}{_paragraph(escape(hints[number - 1]))}{inside}</details>"
    return inside
