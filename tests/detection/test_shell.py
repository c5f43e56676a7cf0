"""The shell's functions: there from the start, structured, readable in a terminal and in a notebook (SPEC-08.31…33)."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from detection import toolkit
from detection.management.commands.shell import Command
from detection.models import Answer, DetectionRun, Fact
from detection.outcomes import ALWAYS, Outcome, Outcomes, outcome

pytestmark = pytest.mark.django_db

CLAIM = "The tenant pays the insurance premiums of the building."
EVIDENCE = "Under the lease the tenant pays the insurance premiums of the building."


def shell(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("shell", command=command, verbosity=0, stdout=StringIO())
    return capsys.readouterr().out


@pytest.mark.requirement("SPEC-08.31")
def test_the_shell_has_the_functions_from_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("verify_claim", "verify_claims", "audit_trace", "gate_fact", "judge")
    assert names == toolkit.FOR_THE_SHELL
    assert [f"detection.toolkit.{name}" for name in names] == Command().get_auto_imports()[-5:]
    assert shell(f"print({', '.join(f'{name}.__name__' for name in names)})", capsys).split() == list(names)


@pytest.mark.requirement("SPEC-08.31")
@pytest.mark.requirement("SPEC-08.32")
def test_what_the_shell_prints_is_the_structured_result(capsys: pytest.CaptureFixture[str]) -> None:
    shown = shell(f"print(verify_claim({CLAIM!r}, {EVIDENCE!r}, 0.6))", capsys)
    lines = dict(line.split(maxsplit=1) for line in shown.splitlines())
    assert set(ALWAYS) <= set(lines)
    assert lines["status"] == "supported"
    assert 0 < float(lines["p0"]) < float(lines["p1"]) < 1


@pytest.mark.requirement("SPEC-08.32")
def test_every_function_gives_the_figures_under_the_same_names(settings: Any) -> None:
    gate = {**settings.HALLUCINATION["memory_gate"], "enabled": True}
    settings.HALLUCINATION = {**settings.HALLUCINATION, "memory_gate": gate}
    claim = toolkit.verify_claim(CLAIM, EVIDENCE, 0.6)
    (first, *_) = toolkit.verify_claims(f"{CLAIM} The roof is new and green.", EVIDENCE)
    step = toolkit.audit_trace([CLAIM], [EVIDENCE]).steps[0]
    fact = toolkit.gate_fact(CLAIM, 0.6, EVIDENCE)
    assert claim.text == first.text == step.text == CLAIM
    for found in (claim, first, step, fact):
        assert set(ALWAYS) <= set(found)
        gap = found["required_bits"] - found["observed_bits"]
        assert found["budget_gap"] == pytest.approx(gap, abs=1e-5)
        assert found.p1 == found["p1"]


@pytest.mark.requirement("SPEC-08.32")
def test_a_result_is_a_dictionary_and_goes_through_json() -> None:
    found = toolkit.verify_claims(CLAIM, EVIDENCE)
    assert isinstance(found, list)
    assert all(isinstance(each, dict) for each in found)
    assert json.loads(json.dumps(found)) == found
    with pytest.raises(AttributeError, match="colour"):
        _ = found[0].colour


@pytest.mark.requirement("SPEC-08.33")
def test_a_claim_is_verified_by_hand_where_answers_are_not(settings: Any) -> None:
    output = {**settings.HALLUCINATION["output_verification"], "enabled": False}
    settings.HALLUCINATION = {**settings.HALLUCINATION, "output_verification": output}
    assert toolkit.verify_claim(CLAIM, EVIDENCE, 0.6)["status"] == "supported"
    settings.HALLUCINATION = {**settings.HALLUCINATION, "enabled": False}
    assert toolkit.verify_claim(CLAIM, EVIDENCE, 0.6)["status"] == "not_checked"


@pytest.mark.requirement("SPEC-08.33")
def test_an_agent_may_verify_while_it_works_and_leaves_nothing_behind() -> None:
    toolkit.verify_claim(CLAIM, EVIDENCE)
    toolkit.verify_claims(CLAIM, EVIDENCE)
    toolkit.audit_trace([CLAIM, "So the landlord does not pay them."], [EVIDENCE])
    assert [model.objects.count() for model in (Answer, DetectionRun, Fact)] == [0, 0, 0]


@pytest.mark.requirement("SPEC-08.32")
def test_a_notebook_shows_tables_and_no_markup_of_others() -> None:
    hostile = "<script>alert(1)</script> & “more”"
    row = Outcome(text=hostile, status="supported", p1=0.5, p0=None)
    nested = outcome({"steps": [row], hostile: "x"})
    for shown in (row._repr_html_(), Outcomes([row])._repr_html_(), nested._repr_html_()):
        assert "<script>" not in shown
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in shown
        assert shown.count("<table>") == shown.count("</table>") > 0
    assert "<th>p1</th>" in row._repr_html_()
    assert "<td>0.500</td>" in row._repr_html_()
    assert isinstance(nested.steps, Outcomes)


def test_a_terminal_shows_a_line_for_each() -> None:
    several = Outcomes(
        [Outcome(text="x" * 90, status="unsupported", p1=0.25), Outcome(text="short", status="not_checked")]
    )
    first, second = repr(several).splitlines()
    assert first.startswith("unsupported")
    assert "p1 0.250" in first
    assert first.endswith("x…")
    assert second.split() == ["not_checked", "short"]
    assert repr(Outcomes()) == "nothing"
    assert repr(outcome({"steps": several, "cost": {"calls": 2}})).splitlines()[-1].split() == [
        "cost",
        "calls",
        "2",
    ]
