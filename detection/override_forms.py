"""Overrides of a profile as rows of a form: for which answers, which threshold, which value."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core.profile_values import FACETS, QUALITIES
from detection.core.thresholds import form_fields
from detection.forms import threshold_field

DECLARED = {declared.name: declared for declared in form_fields()}
MOST = 200
"""Rows that a form may bring."""


class OverrideForm(forms.Form):
    """One threshold for some answers; a row that is left empty is none."""

    language = forms.CharField(required=False, max_length=20, label=_("Language"))
    property = forms.CharField(required=False, max_length=100, label=_("Property"))
    question_type = forms.CharField(required=False, max_length=40, label=_("Question type"))
    source_quality = forms.ChoiceField(
        required=False,
        choices=[(name, name) for name in ("", *QUALITIES)],
        label=_("Source quality"),
        widget=forms.Select(attrs={"dir": "ltr"}),
    )
    threshold = forms.ChoiceField(
        required=False,
        choices=[(name, name) for name in ("", *DECLARED)],
        label=_("Threshold"),
        widget=forms.Select(attrs={"dir": "ltr"}),
    )
    value = forms.CharField(required=False, max_length=4000, label=_("Value"))

    def clean(self) -> dict[str, Any]:
        """Read the value as its threshold asks."""
        given = super().clean() or {}
        when, name, text = self.when(), given.get("threshold"), given.get("value")
        if self.errors or not (when or name or text):
            return given
        if not name:
            self.add_error("threshold", gettext("Choose a threshold."))
        elif not text:
            self.add_error("value", gettext("Give a value."))
        elif not when:
            self.add_error(None, gettext("Say for which answers."))
        else:
            self._read(name, text)
        return given

    def _read(self, name: str, text: str) -> None:
        try:
            self.cleaned_data["read"] = threshold_field(DECLARED[name]).clean(text)
        except forms.ValidationError as error:
            self.add_error("value", error)

    def when(self) -> dict[str, str]:
        """Which answers the row is for."""
        return {facet: text for facet in FACETS if (text := self.cleaned_data.get(facet))}


OverrideRows = forms.formset_factory(OverrideForm, extra=2, max_num=MOST, absolute_max=MOST)


def rows_of(overrides: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The rows that show ``overrides``, each threshold in one of its own."""
    return [
        {**override["when"], "threshold": name, "value": written(value)}
        for override in overrides
        for name, value in override["values"].items()
    ]


def written(value: object) -> str:
    """A value as its field reads it again."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def overrides_of(rows: Any) -> list[dict[str, Any]]:
    """The overrides that valid rows mean; rows for the same answers that follow each other are one."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if "read" not in row.cleaned_data:
            continue
        when, name, value = row.when(), row.cleaned_data["threshold"], row.cleaned_data["read"]
        if found and found[-1]["when"] == when:
            found[-1]["values"][name] = value
        else:
            found.append({"when": when, "values": {name: value}})
    return found
