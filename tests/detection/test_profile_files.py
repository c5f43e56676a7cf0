"""Profiles as YAML files: what is written is read again, what is no profile is refused with its place."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from detection.models import ThresholdProfile
from detection.profiles.files import NotAProfile, ProfileFile, read, written
from tests.core.test_profile_values import PROFILES
from tests.tables import each_case

SCORINGS = tuple(ThresholdProfile.Scoring.values)
HEAD = "hallu_profile: 1\nscoring: govil\n"


@given(PROFILES, st.sampled_from(SCORINGS), st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_what_is_written_is_read_again(values: dict[str, Any], scoring: str, note: str) -> None:
    file = ProfileFile(scoring, values, note, 7)
    assert read(written(file), SCORINGS) == file


@each_case(
    ("text", "said"),
    [
        ("", "line 1: give keys with values, beginning with hallu_profile."),
        ("- a\n- b", "line 1: give keys with values, beginning with hallu_profile."),
        ("scoring: govil", "hallu_profile: this system reads schema 1, not None."),
        ("hallu_profile: 2\nscoring: govil", "line 1: hallu_profile: this system reads schema 1, not 2."),
        ("hallu_profile: 1\n", "scoring: give information_budget or spec08 or pythea or govil."),
        (HEAD + "base:\n  overlap: 0.4\n  unheard: 1", "line 5: unheard: there is no such threshold."),
        (HEAD + "base:\n  overlap: 7", "line 4: overlap: give a number from 0 to 1."),
        (HEAD + "base:\n  overlap: .nan", "line 4: overlap: give a number from 0 to 1."),
        (HEAD + "base:\n  overlap: 2024-01-01", "line 4: overlap: give a number from 0 to 1."),
        (HEAD + "bases: {}", "line 3: bases: a profile has hallu_profile,"),
        (HEAD + "base:\n  overlap: 0.4\n  overlap: 0.5", "line 5: overlap is given twice."),
        (
            HEAD + "overrides:\n- when:\n    weather: rain\n  values: {}",
            "line 5: override 1: weather: overrides apply to",
        ),
        (
            HEAD + "overrides:\n- when: {language: no}\n  values: {}",
            "line 4: override 1: language: give a text.",
        ),
        (HEAD + "base: &a {overlap: 0.4}\nnote: *a", "line 4: write values out, without * and &."),
        (HEAD + "base: {overlap: 0.4", "this is no YAML"),
        ("hallu_profile: 1\n\tscoring: govil", "line 2: this is no YAML"),
        ("!!python/object/apply:os.system ['true']", "this is no YAML"),
        ("hallu_profile: 1\x00", "this is no YAML"),
        (HEAD + "---\n" + HEAD, "this is no YAML"),
        ("[" * 5000, "no YAML"),
        (HEAD + "note: " + "x" * 70_000, "The file is larger than 64 KB."),
        (HEAD + "? [1, 2]\n: 3", "no YAML"),
    ],
)
def test_what_is_no_profile_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(NotAProfile) as refused:
        read(text, SCORINGS)
    assert said in str(refused.value)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "line",
    [
        'note: "a\\0b"',
        'note: "\\ud800"',
        'base: {indicator_phrases: ["\\ud800"]}',
        'overrides: [{when: {property: "\\0"}, values: {overlap: 0.4}}]',
    ],
)
def test_escapes_that_no_database_stores_are_refused(line: str) -> None:
    with pytest.raises(ValidationError, match="cannot be stored"):
        ThresholdProfile.from_yaml(HEAD + line)
    assert ThresholdProfile.objects.count() == 1


def test_every_wrong_key_is_named_with_its_line() -> None:
    with pytest.raises(NotAProfile, match=r"line 4: overlap: .* line 5: nothing: "):
        read(HEAD + "base:\n  overlap: 7\n  nothing: 1\n", SCORINGS)
