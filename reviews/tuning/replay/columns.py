"""A small column store: tables of NumPy arrays whose rows hang on rows of another table.

What was measured of many answers is cut (one window, one language), joined (block by block) and kept as bytes. Rows of a
table lie in the order of their parents; ``of`` is the parent's row.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Table = Mapping[str, Array]

SCHEMA = 5
"""Raise it when :data:`LAYOUT`, its meaning or the order of :mod:`reviews.tuning.replay.codes` changes: what was stored under
another number is built anew."""

PARENTS: Mapping[str, str | None] = {
    "answers": None,
    "claims": "answers",
    "sentences": "answers",
    "overlaps": "answers",
    "lifts": "claims",
    "numbers": "claims",
    "turns": "numbers",
}
"""The tables, parents first."""

# fmt: off
LAYOUT: Mapping[str, Mapping[str, str]] = {
    "answers": {
        "run": "i8", "finished": "f8", "language": "i4", "property": "i4", "question_type": "i4", "model": "i4", "verifier": "i4",
        "source_quality": "i4", "original_confidence": "f8", "to_limit": "i4", "sources": "i4", "mean_score": "f8",
        "refused": "?", "injected": "?", "ruled": "?", "valid": "i4", "invalid": "i4", "answer_length": "i4",
        "context_length": "i4", "judged": "?", "judge_risk": "f8", "judge_confidence": "f8", "judge_unsupported": "?",
        "judge_doubts": "?", "due": "u1", "failed": "u1", "late": "u1", "away": "u1",
    },
    "claims": {
        "of": "i4", "claim": "i8", "kind": "i1", "statement": "i4", "status": "i1", "code": "i1", "cites_invalid": "?",
        "judge": "i1", "cites": "?", "elsewhere": "?", "lead": "f8", "overlap": "f8", "weighted": "f8",
        "open_words": "i4", "disputes": "u1",
    },
    "sentences": {"of": "i4", "length": "i4", "cites": "?", "cites_valid": "?"},
    "overlaps": {"of": "i4", "overlap": "f8", "weighted": "f8"},
    "lifts": {
        "of": "i4", "length": "i4", "cited": "?", "usable": "?", "error": "i1", "method": "i4", "stated": "f8",
        "p1_low": "f8", "p1_high": "f8", "p0_low": "f8", "p0_high": "f8", "no_low": "f8", "p_cited": "f8",
        "signed_low": "f8", "signed_high": "f8", "middle": "f8", "corner_low": "f8", "corner_high": "f8",
        "govil_required": "f8", "govil_observed": "f8", "govil_use": "f8", "govil_confidence": "f8",
    },
    "numbers": {"of": "i4", "kind": "i1", "tolerance": "i1"},
    "turns": {"of": "i4", "switches": "u2", "at": "f8", "code": "i1", "placed": "?", "hit": "?"},
}
# fmt: on
"""Each table's columns and their types."""

NAMED: Mapping[str, tuple[str, ...]] = {
    "answers": ("language", "property", "question_type", "model", "verifier", "source_quality"),
    "lifts": ("method",),
}
"""Columns that hold positions in a list of names, −1 where there is none."""


@dataclass(frozen=True)
class Columns:
    """Tables by :data:`LAYOUT`, and the ``names`` behind each column of :data:`NAMED`."""

    tables: Mapping[str, Table]
    names: Mapping[str, tuple[str, ...]]

    @cached_property
    def rows(self) -> int:
        """How many answers."""
        return len(self.tables["answers"]["run"])

    def count(self, table: str, of: Array) -> Array:
        """How many of the rows ``of`` (positions in ``table``) each row of the table has."""
        return np.bincount(of, minlength=len(next(iter(self.tables[table].values()))))

    def some(self, table: str, of: Array) -> Array:
        """Which rows of the table have any of the rows ``of``."""
        found = np.zeros(len(next(iter(self.tables[table].values()))), bool)
        found[of] = True
        return found

    def subset(self, wanted: Array) -> "Columns":
        """The answers that the bool mask ``wanted`` names, with everything that hangs on them."""
        if wanted.all():
            return self
        kept = {"answers": wanted}
        tables: dict[str, Table] = {
            "answers": {name: column[wanted] for name, column in self.tables["answers"].items()}
        }
        for table, parent in PARENTS.items():
            if parent:
                of = self.tables[table]["of"]
                kept[table] = kept[parent][of]
                cut = {name: column[kept[table]] for name, column in self.tables[table].items()}
                renumbered = np.cumsum(kept[parent], dtype=np.int32) - np.int32(1)
                tables[table] = {**cut, "of": renumbered[cut["of"]]}
        return Columns(tables, self.names)

    def in_order(self) -> "Columns":
        """The answers by ascending keys of their runs."""
        order = {"answers": np.argsort(self.tables["answers"]["run"], kind="stable")}
        tables: dict[str, Table] = {}
        for table, parent in PARENTS.items():
            rank = None
            if parent:
                moved = np.empty(len(order[parent]), np.int32)
                moved[order[parent]] = np.arange(len(moved), dtype=np.int32)
                rank = moved[self.tables[table]["of"]]
                order[table] = np.argsort(rank, kind="stable")
            tables[table] = {name: column[order[table]] for name, column in self.tables[table].items()}
            if rank is not None:
                tables[table] = {**tables[table], "of": rank[order[table]]}
        return Columns(tables, self.names)

    def to_bytes(self) -> bytes:
        """As compressed bytes that :func:`from_bytes` reads."""
        columns = [
            (table, name, np.ascontiguousarray(column))
            for table, held in self.tables.items()
            for name, column in held.items()
        ]
        head = json.dumps(
            {
                "schema": SCHEMA,
                "names": self.names,
                "columns": [(table, name, column.dtype.str, len(column)) for table, name, column in columns],
            }
        ).encode()
        body = b"".join(column.tobytes() for _, _, column in columns)
        return zlib.compress(len(head).to_bytes(4, "big") + head + body, 1)


