"""Access and freshness: nothing leaks, nothing of a deleted document is left, a version says what an index is."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach.retrieval.access import allowed_chunks
from ragteach.retrieval.freshness import index_version, latest_versions, update_index
from ragteach.retrieval.text import tokenize

# --- access


def chunk(tenant, *roles):
    return {"tenant": tenant, "roles": list(roles), "text": "…"}


def test_tenant_and_role():
    chunks = [chunk("north", "staff"), chunk("south", "staff"), chunk("north", "boss"), chunk("north", "boss", "staff")]
    assert allowed_chunks(chunks, {"tenant": "north", "roles": ["staff"]}) == [0, 3]
    assert allowed_chunks(chunks, {"tenant": "north", "roles": ["staff", "boss"]}) == [0, 2, 3]
    assert allowed_chunks(chunks, {"tenant": "south", "roles": ["boss"]}) == []


NO_NAMES = [None, "", 0, False, True, 1, (), b"north"]  # None equals None and 1 equals True, but they name nobody
tenants = st.sampled_from(["north", "north", "south", "*", *NO_NAMES])
roles = st.sampled_from(["staff", "staff", "boss", "*", *NO_NAMES])
rights = st.fixed_dictionaries({"tenant": tenants}, optional={"roles": st.none() | st.lists(roles, max_size=3)})


@pytest.mark.parametrize("chunk_value", NO_NAMES)
@pytest.mark.parametrize("user_value", NO_NAMES)
def test_what_is_no_name_equals_nothing(chunk_value, user_value):
    chunks = [
        {"tenant": chunk_value, "roles": ["staff"]},
        {"tenant": "north", "roles": [chunk_value]},
        {"roles": ["staff"]},
    ]
    for user in (
        {"tenant": user_value, "roles": ["staff"]},
        {"tenant": "north", "roles": [user_value]},
        {"roles": ["staff"]},
    ):
        assert allowed_chunks(chunks, user) == []


@given(st.lists(rights, max_size=6), rights)
def test_what_is_shown_was_granted_in_so_many_words(chunks, user):
    allowed = allowed_chunks(chunks, user)
    assert allowed == sorted(set(allowed))
    for i, chunk in enumerate(chunks):
        granted = any(
            user.get("tenant") == chunk.get("tenant") == tenant
            and role in [r for r in user.get("roles") or [] if isinstance(r, str)]
            and role in [r for r in chunk.get("roles") or [] if isinstance(r, str)]
            for tenant in ("north", "south", "*")
            for role in ("staff", "boss", "*")
        )
        assert (i in allowed) == granted


@pytest.mark.parametrize(
    "user", [{}, {"tenant": "north"}, {"tenant": "north", "roles": None}, {"tenant": "", "roles": []}]
)
def test_who_is_nobody_sees_nothing_not_even_what_belongs_to_nobody(user):
    assert allowed_chunks([{}, {"tenant": "north"}, {"tenant": "north", "roles": None}, chunk("north")], user) == []


def test_there_is_no_wildcard_no_prefix_and_no_other_case():
    user = {"tenant": "north", "roles": ["staff"]}
    denied = [chunk("*", "staff"), chunk("north", "*"), chunk("North", "staff"), chunk("northern", "staff")]
    assert allowed_chunks([*denied, chunk("north", "staff-boss")], user) == []
    assert allowed_chunks([chunk("north", "boss")], {"tenant": "*", "roles": ["*"]}) == []


# --- update_index

EMPTY = {"chunks": {}, "postings": {}}
texts = st.lists(st.sampled_from(["le fusible", "fuse 5 A", "5,5 Hz", "", "fuse fuse"]), max_size=3)
names = st.sampled_from(["manual", "man", "manual#0", "faq", ""])
contents = st.dictionaries(names, texts, max_size=4)


def fresh(documents):
    """Index documents from scratch, without update_index."""
    chunks, postings = {}, {}
    for doc, pieces in documents.items():
        for position, text in enumerate(pieces):
            chunks[f"{doc}#{position}"] = {"doc": doc, "text": text}
    for name in sorted(chunks):
        for token in set(tokenize(chunks[name]["text"])):
            postings.setdefault(token, []).append(name)
    return {"chunks": chunks, "postings": postings}


def test_the_example_of_the_docstring():
    expected = {"chunks": {"faq#0": {"doc": "faq", "text": "Zero."}}, "postings": {"zero": ["faq#0"]}}
    assert update_index(EMPTY, {"faq": ["Zero."], "old": None}) == expected


@given(contents, st.dictionaries(names, st.one_of(st.none(), texts), max_size=4))
def test_an_updated_index_is_the_one_built_from_scratch(before, changes):
    index = update_index(EMPTY, before)
    assert index == fresh(before)
    untouched = copy.deepcopy(index)
    after = {doc: pieces for doc, pieces in {**before, **changes}.items() if pieces is not None}
    assert update_index(index, changes) == fresh(after)
    assert index == untouched
    assert update_index(update_index(index, changes), changes) == fresh(after)  # an event may arrive twice


@given(contents, names, st.lists(texts, min_size=1, max_size=3))
def test_updates_then_a_deletion_leave_the_index_as_if_the_document_had_never_been(others, doc, versions):
    others.pop(doc, None)
    never = update_index(EMPTY, others)
    index = never
    for version in versions:
        index = update_index(index, {doc: version})
    assert update_index(index, {doc: None}) == never


def test_a_shorter_version_leaves_no_old_chunk_and_a_name_is_no_prefix():
    index = update_index(EMPTY, {"manual": ["un", "deux", "trois"], "man": ["quatre"]})
    index = update_index(index, {"manual": ["cinq"]})
    assert sorted(index["chunks"]) == ["man#0", "manual#0"]
    assert sorted(index["postings"]) == ["cinq", "quatre"]
    assert sorted(update_index(index, {"man": None})["chunks"]) == ["manual#0"]


# --- index_version

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
configs = st.dictionaries(st.text(max_size=3), plain, max_size=4)


def shuffled(value):
    """Turn the order of the keys round at every depth."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(configs)
