"""The words of the refuters: three languages with the same tables, written as texts are read."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from detection.core import refuters
from detection.core.lexicons import LANGUAGES, SKIP, Words

HERE = Path(refuters.__file__).parent


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def families(language: str) -> dict[str, dict[str, list[str]]]:
    return {
        f"{kind}.{name}": values for kind, named in read(language).items() for name, values in named.items()
    }


@pytest.mark.parametrize("language", ["he", "zh"])
def test_the_languages_have_the_same_values(language: str) -> None:
    english, other = families("en"), families(language)
    assert list(english) == list(other)
    for name, values in english.items():
        assert set(values) - {SKIP} == set(other[name]) - {SKIP}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_are_written_as_texts_are_read(language: str) -> None:
    for name, values in families(language).items():
        for value, listed in values.items():
            place = f"{language} {name}.{value}"
            assert [phrase for phrase in listed if phrase != phrase.strip().lower()] == [], place
            assert [phrase for phrase in listed if not Words(phrase).words] == [], place
            assert [phrase for phrase, count in Counter(listed).items() if count > 1] == [], place


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_that_is_skipped_means_nothing_in_its_family(language: str) -> None:
    for name, values in families(language).items():
        meant = {phrase for value, listed in values.items() if value != SKIP for phrase in listed}
        assert meant & set(values.get(SKIP, ())) == set(), f"{language} {name}"


def test_what_excludes_each_other_is_named() -> None:
    english = families("en")
    for name, listed in read("exclusions").items():
        for pair in listed:
            one, two = pair.split()
            assert {one, two} <= set(english[name]), pair
            assert one != two
