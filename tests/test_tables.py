"""A table of cases is one test that tries them all and names those that do not hold."""

import pytest

from tests.tables import each_case


def test_every_case_is_tried_and_each_that_fails_is_named() -> None:
    tried = []

    @each_case("number, half", [(2, 1), (3, 1), (4, 2), pytest.param(9, 3, id="nine")])
    def halved(number: int, half: int) -> None:
        tried.append(number)
        assert number / 2 == half

    with pytest.raises(pytest.fail.Exception, match=r"(?s)^2 of 4 cases:\n3 1\n.*\nnine\n"):
        halved()
    assert tried == [2, 3, 4, 9]


def test_tables_cross_and_what_is_no_case_is_asked_of_pytest(tmp_path: object) -> None:
    tried = []

    @each_case("one", "ab")
    @each_case(("other",), [1, 2])
    def crossed(one: str, other: int, shared: object) -> None:
        tried.append((one, other, shared))

    crossed(shared=tmp_path)
    assert tried == [(one, other, tmp_path) for one in "ab" for other in (1, 2)]


def test_an_exception_and_an_expected_one_that_stays_away_fail_their_cases() -> None:
    @each_case("number", [0, 1, 2])
    def divides(number: int) -> None:
        with pytest.raises(KeyError):
            {1: 1}[1 // number]

    with pytest.raises(
        pytest.fail.Exception,
        match=r"(?s)^2 of 3 cases:\n0\n    ZeroDivisionError.*\n1\n    Failed: DID NOT RAISE",
    ):
        divides()


def test_no_table_is_empty() -> None:
    with pytest.raises(ValueError, match="without cases"):
        each_case("number", [])
    with pytest.raises(ValueError, match="no marks"):
        each_case("number", [pytest.param(1, marks=pytest.mark.skip)])


def test_cases_are_named_as_the_table_says() -> None:
    @each_case("one, other", [(1, 2), pytest.param(1, 3, id="own")], ids=lambda value: f"<{value}>")
    def never(one: int, other: int) -> None:
        assert one == other

    with pytest.raises(pytest.fail.Exception, match=r"(?s)\n<1> <2>\n.*\nown\n"):
        never()
