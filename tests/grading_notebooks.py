"""Small notebooks of chapter 02 for the tests of grading, built from strings."""

import json
from pathlib import Path

HELPERS = """
import re
import unicodedata
from collections import Counter
from math import log

import numpy as np


def refuse_text(tokens):
    if isinstance(tokens, str):
        raise ValueError("a list of tokens is needed, not a text")
"""
SOLUTIONS = {
    "bm25.tokenize": '''
def tokenize(text):
    text = unicodedata.normalize("NFC", text).lower()
    text = re.sub(r"\\b(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)['’]", " ", text)
    return re.findall(r"(?:[^\\W_]|(?<=\\d)[.,](?=\\d))+", text)
''',
    "bm25.inverted_index": '''
def inverted_index(documents):
    index = {}
    refuse_text(documents)
    for doc, tokens in enumerate(documents):
        refuse_text(tokens)
        for token, tf in Counter(tokens).items():
            index.setdefault(token, []).append((doc, tf))
    return index
''',
    "bm25.bim_weight": '''
def bim_weight(p, u):
    if not (0 < p < 1 and 0 < u < 1):
        raise ValueError("p and u are probabilities")
    return log(p / (1 - p)) + log((1 - u) / u)
''',
    "bm25.idf": '''
def idf(n_docs, doc_freq):
    if not 0 <= doc_freq <= n_docs:
        raise ValueError("doc_freq")
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)
''',
    "bm25.term_weight": '''
def term_weight(tf, doc_len, avg_len, k1=1.5, b=0.75):
    if min(tf, doc_len, avg_len, k1) < 0 or not 0 <= b <= 1:
        raise ValueError("a parameter is out of range")
    if tf == 0:
        return 0.0
    ratio = doc_len / avg_len if avg_len else 1
    return tf * (k1 + 1) / (tf + k1 * (1 - b + b * ratio))
''',
    "bm25.scores": '''
def bm25_scores(query, documents, k1=1.5, b=0.75):
    refuse_text(query)
    if k1 < 0 or not 0 <= b <= 1:
        raise ValueError("a parameter is out of range")
    index = inverted_index(documents)
    lengths = [len(tokens) for tokens in documents]
    avg_len = sum(lengths) / len(lengths) if lengths else 0
    scores = np.zeros(len(documents))
    for token in query:
        postings = index.get(token, [])
        for doc, tf in postings:
            scores[doc] += idf(len(documents), len(postings)) * term_weight(tf, lengths[doc], avg_len, k1=k1, b=b)
    return scores
''',
    "bm25.search": '''
def bm25_search(query, documents, k=3):
    if k < 1:
        raise ValueError("k")
    scores = bm25_scores(query, documents)
    order = sorted(range(len(documents)), key=lambda doc: (-scores[doc], doc))
    return [doc for doc in order if scores[doc] > 0][:k]
''',
    "bm25.explain": '''
def explain(query, documents, doc):
    refuse_text(query)
    if not 0 <= doc < len(documents):
        raise ValueError("doc")
    return {token: float(bm25_scores([token] * n, documents)[doc]) for token, n in Counter(query).items()}
''',
}  # fmt: skip
ENTRIES = {id: source.rpartition("\ndef ")[2].partition("(")[0] for id, source in SOLUTIONS.items()}
POINTS = {
    "bm25.tokenize": 2,
    "bm25.inverted_index": 2,
    "bm25.bim_weight": 1,
    "bm25.idf": 1,
    "bm25.term_weight": 1,
    "bm25.scores": 3,
    "bm25.search": 2,
    "bm25.explain": 2,
}
TOTAL = 14
BEGIN = """from ragteach.notebook import begin, check, hint, points, predict, quiz, reveal
begin("02_bm25", lang="fr", course="1")"""
METADATA = {"ragteach": {"chapter": "02_bm25", "kind": "exercises", "lang": "fr", "course": "1"}}


def blank(id: str) -> str:
    """Give the cell of an exercise that nobody has filled in."""
    return f"def {ENTRIES[id]}(*args, **kwargs):\n    raise NotImplementedError\n"


def code(source: str, **metadata) -> dict:
    """Make a code cell."""
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}


def cells(answers: dict[str, str] | None = None, checks: bool = True, tags: bool = True) -> list[dict]:
    """Make the cells of an exercise notebook: the solutions, some replaced by `answers`."""
    made = [code(BEGIN), code(HELPERS)]
    for id, source in {**SOLUTIONS, **(answers or {})}.items():
        made.append(code(source, exercise=id) if tags else code(source))
        if checks:
            made.append(code(f'{ENTRIES[id]} = check("{id}", {ENTRIES[id]})\npoints("{id}")', check=id))
    return made


def notebook(cells: list[dict], metadata: dict | None = None, minor: int = 5) -> str:
    """Write a notebook as the JSON text of its file."""
    metadata = METADATA if metadata is None else metadata
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": minor, "metadata": metadata, "cells": cells}, ensure_ascii=False
    )


def save(path: Path, cells: list[dict], metadata: dict | None = None) -> Path:
    """Save a notebook, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(cells, metadata), encoding="utf-8")
    return path


def wrong(id: str, source: str | None = None) -> dict[str, str]:
    """Give answers with one wrong one: by default a function that returns a text whatever it is asked."""
    return {id: source or f'def {ENTRIES[id]}(*args, **kwargs):\n    return "wrong"\n'}
