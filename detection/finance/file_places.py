"""Where in a file of figures a fault stands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


class BadFile(ValueError):
    """The file cannot be imported. ``faults`` are sentences, each naming its place."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("; ".join(self.faults[:3]))


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a file in words (``line 3``; ``sheet “Q3”, row 4``); ``letters`` are a sheet's columns by name."""

    row: str
    letters: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.row

    def of(self, column: str) -> str:
        """The place of one cell as exactly as it is known: ``sheet “Q3”, row 4, column F``."""
        letter = self.letters.get(column)
        return f"{self.row}, column {letter}" if letter else self.row
