"""Each claim has one conclusion: proof before opinion, and what does not count is kept beside it (conclusion §3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.types import CONCLUSIONS, Claim, Finding, NumericDecision, StrawberryDecision
from detection.core.verdict import claim_findings, concluded, decided_by
from tests.core.test_covered import found

STATUSES = ("supported", "contradicted", "unsupported", "unverified", "not_checked")
KINDS = ("statement", "currency", "percentage", "ratio", "date", "number", "change")


@pytest.mark.parametrize(
    ("kind", "status", "code", "word"),
    [
        ("currency", "contradicted", "off_period", "wrong"),
        ("currency", "unsupported", "not_found", "not_in_evidence"),
        ("currency", "supported", "exact", "supported"),
        ("currency", "unverified", "timeout", "not_checked"),
        ("statement", "contradicted", "number_contradicted", "wrong"),
        ("statement", "contradicted", "contradicted", "doubtful"),
        ("statement", "unsupported", "unsupported", "doubtful"),
        ("statement", "supported", "covered", "supported"),
        ("statement", "not_checked", "hedge", "not_checked"),
    ],
)
def test_a_word_says_what_is_against_a_claim(kind: str, status: str, code: str, word: str) -> None:
    assert concluded(kind, status, code) == word


@given(kind=st.sampled_from(KINDS), status=st.sampled_from(STATUSES), code=st.text(max_size=12))
def test_only_a_supported_claim_is_called_supported(kind: str, status: str, code: str) -> None:
    word = concluded(kind, status, code)
    assert word in CONCLUSIONS
    assert (word == "supported") == (status == "supported")


@given(status=st.sampled_from(STATUSES), code=st.text(max_size=12))
def test_an_opinion_alone_never_calls_a_statement_wrong(status: str, code: str) -> None:
    assert (concluded("statement", status, code) == "wrong") == (
        (status, code) == ("contradicted", "number_contradicted")
    )


def test_what_the_verifier_said_of_a_covered_statement_stays_beside_it() -> None:
    finding = found("Net operating income of Oak Plaza was $1,234,567 in Q3 2024.")
    assert (finding.status, decided_by(finding)) == ("supported", "numeric")
    assert [(one.detector, one.status) for one in finding.overruled] == [("strawberry", "contradicted")]


def test_a_wrong_number_overrules_a_verifier_that_believes_its_statement() -> None:
    statement = Claim(0, "statement", "NOI was $5.", 0, 11, 0)
    number = Claim(1, "currency", "$5", 8, 10, 0, statement=0)
    decisions = {
        "strawberry": StrawberryDecision(
            (Finding("strawberry", 0, "supported", "supported", "Likely."),), {}, True, 1.0
        ),
        "numeric": NumericDecision((Finding("numeric", 1, "contradicted", "sign", "The sign is wrong."),)),
    }
    finding, _ = claim_findings((statement, number), {}, ("numeric", "strawberry"), decisions, "en")
    assert (finding.status, finding.code, decided_by(finding)) == (
        "contradicted",
        "number_contradicted",
        "numeric",
    )
    assert [(one.detector, one.status) for one in finding.overruled] == [("strawberry", "supported")]
