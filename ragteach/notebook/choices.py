"""Cells that ask before they tell: the quiz at a chapter's end, and "predict before you run".

Both are made of radio buttons and a button, so that the keyboard alone is enough; both remember the reader's
choice on disk. In a stored notebook plain HTML stands for them.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ragteach import exercises
from ragteach.checking import Prediction, Question
from ragteach.notebook import page, progress, words

if TYPE_CHECKING:
    from ipywidgets import Widget


def quiz(chapter: str) -> None:
    """Ask a chapter's questions. Raises ValueError where the chapter is unknown."""
    lang = page.language()
    questions = exercises.chapter(chapter).quiz
    if page.static():
        _show_static([(q.text[lang], [c.text[lang] for c in q.choices]) for q in questions], lang)
        return
    from IPython.display import display

    for number, question in enumerate(questions, start=1):
        display(question_widget(question, number, lang))


def question_widget(question: Question, number: int, lang: str) -> Widget:
    """Make the widget of one question: radio buttons, a button, and what is said of the choice."""
    import ipywidgets as widgets

    radio = _radio([choice.text[lang] for choice in question.choices], progress.read("quiz", question.id).get("choice"))
    button = widgets.Button(description=words.ANSWER[lang])
    answer = widgets.HTML()

    def tell(_: object = None) -> None:
        if radio.index is None:
            answer.value = _status(words.CHOOSE[lang], lang)
            return
        choice = question.choices[radio.index]
        progress.write("quiz", question.id, {"choice": radio.index, "right": choice.right})
        verdict = words.RIGHT[lang] if choice.right else words.WRONG[lang]
        answer.value = _status(f"<strong>{verdict}</strong> {escape(choice.explanation[lang])}", lang)

    button.on_click(tell)
    if radio.index is not None:
        tell()
    text = widgets.HTML(f'<p lang="{lang}"><strong>{number}. {escape(question.text[lang])}</strong></p>')
    return widgets.VBox([text, radio, button, answer])


def predict(id: str) -> None:
    """Ask the reader for a prediction before a cell runs. Raises ValueError where the id is unknown."""
    lang = page.language()
    prediction = exercises.prediction(id)
    choices = [choice[lang] for choice in prediction.choices]
    if page.static():
        _show_static([(f"{words.PREDICT[lang]} {prediction.text[lang]}", choices)], lang)
        return
    from IPython.display import display

    display(prediction_widget(prediction, lang))


def prediction_widget(prediction: Prediction, lang: str) -> Widget:
    """Make the widget of one prediction: radio buttons, and a line that says what was noted."""
    import ipywidgets as widgets

    choices = [choice[lang] for choice in prediction.choices]
    radio = _radio(choices, progress.read("predictions", prediction.id).get("choice"))
    noted = widgets.HTML()

    def note(_: object = None) -> None:
        if radio.index is not None:
            progress.write("predictions", prediction.id, {"choice": radio.index})
            noted.value = _status(escape(words.NOTED[lang].format(choice=choices[radio.index])), lang)

    radio.observe(note, "index")
    note()
    head = f"<strong>{escape(words.PREDICT[lang])}</strong> {escape(prediction.text[lang])}"
    return widgets.VBox([widgets.HTML(f'<p lang="{lang}">{head}</p>'), radio, noted])


def reveal(id: str, value: object) -> None:
    """Show what the computation says beside what the reader had predicted. Raises ValueError for an unknown id."""
    lang = page.language()
    prediction = exercises.prediction(id)
    chosen = progress.read("predictions", id).get("choice")
    valid = isinstance(chosen, int) and 0 <= chosen < len(prediction.choices)
    bet = words.PREDICTED[lang].format(choice=prediction.choices[chosen][lang]) if valid else words.NO_PREDICTION[lang]
    lines = [bet, words.COMPUTED[lang].format(value=_number(value, lang)), prediction.explanation[lang]]
    html = "".join(f'<p style="margin:.3em 0">{escape(line)}</p>' for line in lines)
    style = "border-left:4px solid #607d8b;padding:.4em .8em;max-width:60em"
    page.show("\n".join(lines), f'<div role="status" lang="{lang}" style="{style}">{html}</div>')


def _radio(choices: list[str], chosen: object) -> Widget:
    import ipywidgets as widgets

    radio = widgets.RadioButtons(options=choices, value=None, layout={"width": "auto", "max_width": "60em"})
    if isinstance(chosen, int) and 0 <= chosen < len(choices):
        radio.index = chosen
    return radio


def _number(value: object, lang: str) -> str:
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.4g}"
    return text.replace(".", ",") if lang == "fr" else text


def _status(html: str, lang: str) -> str:
    """Mark a line that changes, so that a screen reader says it."""
    return f'<p role="status" lang="{lang}" style="max-width:60em;line-height:1.4;white-space:normal">{html}</p>'


def _show_static(questions: list[tuple[str, list[str]]], lang: str) -> None:
    text, html = [], []
    for question, choices in questions:
        text += [question, *(f"  ○ {choice}" for choice in choices)]
        items = "".join(f"<li>{escape(choice)}</li>" for choice in choices)
        html.append(f"<p><strong>{escape(question)}</strong></p><ul>{items}</ul>")
    text.append(words.RUN_TO_ANSWER[lang])
    html.append(f"<p><em>{words.RUN_TO_ANSWER[lang]}</em></p>")
    page.show("\n".join(text), f'<div lang="{lang}">{"".join(html)}</div>')
