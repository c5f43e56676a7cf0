"""A dear pattern is made when it is first used, and finds what one made at once finds."""

import subprocess
import sys

import pytest
import regex

from detection.core.patterns import late

READ = """
import regex
made = []
compiled = regex.compile
regex.compile = lambda *given: made.append(given[0]) or compiled(*given)
from detection.core.numbers import extract, spans
before = spans._FROM_DIGIT.pattern in made
extract("It was 1.5e3 in 2024.")
print(before, spans._FROM_DIGIT.pattern in made)
"""


def test_the_pattern_of_numbers_is_made_by_the_first_text_that_needs_it() -> None:
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_it_finds_what_a_pattern_made_at_once_finds() -> None:
    once, text = regex.compile(r"(?P<n>\d++)x", regex.I), "12X and 3x, 4"
    lazy = late(r"(?P<n>\d++)x", regex.I)
    assert lazy.findall(text) == once.findall(text) == ["12", "3"]
    assert [found.group("n") for found in lazy.finditer(text)] == ["12", "3"]
    assert (lazy.sub("", text), lazy.pattern) == (once.sub("", text), once.pattern)


def test_a_wrong_pattern_fails_where_it_is_first_used() -> None:
    with pytest.raises(regex.error):
        late("(").search("")
