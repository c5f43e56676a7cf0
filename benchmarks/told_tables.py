"""Contrast pairs out of tables and sentences with gaps.

    python -m benchmarks.told_tables TEMPLATES OUT.jsonl.gz [--part looking] [--each 4] [--seed 1] PAIRS…

The tables are those of the sources of the PAIRS; the sentences were written without sight of tables, code or earlier pairs.
Where a file has passages as well, these tell a part of each table, and are the sources instead of it.
What fills a gap is reckoned here, so that it is known to be true; of the wrong twin one gap is filled with another figure of
the table or with a result that is off. The pairs are judged by ``python -m benchmarks.contrast OUT``. A sentence that fails
over many tables, and a table that fails in many sentences, say where the fault lies.
"""

import argparse
import csv
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.contrast_counting import PARTS, part_of
from benchmarks.gaps import asked, filled, templates, turned
from benchmarks.prose_scenes import in_prose
from benchmarks.record_scenes import figures, record_scenes
from benchmarks.table_scenes import Line, Scene, grouped, scenes, when
from benchmarks.tongues import TONGUES

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_STATED = re.compile(r"\{\w+\.[MN](?:\.[pq])?\}|\{[MN]\.[pq]\}")
_OFF = tuple(map(Decimal, ("1.3", "0.7", "1.6", "0.84")))
_PIECES, _MOST_TRIED = 3, 60
_RANKED = ("TOP", "SECOND", "THIRD", "LAST")
_LEAST_TIMES, _LEAST_MORE, _HUNDRED = Decimal("1.15"), Decimal("1.5"), Decimal(100)
_WHOLES = re.compile("revenue|income|sales|total|turnover")
_NO_PARTS = re.compile("total|net|gross")
_QUESTIONS = {
    "en": ("How do they compare on {}?", "How did {} develop?", "How did {} and {} develop?"),
    "he": ("מה ההשוואה ביניהם לפי {}?", "כיצד התפתח הנתון {}?", "כיצד התפתחו {} ו-{}?"),
    "zh": ("各项的{}如何？", "{}如何变化？", "{}和{}如何变化？"),
}
_SUBJECTS = {"L": "p", "P": "S"}
Write = Callable[[Decimal], str]


class Gap(NamedTuple):
    """What fills a gap, and what would be wrong there."""

    text: str
    wrong: Sequence[str] = ()


class Told(NamedTuple):
    """A sentence that is true of a table, and what of it would be wrong there: the gap and its filling."""

    question: str
    right: str
    wrong: str
    falsified: str
    gap: str


class Pens(NamedTuple):
    """How values of a line are written: as they stand, as a distance, as a mean."""

    plain: Write
    apart: Write
    mean: Write


def tell(scene: Scene, text: str, random: Random) -> Told | None:
    """A template filled with what is so in a table; None where the table has not what it asks for."""
    wanted = asked(text)
    shorter, rounded = random.random() < 0.5, random.random() < 0.5
    filling = (_of_list if scene.kind == "L" else _over_periods)(scene, text, random, shorter, rounded)
    if filling is None:
        return None
    gaps, text, question = filling
    if scene.subject:
        wrong = scene.not_it if _STATED.search(text) else ()  # a rank may be the same in another period
        gaps[_SUBJECTS[scene.kind]] = Gap(scene.subject, wrong)
    if not wanted <= gaps.keys() or any(
        re.fullmatch(r"\D*0(?:\.0+)?\D*", gaps[name].text) for name in wanted
    ):
        return None
    # of four rows each value fills a gap: only what the sentence itself says cannot stand in for another
    texts = {gaps[name].text for name in (wanted if scene.passage else gaps)}
    able = [name for name in sorted(wanted) if set(gaps[name].wrong) - texts]
    if not able:
        return None
    gap = random.choice(able)
    false = random.choice([one for one in gaps[gap].wrong if one not in texts])
    right = {name: gaps[name].text for name in wanted}
    return Told(question, filled(text, right), filled(text, right | {gap: false}), false, gap)


