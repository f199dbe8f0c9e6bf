"""lsa.maxsim: late interaction, one vector a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.lsa.inputs import rows
from ragteach.retrieval.dense import maxsim, unit_rows

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw up to three query vectors and up to three document vectors, at least one of the latter."""
    from hypothesis import strategies as st

    # One draw for the whole shape: counterexamples shrink in half the time.
    shapes = [(dims, m, n) for dims in (1, 2, 3) for m in range(4) for n in range(1, 4)]
    return st.sampled_from(shapes).flatmap(lambda shape: st.tuples(rows(shape[1], shape[0]), rows(shape[2], shape[0])))


def products(query_vectors, doc_vectors):
    return np.asarray(query_vectors) @ np.asarray(doc_vectors).T


def side_by_side(query_vectors, doc_vectors):
    return float(sum(q @ d for q, d in zip(query_vectors, doc_vectors, strict=False)))


def floor_of_zero(query_vectors, doc_vectors):
    return float(sum(max(0.0, best) for best in products(query_vectors, doc_vectors).max(axis=1)))


def mean(query_vectors, doc_vectors):
    return maxsim(query_vectors, doc_vectors) / max(1, len(query_vectors))


MAXSIM = Exercise(
    id="lsa.maxsim",
    chapter="03_lsa",
    entry="maxsim",
    title={"fr": "L’interaction tardive : MaxSim", "en": "Late interaction: MaxSim"},
    points=2,
    importance=2,
    minutes=5,
    reference=maxsim,
    examples=(
        Example(
            (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]])),
            {
                "fr": "Chaque vecteur de la question prend son meilleur partenaire : 0,8 pour le premier, 1 pour le "
                "second.",
                "en": "Each query vector takes its best partner: 0.8 for the first, 1 for the second.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])),
            {
                "fr": "Deux vecteurs peuvent choisir le même partenaire ; et le second vecteur du document ne sert à "
                "rien.",
                "en": "Two vectors may choose the same partner; and the document's second vector is of no use.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])),
            {
                "fr": "Un document long n’est pas puni pour ses autres mots.",
                "en": "A long document is not penalised for its other words.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0], [-0.5, 0.0]])),
            {
                "fr": "Le meilleur produit peut être négatif : −0,5, et non 0.",
                "en": "The best product may be negative: -0.5, and not 0.",
            },
        ),
        Example(
            (np.array([[2.0, 1.0], [0.0, 3.0], [1.0, 1.0]]), np.array([[1.0, 2.0]])),
            {
                "fr": "Trois vecteurs, un seul partenaire ; les produits scalaires sont pris tels quels, sans "
                "normaliser.",
                "en": "Three vectors and a single partner; inner products are taken as they are, without normalising.",
            },
        ),
        Example(
            (np.zeros((0, 2)), np.array([[1.0, 0.0]])),
            {"fr": "Une question sans aucun vecteur : 0.", "en": "A query without vectors: 0."},
        ),
        Example(
            (np.array([[1.0, 0.0]]), np.zeros((0, 2))),
            {
                "fr": "Un document sans vecteur n’a pas de maximum : levez une ValueError. max le fait déjà.",
                "en": "A document without vectors has no maximum: raise a ValueError. max does so already.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])),
            {
                "fr": "Des dimensions différentes : ValueError, que le produit de NumPy lève déjà.",
                "en": "Different dimensions: ValueError, which NumPy's product raises already.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "best_of_each_document_vector",
            lambda query_vectors, doc_vectors: float(products(query_vectors, doc_vectors).max(axis=0).sum()),
            {
                "fr": "Vous cherchez le meilleur partenaire de chaque vecteur du document : un document long gagne "
                "toujours. C’est pour chaque vecteur de la question : axis=1.",
                "en": "You look for the best partner of each document vector, so a long document always wins. It goes "
                "by query vector: axis=1.",
            },
        ),
        Misconception(
            "mean",
            mean,
            {
                "fr": "Vous prenez la moyenne des meilleurs produits. MaxSim en est la somme.",
                "en": "You take the mean of the best products. MaxSim is their sum.",
            },
        ),
        Misconception(
            "sum_of_all",
            lambda query_vectors, doc_vectors: float(products(query_vectors, doc_vectors).sum()),
            {
                "fr": "Vous additionnez tous les produits : cela revient à comparer deux vecteurs sommes. Ne gardez "
                "que le meilleur de chaque ligne.",
                "en": "You add up every product, which amounts to comparing two summed vectors. Keep only the best of "
                "each row.",
            },
        ),
        Misconception(
            "best_of_all",
            lambda query_vectors, doc_vectors: float(products(query_vectors, doc_vectors).max(initial=-np.inf)),
            {
                "fr": "Vous ne gardez qu’un produit, le meilleur de tous. Il en faut un par vecteur de la question, "
                "additionnés.",
                "en": "You keep a single product, the best of all. It takes one for each query vector, added up.",
            },
        ),
        Misconception(
            "worst",
            lambda query_vectors, doc_vectors: float(products(query_vectors, doc_vectors).min(axis=1).sum()),
            {
                "fr": "Vous prenez le plus petit produit de chaque ligne. Prenez le plus grand : max.",
                "en": "You take the smallest product of each row. Take the largest: max.",
            },
        ),
        Misconception(
            "normalised",
            lambda query_vectors, doc_vectors: maxsim(unit_rows(query_vectors), unit_rows(doc_vectors)),
            {
                "fr": "Vous normalisez les vecteurs. ColBERT l’a déjà fait en amont : ici, prenez les produits "
                "scalaires tels quels.",
                "en": "You normalise the vectors. ColBERT has done that beforehand: here, take inner products as they "
                "are.",
            },
        ),
        Misconception(
            "floor_of_zero",
            floor_of_zero,
            {
                "fr": "Votre meilleur produit part de 0 : un maximum négatif devient 0. Partez de −∞, ou prenez "
                "max(...) de la liste.",
                "en": "Your best product starts from 0, so a negative maximum becomes 0. Start from -∞, or take "
                "max(...) of the list.",
            },
        ),
        Misconception(
            "one_vector_each",
            lambda query_vectors, doc_vectors: float(query_vectors.sum(axis=0) @ doc_vectors.mean(axis=0)),
            {
                "fr": "Vous résumez chaque texte par un seul vecteur avant de comparer : c’est un bi-encodeur. Ici on "
                "compare d’abord, token par token.",
                "en": "You sum up each text in one vector before comparing: that is a bi-encoder. Here comparing comes "
                "first, token by token.",
            },
        ),
        Misconception(
            "side_by_side",
            side_by_side,
            {
                "fr": "Vous comparez le premier vecteur au premier, le deuxième au deuxième. L’ordre du document ne "
                "compte pas : comparez à tous.",
                "en": "You compare the first vector with the first and the second with the second. The document's "
                "order is no matter: compare with all.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Un seul produit de matrices donne le tableau de tous les produits scalaires : une ligne par "
            "vecteur de la question, une colonne par vecteur du document.",
            "en": "One matrix product gives the table of all inner products: a row for each query vector, a column for "
            "each document vector.",
        },
        {
            "fr": "(query_vectors @ doc_vectors.T).max(axis=1).sum()",
            "en": "(query_vectors @ doc_vectors.T).max(axis=1).sum()",
        },
    ),
)
