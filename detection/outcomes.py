"""What the shell's functions return: mappings that read well in a terminal and in a notebook (SPEC-08.32)."""

from collections.abc import Mapping
from html import escape
from typing import Any

ALWAYS = ("p0", "p1", "required_bits", "observed_bits", "budget_gap", "status")
COLUMNS = ("text", "status", "finding", *ALWAYS[:-1])
LONGEST = 60
"""Characters of a text in one line of a terminal."""


class Outcome(dict[str, Any]):
    """A result as a dictionary whose keys are attributes too. p's are probabilities, bits are base 2; None where
    nothing was measured."""

    def __getattr__(self, name: str) -> Any:
        """``outcome.p1`` is ``outcome["p1"]``."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        """A line for each key; a list of outcomes as lines of their own."""
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {_told(value, width + 2)}" for name, value in self.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{_cell(value)}</td></tr>" for name, value in self.items()
        )
        return f"<table>{rows}</table>"


class Outcomes(list[Outcome]):
    """Several results, one a row."""

    def __repr__(self) -> str:
        """A line for each: status, p1, p0, required, observed and missing bits, text."""
        return "\n".join(_line(outcome) for outcome in self) or "nothing"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(outcome.get(name))}</td>" for name in COLUMNS) + "</tr>"
            for outcome in self
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def outcome(given: Mapping[str, Any]) -> Outcome:
    """A mapping as an outcome, lists of mappings in it as outcomes too."""
    return Outcome({name: _nested(value) for name, value in given.items()})


def _nested(value: Any) -> Any:
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return Outcomes(outcome(item) for item in value)
    return value


def _told(value: Any, indent: int) -> str:
    """A value in a terminal; further lines stand under the first."""
    if isinstance(value, Mapping) and not isinstance(value, Outcome):
        value = Outcome(value)
    shown = repr(value) if isinstance(value, Outcome | Outcomes) else str(_plain(value))
    return shown.replace("\n", "\n" + " " * indent)


def _line(each: Outcome) -> str:
    text = str(each.get("text", ""))
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    figures = (f"{name} {_plain(each.get(name))}" for name in ALWAYS[:-1] if each.get(name) is not None)
    return "  ".join([f"{each.get('status', ''):<14}", *figures, short])


def _cell(value: Any) -> str:
    if isinstance(value, Outcome | Outcomes):
        return value._repr_html_()
    if isinstance(value, Mapping):
        return Outcome(value)._repr_html_()
    return escape(str(_plain(value)))


def _plain(value: Any) -> Any:
    """Figures with three places, nothing as a dash."""
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else value
