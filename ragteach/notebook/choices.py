"""Cells that ask before they tell: the quiz at a chapter's end, and "predict before you run".

Each choice is a lettered button with its text beside it. JupyterLab takes the arrow keys for itself, so that radio
buttons would be out of reach of the keyboard; buttons need Tab and the space bar alone. The reader's choice is
remembered on disk. In a stored notebook plain HTML stands for the buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from ragteach import exercises
from ragteach.checking import Prediction, Question
from ragteach.notebook import page, progress, words

if TYPE_CHECKING:
    from ipywidgets import Widget

LETTERS = "ABCDEFGH"
PROSE = "display:block;max-width:60em;line-height:1.4;white-space:normal"  # ipywidgets would set it on one line


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
    """Make the widget of one question: the choices, and below them what is said of the one taken."""

    def tell(chosen: int) -> str:
        choice = question.choices[chosen]
        progress.write("quiz", question.id, {"choice": chosen, "right": choice.right})
        verdict = words.RIGHT[lang] if choice.right else words.WRONG[lang]
        return f"<strong>{verdict}</strong> {escape(choice.explanation[lang])}"

    texts = [choice.text[lang] for choice in question.choices]
    head = f"<strong>{number}. {escape(question.text[lang])}</strong>"
    return _ask(head, texts, progress.read("quiz", question.id).get("choice"), tell, lang)


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
    """Make the widget of one prediction: the choices, and a line that says which was noted."""
    texts = [choice[lang] for choice in prediction.choices]

    def note(chosen: int) -> str:
        progress.write("predictions", prediction.id, {"choice": chosen})
        return escape(words.NOTED[lang].format(choice=texts[chosen]))

    head = f"<strong>{escape(words.PREDICT[lang])}</strong> {escape(prediction.text[lang])}"
    return _ask(head, texts, progress.read("predictions", prediction.id).get("choice"), note, lang)


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


def _ask(head: str, texts: list[str], chosen: object, answer: Callable[[int], str], lang: str) -> Widget:
    """Make a question's widget; `answer` takes the number of the choice and gives the HTML to show below."""
    import ipywidgets as widgets

    said = widgets.HTML()
    buttons = [
        widgets.Button(description=letter, tooltip=text, layout={"width": "4em", "flex": "0 0 auto"})
        for letter, text in zip(LETTERS, texts, strict=False)
    ]

    def choose(taken: int) -> None:
        for number, button in enumerate(buttons):
            button.icon = "check" if number == taken else ""
        said.value = _status(answer(taken), lang)

    for number, button in enumerate(buttons):
        button.on_click(lambda _, number=number: choose(number))
    if isinstance(chosen, int) and 0 <= chosen < len(texts):
        choose(chosen)
    rows = [
        widgets.HBox(
            [button, widgets.HTML(f'<span lang="{lang}" style="{PROSE}">{escape(text)}</span>')],
            layout={"align_items": "center"},
        )
        for button, text in zip(buttons, texts, strict=True)
    ]
    return widgets.VBox([widgets.HTML(f'<p lang="{lang}" style="{PROSE}">{head}</p>'), *rows, said])


def _number(value: object, lang: str) -> str:
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.4g}"
    return text.replace(".", ",") if lang == "fr" else text


def _status(html: str, lang: str) -> str:
    """Mark a line that changes, so that a screen reader says it."""
    return f'<p role="status" lang="{lang}" style="{PROSE}">{html}</p>'


def _show_static(questions: list[tuple[str, list[str]]], lang: str) -> None:
    text, html = [], []
    for question, choices in questions:
        text += [question, *(f"  ○ {choice}" for choice in choices)]
        items = "".join(f"<li>{escape(choice)}</li>" for choice in choices)
        html.append(f"<p><strong>{escape(question)}</strong></p><ul>{items}</ul>")
    text.append(words.RUN_TO_ANSWER[lang])
    html.append(f"<p><em>{words.RUN_TO_ANSWER[lang]}</em></p>")
    page.show("\n".join(text), f'<div lang="{lang}">{"".join(html)}</div>')
