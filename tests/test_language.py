"""Errors that speak both languages."""

import pickle

import pytest

from ragteach.grading import jobs
from ragteach.grading.find import find
from ragteach.grading.settings import Settings
from ragteach.language import BadValue, sentence


def test_a_sentence_is_in_the_language_asked_for_where_it_has_one():
    error = BadValue({"fr": "Non.", "en": "No."})
    assert [sentence(error, lang) for lang in ("fr", "en")] == ["Non.", "No."] and str(error) == "No."
    assert sentence(ValueError("k"), "fr") == "k"
    assert pickle.loads(pickle.dumps(error)).text == error.text


def raised(call):
    with pytest.raises(BadValue) as error:
        call()
    return error.value.text


def test_whoever_grades_is_told_in_both(tmp_path, monkeypatch):
    (tmp_path / "a.zip").write_text("no zip")
    monkeypatch.setattr(jobs, "layers_here", lambda: ((), {"files": "no Landlock"}))
    told = [
        raised(lambda: Settings(memory=0)),
        raised(lambda: Settings("none")),
        raised(lambda: find([tmp_path / "nowhere"])),
        raised(lambda: find([tmp_path / "a.zip"], tmp_path / "scratch")),
        raised(lambda: jobs.sandbox_report(Settings("strict"))),
    ]
    for text in told:
        assert set(text) == {"fr", "en"} and text["fr"] != text["en"] and text["fr"].endswith(".")
