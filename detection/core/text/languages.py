"""The languages that Hallu speaks of an answer in, and how a table of sentences is read in one of them."""

from collections.abc import Mapping

LANGUAGES = ("en", "he", "zh")
"""The languages that have rules and sentences of their own; every other one gets English."""

Texts = Mapping[str, str]

_RIGHT_TO_LEFT = ("he",)
_ISOLATE, _END = "\u2068", "\u2069"


def base(language: str) -> str:
    """The language of an ISO 639 code without its region: ``zh`` of ``zh-TW``."""
    return language.replace("_", "-").split("-")[0].lower()


def has_rules(language: str) -> bool:
    """Whether ``language`` has rules of its own."""
    return base(language) in LANGUAGES


def spoken(texts: Texts, language: str) -> str:
    """The text in ``language``, in English where there is none."""
    return texts.get(base(language), texts["en"])


def isolated(text: str, language: str) -> str:
    """A figure or a name as a sentence in ``language`` holds it: from left to right inside a sentence from right to
    left, where ``a − b`` would otherwise be shown as ``b − a``."""
    return f"{_ISOLATE}{text}{_END}" if text and base(language) in _RIGHT_TO_LEFT else text
