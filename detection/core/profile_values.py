"""What a profile's values may be, and in what two profiles differ (contracts §6).

``values`` is ``{"base": {threshold: value}, "overrides": [{"when": {facet: value}, "values": {…}}]}``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from detection.core.thresholds import Thresholds, form_fields, resolve, validated

FACETS = ("language", "property", "question_type", "source_quality")
QUALITIES = ("high", "low")
PARTS = ("base", "overrides")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at ``path``, for example ``("overrides", 0, "when", "weather")``."""

    path: Path
    text: str

    def __str__(self) -> str:
        """The text, with the number of its override as people count."""
        return (
            f"override {int(self.path[1]) + 1}: {self.text}"
            if len(self.path) > 1 and self.path[0] == "overrides"
            else self.text
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """A threshold with another value; ``when`` is the condition of its override, empty for all answers. None
    stands for a value that is not there."""

    name: str
    when: str
    old: Any
    new: Any


def faults(values: object) -> list[Fault]:
    """Everything that keeps ``values`` from being a profile's; empty when nothing does."""
    if not isinstance(values, Mapping):
        return [Fault((), "Give an object with base and overrides.")]
    found = [
        Fault((str(key),), f"{key}: give base and overrides, nothing else.")
        for key in values
        if key not in PARTS
    ]
    base, overrides = values.get("base", {}), values.get("overrides", [])
    found += _faults_of_values(base, ("base",))
    if not isinstance(overrides, list | tuple):
        return [*found, Fault(("overrides",), "overrides: give a list.")]
    for place, override in enumerate(overrides):
        found += _faults_of_override(override, ("overrides", place))
    return found


def _faults_of_override(override: object, path: Path) -> Iterator[Fault]:
    if not isinstance(override, Mapping) or set(override) != {"when", "values"}:
        yield Fault(path, "give when and values.")
        return
    when = override["when"]
    if not isinstance(when, Mapping) or not when:
        yield Fault((*path, "when"), f"when: say for which {', '.join(FACETS)}.")
        return
    for facet, wanted in when.items():
        if text := _wrong_facet(facet, wanted):
            yield Fault((*path, "when", str(facet)), text)
    yield from _faults_of_values(override["values"], (*path, "values"))


def _wrong_facet(facet: object, wanted: object) -> str:
    if facet not in FACETS:
        return f"{facet}: overrides apply to {', '.join(FACETS)}."
    if not isinstance(wanted, str) or not wanted:
        return f"{facet}: give a text."
    if facet == "source_quality" and wanted not in QUALITIES:
        return f"{facet}: give {' or '.join(QUALITIES)}."
    return ""


def _faults_of_values(given: object, path: Path) -> Iterator[Fault]:
    if not isinstance(given, Mapping):
        yield Fault(path, f"{path[-1]}: give thresholds with their values.")
        return
    for name, value in given.items():
        try:
            validated({str(name): value})
        except ValueError as error:
            yield Fault((*path, str(name)), str(error))


def differences(
    old: Mapping[str, Any], old_scoring: str, new: Mapping[str, Any], new_scoring: str
) -> list[Difference]:
    """In what two profiles differ: the scoring, every threshold as it stands for all answers, then the overrides
    by their conditions. Both must be free of :func:`faults`."""
    found = [Difference("scoring", "", old_scoring, new_scoring)] if old_scoring != new_scoring else []
    before, after = _every(old), _every(new)
    for place in {**before, **after}:
        was, becomes = before.get(place), after.get(place)
        if was != becomes:
            found.append(Difference(place[0], place[1], was, becomes))
    return found + _reordered(before, after)


def _every(values: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Each value by threshold and condition, in order."""
    found = {
        (name, ""): value for name, value in asdict(resolve({"base": values.get("base", {})}, {})).items()
    }
    for override in values.get("overrides") or ():
        when = condition(override["when"])
        found |= {(name, when): value for name, value in validated(override["values"]).items()}
    return found


def _reordered(
    before: Mapping[tuple[str, str], Any], after: Mapping[tuple[str, str], Any]
) -> list[Difference]:
    """Of two overrides for one answer the later one decides, so their order is a value too."""
    old, new = ([place for place in values if place[1]] for values in (before, after))
    if old == new or set(old) != set(new):
        return []
    return [Difference("overrides", "", _order(old), _order(new))]


def _order(places: list[tuple[str, str]]) -> str:
    return "; ".join(dict.fromkeys(when for _name, when in places))


def condition(when: Mapping[str, str]) -> str:
    """``language=he property=OAK``."""
    return " ".join(f"{facet}={wanted}" for facet, wanted in sorted(when.items()))


def to_measure(old: Thresholds, new: Thresholds) -> tuple[str, ...]:
    """The thresholds that differ and that no replay can change, since they say what is read and measured."""
    return tuple(
        declared.name
        for declared in form_fields()
        if declared.metadata["phase"] != "decide"
        and getattr(old, declared.name) != getattr(new, declared.name)
    )
