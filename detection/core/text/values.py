"""What a sentence names, as plain text that needs no language: for those who write the sentence themselves."""

from collections.abc import Mapping
from decimal import Decimal
from string import Formatter

from detection.core.text.languages import Texts

_LONGEST = 30  # digits before the point, beyond which a number is written by its power of ten


def values_of(values: Mapping[str, object]) -> dict[str, str]:
    """Values by name as text: numbers ungrouped, measured ones with six decimals at most; None and empty ones are left out."""
    return {name: _plain(value) for name, value in values.items() if value is not None and value != ""}


def named_in(texts: Texts, values: Mapping[str, object]) -> dict[str, str]:
    """:func:`values_of` those that the sentence has a place for."""
    names = {name for _, name, _, _ in Formatter().parse(texts["en"])}
    return values_of({name: value for name, value in values.items() if name in names})


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < _LONGEST:
        return f"{value:f}"
    return str(value)
