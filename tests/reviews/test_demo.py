"""The demo: it tells the truth of each answer, has a history, is complete, repeatable, and in three languages."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from detection.models import Answer, ApiKey, Claim, FinancialMetrics
from hallu_site.startup import refuse_demo_users
from reviews.demo.answers import demo_answers
from reviews.demo.history import missing
from reviews.demo.people import seed_people
from reviews.demo.portfolio import HOLDINGS, seed_portfolio
from reviews.review_page.source_tables import excerpt
from reviews.tasks import settle_demo

pytestmark = pytest.mark.django_db
DEMO = {answer.name: answer for answer in demo_answers()}
WRONG = {name for name, answer in DEMO.items() if answer.wrong}
PAST = {name for name, answer in DEMO.items() if answer.past}


def seed() -> str:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    return out.getvalue()


def test_most_answers_are_correct_and_each_wrong_one_says_where() -> None:
    assert 0.1 <= len(WRONG) / len(DEMO) <= 0.2
    for part in (PAST, set(DEMO) - PAST):
        assert 0.1 <= len(WRONG & part) / len(part) <= 0.25
    for answer in DEMO.values():
        assert bool(answer.wrong) == bool(answer.reason)
        assert answer.wrong in answer.answer
        assert answer.wrong != answer.right or not answer.wrong
    assert {DEMO[name].language for name in WRONG} == {"en", "he", "zh"}


def test_workers_settle_the_history_one_answer_at_a_time(settings: Any, tmp_path: Path) -> None:
    settings.HALLU_VAR = tmp_path
    seed()
    assert not Answer.objects.filter(query__external_id__in=PAST).exists()
    (oldest, following, *_) = [demo.name for demo in missing()]
    settle_demo("demo")
    settle_demo("demo")
    settled = Answer.objects.filter(runs__finished_at__isnull=False).order_by("created_at")
    assert list(settled.values_list("query__external_id", flat=True)) == [oldest, following]


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
