"""Where the reports on one answer are kept while it is screened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from detection.core.context import Context
from detection.core.verdict import Report


class Pending(Exception):
    """A report is due that another screening of the answer brings, or a later one."""


class Store(Protocol):
    """The reports on one answer, and the surroundings in which its detectors run."""

    @property
    def due(self) -> Sequence[str]:
        """Every detector that must report."""
        ...

    def pending(self) -> Iterable[str]:
        """The detectors to run now, in order: due, without a report, and for this screening to run. It is asked for the
        next one when the one before has reported."""
        ...

    def begin(self, name: str, context: Context) -> Context:
        """The context that a detector starts with now: whom it may ask, and when its time is up."""
        ...

    def keep(self, name: str, report: Report) -> None:
        """Keep what a detector brought back."""
        ...

    def reports(self) -> Mapping[str, Report]:
        """All reports by detector. Raises :class:`Pending` while a due one is missing."""
        ...


@dataclass(slots=True)
class Memory:
    """Reports that are forgotten with their store; those that are ``kept`` already are not brought again."""

    due: Sequence[str]
    kept: dict[str, Report] = field(default_factory=dict)

    def pending(self) -> Sequence[str]:
        """The due detectors that have not reported."""
        return [name for name in self.due if name not in self.kept]

    def begin(self, name: str, context: Context) -> Context:
        """The context as it is."""
        return context

    def keep(self, name: str, report: Report) -> None:
        """Keep a report."""
        self.kept[name] = report

    def reports(self) -> Mapping[str, Report]:
        """The reports, in the order in which they came."""
        return self.kept
