"""What reviewers send: checked for shape here, for rights and state by the model."""

from typing import Any

from django import forms

from reviews.models import ClaimVerdict, HallucinationReview

DATABASE = "database"
"""The verdict button that corrects to the candidate found in the records or sources."""


class VerdictForm(forms.Form):
    """One verdict on one claim."""

    version = forms.IntegerField(min_value=1)
    verdict = forms.ChoiceField(
        choices=[*ClaimVerdict.Verdict.choices, (DATABASE, "Use the value of record")]
    )
    reason_code = forms.ChoiceField(choices=[("", ""), *ClaimVerdict.Reason.choices], required=False)
    corrected_value = forms.CharField(max_length=2000, required=False, strip=True)
    note = forms.CharField(max_length=4000, required=False, strip=True)
    idempotency_key = forms.CharField(max_length=200, required=False)


class ResolveForm(forms.Form):
    """The end of a review."""

    version = forms.IntegerField(min_value=1)
    final_confidence = forms.FloatField(min_value=0, max_value=1, required=False)
    outcome = forms.ChoiceField(choices=[("", ""), *HallucinationReview.Outcome.choices], required=False)
    reason = forms.CharField(max_length=1000, required=False, strip=True)
    idempotency_key = forms.CharField(max_length=200, required=False)

    def content(self) -> dict[str, Any]:
        """The arguments of :meth:`HallucinationReview.resolve` besides user and version."""
        data = self.cleaned_data
        return {
            "final_confidence": data["final_confidence"],
            "outcome": data["outcome"] or None,
            "reason": data["reason"],
            "idempotency_key": data["idempotency_key"],
        }


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(max_length=1000, strip=True)


def first_error(form: forms.Form) -> str:
    """The first thing wrong with a form, naming its field."""
    name, errors = next(iter(form.errors.items()))
    label = str(form.fields[name].label or name.replace("_", " ")) if name in form.fields else name
    return f"{label.capitalize()}: {errors[0]}"
