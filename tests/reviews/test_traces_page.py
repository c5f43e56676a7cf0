"""The pages of audited traces: who sees them, what they show, without script and without colour alone."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from detection import traces
from detection.models import Property, PropertyGroup, Trace

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SPEC-08.24")]
CONTEXT = [
    {
        "id": "S0",
        "title": "Q3 report",
        "text": "In Q3 2024 rental income was $1,500,000. Expenses were $600,000.",
    },
    {"id": "S1", "parent_id": "lease.pdf", "text": "The anchor tenant renewed its lease for ten years."},
]
STEPS: list[dict[str, Any]] = [
    {"text": "Rental income was $1,500,000 in Q3 2024.", "citations": ["S0"], "confidence": 0.9},
    {"text": "The roof garden was opened by the mayor in spring.", "citations": ["S9"]},
    {"text": "The roof garden opened by the mayor blooms <b>in spring</b>."},
    {"text": "The anchor tenant renewed its lease for ten years [lease.pdf]."},
    {"text": "What else is known?"},
]


def audited(about: Property | None = None, **fields: Any) -> Trace:
    given = {
        "context": CONTEXT,
        "question": "What was rental income?",
        "answer": "Rental income was $1,500,000 in Q3 2024.",
    }
    return traces.audit(traces.trace_of(STEPS, **{**given, **fields}), about=about)


@pytest.fixture
def as_viewer(viewer: User) -> Client:
    client = Client()
    client.force_login(viewer)
    return client


def page(client: Client, trace: Trace) -> str:
    response = client.get(reverse("trace", args=[trace.pk]))
    assert response.status_code == 200
    return response.content.decode()


def step_of(html: str, n: int) -> str:
    return html.split(f'<li id="step-{n}"')[1].split("</li>")[0]


def test_the_page_shows_each_step_in_words_sign_and_line(as_viewer: Client) -> None:
    html = page(as_viewer, audited())
    found = re.findall(r'<li id="step-\d" class="step (\w+)" data-testid="step" data-status="(\w+)"', html)
    assert found == [
        ("ok", "ENTAILED"),
        ("doubt", "NOT_IN_CONTEXT"),
        ("doubt", "NOT_IN_CONTEXT"),
        ("ok", "ENTAILED"),
        ("idle", "UNVERIFIABLE"),
    ]
    assert "</span> doubtful" in step_of(html, 2)
    assert '<span class="icon" aria-hidden="true">✓</span> entailed' in step_of(html, 1)


def test_both_probabilities_and_the_budget_are_shown(as_viewer: Client) -> None:
    trace = audited()
    first = step_of(page(as_viewer, trace), 1)
    row = trace.steps.get(index=0)
    assert row.strawberry
    assert f"p1 {row.strawberry['p1'] * 100:.0f} %" in first
    assert f"p0 {row.strawberry['p0'] * 100:.0f} %" in first
    assert (
        f"It needed {row.required_bits:.2f} bits of evidence and got {row.observed_bits:.2f} bits." in first
    )
    assert first.count("<svg") == 2
    assert 'data-testid="step-budget"' not in step_of(page(as_viewer, trace), 5)


def test_a_step_that_is_likely_without_evidence_needs_none(as_viewer: Client) -> None:
    said = "The tenant pays the insurance of the building."
    twice = [{"id": "S0", "text": said}, {"id": "S1", "text": f"We know that the landlord says: {said}"}]
    row, steps = traces.examine(traces.trace_of([{"text": said, "citations": ["S0"]}], context=twice))
    steps[0].required_bits, steps[0].observed_bits = -0.55, 0.18
    first = step_of(page(as_viewer, row.record(steps)), 1)
    assert "It is likely enough without evidence; the evidence adds 0.18 bits." in first


def test_citations_lead_to_the_context_and_to_steps(as_viewer: Client) -> None:
    html = page(as_viewer, audited())
    assert 'href="#source-0"' in step_of(html, 1)
    assert 'id="source-0"' in html
    assert "there is no such source" in step_of(html, 2)
    assert 'href="#step-2">rests on step 2' in step_of(html, 3)
    assert 'href="#source-1"' in step_of(html, 4)


@pytest.mark.requirement("SPEC-08.25")
def test_the_answer_stands_beside_the_verdict(as_viewer: Client) -> None:
    html = page(as_viewer, audited())
    assert 'data-verdict="derivable"' in html
    assert "Rental income was $1,500,000 in Q3 2024." in html.split('data-testid="post-hoc"')[1]
    other = page(as_viewer, audited(answer="The lobby was painted blue by an artist."))
    assert 'data-verdict="not_derivable"' in other
    assert "does not follow" in other
    assert 'data-verdict="unknown"' in page(as_viewer, audited(answer=""))


@pytest.mark.requirement("SPEC-08.26")
def test_the_executors_answer_stands_beside_the_given_one(as_viewer: Client) -> None:
    row, steps = traces.examine(traces.trace_of(["The lease is new."], answer="It is new."))
    row.executor_answer, row.method, row.derivable = "It is old.", "executor", False
    html = page(as_viewer, row.record(steps)).split('data-testid="post-hoc"')[1]
    assert (
        html.index("Answer given")
        < html.index("It is new.")
        < html.index("Executor's answer")
        < html.index("It is old.")
    )


def test_what_was_submitted_is_text_and_never_markup(as_viewer: Client) -> None:
    html = page(as_viewer, audited())
    assert "<b>in spring</b>" not in html
    assert "&lt;b&gt;in spring&lt;/b&gt;" in html


def test_hebrew_reads_from_the_right(as_viewer: Client) -> None:
    said = "הדייר חידש את חוזה השכירות לעשר שנים."
    trace = traces.audit(traces.trace_of([said], context=[said], question="מה עשה הדייר?", answer=said))
    html = page(as_viewer, trace)
    assert 'class="said" dir="rtl" lang="he"' in html
    assert '<div class="text" dir="rtl"' in html


def test_long_texts_and_many_sources_are_cut_and_say_so(as_viewer: Client) -> None:
    many = [{"id": f"D{n}", "text": "A source of no consequence."} for n in range(150)]
    many[149]["text"] = "x" * 5000
    html = page(
        as_viewer, traces.audit(traces.trace_of([{"text": "It is so.", "citations": ["D149"]}], context=many))
    )
    assert html.count('data-testid="source"') == 100
    assert "50 more sources" in html
    assert "1000 characters more" in html
    assert 'href="#source-149"' in html


def test_a_trace_without_context_says_what_premises_are(as_viewer: Client) -> None:
    html = page(as_viewer, traces.audit(traces.trace_of(["All tenants pay monthly."])))
    assert 'data-testid="no-context"' in html
    assert "A premise" in html


# --- the list -----------------------------------------------------------------------------------------
def test_the_list_has_one_row_for_each_trace_newest_first(as_viewer: Client) -> None:
    older, newer = audited(), audited(question="And the lease?")
    html = as_viewer.get(reverse("traces")).content.decode()
    assert html.count('data-testid="trace-row"') == 2
    assert html.index(str(newer.pk)) < html.index(str(older.pk))
    assert '<a href="/traces/" aria-current="page">Traces</a>' in html


def test_the_list_is_narrowed_by_words_and_by_the_worst_step(as_viewer: Client) -> None:
    good = traces.audit(
        traces.trace_of(["The lease is new and long."], context=["The lease is new and long."])
    )
    bad = audited()
    for query, shown in [
        ("q=rental", {bad.pk}),
        ("worst=supported", {good.pk}),
        ("worst=not_checked", set()),
        ("worst=doubtful", {bad.pk}),
        ("worst=nonsense", {good.pk, bad.pk}),
    ]:
        html = as_viewer.get(f"{reverse('traces')}?{query}").content.decode()
        assert {t.pk for t in (good, bad) if str(t.pk) in html} == shown, query
    assert "No traces match" in as_viewer.get(f"{reverse('traces')}?q=zebra").content.decode()


def test_older_traces_are_a_link_away(as_viewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviews.answers.traces.SIZE", 2)
    rows = [audited() for _ in range(3)]
    first = as_viewer.get(reverse("traces")).content.decode()
    (link,) = re.findall(r'<a href="(\?after=[^"]+)">Older', first)
    second = as_viewer.get(reverse("traces") + link).content.decode()
    assert str(rows[0].pk) in second
    assert second.count('data-testid="trace-row"') == 1
    assert as_viewer.get(f"{reverse('traces')}?after=nonsense").status_code == 200


def test_an_empty_list_says_how_traces_come(as_viewer: Client, settings: Any) -> None:
    assert "HALLU_TRACE_AUDITING" in as_viewer.get(reverse("traces")).content.decode()
    tree = settings.HALLUCINATION
    settings.HALLUCINATION = {**tree, "trace_auditing": {**tree["trace_auditing"], "enabled": True}}
    html = as_viewer.get(reverse("traces")).content.decode()
    assert "Traces appear here" in html
    assert 'data-testid="empty"' in html


# --- who ----------------------------------------------------------------------------------------------
def test_nobody_sees_a_trace_before_logging_in(client: Client) -> None:
    for url in (reverse("traces"), reverse("trace", args=[audited().pk])):
        assert client.get(url)["Location"].startswith("/login/")


def test_a_trace_about_a_property_of_another_group_is_not_found(as_viewer: Client, viewer: User) -> None:
    elm = Property.objects.create(code="ELM", name="Elm Court")
    north = PropertyGroup.objects.create(name="north")
    elm.groups.add(north)
    trace = audited(about=elm)
    assert as_viewer.get(reverse("trace", args=[trace.pk])).status_code == 404
    assert str(trace.pk) not in as_viewer.get(reverse("traces")).content.decode()
    north.members.add(viewer)
    assert "Elm Court" in page(as_viewer, trace)


def test_pages_are_read_only(as_viewer: Client) -> None:
    trace = audited()
    for url in (reverse("traces"), reverse("trace", args=[trace.pk])):
        assert as_viewer.post(url).status_code == 405
        assert as_viewer.get(url)["Cache-Control"] == "no-store"