def _pens(line: Line, shorter: bool) -> Pens:
    def plain(value: Decimal) -> str:
        """As it stands."""
        return line.unit.written(value, line.decimals, shorter=shorter)

    def apart(value: Decimal) -> str:
        """How far one lies from another: of shares in points."""
        return (
            f"{grouped(abs(value), line.decimals)}{TONGUES[line.unit.lang].points}"
            if line.unit.percent
            else plain(abs(value))
        )

    def mean(value: Decimal) -> str:
        """With a decimal more where it is small."""
        return line.unit.written(value, max(line.decimals, int(value < _HUNDRED)), shorter=shorter)

    return Pens(plain, apart, mean)


def _in_words(count: int, lang: str) -> str:
    return _WORDS[count] if count < len(_WORDS) and lang == "en" else str(count)


def _reckoned(value: Decimal, write: Write) -> Gap:
    """A result, and results that are off."""
    return Gap(write(value), [write(value * by) for by in _OFF])


def _among(values: Sequence[Decimal], at: int, write: Write) -> Gap:
    """A value of a line, and its others."""
    return Gap(write(values[at]), [write(value) for value in values if value != values[at]])


def _percent(decimals: int) -> Write:
    return lambda value: f"{grouped(abs(value), decimals)}%"


_Filling = tuple[dict[str, Gap], str, str]


def _of_list(scene: Scene, text: str, random: Random, shorter: bool, rounded: bool) -> _Filling | None:
    """The gaps of a list: three rows A, B and C in the order of one of its columns, and all of that column."""
    line = random.choice(scene.lines)
    values, order = line.values, sorted(range(len(line.values)), key=lambda at: -line.values[at])
    pens, share = _pens(line, shorter), _percent(0 if rounded else 1)
    a, b, c = sorted(random.sample(order, _PIECES), key=order.index)
    places = {"A": a, "B": b, "C": c} | dict(zip(_RANKED, (*order[:3], order[-1]), strict=True))
    gaps = {"M": Gap(line.name), "n": Gap(_in_words(len(values), line.unit.lang))}
    gaps |= {name: Gap(scene.names[at]) for name, at in places.items()}
    gaps |= {f"{name}.M": _among(values, at, pens.plain) for name, at in places.items()}
    gaps |= _compared(line, values[a], values[b], pens, share)
    if line.adds:
        gaps |= _together(values, (a, b, c, order[0]), pens, share)
    gaps |= _limit(line, pens)
    others = [other for other in scene.lines if other is not line]
    if others:
        other = random.choice(others)
        own = _pens(other, shorter)
        gaps |= {"N": Gap(other.name)} | {
            f"{name}.N": _among(other.values, places[name], own.plain) for name in "AB"
        }
    return gaps, text, _QUESTIONS[line.unit.lang][0].format(line.name)


def _compared(line: Line, larger: Decimal, smaller: Decimal, pens: Pens, share: Write) -> dict[str, Gap]:
    """How far one value of a column lies above another: as it is, as a multiple, in per cent."""
    gaps = {"A-B": _reckoned(larger - smaller, pens.apart)}
    if not line.unit.percent and larger / smaller > _LEAST_TIMES:
        gaps["A/B"] = _reckoned(larger / smaller, lambda value: grouped(value, 1))
    if not line.unit.percent and (more := (larger / smaller - 1) * 100) > _LEAST_MORE:
        gaps["A%B"] = _reckoned(more, share)
    return gaps


def _together(values: Sequence[Decimal], places: Sequence[int], pens: Pens, share: Write) -> dict[str, Gap]:
    """What three values of a column come to, the column itself, its mean, and what two of them and its largest are of it."""
    a, b, c, top = (values[at] for at in places)
    total = sum(values, Decimal(0))
    sums = {"A+B": a + b, "A+B+C": a + b + c, "T": total}
    shares = {"A|T": a, "A+B|T": a + b, "TOP|T": top}
    gaps = {name: _reckoned(value, pens.plain) for name, value in sums.items()}
    gaps |= {name: _reckoned(value / total * 100, share) for name, value in shares.items()}
    return gaps | {"avg": _reckoned(total / len(values), pens.mean)}


