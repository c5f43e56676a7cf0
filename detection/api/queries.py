"""What stands behind the question mark of an API's address: known names, or a 422 that says which are."""

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC
from typing import Any, ClassVar

import django_filters
from django import forms
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from detection.serializers.lookup import nearest


class _TrueOrFalseField(forms.NullBooleanField):
    widget = forms.TextInput  # that of Django takes what it does not know for no choice

    def to_python(self, value: Any) -> bool | None:  # type: ignore[override]  # that of Django gives None too
        if value in (None, ""):
            return None
        said = str(value).lower()
        if said not in ("true", "false"):
            raise forms.ValidationError("Say true or false.")
        return said == "true"

    def validate(self, value: Any) -> None:
        """Nothing is left to be checked."""


class TrueOrFalse(django_filters.BooleanFilter):  # type: ignore[misc]  # django-filter has no types
    """A filter that refuses whatever is neither, where it would narrow nothing."""

    field_class = _TrueOrFalseField


class Whole(django_filters.NumberFilter):  # type: ignore[misc]  # django-filter has no types
    """A filter by a whole number that refuses a fraction, of which the database would take the whole part."""

    field_class = forms.IntegerField


class _MomentField(django_filters.fields.IsoDateTimeField):  # type: ignore[misc]  # as above
    def clean(self, value: Any) -> Any:
        """The moment in UTC: PostgreSQL takes no offset of sixteen hours and more."""
        found = super().clean(value)
        try:
            return found.astimezone(UTC) if found else found
        except OverflowError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


class Moment(django_filters.IsoDateTimeFilter):  # type: ignore[misc]  # as above
    """A filter by a moment, whatever the offset it is told with."""

    field_class = _MomentField


class KnownQuery:
    """A view that refuses a parameter it does not read: a misspelt filter would narrow nothing, and nobody would see.

    Known are the names of ``query`` for the method and, where a list is asked for, its filters and its pages.
    """

    query: ClassVar[Mapping[str, Collection[str]]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise :class:`ValidationError` for unknown parameters, once the caller is known and may ask."""
        super().initial(request, *args, **kwargs)  # type: ignore[misc]  # of the view that this is mixed into
        if request.method not in self.allowed_methods:  # type: ignore[attr-defined]  # as above
            return  # a 405 is what is wrong first
        known = {*self.query.get(request.method or "", ()), *self._of_a_list()}
        unknown = [name for name in request.query_params if name not in known]
        if unknown:
            told = "There is no such parameter here."
            raise ValidationError({name: told + nearest(name, known) for name in unknown})

    def _of_a_list(self) -> Iterator[str]:
        view: Any = self
        if getattr(view, "action", "") != "list":
            return
        yield from (view.paginator.cursor_query_param, view.paginator.page_size_query_param)
        for backend in view.filter_backends:
            kind = backend().get_filterset_class(view, view.queryset)
            yield from kind.base_filters if kind else ()
