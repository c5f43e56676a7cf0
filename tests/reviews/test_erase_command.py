"""``manage.py erase`` says what goes and what remains, asks, and erases what is asked for, once."""

import builtins
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from detection.models import Answer, Erasure, Query
from tests.api_calls import Caller
from tests.reviews.erased import WORD, said, saying

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("SEC-19")]


def ran(*arguments: str) -> str:
    out = io.StringIO()
    call_command("erase", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def answer(backend: Caller) -> Answer:
    return said(backend)


def test_a_dry_run_tells_what_goes_and_what_remains_and_erases_nothing(answer: Answer) -> None:
    told = ran("--answer", str(answer.pk), "--dry-run")
    assert "       1  questions and answers" in told
    assert "       1  sources" in told
    assert "       1  open reviews end without a decision" in told
    assert "What remains, and why" in told
    assert told.endswith("Nothing was erased.\n")
    assert saying()
    assert not Erasure.objects.exists()


@pytest.mark.parametrize("name", [f"{WORD}@example.com", "dana"])
def test_all_that_somebody_asked_is_erased_and_no_more(
    backend: Caller, answer: Answer, reviewer: User, senior: User, name: str
) -> None:
    other = said(backend, external_id="another", asked_by="another@example.com")
    Query.objects.filter(pk=answer.query_id).update(user=reviewer)
    told = ran("--asked-by", name, "--by", senior.username, "--reason", "Article 17", "--yes")
    order = Erasure.objects.get()
    assert told.endswith(f"Erased 1, by order {order.pk}.\n")
    assert (order.ordered_by, order.reason, order.events.get().actor) == (senior, "Article 17", senior)
    answer.refresh_from_db()
    other.refresh_from_db()
    assert (answer.text, answer.erasure) == ("", order)
    assert (other.text != "", other.erasure) == (True, None)
    assert Query.objects.get(pk=answer.query_id).asked_by == ""
    again = ran("--asked-by", name, "--reason", "Article 17", "--yes")
    assert again == "There is nothing to erase: no such answer says anything any more.\n"
    assert Erasure.objects.count() == 1


@pytest.mark.parametrize(("said_by_them", "is_erased"), [("yes", True), ("y", False), ("", False)])
def test_it_asks_first(
    answer: Answer, monkeypatch: pytest.MonkeyPatch, said_by_them: str, is_erased: bool
) -> None:
    monkeypatch.setattr(builtins, "input", lambda _prompt: said_by_them)
    arguments = ("--answer", str(answer.pk), "--reason", "asked for")
    if is_erased:
        ran(*arguments)
    else:
        with pytest.raises(CommandError, match="Nothing was erased"):
            ran(*arguments)
    answer.refresh_from_db()
    assert (answer.erasure is not None) is is_erased


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "Say which"),
        (("--answer", "7"), "named by its id"),
        (("--answer", "b3f7a1de-0000-4000-8000-000000000000"), "There is no answer b3f7a1de"),
        (("--answer", "ANSWER", "--asked-by", "somebody"), "Say which"),
        (("--answer", "ANSWER", "--yes"), "Say why"),
        (("--answer", "ANSWER", "--yes", "--reason", "x", "--by", "nobody"), "There is no user"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_erased(
    answer: Answer, arguments: tuple[str, ...], why: str
) -> None:
    given: Any = [str(answer.pk) if word == "ANSWER" else word for word in arguments]
    with pytest.raises(CommandError, match=why):
        ran(*given)
    answer.refresh_from_db()
    assert answer.erasure is None
