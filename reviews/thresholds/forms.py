"""What administrators send to draft, move and read in a version of the thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core.thresholds import DEFAULTS, form_fields
from detection.forms import ThresholdFields, base_of
from detection.models import ThresholdProfile
from detection.override_forms import OverrideRows, overrides_of, rows_of, written
from detection.profiles.files import LARGEST
from reviews.thresholds.changes import GROUPS

ROWS = "overrides"
STEPS = ("shadow", "activate", "ask", "confirm", "decline", "retire", "rollback")


@dataclass(frozen=True, slots=True)
class Row:
    """The field of one threshold; ``anew`` where stored measurements do not tell what it changes."""

    field: forms.BoundField
    anew: bool


class DraftForm(ThresholdFields):  # type: ignore[misc]  # a generated base
    """A new version: one field for each threshold; what is left empty has its default."""

    scoring = forms.ChoiceField(label=_("Scoring"), choices=ThresholdProfile.Scoring.choices)
    note = forms.CharField(label=_("Why"), required=False, max_length=2000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scoring"].widget.attrs["dir"] = "ltr"
        for declared in form_fields():
            field, default = self.fields[declared.name], getattr(DEFAULTS, declared.name)
            field.label, field.help_text = declared.name.replace("_", " "), declared.metadata["help"]
            field.widget.attrs |= {"dir": "ltr", "placeholder": written(default)}
            if isinstance(field, forms.ChoiceField):
                field.choices = _choices(default, declared.metadata["choices"])
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["rows"] = 2

    def groups(self) -> dict[str, list[Row]]:
        """The fields of the thresholds by what they belong to."""
        found: dict[str, list[Row]] = {}
        for declared in form_fields():
            row = Row(self[declared.name], declared.metadata["phase"] != "decide")
            found.setdefault(str(GROUPS[declared.metadata["group"]]), []).append(row)
        return found


def _choices(default: object, words: Sequence[str]) -> list[tuple[str, str]]:
    """What a threshold without a number can be; nothing chosen leaves its default."""
    offered = [(word, word) for word in words] or [("true", gettext("yes")), ("false", gettext("no"))]
    usual = dict(offered)[written(default)]
    return [("", gettext("Default (%(value)s)") % {"value": usual}), *offered]


def draft_forms(base: ThresholdProfile, sent: Any = None) -> tuple[DraftForm, Any]:
    """The form of a draft and its rows of overrides, beginning with what ``base`` has. What ``sent``, a POST, leaves
    out stays as in ``base``, so that a page may send one threshold alone."""
    begin = {"scoring": base.scoring, **base.values.get("base", {})}
    overrides = rows_of(base.values.get("overrides") or ())
    if sent is None:
        return DraftForm(initial=begin), OverrideRows(initial=overrides, prefix=ROWS)
    data = sent.copy()
    for name, value in begin.items():
        data.setdefault(name, written(value))
    if f"{ROWS}-TOTAL_FORMS" not in data:
        data.update(_posted(overrides))
    return DraftForm(data), OverrideRows(data, initial=overrides, prefix=ROWS)


def _posted(rows: list[dict[str, str]]) -> dict[str, str]:
    """Rows as a form would send them."""
    sent = {f"{ROWS}-TOTAL_FORMS": str(len(rows)), f"{ROWS}-INITIAL_FORMS": str(len(rows))}
    for place, row in enumerate(rows):
        sent |= {f"{ROWS}-{place}-{name}": text for name, text in row.items()}
    return sent


def values_of(form: DraftForm, rows: Any) -> dict[str, Any]:
    """The values that valid forms mean."""
    return {"base": base_of(form), "overrides": overrides_of(rows)}


class StepForm(forms.Form):
    """A step of a version, why, and which version was active when the page was made."""

    step = forms.ChoiceField(choices=[(step, step) for step in STEPS])
    reason = forms.CharField(label=_("Why"), required=False, max_length=2000)
    seen = forms.IntegerField(required=False, min_value=1)


class FileForm(forms.Form):
    """A profile as YAML: a file, or its text."""

    file = forms.FileField(label=_("File"), required=False)
    text = forms.CharField(label=_("or its text"), required=False, widget=forms.Textarea(attrs={"rows": 6}))

    def clean_file(self) -> str:
        """The file's text. It is refused before it is read when it is too large."""
        sent: UploadedFile[Any] | None = self.cleaned_data["file"]
        if sent is None:
            return ""
        if (sent.size or 0) > LARGEST:
            raise forms.ValidationError(
                gettext("The file is larger than %(kb)s KB.") % {"kb": LARGEST // 1024}
            )
        try:
            text: str = sent.read().decode("utf-8-sig")
            return text
        except UnicodeDecodeError as error:
            raise forms.ValidationError(gettext("The file is no text in UTF-8.")) from error

    def clean(self) -> dict[str, Any]:
        """One of the two is needed."""
        given = super().clean() or {}
        if not self.errors and not (given.get("file") or given.get("text")):
            raise forms.ValidationError(gettext("Choose a file, or paste its text."))
        return given

    def content(self) -> str:
        """The text of a valid form."""
        found: str = self.cleaned_data["file"] or self.cleaned_data["text"]
        return found
