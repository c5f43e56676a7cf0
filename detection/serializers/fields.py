"""Fields that take exactly what they say: no number for a text, no text for a number."""

import copy
import math
import re
from typing import Any

from django.db import models
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

SURROGATE = re.compile("[\ud800-\udfff]")


class TextField(serializers.CharField):
    """A text, kept as it was sent: blanks at its ends stay, and nothing else is turned into a text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, "allow_blank": True, **kwargs})
        # It looks at each character in Python: 60 ms of an answer of a million.
        self.validators = [
            each for each in self.validators if not isinstance(each, ProhibitSurrogateCharactersValidator)
        ]

    def to_internal_value(self, data: Any) -> str:
        """The text. Fails for numbers, lists and objects, and for half of a surrogate pair."""
        if not isinstance(data, str):
            self.fail("invalid")
        if SURROGATE.search(data):
            ProhibitSurrogateCharactersValidator()(data)  # says which
        return super().to_internal_value(data)


class WordField(serializers.CharField):
    """A short text of a row: blanks at its ends go, and nothing else is turned into a text."""

    def to_internal_value(self, data: Any) -> str:
        """The text. Fails for numbers, lists and objects, and for one that is too long before its blanks go."""
        if not isinstance(data, str):
            self.fail("invalid")
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return super().to_internal_value(data)


class WholeField(serializers.IntegerField):
    """A whole number; texts and true/false are refused."""

    def to_internal_value(self, data: Any) -> int:
        """The number. Fails for everything that is none."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class SwitchField(serializers.BooleanField):
    """True or false; texts and numbers are refused."""

    def to_internal_value(self, data: Any) -> bool:
        """The value. Fails for everything else."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Declared(serializers.Serializer[Any]):
    """A serializer that changes nothing of the fields that its class declares, and so needs none of their parts anew: Django REST
    framework makes deep copies of them for each request, 8 % of what a POST took."""

    def get_fields(self) -> dict[str, Any]:
        """The declared fields, each a copy to be bound to this serializer."""
        return {name: copy.copy(field) for name, field in self._declared_fields.items()}


EXACT = {
    **serializers.ModelSerializer.serializer_field_mapping,
    models.CharField: WordField,
    models.PositiveSmallIntegerField: WholeField,
}
"""The fields of rows that are written through the API, by the columns of their models."""


class NumberField(serializers.FloatField):
    """A finite number; texts and true/false are refused."""

    def to_internal_value(self, data: Any) -> float:
        """The number. Fails for everything that is none, and for one beyond a float."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            value = float(data)
        except OverflowError:
            self.fail("invalid")
        if not math.isfinite(value):
            self.fail("invalid")
        return value