def test_the_order_of_keys_does_not_count_at_any_depth(config):
    assert index_version(shuffled(config)) == index_version(config)
    assert index_version(json.loads(json.dumps(config))) == index_version(config)


@given(configs, configs)
def test_different_configurations_have_different_versions(a, b):
    # repr tells 1, 1.0 and True apart, which == does not.
    same = repr(sorted_by_key(a)) == repr(sorted_by_key(b))
    assert (index_version(a) == index_version(b)) == same


def sorted_by_key(value):
    if isinstance(value, dict):
        return sorted((key, sorted_by_key(inner)) for key, inner in value.items()), "dict"
    return [sorted_by_key(item) for item in value] if isinstance(value, list) else value


CONFIG = {"chunking": {"size": 300, "overlap": 50}, "model": "e5", "fields": ["title", "text"], "stem": None}
CHANGED = [
    {**CONFIG, "chunking": {"size": 300, "overlap": 51}},
    {**CONFIG, "chunking": {"size": 300}},
    {**CONFIG, "chunking": {"size": 50, "overlap": 300}},
    {**CONFIG, "chunking": {"size": "300", "overlap": 50}},
    {**CONFIG, "chunking": {"size": 300.0, "overlap": 50}},
    {**CONFIG, "fields": ["text", "title"]},
    {**CONFIG, "fields": ["title,text"]},
    {**CONFIG, "stem": False},
    {**CONFIG, "stem": "None"},
    {**CONFIG, "model": "E5"},
    {**CONFIG, "extra": None},
    {},
]


def test_any_change_gives_another_version():
    versions = [index_version(config) for config in (CONFIG, *CHANGED)]
    assert len(set(versions)) == len(versions)
    assert all(isinstance(version, str) and version for version in versions)


def test_the_version_is_the_same_in_every_process():
    assert index_version(CONFIG) == "9ddc1d0b7091a23a"
    assert index_version({**CONFIG, "fields": ("title", "text")}) == index_version(CONFIG)


# --- latest_versions


def versions(*pairs):
    return [{"doc": doc, "version": version} for doc, version in pairs]


def test_the_newest_version_of_each_document_with_all_its_chunks():
    assert latest_versions(versions(("a", 1), ("b", 1), ("a", 2), ("a", 2), ("a", 1))) == [1, 2, 3]
    assert latest_versions([]) == []


def test_versions_are_compared_number_by_number():
    assert latest_versions(versions(("a", "1.9"), ("a", "1.10"), ("a", "1.2.5"))) == [1]
    assert latest_versions(versions(("a", "9"), ("a", 10))) == [1]
    assert latest_versions(versions(("a", "2.0"), ("a", 2), ("a", "2.0.0"), ("a", "1.9"))) == [0, 1, 2]
    assert latest_versions(versions(("a", "2025-09-15"), ("a", "2024-12-31"))) == [0]
    assert latest_versions(versions(("a", 0), ("a", "0.0"))) == [0, 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 12)), max_size=12))
def test_every_document_keeps_exactly_its_newest(pairs):
    kept = latest_versions(versions(*pairs))
    newest = {doc: max(version for name, version in pairs if name == doc) for doc, _ in pairs}
    assert kept == [i for i, (doc, version) in enumerate(pairs) if version == newest[doc]]


circular: dict = {}
circular["self"] = circular


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: allowed_chunks([chunk("n", "s")], {"tenant": "n", "roles": "s"}), "user"),
        (lambda: allowed_chunks([{"tenant": "n", "roles": "s"}], {"tenant": "n", "roles": ["s"]}), r"chunks\[0\]"),
        (lambda: allowed_chunks([{"tenant": "n", "roles": {"s": False}}], {"tenant": "n", "roles": ["s"]}), "roles"),
        (lambda: allowed_chunks([], None), "user"),
        (lambda: allowed_chunks(["n"], {}), r"chunks\[0\]"),
        (lambda: update_index({}, {}), "chunks"),
        (lambda: update_index({"chunks": {}}, {}), "postings"),
        (lambda: update_index(EMPTY, ["a"]), "changes"),
        (lambda: update_index(EMPTY, {"a": "text"}), "changes"),
        (lambda: update_index(EMPTY, {"a": [None]}), "str"),
        (lambda: update_index(EMPTY, {1: ["text"]}), "changes"),
        (lambda: index_version(["a"]), "config"),
        (lambda: index_version({1: "a"}), "config"),
        (lambda: index_version({"a": [{"b": {2: 3}}]}), "config"),
        (lambda: index_version({"a": {1, 2}}), "config"),
        (lambda: index_version({"a": float("nan")}), "config"),
        (lambda: index_version(circular), "config"),
        (lambda: latest_versions([{"doc": "a"}]), "version"),
        (lambda: latest_versions([{"version": 1}]), "doc"),
        (lambda: latest_versions(versions(("a", 1.1))), "version"),
        (lambda: latest_versions(versions(("a", True))), "version"),
        (lambda: latest_versions(versions(("a", "draft"))), "version"),
        (lambda: latest_versions(versions(("a", -1))), "version"),
        (lambda: latest_versions(["a"]), r"chunks\[0\]"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
