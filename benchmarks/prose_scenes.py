"""Scenes told in running prose: passages with gaps, written as the sentences are, filled from a part of a table. The passage is
the source then, and all that is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from benchmarks.gaps import asked, filled, turned
from benchmarks.table_scenes import Line, Scene, when

_ROWS, _PERIODS = 4, 3
_MEASURES = ("M", "N")


def in_prose(
    found: Sequence[Scene], passages: Sequence[Mapping[str, str]], each: int, random: Random
) -> Iterator[Scene]:
    """What passages tell of tables: ``each`` passages of every table that has what they ask for."""
    for scene in found:
        fitting = [one for one in passages if one["kind"] == scene.kind]
        told = (_told(scene, one, random) for one in random.sample(fitting, len(fitting)))
        yield from islice(filter(None, told), each)


def _told(scene: Scene, passage: Mapping[str, str], random: Random) -> Scene | None:
    """What a passage tells of a table: four of its rows, or three periods side by side, and the measures that it asks for."""
    text = passage["text"]
    parts = {part for gap in asked(text) for part in gap.split(".")}
    measures = [name for name in _MEASURES if name in parts]
    places = _some_rows(scene, random) if scene.kind == "L" else _some_periods(scene, random)
    if not places or len(scene.lines) < len(measures):
        return None
    names = tuple(scene.names[at] for at in places)
    lines = tuple(
        replace(line, values=tuple(line.values[at] for at in places))
        for line in random.sample(scene.lines, len(measures))
    )
    for name, line in zip(measures, lines, strict=True):
        text = turned(text, name, up=line.values[-1] > line.values[-2])
    gaps = _gaps(names, dict(zip(measures, lines, strict=True)), scene.kind == "L")
    source = {**scene.source, "text": filled(text, gaps)}
    return replace(scene, source=source, names=names, lines=lines, passage=passage["id"])


def _some_rows(scene: Scene, random: Random) -> list[int]:
    return random.sample(range(len(scene.names)), _ROWS) if len(scene.names) >= _ROWS else []


def _some_periods(scene: Scene, random: Random) -> list[int]:
    """Three periods that follow each other, the oldest first."""
    order = sorted(range(len(scene.names)), key=lambda at: when(scene.names[at]))
    if len(order) < _PERIODS:
        return []
    first = random.randrange(len(order) - _PERIODS + 1)
    return order[first : first + _PERIODS]


def _gaps(names: Sequence[str], lines: Mapping[str, Line], listed: bool) -> dict[str, str]:
    """What fills the gaps of a passage: ``R1`` and ``R1.M`` of rows, ``1`` and ``M.1`` of periods."""
    gaps = {name: line.name for name, line in lines.items()}
    for at, name in enumerate(names):
        place = f"R{at + 1}" if listed else f"{at + 1}"
        gaps[place] = name
        for measure, line in lines.items():
            gap = f"{place}.{measure}" if listed else f"{measure}.{place}"
            gaps[gap] = line.unit.written(line.values[at], line.decimals)
    return gaps
