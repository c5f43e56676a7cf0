"""Forms of the admin, generated from the declared thresholds where there are any."""

from dataclasses import Field
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from detection.core.thresholds import DEFAULTS, form_fields
from detection.models import ApiKey, ThresholdProfile
from detection.models.access import OVERLAP, SCOPES


def threshold_field(declared: Field[Any]) -> forms.Field:
    """The form field of one threshold: its type from the default, bounds and help from the declaration."""
    default, meta = getattr(DEFAULTS, declared.name), declared.metadata
    help_text = f"{meta['help']} Default {default}. Phase: {meta['phase']}."
    common: dict[str, Any] = {"required": False, "help_text": help_text}
    if isinstance(default, bool):
        choices = [("", f"default ({'yes' if default else 'no'})"), ("true", "yes"), ("false", "no")]
        return forms.TypedChoiceField(
            choices=choices, coerce=lambda given: given == "true", empty_value=None, **common
        )
    if isinstance(default, int | float):
        field = forms.IntegerField if isinstance(default, int) else forms.FloatField
        return field(min_value=meta["low"], max_value=meta["high"], **common)
    if meta["choices"]:
        return forms.ChoiceField(
            choices=[("", f"default ({default})"), *((c, c) for c in meta["choices"])], **common
        )
    return forms.JSONField(**common) if not isinstance(default, str) else forms.CharField(**common)


# One form field for each declared threshold, so that nothing about them is written twice.
ThresholdFields: Any = type(
    "ThresholdFields", (forms.Form,), {f.name: threshold_field(f) for f in form_fields()}
)


def base_of(form: Any) -> dict[str, Any]:
    """The thresholds that a valid form of :data:`ThresholdFields` sets; empty ones are left to their defaults."""
    given = {declared.name: form.cleaned_data.get(declared.name) for declared in form_fields()}
    return {name: value for name, value in given.items() if value not in (None, "")}


class ThresholdProfileForm(ThresholdFields, forms.ModelForm):  # type: ignore[misc]  # a generated base
    """A profile as one field for each threshold; what is left empty keeps its default."""

    class Meta:
        model = ThresholdProfile
        fields = ["scoring", "note", "overrides"]

    overrides = forms.JSONField(
        required=False, initial=list, help_text='[{"when": {"language": "he"}, "values": {"overlap": 0.4}}]'
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = self.instance.values or {}
        self.initial = {**stored.get("base", {}), "overrides": stored.get("overrides", []), **self.initial}

    def clean(self) -> dict[str, Any]:
        """Gather the fields into ``values``, as the model checks them."""
        cleaned: dict[str, Any] = super().clean() or {}
        self.instance.values = {"base": base_of(self), "overrides": cleaned.get("overrides") or []}
        if self.instance.version is None:
            self.instance.version = 0
        return cleaned


class ApiKeyForm(forms.ModelForm):
    """A key to issue: name, scopes, what it sees and whose verdicts it gives."""

    class Meta:
        model = ApiKey
        fields = ["name", "scopes", "all_properties", "properties", "user", "expires", "requests_per_minute"]

    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in SCOPES], widget=forms.CheckboxSelectMultiple
    )

    def clean_scopes(self) -> list[str]:
        """Scopes as a plain list."""
        chosen = self.cleaned_data["scopes"]
        if not chosen:
            raise ValidationError("Choose at least one scope.")
        return list(chosen)


class IssuedKeyForm(ApiKeyForm):
    """A key that there is: it can be given a new secret."""

    rotate = forms.BooleanField(
        required=False,
        help_text="Issue a new secret for this key, which is shown once after saving. If somebody else made the present one, "
        "the person that the key acts for has to agree again.",
    )
    overlap_days = forms.IntegerField(
        initial=OVERLAP.days,
        required=False,
        help_text="For so many days the present secret goes on; 0 ends it now.",
    )

    def clean(self) -> dict[str, Any]:
        """Say why a key cannot be rotated."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("rotate"):
            try:
                self.instance.check_rotates(self.overlap())
            except ValueError as error:
                self.add_error("rotate", str(error))
        return cleaned

    def overlap(self) -> timedelta:
        """How long the present secret goes on after a rotation."""
        days = self.cleaned_data.get("overlap_days")
        return OVERLAP if days is None else timedelta(days=min(max(days, -1), 10_000))
