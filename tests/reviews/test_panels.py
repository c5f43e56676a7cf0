"""What stands beside a claim: rules with their sentence, places in sources, what one key accepts."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from reviews.models import ClaimVerdict, HallucinationReview, Lease, ReviewPass
from reviews.review_page.panels import Panel
from reviews.review_page.presentation import Page, presentation
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]

SENTENCE = "Net operating income typically was $5.00 [S0]."


def panel(page: Page, n: int) -> Panel:
    return next(p for p in page.panels if p.claim.n == n)


def judged(**rules: Any) -> answers.Written:
    """A sentence with a number in it; ``rules`` are the citation rules of the result."""
    written = answers.Written(SENTENCE, rules=rules.pop("rules", {}), checks=rules.pop("checks", {}))
    written.sources = [
        {"ref": "S0", "text": "Nothing of it.", "score": 0.5},
        {"ref": "S1", "text": "Net operating income was $5.00.", "score": 0.9},
    ]
    written.claim(SENTENCE, "statement", "unsupported", "miscited", **({"citations": ["S0"]} | rules))
    written.claim("$5.00", "currency", "unsupported", "not_found", statement=0,
        numeric=answers.number("5", None, "USD", "net_operating_income"))  # fmt: skip
    return written


def test_a_misplaced_citation_names_the_source_that_says_it(reviewer: User) -> None:
    review = judged(rules={"misplaced_citations": [{"claim": 0, "cited": ["S0"], "better": "S1"}]}).store()
    (rule,) = panel(presentation(review, reviewer), 1).rules.found
    assert (rule.code, rule.text) == ("misplaced", "It cites [S0], but [S1] says it.")


def test_a_number_is_shown_with_the_rules_of_its_sentence(reviewer: User) -> None:
    opinion = [{"kind": "over_extrapolation", "reason": "The source names no year."}]
    review = judged(
        judge=opinion,
        grounding={"overlap": 0.714, "source": "S1"},
        rules={"invalid_citations": ["S0"], "indicator_phrases": ["typically", "usually"]},
    ).store()
    rules = panel(presentation(review, reviewer), 2).rules
    assert rules.sentence == SENTENCE
    assert [(rule.code, rule.text, rule.told) for rule in rules.found] == [
        ("citation", "It cites [S0], and there is no such source.", ""),
        ("phrase", "It says “typically”, which often stands where evidence is missing.", ""),
        ("grounding", "71 % of its words stand in [S1].", ""),
        ("judge", "it goes further than the sources do", "The source names no year."),
    ]
    assert panel(presentation(review, reviewer), 1).rules.sentence == ""


def test_a_long_sentence_without_a_source_is_told(reviewer: User) -> None:
    review = judged(citations=[], judge=[], rules={"uncited_sentences": [SENTENCE[:30]]}).store()
    found = panel(presentation(review, reviewer), 1).rules.found
    assert [rule.text for rule in found] == [
        "It is long enough to need a source and cites none.",
        "It has nothing against this sentence.",
    ]


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (
            {"status": "timeout", "reason": "after 100 ms"},
            "The check of numbers ran out of time: after 100 ms",
        ),
        ({"status": "error", "reason": ""}, "The check of numbers failed."),
        ({"status": "ok", "reason": ""}, ""),
    ],
)
def test_a_check_that_did_not_run_is_told_and_never_green(
    reviewer: User, check: dict[str, str], told: str
) -> None:
    written = answers.Written("NOI was $5.00.", checks={"numeric": check})
    written.claim("$5.00", "currency", "unverified", "timeout", flagged=True,
        numeric=answers.number("5", None, "USD", "net_operating_income"))  # fmt: skip
    shown = panel(presentation(written.store(), reviewer), 1)
    assert (shown.claim.tone, shown.nothing, shown.unchecked) == ("idle", "Not checked.", told)


def parts(*pages: int) -> list[dict[str, Any]]:
    return [
        {"ref": f"D.{n}", "parent_ref": "D", "text": f"Part {n} of the report.", "score": 0.5 + n / 100,
         "metadata": {"page": page}}
        for n, page in enumerate(pages)
    ]  # fmt: skip


def test_a_source_is_shown_with_its_rank_and_the_parts_beside_it(reviewer: User) -> None:
    written = answers.Written("It is part of the report [D.0].")
    written.sources = parts(7, 9, 5)
    written.claim(written.text, "statement", "unsupported", "unsupported", citations=["D.0"])
    (chunk,) = panel(presentation(written.store(), reviewer), 1).chunks
    assert (chunk.rank, chunk.of, chunk.score, chunk.page) == (3, 3, "0.50", "7")
    assert chunk.previous is not None
    assert chunk.following is not None
    assert (chunk.previous.ref, chunk.following.ref) == ("D.2", "D.1")
    assert chunk.following.text == "Part 1 of the report."


def test_a_citation_of_a_document_shows_its_parts_and_is_not_missing(reviewer: User) -> None:
    written = answers.Written("It is part of the report [D].")
    written.sources = parts(1, 2, 3)
    written.claim(written.text, "statement", "unsupported", "unsupported", citations=["D", "E"])
    shown = panel(presentation(written.store(), reviewer), 1)
    assert [chunk.ref for chunk in shown.chunks] == ["D.0", "D.1"]
    assert shown.missing == ("E",)


def test_row_and_column_of_the_matching_cell_are_marked(reviewer: User) -> None:
    chunk = panel(presentation(answers.oak_plaza(), reviewer), 2).chunks[0]
    table = next(block for block in chunk.blocks if block.rows)
    labels = [
        "".join(p.text for p in cell.pieces)
        for row in (*table.head, *table.rows)
        for cell in row
        if cell.label
    ]
    assert labels == ["Q3 2024", "Net operating income"]


def test_what_a_source_says_of_another_claim_leads_to_it(reviewer: User) -> None:
    review = answers.oak_plaza()
    other = review.run.claims.get(index=3)
    first = panel(presentation(review, reviewer), 1)
    rent = next(chunk for chunk in first.chunks if chunk.ref == "S1")
    keys = [(piece.text, piece.keys) for p in rent.paragraphs for piece in p.pieces if piece.keys]
    assert keys == [("85.5%", (other.pk,))]
    own = panel(presentation(review, reviewer), 4)
    assert [piece.keys for c in own.chunks for p in c.paragraphs for piece in p.pieces if piece.keys] == [
        ("match",)
    ]


def test_a_recognised_mistake_is_ready_to_be_accepted(reviewer: User) -> None:
    page = presentation(answers.off_period(), reviewer)
    proposed = panel(page, 1).proposal
    assert proposed is not None
    assert (proposed.verdict, proposed.reason_code, proposed.leads_to) == (
        "database",
        "wrong_period",
        "wrong period",
    )
    written = answers.Written("NOI was $5.00.")
    written.claim("$5.00", "currency", "contradicted", "off_property", slips=[{"code": "property", "text": "equals NOI of ELM"}],
        numeric=answers.number("5", None, "USD", "net_operating_income"))  # fmt: skip
    other = panel(presentation(written.store(), reviewer), 1).proposal
    assert other is not None
    assert (other.verdict, other.reason_code) == ("rejected", "wrong_entity")


def carried(review: HallucinationReview, giver: User, taker: User) -> HallucinationReview:
    """``review`` taken by ``taker`` with a suggestion for its first claim, from a verdict of ``giver``."""
    older = judged().store()
    Lease.take(older, giver)
    ReviewPass.decide(older, giver, older.version, older.run.claims.get(index=1), "corrected", corrected_value="$6.00",
        reason_code="wrong_value")  # fmt: skip
    Lease.take(review, taker)
    mine = review.pass_of(taker)
    assert mine is not None
    ClaimVerdict.objects.create(review_pass=mine, claim=review.run.claims.get(index=1), verdict="corrected",
        reason_code="wrong_value", corrected_value="$6.00", carried_from=ClaimVerdict.objects.get(), decided_at=None)  # fmt: skip
    return review


def test_a_carried_verdict_is_a_suggestion_until_it_is_confirmed(reviewer: User, colleague: User) -> None:
    review = carried(judged().store(), colleague, reviewer)
    page = presentation(review, reviewer)
    shown = panel(page, 2)
    assert (shown.claim.carried, shown.claim.verdict) == ("corrected", "")
    assert shown.proposal is not None
    assert (shown.proposal.carried, shown.proposal.verdict, shown.proposal.corrected_value) == (
        True,
        "corrected",
        "$6.00",
    )
    assert 2 in [c.n for c in page.undecided]
    assert page.corrections == 0
    ClaimVerdict.objects.filter(carried_from__isnull=False).update(decided_at=timezone.now())
    confirmed = panel(presentation(review, reviewer), 2)
    assert (confirmed.claim.carried, confirmed.claim.verdict, confirmed.proposal) == ("", "corrected", None)


def test_a_blind_pass_is_told_no_rule_no_suggestion_and_no_agreement(reviewer: User) -> None:
    written = judged(
        judge=[{"kind": "uncited", "reason": "…"}],
        grounding={"overlap": 0.1, "source": "S1"},
        rules={
            "invalid_citations": ["S0"],
            "misplaced_citations": [{"claim": 0, "cited": ["S0"], "better": "S1"}],
        },
    )
    written.claim("was $5.00", "number", "unverified", "timeout", statement=0,
        evidence=[answers.record("7", "USD", "net_operating_income", period="Q2 2024")],
        slots=[answers.slot("period", "Q3 2024", "Q2 2024", "conflict")],
        numeric=answers.number("5", "7", "USD", "net_operating_income"))  # fmt: skip
    review = written.store(*answers.portfolio())
    HallucinationReview.objects.filter(pk=review.pk).update(
        selection_reason="audit_random", selection_probability=0.03
    )
    review.refresh_from_db()
    Lease.take(review, reviewer)
    page = presentation(review, reviewer)
    assert [p.rules.found for p in page.panels] == [(), (), ()]
    assert {p.unchecked for p in page.panels} == {""}
    assert "wrong" not in " ".join(piece.look for piece in page.pieces)
    compared = panel(page, 3).comparison
    assert compared is not None
    assert [differs for _text, differs in (*compared.claimed, *compared.expected)] == [False, False]
    assert {slot.verdict for slot in (*compared.slots, *panel(page, 3).slots)} == {""}
    assert panel(page, 3).apart == ()
    assert panel(page, 2).nothing == "Nothing was found to compare it with."
