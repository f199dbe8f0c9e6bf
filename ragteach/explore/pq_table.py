"""A search in codes, step by step: the query cut, the table filled row by row, a vector's numbers looked up."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ragteach.explore.figures import number
from ragteach.explore.pq import pair
from ragteach.explore.widgets import page, result_of, show_explorer
from ragteach.retrieval.pq import pq_encode, pq_train

if TYPE_CHECKING:
    from ipywidgets import VBox

N_SUBSPACES, N_CODES, WIDTH = 4, 6, 2
N_VECTORS = 40
N_SHOWN = 8  # vectors that one may choose
STEPS = 2 * N_SUBSPACES + 1

TEXTS = {
    "step": {"fr": "étape", "en": "step"},
    "vector": {"fr": "vecteur", "en": "vector"},
    "piece": {"fr": "morceau de la question", "en": "piece of the query"},
    "row": {"fr": "{m} : ({piece})", "en": "{m}: ({piece})"},
    "codeword": {"fr": "mot {k}", "en": "codeword {k}"},
    "codes": {"fr": "Codes du vecteur {i} : {codes}.", "en": "Codes of vector {i}: {codes}."},
    "cut": {
        "fr": "Étape 0. La question est coupée en {m} morceaux ; la table est vide.",
        "en": "Step 0. The query is cut into {m} pieces; the table is empty.",
    },
    "fill": {
        "fr": "Étape {step}. Ligne {m} : la distance au carré du morceau {m} à chacun de ses {k} mots.",
        "en": "Step {step}. Row {m}: the squared distance of piece {m} to each of its {k} codewords.",
    },
    "look": {
        "fr": "Étape {step}. Le code {m} du vecteur est {code} : on lit la table en ligne {m}, colonne {code}. "
        "Somme : {sum}.",
        "en": "Step {step}. Code {m} of the vector is {code}: the table is read in row {m}, column {code}. Sum: {sum}.",
    },
    "done": {
        "fr": "C’est sa distance au carré ; décoder puis mesurer donnerait {direct}.",
        "en": "That is its squared distance; decoding and then measuring would give {direct}.",
    },
    "legend": {
        "fr": "Entre crochets et en gras : les nombres lus pour ce vecteur. Changez de vecteur : la table reste.",
        "en": "In brackets and bold: the numbers read for this vector. Change the vector: the table stays.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs : étape, vecteur.",
        "en": "Run this cell to get the sliders: step, vector.",
    },
}


@cache
def example() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make a query, coded vectors and their codebooks, small enough to be read."""
    rng = np.random.default_rng(2)
    vectors = rng.normal(0, 1, (N_VECTORS, N_SUBSPACES * WIDTH)).round(1)
    codebooks = pq_train(vectors, N_SUBSPACES, N_CODES).round(1)  # so that sums of rounded distances are exact
    return rng.normal(0, 1, N_SUBSPACES * WIDTH).round(1), pq_encode(vectors, codebooks), codebooks


def look_up_html(step: int, chosen: int, lang: str) -> str:
    """Tell one step: a sentence, the table as far as it is filled, and what has been read in it."""
    query, codes, codebooks = example()
    parts = query.reshape(N_SUBSPACES, 1, WIDTH)
    table = ((codebooks - parts) ** 2).sum(axis=2)
    row = [int(code) for code in codes[chosen]]
    n_filled, n_read = min(step, N_SUBSPACES), max(0, step - N_SUBSPACES)
    total = sum(table[m, row[m]] for m in range(n_read))
    if step == 0:
        said = TEXTS["cut"][lang].format(m=N_SUBSPACES)
    elif not n_read:
        said = TEXTS["fill"][lang].format(step=step, m=step - 1, k=N_CODES)
    else:
        m = n_read - 1
        said = TEXTS["look"][lang].format(step=step, m=m, code=row[m], sum=number(total, lang))
    if n_read == N_SUBSPACES:
        decoded = np.concatenate([book[code] for book, code in zip(codebooks, row, strict=True)])
        said += " " + TEXTS["done"][lang].format(direct=number(((decoded - query) ** 2).sum(), lang))
    head = "".join(f'<th scope="col">{TEXTS["codeword"][lang].format(k=k)}</th>' for k in range(N_CODES))
    body = ""
    for m in range(N_SUBSPACES):
        piece = pair(parts[m, 0], lang, 1)
        cells = [entry(table[m, k], m < n_filled, m < n_read and k == row[m], lang) for k in range(N_CODES)]
        body += f'<tr><th scope="row">{TEXTS["row"][lang].format(m=m, piece=piece)}</th>{"".join(cells)}</tr>'
    shown = TEXTS["codes"][lang].format(i=chosen, codes=row)
    return page(
        f'<p role="status">{said}</p><p>{shown}</p>'
        f'<table><thead><tr><th scope="col">{TEXTS["piece"][lang]}</th>{head}</tr></thead><tbody>{body}</tbody></table>'
        f"<p>{TEXTS['legend'][lang]}</p>",
        lang,
    )


def entry(value: float, filled: bool, read: bool, lang: str) -> str:
    """Write one number of the table: nothing before it is computed, in brackets once it is read."""
    if not filled:
        return "<td></td>"
    text = number(value, lang)
    if not read:
        return f"<td>{text}</td>"
    return f'<td style="outline: 2px solid #0b5394"><strong>[{text}]</strong></td>'


def explorer(lang: str) -> VBox:
    """Build the explorer: sliders for the step and the vector, above the table."""
    import ipywidgets as widgets

    style = {"description_width": "6em"}
    step = widgets.IntSlider(0, 0, STEPS - 1, description=TEXTS["step"][lang], style=style)
    chosen = widgets.IntSlider(0, 0, N_SHOWN - 1, description=TEXTS["vector"][lang], style=style)
    result = result_of([step, chosen], lambda: look_up_html(step.value, chosen.value, lang))
    return widgets.VBox([step, chosen, result])


def look_up_explorer(lang: str = "fr") -> None:
    """Display the search of a query among coded vectors, with sliders for the step and the vector.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, the last step stands for the sliders.
    """
    show_explorer(lambda: explorer(lang), lambda: look_up_html(STEPS - 1, 0, lang), TEXTS["static"][lang])
