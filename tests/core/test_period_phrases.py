"""Periods that texts name, found and resolved (design: quantities §1, §3)."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.periods import phrases, read, right
from detection.core import periods
from detection.core.periods import Calendar, Mention, Span, find, iso, of_iso, resolve
from tests.growth import grows_at_most

ROWS = list(phrases())
THIRD = of_iso("2024-Q3")
SEPTEMBER = Calendar(9)


def resolved(text: str, *anchors: str, calendar: Calendar = periods.CALENDAR_YEAR) -> list[str]:
    """What each mention of an English text resolves to first."""
    spoken = [of_iso(form) for form in anchors or ("2024-Q3",)]
    return [iso(resolve(one, spoken, calendar)[0]) for one in find(text, "en", calendar)]


def one(text: str, calendar: Calendar = periods.CALENDAR_YEAR, language: str = "en") -> Mention:
    (found,) = find(text, language, calendar)
    return found


@pytest.mark.parametrize("half", [0, 1])
def test_the_set_of_phrases_is_read_rightly(half: int) -> None:
    rows = [row for row in ROWS if row["n"] % 2 == half]
    missed = [row["n"] for row in rows if not right(row, read(row))]
    assert len(missed) <= len(rows) * (1 - [0.96, 0.99][half]), missed


def test_the_set_has_three_languages_and_unbroken_numbers() -> None:
    assert [row["n"] for row in ROWS] == list(range(1, len(ROWS) + 1))
    assert len(ROWS) >= 300
    assert {row["language"] for row in ROWS} == {"en", "he", "zh"}


def test_offsets_are_those_of_the_submitted_text() -> None:
    text = "Rent\u200b rose in the third\u00ad quarter of ２０２４."
    found = one(text)
    assert text[found.start : found.end] == "third\u00ad quarter of ２０２４"


def test_a_fiscal_name_follows_the_calendar() -> None:
    assert resolved("FQ1 2024 and FY2024", calendar=SEPTEMBER) == ["2023-Q4", "2023-10-01/2024-09-30"]
    assert resolved("Q2 FY25", calendar=Calendar(6)) == ["2024-Q4"]
    assert resolved("calendar Q2 2024", calendar=SEPTEMBER) == ["2024-Q2"]


def test_a_fiscal_name_under_an_unknown_calendar_has_the_known_readings() -> None:
    stored = (date(2023, 10, 1), date(2024, 9, 28))
    found = resolve(one("FY2024", Calendar()), [], Calendar(), [stored, of_iso("2023")])
    assert found == (stored, of_iso("2024"))


def test_a_plain_year_beside_a_fiscal_one_has_both_readings() -> None:
    found = resolve(one("2024", SEPTEMBER), [], SEPTEMBER)
    assert [iso(span) for span in found] == ["2024", "2023-10-01/2024-09-30"]
    fiscal = SEPTEMBER.fiscal_year(2024)
    assert resolve(one("2024", SEPTEMBER), [], SEPTEMBER, [fiscal])[0] == fiscal


def test_stored_labels_go_before_the_rule() -> None:
    stored = (date(2023, 10, 1), date(2023, 12, 30))
    calendar = periods.learnt([("FQ1-2024", *stored)])
    assert calendar.year_end == 9
    assert one("fiscal Q1 2024", calendar).span == stored


@pytest.mark.parametrize(
    ("labels", "month"),
    [
        ([("FY2024", "2023-10", "2024-09")], 9),
        ([("FQ1 2024", "2023-07", "2023-09")], 6),
        ([("Q1 FY24", "2023-04", "2023-06")], 3),
        ([("2024", "2024-01", "2024-12"), ("Q1 2024", "2024-01", "2024-03")], 12),
        ([("Sep 2024", "2024-09", "2024-09")], None),
        ([("FY2024", "2023-10", "2024-09"), ("Q1 2024", "2024-01", "2024-03"), ("Q2 2024", "2024-04", "2024-06")], 9),
        ([], None),
    ],
)  # fmt: skip
def test_a_calendar_is_learnt_from_labels(labels: list[tuple[str, str, str]], month: int | None) -> None:
    rows = [(label, of_iso(first)[0], of_iso(last)[1]) for label, first, last in labels]
    assert periods.learnt(rows).year_end == month
    assert periods.learnt(rows, stated=5).year_end == 5


def test_a_year_that_ends_in_january_may_be_named_by_the_one_before() -> None:
    calendar = periods.learnt([("FY2023", date(2023, 2, 1), date(2024, 1, 31))])
    assert (calendar.year_end, calendar.ends_after) == (1, 1)
    assert iso(calendar.fiscal_year(2024)) == "2024-02-01/2025-01-31"
    assert iso(calendar.fiscal_quarter(2024, 1)) == "2024-02-01/2024-04-30"


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("fiscal years ended September 30, 2024 and 2023", 9), ("FYE June", 6), ("June 30 fiscal year end", 6),
        ("Our fiscal year is the 52- or 53-week period that ends on the last Saturday of September.", 9),
        ("for the year ended 31 March 2024", 3), ("財年截至三月三十一日", 3), ("截至2024年3月31日止财政年度", 3),
        ("שנת הכספים מסתיימת ב-30 ביוני", 6), ("Revenue in June rose this year.", None), ("2024年6月收入增长", None),
        ("Fiscal 2024, from 1 October 2023 to 30 September 2024, was good.", 9), ("FY24 (July 2023 – June 2024)", 6),
        ("2024财年（2023年7月1日至2024年6月30日）", 6), ("财年自每年10月1日起至次年9月30日止", 9), ("שנת הכספים נמשכת מאוקטובר עד ספטמבר", 9),
        ("The fiscal year starts on 1 April.", 3), ("In fiscal year 2023, which ended on 1 July 2023, sales fell.", 6),
        ("Sales of fiscal 2024 and of fiscal 2023 were flat.", None), ("Fiscal 2024 began well: sales rose from May to June.", None),
    ],
)  # fmt: skip
def test_a_text_may_state_its_calendar(text: str, month: int | None) -> None:
    found = periods.stated_in(text)
    assert (found.year_end if found else None) == month


def test_a_year_that_is_named_before_it_ends_is_known_by_its_dates() -> None:
    stated = periods.dated_in("Fiscal 2023 (the 52 weeks ended February 3, 2024) was a good year.")
    assert stated == Calendar(1, ends_after=1)
    assert periods.dated_in("For the year ended 30 June 2024, sales rose.") is None


def test_what_is_no_period_is_none() -> None:
    for text in (
        "It has 2024 units.",
        "Suite 2010",
        "Rents may rise.",
        "They march on.",
        "First, costs rose.",
        "a five-year lease",
    ):
        assert find(text, "en") == (), text


def test_day_and_month_stand_as_the_language_has_them() -> None:
    assert one("03/04/2024").span == of_iso("2024-03-04")
    assert one("03/04/2024").point
    assert one("03/04/2024", language="he").span == of_iso("2024-04-03")
    assert find("31/31/2024", "en") == ()


def test_without_an_anchor_a_relative_period_is_unknown() -> None:
    assert resolve(one("the previous quarter"), []) == ()
    assert resolve(one("Q2"), [], known=[of_iso("2023-Q2"), of_iso("2024-Q2"), THIRD]) == (of_iso("2024-Q2"),)


def test_both_quarters_are_those_spoken_of() -> None:
    found = one("in both quarters")
    spoken = [of_iso("2024-Q2"), of_iso("2023-Q2")]
    assert resolve(found, spoken) == (of_iso("2023-Q2"), of_iso("2024-Q2"))
    assert resolve(found, [THIRD]) == (of_iso("2024-Q2"), THIRD)


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        alphabet="Q1234 05,.-/'the quarterofyearendedJune年月季度第前三至截止同期上רבעוןשנההקודםבל\n",
        max_size=60,
    )
)
def test_any_text_is_read(text: str) -> None:
    last = 0
    for mention in find(text, "zh", SEPTEMBER):
        assert last <= mention.start < mention.end <= len(text)
        last = mention.end
        for anchors in ([], [THIRD], [of_iso("2024-02-29"), of_iso("2023")]):
            assert all(start <= end for start, end in resolve(mention, anchors, SEPTEMBER, [THIRD]))


@pytest.mark.parametrize(
    "piece",
    ["Q1 2024 and ", "the ", "1,111", "111,", "three and ", "first, second and ", "第一、", "上年", "the last two ", "June 30, ", "1.", "of the ",
     "each of the ", "年", "ב", "רבעון ", "2024-", "'", "year-", "12/"],
)  # fmt: skip
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    assert grows_at_most(lambda size, _: find(piece * (size // len(piece)), "en"), (10_000, 40_000), times=6)


def spans() -> st.SearchStrategy[Span]:
    days = st.dates(date(1950, 1, 1), date(2150, 12, 31))
    return st.tuples(days, days).map(lambda ends: (min(ends), max(ends)))


def whole(months: int) -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(1950, 2150), st.integers(1, 12)).map(
        lambda start: (of_iso(f"{start[0]}-{start[1]:02}")[0], of_iso(f"{start[0]}-{start[1]:02}")[1])
    ).map(lambda span: span if months == 1 else (span[0], periods.shifted(span, months - 1)[1]))  # fmt: skip


@given(st.sampled_from([3, 6, 12, 24]).flatmap(whole), st.sampled_from([1, 3, 6]))
def test_pieces_make_up_the_span(span: Span, months: int) -> None:
    found = periods.pieces(span, months)
    if not found:
        assert months == 6
        return
    assert (found[0][0], found[-1][1]) == span
    assert all((later[0] - earlier[1]).days == 1 for earlier, later in pairwise(found))
    assert all(periods.contains(span, piece) for piece in found)


@given(spans())
def test_the_span_before_touches_and_comes_back(span: Span) -> None:
    earlier = periods.before(span)
    assert (span[0] - earlier[1]).days == 1
    if span[0].day == 1 or span[0].day <= 28:
        assert periods.behind(earlier)[0] == span[0]
    assert not periods.contains(earlier, span)


@given(st.sampled_from([1, 3, 6, 12]).flatmap(whole))
def test_a_year_back_is_the_same_part_of_the_year(span: Span) -> None:
    earlier = periods.year_back(span)
    assert periods.granularity(earlier) == periods.granularity(span)
    assert (earlier[0].year, earlier[0].month) == (span[0].year - 1, span[0].month)
    assert periods.shifted(earlier, 12) == span
    assert periods.same(earlier, span) is False


@given(spans(), spans(), spans())
def test_containing_is_an_order(first: Span, second: Span, third: Span) -> None:
    assert periods.contains(first, first)
    if periods.contains(first, second) and periods.contains(second, third):
        assert periods.contains(first, third)
    if periods.contains(first, second) and periods.contains(second, first):
        assert first == second


@given(spans())
def test_names_lead_back(span: Span) -> None:
    assert of_iso(iso(span)) == span
    assert periods.label(span)


def test_labels_for_people() -> None:
    fiscal = SEPTEMBER.fiscal_year(2024)
    shown = [
        periods.label(span)
        for span in (
            THIRD,
            of_iso("2024-H1"),
            of_iso("2024"),
            of_iso("2024-09"),
            of_iso("2024-09-30"),
            fiscal,
        )
    ]
    assert shown == ["Q3 2024", "H1 2024", "2024", "Sep 2024", "30 Sep 2024", "Oct 2023 – Sep 2024"]


def test_years_of_52_weeks_are_years() -> None:
    span = (date(2023, 10, 1), date(2024, 9, 28))
    assert periods.granularity(span) == "year"
    assert periods.same(span, SEPTEMBER.fiscal_year(2024))
    assert len(periods.pieces(span, 3)) == 4
