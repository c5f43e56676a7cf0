"""A trace is told in the reader's language, red only with proof; what was delivered stays as it was."""

import re
from typing import Any

import pytest
import regex
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from detection import traces
from detection.core.ports import Estimate
from detection.models import Trace
from detection.operations import verifying
from tests.core.trace_cases import DOUBTFUL, REFUTED, Believing

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-07")]
WORKED: dict[str, dict[str, Any]] = {
    "en": {
        "context": ["In Q3 2024 rental income of Oak Tower was $1,500,000."],
        "steps": ["Rental income of Oak Tower was $1,700,000 in Q3 2024.", "2 + 2 = 5", "Who asks?"],
    },
    "he": {
        "context": ['הכנסות השכירות של מגדל האלון היו 1,500,000 ש"ח.'],
        "steps": ['הכנסות השכירות של מגדל האלון היו 1,700,000 ש"ח.', "2 + 2 = 5", "מי שואל?"],
    },
    "zh": {
        "context": ["橡树大厦2024年第三季度的租金收入为150万美元。"],
        "steps": ["橡树大厦2024年第三季度的租金收入为170万美元。", "2 + 2 = 5", "谁在问？"],
    },
}
SCRIPTS = {"en": "[a-z]{3}", "he": r"\p{Hebrew}{2}", "zh": r"\p{Han}{2}"}
READERS = {"en": "en", "he": "he", "zh": "zh-hans"}


@pytest.fixture
def as_viewer(client: Client, viewer: User) -> Client:
    client.force_login(viewer)
    return client


def audited(language: str) -> Trace:
    given = WORKED[language]
    answer = given["context"][0]
    return traces.audit(
        traces.trace_of(given["steps"], context=given["context"], answer=answer, language=language)
    )


@pytest.mark.parametrize("language", list(WORKED))
def test_what_is_delivered_is_in_the_language_of_the_trace(language: str) -> None:
    row = audited(language)
    for reason in [row.reason, *(step.reason for step in row.steps.all())]:
        assert regex.search(SCRIPTS[language], reason), reason


@pytest.mark.parametrize("reader", list(READERS))
@pytest.mark.parametrize("language", list(WORKED))
def test_the_reader_reads_their_own_language(language: str, reader: str) -> None:
    row = audited(language)
    steps = list(row.steps.order_by("index"))
    reason, reasons = traces.retold(row, steps, READERS[reader])
    foreign = [script for other, script in SCRIPTS.items() if other not in ("en", reader)]
    for told in [reason, *reasons]:
        assert regex.search(SCRIPTS[reader], told), told
        assert not any(regex.search(script, told) for script in foreign), told
    delivered = [step.reason for step in row.steps.order_by("index")]
    assert (reasons == delivered) is (reader == language)


def test_the_page_tells_it_in_the_language_of_the_request(as_viewer: Client) -> None:
    row = audited("he")
    for reader in ("en", "zh-hans"):
        with translation.override(reader):
            html = as_viewer.get(
                reverse("trace", args=[row.pk]), headers={"accept-language": reader}
            ).content.decode()
        assert row.reason not in html
        assert not any(step.reason in html for step in row.steps.all())


def test_of_a_finding_that_is_found_otherwise_today_the_stored_sentence_stays() -> None:
    row = audited("en")
    steps = list(row.steps.order_by("index"))
    steps[0].finding, steps[0].reason = "of_another_time", "As it was said."
    row.derivable, row.reason = True, "As it was said."
    reason, reasons = traces.retold(row, steps, "he")
    assert (reason, reasons[0]) == ("As it was said.",) * 2
    assert regex.search(SCRIPTS["he"], reasons[1])


def test_what_cannot_be_read_any_more_is_shown_as_it_was_delivered() -> None:
    row = audited("en")
    steps = list(row.steps.order_by("index"))
    steps[1].measurement = {"schema": 99}
    assert traces.retold(row, steps, "he") == (row.reason, [step.reason for step in steps])


class Refusing(Believing):
    """A verifier that says of every statement that its context refutes it."""

    def batch_estimate(self, claims: Any, context: str) -> list[Estimate]:
        return [self.estimate(*(REFUTED if context.strip() else DOUBTFUL)) for _ in claims]


def test_what_only_a_verifier_is_against_is_doubtful_and_never_red(
    as_viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "verifier_for", lambda _operation: Refusing())
    row = traces.audit(
        traces.trace_of(
            ["The tenant left the building.", "The tenant paid nothing at all.", "2 + 2 = 5"],
            context=["The tenant renewed the lease."],
        )
    )
    found = list(row.steps.order_by("index").values_list("status", "conclusion"))
    assert found == [("CONTRADICTED", "doubtful")] * 2 + [("CONTRADICTED", "wrong")]
    page = as_viewer.get(reverse("trace", args=[row.pk])).content.decode()
    assert re.findall(r'class="step (\w+)" data-testid', page) == ["doubt", "doubt", "bad"]
    listed = as_viewer.get(reverse("traces")).content.decode()
    assert listed.count('class="chip bad"') == 1


def test_of_a_step_that_a_number_disproves_the_number_decides_before_the_verifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verifying, "verifier_for", lambda _operation: Refusing())
    step = audited("en").steps.get(index=0)
    assert (step.status, step.conclusion) == ("CONTRADICTED", "wrong")
    assert "1,500,000" in step.reason
