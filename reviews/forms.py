"""What reviewers send: checked for shape here, for rights and state by the model."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.display import choices
from reviews.models import SKIP_REASONS, ClaimVerdict, HallucinationReview
from reviews.models.queue_columns import KINDS as KINDS_OF_CLAIMS

DATABASE = "database"
"""The verdict button that corrects to the candidate found in the records or sources."""
KINDS = [(kind, choices.KINDS[kind]) for kind in KINDS_OF_CLAIMS]
MORNING = time(8)
"""When a snoozed review comes back on its day, UTC."""


class VersionForm(forms.Form):
    """Any action on a review: the state that it was seen in, and the key under which it happens once."""

    version = forms.IntegerField(min_value=1)
    idempotency_key = forms.CharField(max_length=200, required=False)


class VerdictForm(VersionForm):
    """One verdict on one claim."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"),
        choices=[*ClaimVerdict.Verdict.choices, (DATABASE, gettext_lazy("Use the value of record"))],
    )
    reason_code = forms.ChoiceField(
        label=gettext_lazy("Reason"), choices=[("", ""), *ClaimVerdict.Reason.choices], required=False
    )
    corrected_value = forms.CharField(
        label=gettext_lazy("Correct value"), max_length=2000, required=False, strip=True
    )
    note = forms.CharField(label=gettext_lazy("Note"), max_length=4000, required=False, strip=True)

    def content(self) -> dict[str, str]:
        """The arguments of :meth:`ReviewPass.decide` besides review, user, version and claim."""
        names = ("verdict", "reason_code", "corrected_value", "note", "idempotency_key")
        return {name: self.cleaned_data[name] for name in names}


class AddedClaimForm(VerdictForm):
    """A claim that nobody read out of the answer, quoted from it, with its verdict (F26)."""

    verdict = forms.ChoiceField(label=gettext_lazy("Verdict"), choices=ClaimVerdict.Verdict.choices)
    quote = forms.CharField(
        label=gettext_lazy("The words of the answer, exactly"), max_length=4000, strip=False
    )
    prefix = forms.CharField(max_length=400, required=False, strip=False)  # type: ignore[assignment]  # a field's name
    suffix = forms.CharField(max_length=400, required=False, strip=False)
    kind = forms.ChoiceField(label=gettext_lazy("What it is"), choices=KINDS)

    def content(self) -> dict[str, str]:
        """The arguments of :meth:`HallucinationReview.add_claim` besides user and version."""
        names = ("quote", "prefix", "suffix", "kind")
        return super().content() | {name: self.cleaned_data[name] for name in names}


class ResolveForm(VersionForm):
    """The end of a review."""

    final_confidence = forms.FloatField(
        label=gettext_lazy("Final confidence"), min_value=0, max_value=1, required=False
    )
    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=[("", ""), *HallucinationReview.Outcome.choices],
        required=False,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=1000, required=False, strip=True)

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

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=1000, strip=True)


class ReleaseForm(forms.Form):
    """Why a review is given back, if that is said."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=1000, required=False, strip=True)


class SkipForm(forms.Form):
    """Why one passes on a review."""

    reason = forms.ChoiceField(label=gettext_lazy("Reason"), choices=[(code, code) for code in SKIP_REASONS])
    idempotency_key = forms.CharField(max_length=200, required=False)


class SnoozeForm(VersionForm):
    """Until when a review is put aside: one of the offered times, or the morning of a day."""

    until = forms.DateTimeField(
        label=gettext_lazy("Until"),
        required=False,
        input_formats=["%Y-%m-%dT%H:%M%z", "%Y-%m-%dT%H:%M:%S%z"],
    )
    day = forms.DateField(label=gettext_lazy("Until the morning of"), required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=1000, required=False, strip=True)
    on_evidence = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse a snooze without its end."""
        data = super().clean() or {}
        if not data.get("until") and not data.get("day") and not self.errors:
            raise forms.ValidationError(_("Choose when it should come back."))
        return data

    def content(self) -> dict[str, Any]:
        """The arguments of :meth:`HallucinationReview.snooze` besides user and version."""
        data = self.cleaned_data
        until: datetime = data["until"] or morning_of(data["day"])
        return {"until": until} | {name: data[name] for name in ("reason", "on_evidence", "idempotency_key")}


class AssignForm(VersionForm):
    """Who shall do a review; nobody, when it is given back to all."""

    assignee = forms.ModelChoiceField(
        User.objects.filter(is_active=True), label=gettext_lazy("Assigned to"), required=False
    )
    note = forms.CharField(label=gettext_lazy("Note"), max_length=1000, required=False, strip=True)


def morning_of(day: date) -> datetime:
    """When a review snoozed to ``day`` comes back."""
    return datetime.combine(day, MORNING, tzinfo=timezone.get_default_timezone())


def snooze_times(now: datetime) -> dict[str, datetime]:
    """The times a snooze offers: later today while there is some of it left, tomorrow, next Monday."""
    later = (now + timedelta(hours=3)).replace(minute=0, second=0, microsecond=0)
    offered = {"today": later} if later.date() == now.date() else {}
    tomorrow = now.date() + timedelta(days=1)
    monday = now.date() + timedelta(days=7 - now.weekday())
    offered["tomorrow"] = morning_of(tomorrow)
    return offered if monday == tomorrow else offered | {"monday": morning_of(monday)}


def first_error(form: forms.Form) -> str:
    """The first thing wrong with a form, naming its field."""
    name, errors = next(iter(form.errors.items()))
    if name not in form.fields:
        return str(errors[0])
    label = str(form.fields[name].label or name.replace("_", " ")).capitalize()
    return _("%(field)s: %(problem)s") % {"field": label, "problem": errors[0]}
