"""What is asked of the workbench: a threshold and a value of it, the days, the objective and what things cost."""

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass
from typing import Any, Literal, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core.thresholds import DEFAULTS, Value, form_fields, validated

DAYS = (7, 30, 90, 365)
OBJECTIVES = {
    "cost": _("Least expected cost"),
    "precision": _("Best precision at a recall"),
    "load": _("A fixed number of reviews"),
}
TUNABLE = {each.name: each for each in form_fields() if each.metadata["phase"] == "decide"}
"""The thresholds whose effect stored measurements tell; the others need a shadow run."""
FIRST = "currency_tolerance"
SWITCH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A valid question. ``value`` None means the one in use; ``days`` end today; ``wrong`` is the cost of a wrong
    number that reaches a reader, in unnecessary reviews; ``capacity`` is in reviews a day."""

    threshold: str = FIRST
    value: Value | None = None
    days: int = 30
    objective: Literal["cost", "precision", "load"] = "cost"
    wrong: float = 10.0
    recall: float = 0.9
    capacity: float = 40.0
    blind: bool = False
    cannot_tell: bool = False


class BenchForm(forms.Form):
    """The query of the workbench; what is left out has the value of :class:`Wanted`."""

    threshold = forms.ChoiceField(required=False, choices=[(name, name) for name in TUNABLE])
    value = forms.CharField(required=False, max_length=60)
    days = forms.TypedChoiceField(required=False, choices=[(n, n) for n in DAYS], coerce=int)
    objective = forms.ChoiceField(required=False, choices=[*OBJECTIVES.items()])
    wrong = forms.FloatField(required=False, min_value=0, max_value=10_000)
    recall = forms.FloatField(required=False, min_value=0, max_value=1)
    capacity = forms.FloatField(required=False, min_value=0, max_value=1_000_000)
    blind = forms.BooleanField(required=False)
    cannot_tell = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Read the value as the threshold's declaration asks."""
        given = super().clean() or {}
        text, name = given.get("value", ""), given.get("threshold") or FIRST
        if text:
            try:
                given["value"] = read(name, text)
            except ValueError as refusal:
                raise ValidationError({"value": allowed(name)}) from refusal
        return given

    def wanted(self) -> Wanted:
        """The question; only for a valid form."""
        return Wanted(
            **{name: value for name, value in self.cleaned_data.items() if value not in (None, "", {})}
        )


def asked(wanted: Wanted) -> dict[str, Any]:
    """The form as it was asked, and what its fields carry along."""
    sent = {name: written(value) for name, value in asdict(wanted).items() if value is not None}
    unset = ("value", *(name for name in ("blind", "cannot_tell") if not getattr(wanted, name)))
    kept = [(name, "on" if value == "true" else value) for name, value in sent.items() if name not in unset]
    return {
        "wanted": wanted,
        "sent": sent,
        "kept": kept,
        "back": urlencode(kept),
        "days": DAYS,
        "objectives": OBJECTIVES.items(),
    }


def read(name: str, text: str) -> Value:
    """A value of the threshold ``name`` from its written form. Raises :class:`ValueError` when it is none."""
    default = getattr(DEFAULTS, name)
    if isinstance(default, Mapping):
        return float(validated({name: {name: float(text)}})[name][name])  # type: ignore[index]
    if isinstance(default, bool):
        value: Any = SWITCH.get(text)
    elif isinstance(default, int | float):
        value = float(text)
    else:
        value = text
    return cast(Value, validated({name: value})[name])


def written(value: Any) -> str:
    """A value as it is sent in a form: what :func:`read` reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def value_text(value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return gettext("%(n)d phrases") % {"n": len(value)}
    return written(value)


def is_number(name: str) -> bool:
    """Whether the threshold ``name`` is a number, or one for each of several names."""
    default = getattr(DEFAULTS, name)
    return isinstance(default, int | float | Mapping) and not isinstance(default, bool)


def allowed(name: str) -> str:
    """What the threshold ``name`` accepts, in words."""
    declared: Field[Any] = TUNABLE[name]
    if is_number(name):
        bounds = {"low": declared.metadata["low"], "high": declared.metadata["high"]}
        return gettext("Give a number from %(low)s to %(high)s.") % bounds
    return gettext("Choose one of the values offered.")
