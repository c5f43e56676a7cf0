"""Which cells of a sheet come back from a text, which are read wrong and which are lost."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.layouts.sheets import Sheet, is_value
from detection.core.evidence.tables import Table


@dataclass(frozen=True)
class Truth:
    """A cell of a sheet: as written, where it stands, and what it is worth. ``labels`` are what its row may be called."""

    written: str
    labels: tuple[str, ...]
    head: str
    value: Decimal | None = None
    unit: str = ""
    per: str = ""

    @property
    def digits(self) -> str:
        """Its digits and sign, as the cells of the reader are written for comparison."""
        return self.written.replace("-", "") if _DAY.fullmatch(self.written) else plain(self.written)


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
Held = dict[tuple[str, str], list[tuple[str, Decimal | None, str, str]]]


def folded(text: str) -> str:
    """A text without blanks, marks and footnotes, for comparison."""
    return re.sub(r"\(\d\)|[\s*†:_|]|[^\w%$]", "", text.lower())


def plain(written: str) -> str:
    """The digits and the sign of a value."""
    digits = re.sub(r"[^\d.]", "", written).strip(".")
    return ("-" if digits and ("(" in written or re.match(r"\W*[-−]\d", written)) else "") + digits


def truths(sheet: Sheet) -> list[Truth]:
    """The value cells of a sheet with what they are worth."""
    found = []
    for line in sheet.lines:
        for column, written in enumerate(line.cells, start=1):
            unit = sheet.units[column] if sheet.units else (sheet.unit, sheet.scale, "")
            if (
                column < sheet.texts
                or unit is None
                or not re.search(r"\d", written)
                or (not sheet.own and not is_value(written))
            ):
                continue
            name, scale, per = unit
            name, scale, per = (
                (line.unit if line.unit is not None else name),
                (line.scale or scale),
                line.per or per,
            )
            value = None
            if sheet.own and not _DAY.fullmatch(written):
                one = 1 if name in ("%", "x") else scale
                value = Decimal(plain(written)) * one
            head = lowest(sheet, column)
            called = [" ".join((line.label, *line.cells[:more])) for more in range(sheet.texts)]
            labels = tuple(folded(label) for label in called)
            found.append(Truth(written, labels, folded(head), value, name, per))
    return found


def lowest(sheet: Sheet, column: int) -> str:
    """The lowest heading of a column: of the last line that heads most columns, not of one that only holds a unit."""
    width = len(sheet.heads[0]) - 1
    named = [row for row in sheet.heads if row[column] and not _UNIT.fullmatch(row[column])] or list(
        sheet.heads
    )
    full = [row for row in named if row[column] and 2 * sum(map(bool, row[1:])) > width]
    return (full or [row for row in named if row[column]])[-1][column]


_UNIT = re.compile(
    r"\(?(?:in |as )?.{0,14}(?:thousands?|millions?|percentage of .*|[$€£]|%|m|000'?s?)\)?", re.IGNORECASE
)


def counted(sheet: Sheet, tables: Sequence[Table]) -> Counter[str]:
    """How many cells of a sheet are ``right``: value, label of the row, lowest heading of the column and, for the project's
    own sheets, unit and scale; ``wrong``: read there as something else; ``lost``. Beside these how many came back as a bare
    ``value``, with their ``label``, and under their ``heads``."""
    known = truths(sheet)
    held: Held = defaultdict(list)
    values: set[str] = set()
    labelled: set[tuple[str, str]] = set()
    for table in tables:
        heads = {column.index: [folded(head) for head in column.heads] for column in table.columns}
        if len({cell.column for cell in table.cells}) == 1:
            heads = {column: [*texts, ""] for column, texts in heads.items()}  # one column needs no heading
        labels = {row.index: {folded(row.label), folded(" ".join(row.texts[:2]))} for row in table.rows}
        for cell in table.cells:
            written = cell.iso.replace("-", "") if cell.kind == "date" else plain(cell.text)
            values.add(written)
            for label in labels[cell.row]:
                labelled.add((label, written))
                own = heads.get(cell.column, [])
                for head in {*own, "".join(own)} if own else ():
                    held[label, head].append((written, cell.value, cell.unit, cell.per))
    return _scored(known, held, values, labelled)


def _scored(
    known: Sequence[Truth], held: Held, values: set[str], labelled: set[tuple[str, str]]
) -> Counter[str]:
    score: Counter[str] = Counter()
    for truth in known:
        places = {(label, head) for label in truth.labels for head in ("", *_spellings(truth.head))}
        found = [one for place in places for one in held.get(place, ())]
        there = [one for one in found if one[0] == truth.digits]
        other = {one.digits for one in known if (one.labels, one.head) == (truth.labels, truth.head)}
        right = any(_is_worth(truth, *one[1:]) for one in there)
        score["cells"] += 1
        score["right"] += right
        score["wrong"] += not right and (bool(there) or any(one[0] and one[0] not in other for one in found))
        score["value"] += truth.digits in values
        score["label"] += any((label, truth.digits) in labelled for label in truth.labels)
        score["heads"] += bool(there)
    score["lost"] = score["cells"] - score["right"] - score["wrong"]
    return score


def _is_worth(truth: Truth, value: Decimal | None, unit: str, per: str) -> bool:
    """Whether a value that stands where it should is read in the right unit and scale, where these are known."""
    if truth.value is None:
        return True
    return value == truth.value and unit == truth.unit and set(truth.per.split()) <= set(per.split())


def _spellings(head: str) -> tuple[str, ...]:
    """A heading with its unit and, as the reader gives it, without."""
    bare = re.sub(r"(?:000sf|sfyr|sfmonthnnn|sf|\$sfyr|\$sfmonthnnn|\$|%)$", "", head)
    return tuple(dict.fromkeys((head, bare, bare.rstrip("$"))))
