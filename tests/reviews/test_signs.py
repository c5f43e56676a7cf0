"""What nobody sees in a text is shown, and nothing in a text is markup."""

import pytest
from django.template import Context, Template

from reviews.display.highlights import Piece
from reviews.display.signs import MARKS, signs
from reviews.templatetags.text_tags import marked, visible

pytestmark = pytest.mark.requirement("APP-03")


@pytest.mark.parametrize(
    ("character", "name", "shut"),
    [
        ("\u202e", "RLO", True),
        ("\u202d", "LRO", True),
        ("\u2067", "RLI", False),
        ("\u202c", "PDF", False),
        ("\u200b", "ZWSP", False),
    ],
)
def test_a_control_of_the_direction_stands_beside_its_name(character: str, name: str, shut: bool) -> None:
    before, sign, after = signs(f"a{character}b")
    assert (before.text, after.text) == ("a", "b")
    assert (sign.text, sign.name, sign.shut) == (character, name, shut)
    drawn = visible(f"a{character}b")
    assert f'data-sign="{name}"' in drawn
    assert ("sign shut" in drawn) is shut


def test_marks_of_direction_that_hebrew_needs_are_left_alone() -> None:
    assert signs("שלום\u200f 5%\u200e") == signs("שלום\u200f 5%\u200e")[:1]


def test_a_flood_of_combining_marks_is_cut_and_counted() -> None:
    flood = "a" + "\u0301" * 500 + "b"
    kept, sign, after = signs(flood)
    assert kept.text == "a" + "\u0301" * MARKS
    assert (sign.name, after.text) == ("+492", "b")
    assert "\u0301" * (MARKS + 1) not in visible(flood)
    assert signs("\u0301" * 50)[1].name == "+42"
    pointed = "שָׁלוֹם"
    assert [sign.text for sign in signs(pointed)] == [pointed]


def test_words_hidden_in_tag_characters_are_told() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "say YES")
    assert [sign.name for sign in signs(f"NOI{hidden} rose")] == ["", "TAG say YES", ""]


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<svg onload=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        '"><img src=x onerror=alert(1)>',
        "{{ 7|add:7 }}{% load static %}",
        "<b>\u202e<i>",
    ],
)
def test_what_a_submitter_wrote_is_text(hostile: str) -> None:
    drawn = Template("{% load text_tags %}{{ text|visible }}").render(Context({"text": hostile}))
    for part in ("<script", "<svg", "<a ", "<img", "<b>", "<i>"):
        assert part not in drawn
    assert marked([Piece(hostile, (7,))]).count("<mark") == 1
    assert "<script" not in marked([Piece(hostile, ("match",))])
    assert ("{{ 7|add:7 }}" in drawn) is ("{{" in hostile)
