"""Mutants of chapter 02's references that do nothing wrong that an exercise asks about: see mutants.py."""

UNASKED = "the formulas are checked on valid arguments only"
EARLIER = "the value is refused or let through by bm25.scores, whose own check tests it"
UNUSED = "an average length of 0 comes with empty documents only, and these have no term to weigh"

EQUIVALENT = {
    "bm25.bim_weight": {
        "1 -> 2 in: require(0 < value < 1, f'{name} must lie strictly between 0 and 1, not {value}.')": UNASKED,
    },
    "bm25.idf": {"0 -> 1 in: at_least('n_docs', n_docs, 0)": UNASKED},
    "bm25.term_weight": {
        "avg_len > 0 -> avg_len >= 0 in: length_ratio = doc_len / avg_len if avg_len > 0 else 1.0": UNUSED,
        "1.0 -> 2.0 in: length_ratio = doc_len / avg_len if avg_len > 0 else 1.0": UNUSED,
        "1 -> 2 in: between('b', b, 0, 1)": UNASKED,
    },
    "bm25.scores": {
        "0.0 -> 1.0 in: avg_len = sum(lengths) / len(documents) if documents else 0.0": UNUSED,
    },
    "bm25.search": {
        "0 -> 1 in: at_least('k1', k1, 0)": EARLIER,
        "1 -> 2 in: between('b', b, 0, 1)": EARLIER,
    },
    "bm25.explain": {
        "0 -> 1 in: at_least('k1', k1, 0)": EARLIER,
        "1 -> 2 in: between('b', b, 0, 1)": EARLIER,
    },
}
