"""What is no number, and texts made to break a reader of numbers."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.numbers import PREFIX, SUFFIX, around, extract, has_number_words
from tests.tables import each_case


@pytest.mark.parametrize("text", ["", "9" * 5000, "$" + "9" * 1001, "1e308%", "$1e999", "$0.1e-400"])
def test_an_identifier_or_a_number_that_would_not_be_exact_is_none(text: str) -> None:
    assert extract(text) == []


@each_case(
    "text",
    [
        *(f"$1{sign}234" for sign in ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")),
        "$1\u200b,2\u200d34", "＄１，２３４", "$１２３４", "﹩1,234", "$१२३४", "$١٢٣٤", "$١\u066c٢٣٤",
        *(f"$1{blank}234" for blank in ("\u00a0", "\u2009", "\u202f")), "$\U0001d7cf\U0001d7d0\U0001d7d1\U0001d7d2",
    ],
)  # fmt: skip
def test_a_number_is_the_same_in_any_digits_and_with_whatever_cannot_be_seen(text: str) -> None:
    said = f"It paid {text} then."
    (claim,) = extract(said)
    assert (claim.value, claim.unit) == (Decimal(1234), "USD")
    assert said[claim.start : claim.end] == text


@each_case("text", ["3.5%", "３.５％", "٣\u066b٥%", "٣\u066b٥\u066a", "3.5\u066a"])
def test_a_share_is_the_same_in_any_digits(text: str) -> None:
    (claim,) = extract(f"It rose by {text} then.")
    assert (claim.value, claim.kind) == (Decimal("3.5"), "percentage")


@each_case(
    ("text", "expected"),
    [
        ("The lease runs for ten years.", True),
        ("ההסכם הוא לחמש שנים.", True),
        ("租约期限为五年。", True),
        ("Rent is $500 [S1].", False),
        ("Tenants moved out.", False),
    ],
)
def test_number_words_are_seen_without_digits(text: str, expected: bool) -> None:
    assert has_number_words(text) is expected


@pytest.mark.parametrize(
    ("language", "currency"), [("en", "SEK"), ("sv", "SEK"), ("da", "DKK"), ("nb", "NOK")]
)
def test_a_krone_is_that_of_the_language(language: str, currency: str) -> None:
    assert [claim.unit for claim in extract("Rent: kr 1200, fee 300 kr, 5 SEK", language)] == [
        currency,
        currency,
        "SEK",
    ]


def test_a_sign_like_a_word_names_a_currency_only_in_capitals() -> None:
    assert [claim.unit for claim in extract("RM 300 and rm 300")] == ["MYR", ""]


def test_the_parted_letters_of_a_ligature_lead_back_to_it() -> None:
    text = "ﬁfty-ﬁve units in ﬁscal 2023"
    assert [(claim.text, text[claim.start : claim.end]) for claim in extract(text)] == [
        ("ﬁfty-ﬁve", "ﬁfty-ﬁve"),
        ("ﬁscal 2023", "ﬁscal 2023"),
    ]


@pytest.mark.parametrize("digits", [41, 400, 1000])
def test_a_long_amount_is_read_to_its_last_digit(digits: int) -> None:
    claims = extract(f"It paid ${'9' * digits} and then ${'9' * (digits - 1)}8 million more.")
    assert [claim.value for claim in claims] == [
        Decimal("9" * digits),
        Decimal("9" * (digits - 1) + "8000000"),
    ]


def test_the_language_decides_what_may_be_read_in_two_ways() -> None:
    assert [extract("03/04/2024", language)[0].value for language in (None, "en", "he", "de")] == [
        "2024-03-04",
        "2024-03-04",
        "2024-04-03",
        "2024-04-03",
    ]
    assert [extract("1.234 €", language)[0].value for language in (None, "en", "de")] == [
        Decimal("1.234"),
        Decimal("1.234"),
        Decimal(1234),
    ]


def test_one_european_number_tells_how_the_others_of_its_text_are_read() -> None:
    values = [claim.value for claim in extract("Umsatz 1.234.567,89 €, davon 1.234 € Miete")]
    assert values == [Decimal("1234567.89"), Decimal(1234)]


@pytest.mark.parametrize(
    "seed",
    [
        "111,", "1.", "$", "Q1 ", "9", "(", "[S", "-", "one ", "五", "רבעון ", "1,234.5.", "a1 ", "+1 ", "a half ", "twenty ", "page 3, 4, ",
        "1-2-", "(1) ", "1 234 ", "between 1 and 2 ", "12月", "1٢", "5 million thousand ", "1.234 ", "7125,69,", "5 cents ", "第3、", "חצי ",
        "ratio is 1.5 and is ", "two new big ", "三至四", "成三", "ﬁ", "שנתיים ",
    ],
)  # fmt: skip
def test_hostile_text_is_read_to_its_end(seed: str) -> None:
    text = seed * (200_000 // len(seed)) + " $5.00"
    assert [claim.text for claim in extract(text)][-1].endswith("5.00")


@pytest.mark.requirement("NUM-01")
@each_case(
    ("unit", "times", "expected"),
    [
        ("111,", 25_000, 0),
        ("9", 100_000, 0),
        ("$", 100_000, 0),
        ("(", 100_000, 0),
        (" ", 100_000, 0),
        ("[S", 50_000, 0),
        ("Q1 ", 33_000, 0),
        ("a ", 50_000, 0),
        ("w", 100_000, 0),
        ("1 ", 50_000, 50_000),
        ("5\n", 50_000, 50_000),
        ("$1,234.56 ", 10_000, 10_000),
        ("NOI was $5 in Q1 2024. ", 4_000, 8_000),
    ],
)
def test_every_number_of_a_long_text_is_read_and_no_run_is_one(unit: str, times: int, expected: int) -> None:
    assert len(extract(unit * times)) == expected


ALONE = st.sampled_from(["7", "12.5", "1,250", "350", "88888"])
AROUND = st.sampled_from(
    [
        "",
        "x",
        "was",
        "ratio of",
        "DSCR",
        "about",
        "at least",
        "Section",
        "$",
        "US$",
        "מינוס",
        "כ-",
        "约",
        "(",
        "up",
    ]
)
BEHIND = st.sampled_from(
    [
        "",
        "%",
        "x",
        "bps",
        "million",
        "M",
        "USD",
        "employees",
        "percent",
        "or more",
        "higher",
        "万",
        "以上",
        "z",
    ]
)


@given(
    AROUND, st.sampled_from(["", " ", "  ", "\u00a0"]), ALONE, st.sampled_from(["", " ", "  ", "-"]), BEHIND
)
def test_a_short_look_at_what_stands_beside_never_misses_a_pattern(
    before: str, gap: str, number: str, space: str, behind: str
) -> None:
    folded = f"{before}{gap}{number}{space}{behind}".lower()
    start = len(before) + len(gap)
    prefix, suffix = PREFIX.match(folded, 0, start), SUFFIX.match(folded, start + len(number))
    assert prefix is not None
    assert suffix is not None
    seen = around(folded, 0, start, start + len(number))
    assert [beside.text for beside in seen] == [prefix.group(), suffix.group()]


PIECES = st.sampled_from(
    [
        "$",
        "1",
        ",",
        "234",
        ".",
        "5",
        "%",
        " ",
        "Q3",
        "2024",
        "-",
        "(",
        ")",
        "[S0]",
        "M",
        "million",
        "כ-",
        "万",
        "百分之",
        "\u200b",
        "x",
        ":1",
        "bps",
        "\ud83d",
        "\0",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)))
def test_offsets_slice_back_and_claims_do_not_overlap(text: str) -> None:
    place = 0
    for claim in extract(text):
        assert text[claim.start : claim.end] == claim.text
        assert place <= claim.start < claim.end
        place = claim.end


def test_nul_and_lone_surrogates_are_passed_over() -> None:
    assert [claim.text for claim in extract("\0 $5 \ud83d 6%")] == ["$5", "6%"]
