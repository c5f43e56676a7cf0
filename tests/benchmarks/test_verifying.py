"""The benchmarks of verification run to their end and print what is asked for; the times themselves are no test."""

import re

import pytest

from benchmarks import verifying, verifying_endpoint
from benchmarks.verifying_cases import answer, read


def test_an_answer_has_its_claims_and_its_sets_of_citations() -> None:
    case = answer(10, seed=3)
    found = read(case)
    assert len({claim.text for claim in found}) == len(found) == 10
    assert len({claim.citations for claim in found}) == 3
    assert len(case.sources) == 10


@pytest.mark.requirement("GOV-11")
@pytest.mark.requirement("SPEC-08.36")
def test_our_own_time_and_the_cache_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for table in (verifying.overhead, verifying.local, verifying.kept):
        table(1)
    printed = capsys.readouterr().out
    for row in (r"20 claims: \d+ µs of CPU a claim", r"1 claims +\d", r"one estimate +\d+\.\d+"):
        assert re.search(row, printed), printed


@pytest.mark.requirement("GOV-09")
@pytest.mark.requirement("SPEC-08.37")
def test_no_question_is_asked_twice_and_money_follows_the_price(capsys: pytest.CaptureFixture[str]) -> None:
    verifying_endpoint.calls(0.0, 1)
    assert "27 calls, 27 of them distinct" in capsys.readouterr().out
    verifying_endpoint.costs(len, "characters", {"price_in": "1", "price_out": "0"})
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert [int(row[0]) for row in rows] == [1, 5, 10] * 2
    for row in rows:
        tokens, calls = int(row[3].replace(",", "")), int(row[2])
        assert float(row[4]) == pytest.approx((tokens - calls) / 1_000_000)
