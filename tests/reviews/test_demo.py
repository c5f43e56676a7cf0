"""The demo: complete, repeatable, and showing every claim status in three languages."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from detection.access import roles
from detection.models import Answer, ApiKey, Claim, FinancialMetrics
from hallu_site.startup import refuse_demo_users
from reviews.demo.answers import demo_answers
from reviews.demo.people import DEMO_USERS, seed_people
from reviews.demo.portfolio import HOLDINGS, seed_portfolio
from reviews.models import HallucinationReview
from reviews.review_page.source_tables import excerpt

pytestmark = pytest.mark.django_db


def seed(*, now: bool = False) -> str:
    out = StringIO()
    call_command("seed_demo", now=now, stdout=out)
    return out.getvalue()


@pytest.mark.requirement("APP-01")
@pytest.mark.budget(60)  # it judges the whole demo
def test_the_demo_shows_every_claim_status_in_three_languages(settings: Any, tmp_path: Path) -> None:
    settings.HALLU_VAR = tmp_path
    settings.HALLU_AUDIT_BASE = 1.0
    said = seed(now=True)
    audits = HallucinationReview.objects.filter(selection_reason="audit_random")
    assert set(audits.values_list("blind", "run__needs_review")) == {(True, False)}
    statuses = {"supported", "contradicted", "unsupported", "unverified", "not_checked"}
    assert set(Claim.objects.values_list("status", flat=True)) == statuses
    findings = set(Claim.objects.exclude(kind="statement").values_list("finding", flat=True))
    assert {
        "derived",
        "contradicted",
        "unbound",
        "transposed",
        "scale",
        "off_period",
        "off_property",
        "off_metric",
    } <= findings
    assert set(Answer.objects.values_list("language", flat=True)) == {"en", "he", "zh"}
    assert Answer.objects.count() >= 100
    assert HallucinationReview.objects.filter(state="open").exists()
    for name, role in DEMO_USERS.items():
        assert f"{name} / " in said
        assert role in roles(User.objects.get(username=name))
    assert ApiKey.find(said.split("API key")[1].split()[0]) is not None


def test_seeding_twice_changes_nothing(settings: Any, tmp_path: Path) -> None:
    settings.HALLU_VAR = tmp_path
    first = seed()
    counts = [model.objects.count() for model in (Answer, Claim, FinancialMetrics, User, ApiKey)]
    second = seed()
    assert [model.objects.count() for model in (Answer, Claim, FinancialMetrics, User, ApiKey)] == counts
    assert second == first.replace(f"{counts[0]} new answers", "0 new answers")


def test_the_demo_keeps_tables_in_three_forms() -> None:
    """Works stand in a source alone; their table is read as one, whatever its form."""
    works = [answer for answer in demo_answers() if answer.name.endswith("-works")]
    assert {holding.form for holding in HOLDINGS} == {"markdown", "csv", "html"}
    assert {answer.language for answer in works} == {"en", "he", "zh"}
    for answer in works:
        (text,) = (source["text"] for source in answer.sources if source["id"] == "S3")
        (table,) = (block for block in excerpt(text, [], 0, len(text)).blocks if block.rows)
        assert (len(table.head), len(table.rows)) == (1, 4)
        assert {len(row) for row in table.rows} == {3}


def test_the_figures_of_the_demo_hang_together() -> None:
    seed_portfolio()
    for row in FinancialMetrics.objects.all():
        assert row.net_operating_income == row.total_revenue - row.operating_expenses
        assert row.occupancy_rate + row.vacancy_rate == 100


def test_demo_users_are_refused_in_production(settings: Any, tmp_path: Path) -> None:
    settings.HALLU_VAR = tmp_path
    seed_people()
    refuse_demo_users()
    settings.PRODUCTION = True
    with pytest.raises(Exception, match="Demo users exist in a production database"):
        refuse_demo_users()
    with pytest.raises(CommandError, match="not made on a production database"):
        seed()