def _limit(line: Line, pens: Pens) -> dict[str, Gap]:
    """A round number between the values of a column, and how many of them lie above it."""
    middle = sorted(line.values)[len(line.values) // 2]
    step = Decimal(10) ** (len(str(int(middle))) - 1)
    limit = (middle / step).quantize(Decimal("0.1")) * step + (step / 20)
    above = sum(value > limit for value in line.values)
    if limit in line.values or not 0 < above < len(line.values):
        return {}
    decimals = max(0, -int(limit.normalize().as_tuple().exponent))
    wrong = above + 1 if above + 1 < len(line.values) else above - 1
    return {
        "limit": Gap(line.unit.written(limit, decimals)),
        "k": Gap(_in_words(above, line.unit.lang), [_in_words(wrong, line.unit.lang)] if wrong else []),
    }


def _over_periods(scene: Scene, text: str, random: Random, shorter: bool, rounded: bool) -> _Filling | None:
    """The gaps of a line, and of another one where they are asked for, in two neighbouring periods."""
    places = range(len(scene.names))
    beside = [
        (p, q)
        for p in places
        for q in (p - 1, p + 1)
        if q in places and when(scene.names[p]) > when(scene.names[q])
    ]
    if not beside:
        return None
    p, q = random.choice(beside)
    line = random.choice(scene.lines)
    gaps = {"p": Gap(scene.names[p]), "q": Gap(scene.names[q])} | _moved("M", line, p, q, shorter)
    question = _QUESTIONS[line.unit.lang][1].format(line.name)
    if re.search(r"\bN|<<", text):
        others = [other for other in scene.lines if other is not line and _fits(text, line, other)]
        if not others:
            return None
        other = random.choice(others)
        gaps |= _moved("N", other, p, q, shorter)
        if line.unit == other.unit:
            gaps["M+N.p"] = _reckoned(line.values[p] + other.values[p], _pens(line, shorter).plain)
            for name, at in (("p", p), ("q", q)):
                gaps[f"N|M.{name}"] = _reckoned(other.values[at] / line.values[at] * 100, _percent(1))
        text = turned(text, "N", up=other.values[p] > other.values[q])
        question = _QUESTIONS[line.unit.lang][2].format(line.name, other.name)
    return gaps, turned(text, "M", up=line.values[p] > line.values[q]), question


def _fits(text: str, line: Line, other: Line) -> bool:
    """Whether a line may be a part of another one, or be added to it, where a template says so."""
    if "{M+N" in text:
        return line.unit == other.unit and line.adds and not _NO_PARTS.search(f"{line.name} {other.name}")
    if "{N|M" in text:
        smaller = all(own > part for own, part in zip(line.values, other.values, strict=True))
        return line.unit == other.unit and smaller and _WHOLES.search(line.name) is not None
    return True


def _moved(name: str, line: Line, p: int, q: int, shorter: bool) -> dict[str, Gap]:
    """What is told of a line in two periods, and in all."""
    pens, (new, old) = _pens(line, shorter), (line.values[p], line.values[q])
    gaps = {
        name: Gap(line.name),
        f"{name}.p": _among(line.values, p, pens.plain),
        f"{name}.q": _among(line.values, q, pens.plain),
    }
    gaps[f"{name}.p-q"] = _reckoned(new - old, pens.apart)
    if not line.unit.percent:
        gaps[f"{name}%"] = _reckoned((new / old - 1) * 100, _percent(1))
    if line.adds:
        gaps[f"{name}.p+q"] = _reckoned(new + old, pens.plain)
        gaps[f"{name}.avg"] = _reckoned(sum(line.values, Decimal(0)) / len(line.values), pens.mean)
    return gaps


_IN_TABLE: dict[str, Any] = {"evidence": "table", "layout": "markdown", "property": None, "period": None}
_ON_RECORD: dict[str, Any] = {"evidence": "record", "layout": None, "period": None, "sources": []}


def rows(
    found: Sequence[Scene], sentences: Sequence[Mapping[str, str]], each: int, random: Random
) -> Iterator[dict[str, Any]]:
    """Pairs of a correct and a wrong answer, ``each`` of every table, as rows of contrast pairs."""
    count = 0
    for scene in found:
        fitting = [one for one in sentences if one["kind"] == scene.kind]
        made = 0
        for template in random.choices(fitting, k=_MOST_TRIED) if fitting else ():
            told = tell(scene, template["text"], random) if made < each else None
            if told is None:
                continue
            made, count = made + 1, count + 1
            pair = f"told-{count:04d}"
            shared = {
                "pair": pair, "lang": scene.lines[0].unit.lang, "domain": scene.pair, "question": told.question, "change": told.gap, "note": f"{template['id']} {scene.passage}".strip(),
            } | _evidence(scene)  # fmt: skip
            yield shared | {"id": f"{pair}-c", "answer": told.right, "label": "correct", "wrong_text": None}
            yield shared | {
                "id": f"{pair}-w",
                "answer": told.wrong,
                "label": "wrong",
                "wrong_text": told.falsified,
            }


def _evidence(scene: Scene) -> dict[str, Any]:
    """What stands beside an answer: nothing but figures of record, a passage or a table."""
    if scene.subject:
        return _ON_RECORD | {"property": scene.pair or None}
    prose = {"evidence": "prose", "layout": "prose"} if scene.passage else {}
    return _IN_TABLE | prose | {"sources": [scene.source]}


def main(given: Sequence[str] | None = None) -> int:
    """Read, tell, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("templates", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "pairs", type=Path, nargs="+", help="pairs with tables, or one .csv of figures of record"
    )
    parser.add_argument(
        "--part", choices=PARTS, help="tables of the pairs that are looked at, or of those that are not"
    )
    parser.add_argument("--lang", choices=sorted(TONGUES), default="en", help="the language of the tables")
    parser.add_argument("--each", type=int, default=4, help="how many pairs of each table")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(given)
    found = _on_record(chosen) if chosen.pairs[0].suffix == ".csv" else _in_tables(chosen)
    random, each, sentences = Random(chosen.seed), chosen.each, templates(chosen.templates)
    passages = [one for one in sentences if one.get("role") == "source"]
    if passages:  # each passage of a table is told of once
        found, each = [*in_prose(found, passages, each, random)], 1
        sentences = [one for one in sentences if one not in passages]
    made = [*rows(found, sentences, each, random)]
    written = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made)
    with gzip.GzipFile(chosen.out, "wb", mtime=0) as file:
        file.write(written.encode())
    print(f"{len(made) // 2} pairs of {len(found)} tables: {chosen.out}")
    return 0


def _in_tables(chosen: argparse.Namespace) -> list[Scene]:
    of_table: dict[str, list[Scene]] = defaultdict(list)
    for scene in scenes(chosen.pairs, chosen.lang):
        if chosen.part in (None, part_of({"pair": scene.pair})):
            of_table[scene.source["text"]].append(scene)
    return [some[0] for some in of_table.values()]


def _on_record(chosen: argparse.Namespace) -> list[Scene]:
    """The scenes of figures of record; those of the properties that are told of are written beside the pairs."""
    rows = figures(chosen.pairs[0])
    with chosen.out.with_name(chosen.out.name.partition(".")[0] + ".csv").open(
        "w", encoding="utf-8", newline=""
    ) as file:
        written = csv.DictWriter(file, [*rows[0]])
        written.writeheader()
        written.writerows(rows)
    return [*record_scenes(rows)]


if __name__ == "__main__":
    raise SystemExit(main())