def from_bytes(stored: bytes) -> Columns:
    """What :meth:`Columns.to_bytes` wrote. Raises :class:`ValueError` for another schema."""
    raw = zlib.decompress(stored)
    at = 4 + int.from_bytes(raw[:4], "big")
    head = json.loads(raw[4:at])
    if head["schema"] != SCHEMA:
        raise ValueError(f"schema {head['schema']} is not {SCHEMA}.")
    tables: dict[str, dict[str, Array]] = {table: {} for table in LAYOUT}
    for table, name, kind, count in head["columns"]:
        column = np.frombuffer(raw, np.dtype(kind), count, at)
        tables[table][name] = column
        at += column.nbytes
    return Columns(tables, {name: tuple(names) for name, names in head["names"].items()})


def join(parts: Sequence[Columns]) -> Columns:
    """The answers of all ``parts`` one after the other, in their order."""
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, dict[str, list[Array]]] = {
        table: {name: [] for name in LAYOUT[table]} for table in LAYOUT
    }
    known: dict[str, dict[str, int]] = {name: {} for held in NAMED.values() for name in held}
    ahead = dict.fromkeys(LAYOUT, 0)
    for part in parts:
        for table, held in part.tables.items():
            for name, column in held.items():
                if name in NAMED.get(table, ()):
                    column = _renamed(column, part.names[name], known[name])
                elif name == "of":
                    column = column + np.int32(ahead[PARENTS[table] or ""])
                columns[table][name].append(column)
        ahead = {table: ahead[table] + len(next(iter(held.values()))) for table, held in part.tables.items()}
    return Columns(
        {
            table: {
                name: np.concatenate([np.empty(0, LAYOUT[table][name]), *pieces])
                for name, pieces in held.items()
            }
            for table, held in columns.items()
        },
        {name: tuple(names) for name, names in known.items()},
    )


def _renamed(column: Array, names: Sequence[str], known: dict[str, int]) -> Array:
    """``column``'s positions in ``names`` as positions in ``known``, which grows by what it lacks."""
    places = [known.setdefault(name, len(known)) for name in names]
    return np.array([*places, -1], np.int32)[column]


class Sheet:
    """Rows being written, one answer after the other."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in LAYOUT}
        self._names: dict[str, dict[str, int]] = {name: {} for held in NAMED.values() for name in held}

    def add(self, table: str, **values: Any) -> int:
        """Add a row, all its columns given by name; returns its position in the table."""
        self._rows[table].append(tuple(values[name] for name in LAYOUT[table]))
        return len(self._rows[table]) - 1

    def code(self, column: str, name: str | None) -> int:
        """The position of ``name`` in the names of ``column``, −1 for None."""
        names = self._names[column]
        return -1 if name is None else names.setdefault(name, len(names))

    def columns(self) -> Columns:
        """What was written."""
        tables: dict[str, Table] = {}
        for table, layout in LAYOUT.items():
            held = list(zip(*self._rows[table], strict=True)) or [()] * len(layout)
            tables[table] = {
                name: np.array(values, kind)
                for (name, kind), values in zip(layout.items(), held, strict=True)
            }
        return Columns(tables, {name: tuple(names) for name, names in self._names.items()})
