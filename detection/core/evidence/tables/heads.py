"""Headings over columns: super-headings over several, dates broken over lines, headings that stand in one line."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

import regex

from detection.core import lexicons, numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.units import measure, only_unit
from detection.core.evidence.tables.values import is_period
from detection.core.patterns import late
from detection.core.quantities.measures import is_physical

Span = tuple[int, int, str]
_YEAR = regex.compile(r"(?:19|20)\d\d")
_GENERIC = words.LABEL_HEADS


def generic_label(text: str) -> bool:
    """A heading of the column of labels: ``Item``, ``Account``, ``(in thousands)``."""
    folded = numbers.fold(text)[0]
    return (
        folded in _GENERIC
        or folded.startswith("(")
        or is_period(folded)
        or "thousand" in folded
        or "million" in folded
    )


def of_notes(heads: Sequence[str]) -> bool:
    """Whether a column with these headings says where the notes are."""
    return bool(heads) and numbers.fold(heads[-1])[0].strip("*_ ") in words.NOTE_HEADS


def spread(rows: Sequence[Sequence[Span]], values: Sequence[int], columns: int) -> dict[int, list[str]]:
    """The texts above each column, top to bottom. What stands over several columns, or over the middle of them, is
    spread over all that it heads."""
    heads: dict[int, list[str]] = {}
    leaf = _leaf(rows, values)
    for index, row in enumerate(rows):
        last = index == len(rows) - 1
        for column, text in _over(row, values, columns, last, leaf).items():
            if text and text not in heads.setdefault(column, []):
                heads[column].append(text)
    return {column: texts for column, texts in heads.items() if texts}


def _leaf(rows: Sequence[Sequence[Span]], values: Sequence[int]) -> dict[int, str]:
    """The lowest text over each column of values."""
    found: dict[int, str] = {}
    for row in rows:
        found.update({low: text for low, high, text in row if low in values and high - low == 1})
    return found


def _over(
    row: Sequence[Span], values: Sequence[int], columns: int, last: bool, leaf: dict[int, str]
) -> dict[int, str]:
    own = {column: text for low, high, text in row for column in range(low, min(high, columns))}
    above = [span for span in row if any(column in values for column in range(span[0], span[1]))]
    if not last:
        own = _widened(own, values, leaf)
    if (
        not above
        or len(own.keys() & set(values)) == len(values)
        or any(high - low > 1 for low, high, _ in row)
    ):
        return own
    if last and not (len(above) == 1 and is_period(numbers.fold(above[0][2])[0]) and len(values) > 1):
        return own
    if last and not set(leaf) - {above[0][0]}:
        return own
    outside = {column: text for column, text in own.items() if column not in values}
    return {**outside, **grouped([text for _, _, text in above], [low for low, _, _ in above], values, leaf)}


def _widened(own: dict[int, str], values: Sequence[int], leaf: dict[int, str]) -> dict[int, str]:
    """A heading over the first of several periods heads those behind it too, until one of them comes again."""
    found, group = dict(own), set[str]()
    for before, column in pairwise(values):
        if column in own or before not in found or not _is_time(leaf, column):
            group = set()
            continue
        group = group or {leaf.get(before, "")}
        if _is_time(leaf, before) and leaf[column] not in group:
            found[column] = found[before]
            group.add(leaf[column])
    return found


def _is_time(leaf: dict[int, str], column: int) -> bool:
    return is_period(numbers.fold(leaf.get(column, ""))[0])


def grouped(
    texts: Sequence[str], places: Sequence[int], values: Sequence[int], leaf: dict[int, str]
) -> dict[int, str]:
    """Each column of values with the one of ``texts`` that heads it."""
    if len(texts) == 1:
        return dict.fromkeys(values, texts[0])
    groups = restarts([leaf.get(column, "") for column in values])
    if len(groups) == len(texts):
        sizes = groups
    elif len(values) % len(texts) == 0:
        sizes = [len(values) // len(texts)] * len(texts)
    else:
        return _nearest(texts, places, values)
    found, place = {}, 0
    for text, size in zip(texts, sizes, strict=True):
        found.update(dict.fromkeys(values[place : place + size], text))
        place += size
    return found


def _nearest(texts: Sequence[str], places: Sequence[int], values: Sequence[int]) -> dict[int, str]:
    """The last heading that stands at or before the column."""
    found = {}
    for column in values:
        before = [text for text, place in zip(texts, places, strict=True) if place <= column]
        found[column] = before[-1] if before else texts[0]
    return found


def restarts(texts: Sequence[str]) -> list[int]:
    """The sizes of the groups in which years run one way: ``2024 2023 2024 2023`` are two and two."""
    years = [int(found[0]) if (found := _YEAR.search(text)) else 0 for text in texts]
    sizes, step = [1], 0
    for before, after in pairwise(years):
        turn = (after > before) - (after < before)
        if turn == 0 or (step and turn != step):
            sizes.append(1)
            step = 0
        else:
            sizes[-1] += 1
            step = turn
    return sizes


def timed(texts: Sequence[str], count: int) -> dict[int, list[str]] | None:
    """The headings of ``count`` columns from the times that stand above them in reading order, broken over lines or
    not: ``Fiscal Year Ended``, ``June 29,``, ``2024``, ``July 1,``, ``2023``. None where they do not fit."""
    texts = _with_days(texts)
    if len(texts) == count + 1 and _YEAR.fullmatch(texts[-1]) and not any(map(_ENDS.search, texts[:-1])):
        return {
            index: [text] for index, text in enumerate(texts[:-1], start=1)
        }  # a year as the first section
    for above in range(min(len(texts), 2 * count + 1)):
        rest = texts[above:]
        leaves = _leaves(rest, count)
        if leaves is None:
            continue
        heads = [list(leaf) for leaf in leaves]
        if above:
            last = {index: leaf[-1] for index, leaf in enumerate(heads)}
            supers = _supers(texts[:above], count, last)
            heads = [[*supers.get(index, []), *leaf] for index, leaf in enumerate(heads)]
        return {index + 1: list(dict.fromkeys(leaf)) for index, leaf in enumerate(heads)}
    return None


def _with_days(texts: Sequence[str]) -> Sequence[str]:
    """The times with each stretch put to the one day behind it that it ends on: ``Year ended``, ``June 30,``, ``2024``."""
    folded = [numbers.fold(text)[0] for text in texts]
    days = [index for index, text in enumerate(folded) if _DAY_ALONE.fullmatch(text)]
    open_ = [index for index, text in enumerate(folded) if _OPEN.search(text)]
    if not open_ or days != [index + 1 for index in open_]:
        return texts
    return [
        f"{text} {texts[index + 1]}" if index in open_ else text
        for index, text in enumerate(texts)
        if index not in days
    ]


_OPEN = regex.compile(rf"(?:{words.SPAN_ENDS})$")
_DAY_ALONE = regex.compile(rf"(?:{words.MONTHS})\.? \d{{1,2}},?|\d{{1,2}} (?:{words.MONTHS})\.?,?")

_SEVERAL = 2
_PARTED = rf"[1-4]q|q[1-4]|h[12]|[12]h|(?:{words.MONTHS})\.?"
_PART = regex.compile(rf"(?i){_PARTED}")  # of a year, which may stand beside the year itself
_PARTS = late(rf"(?:{_PARTED})(?: (?:{_PARTED}))+")
_ENDS = regex.compile(r"(?i)(?:19|20)\d\d|\bend|\b(?:months|years?|weeks)\b|\d")


def _supers(texts: Sequence[str], count: int, last: dict[int, str]) -> dict[int, list[str]]:
    """The headings above the lowest ones, in lines of as many as there are groups."""
    groups = len(restarts([last[index] for index in range(count)]))
    size = groups if 1 < groups <= len(texts) and len(texts) % groups == 0 else 1
    found: dict[int, list[str]] = {}
    for low in range(0, len(texts), size):
        line = grouped(texts[low : low + size], list(range(size)), range(count), last)
        for column, text in line.items():
            found.setdefault(column, []).append(text)
    return found


def _leaves(rest: Sequence[str], count: int) -> list[tuple[str, ...]] | None:
    if len(rest) == count:
        sorts = {_YEAR.search(text) is not None for text in rest}
        parts = sum(_PART.fullmatch(text) is not None for text in rest)
        beside = _SEVERAL <= parts == sum(_YEAR.search(text) is None for text in rest)
        return [(text,) for text in rest] if len(sorts) == 1 or beside else None
    if len(rest) != 2 * count or count < 2:
        return None
    named = [_YEAR.search(text) is not None for text in rest]
    if named[0::2] == [False] * count and named[1::2] == [True] * count:
        return [(f"{day} {year}",) for day, year in zip(rest[0::2], rest[1::2], strict=True)]
    if named in ([False] * count + [True] * count, [True] * count + [False] * count):
        return list(zip(rest[:count], rest[count:], strict=True))
    return None


# --- headings in one line without marks ---

_TIME_STARTS = late(words.TIME_STARTS)
_MONTH_DAY = regex.compile(rf"(?<![a-z])(?:{words.MONTHS})\.? \d{{1,2}},?")
_ENDS_PERIOD = regex.compile(
    r"(?:[1-4]q|q[1-4]|h[12]|[12]h|fy|ytd)?[ ']?(?:(?:19|20)?\d\d)[ae]?|\([^()]*\)|%|chg\.?|change|ytd|\$|\$m|£m|€m"
)


def split_times(text: str) -> list[str]:
    """A line of headings that name times, one after the other: ``Three Months Ended Nine Months Ended``."""
    folded = numbers.fold(text)[0]
    if len(folded) != len(text):
        return [text]
    if _PARTS.fullmatch(folded):
        return text.split()
    for pattern in (_TIME_STARTS, _MONTH_DAY):
        starts = [found.start() for found in pattern.finditer(folded)]
        if len(starts) > 1 and starts[0] == 0:
            return [
                text[low:high].strip() for low, high in zip(starts, [*starts[1:], len(text)], strict=True)
            ]
    return [text]


_GROUP = regex.compile(r"\([^()]*\)|[^\s(]+|\(")
_MOST_TOKENS = 12  # for each column
_BEGINS = regex.compile(r"[\p{Lu}#$€£]|[\u4e00-\u9fff]")


def split_head(text: str, columns: int, labelled: bool) -> list[str] | None:
    """``Region Units Occupancy 2Q24 Revenue 2Q24`` as so many headings; None where several ways are open. ``labelled``
    says that the first of them heads the labels."""
    tokens = _prefixed(_GROUP.findall(text))
    if labelled and _FULL.fullmatch(tokens[0]):
        return None
    if len(tokens) == columns and not (labelled and _mixed_case(tokens)):
        return tokens
    if len(tokens) < columns or len(tokens) > _MOST_TOKENS * columns:
        return None
    if (
        not labelled
        and len(tokens) % columns == 0
        and len(set(tokens[len(tokens) // columns - 1 :: len(tokens) // columns])) == 1
    ):
        return _cut(tokens, range(0, len(tokens), len(tokens) // columns))  # Operating Leases Finance Leases
    forced, optional = _breaks(tokens)
    if len(forced) + len(optional) == columns:
        return _cut(tokens, sorted((*forced, *optional)))
    first = forced[1] if len(forced) > 1 else len(tokens)
    inside = [index for index in optional if index < first]
    if len(forced) == columns and (labelled or not inside):
        return _cut(tokens, forced)
    if labelled and len(forced) == columns - 1 and inside:
        starts = {tokens[index] for index in forced[1:]}
        place = next((index for index in inside if tokens[index] in starts), inside[-1])
        return _cut(tokens, sorted((*forced, place)))
    return None


def cuts(text: str, number: int) -> tuple[list[str], int] | None:
    """The text of one cell as so many headings, and how many of the places it is cut at only may be one; None where it
    falls into another number."""
    tokens = _prefixed(_GROUP.findall(text))
    if not number <= len(tokens) <= _MOST_TOKENS * number:
        return None
    forced, optional = _breaks(tokens)
    if len(forced) == number:
        return _cut(tokens, forced), 0
    if len(forced) + len(optional) == number:
        return _cut(tokens, sorted((*forced, *optional))), len(optional)
    if len(tokens) == number and text.islower():
        return tokens, number - 1
    return None


def _mixed_case(tokens: Sequence[str]) -> bool:
    """Whether some words begin with a capital letter and some do not, so that these go on with those before."""
    small = sum(token[:1].islower() for token in tokens)
    return 0 < small < len(tokens)


def _prefixed(tokens: list[str]) -> list[str]:
    """The tokens with a sign put to the word behind it: ``2018 $ Change % Change``; in ``Vacancy % Rent`` it ends."""
    found: list[str] = []
    heads: set[str] = set()
    for index, token in enumerate(tokens):
        signed = index and tokens[index - 1] in _SIGN_TOKENS and token not in _SIGN_TOKENS
        if signed and found[-1] == tokens[index - 1]:
            before = tokens[index - 2] if index > 1 else ""
            if token[:1].islower() or token in heads or not before or _FULL.fullmatch(before):
                found[-1] = f"{found[-1]} {token}"
                heads.add(token)
                continue
        found.append(token)
    return found


_SIGN_TOKENS = frozenset("%$£€#")
_PERCENT = frozenset("%")


def _breaks(tokens: Sequence[str]) -> tuple[list[int], list[int]]:
    """Where headings must begin, behind a period or a unit, and where they may, at a capital letter."""
    forced, optional = [0], []
    for index in range(1, len(tokens)):
        before, token = tokens[index - 1], tokens[index]
        after = tokens[index + 1] if index + 1 < len(tokens) else ""
        prefixed = token in _PERCENT and after[:1].islower()
        if token.startswith("(") or (token in _PERCENT and not prefixed):
            continue
        if (
            _FULL.fullmatch(before)
            or (_SPAN.fullmatch(before) and index > 1 and tokens[index - 2][-1:].isdigit())
            or (_closes(before) and not _closes(token))
            or prefixed
            or token[:2] in ("% ", "$ ")
        ):
            forced.append(index)
        elif _BEGINS.match(token) and not _closes(token):
            optional.append(index)
    return forced, optional


_SPAN = regex.compile(r"(?i)years?|months?|days|weeks")
_FULL = regex.compile(r"(?:[QHFYqhfy1-4]{0,2})(?:19|20)\d\d[AEaeFP]?|[1-4]Q\d\d|Q[1-4]|FY\d\d")


def _closes(token: str) -> bool:
    return _ENDS_PERIOD.fullmatch(numbers.fold(token)[0].rstrip(",")) is not None


def _cut(tokens: Sequence[str], starts: Sequence[int]) -> list[str]:
    return [" ".join(tokens[low:high]) for low, high in zip(starts, [*starts[1:], len(tokens)], strict=True)]


# --- headings in one line over values of known sorts ---

Sort = Literal["percent", "date", "money", "ratio", "plain", "text"]
_MONTH = rf"(?:{words.MONTHS})[a-z]*\.?"
_TIME = late(
    rf"""(?:\d{{1,2}}[ -]{_MONTH}(?:[ -]'?(?:19|20)?\d\d)?|{_MONTH}\s\d{{1,2}},?\s(?:19|20)\d\d|{_MONTH}[ -]'?(?:19|20)?\d\d
      |\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)?\d\d|(?:19|20)\d\d-\d\d(?:-\d\d)?
      |(?:[1-4]Q|Q[1-4]|H[12]|[12]H|FY|CY|YTD)[ ’']?(?:FY|CY)?(?:(?:19|20)\d\d|\d\d)[AEPFB]?|(?:19|20)\d\d(?:[/–-]\d\d)?[AEPFB]?
      |[1-4]Q|Q[1-4]|H[12]|[12]H|FY|YTD|{_MONTH})(?=\s|$)""",
    regex.X | regex.I,
)
_TOKEN = late(rf"(?<!\S)(?P<time>{_TIME.pattern})|\([^()]*\)|\S+", regex.X | regex.I)
_UNITED = regex.compile(r"[$£€₪¥₹%#].*|.*[/][$£€₪¥₹].*")
_MOST_ATOMS = 30
_JOIN, _WEAK, _EXTRA = 0.3, 0.2, 0.1
_LEAST_FIT, _LEAST_LED, _LEAST_NAMED = 0.4, -0.3, 0.35


class _Atom(NamedTuple):
    """Words of a heading that stand together; ``weak`` ones are a unit, which most often ends the heading before."""

    text: str
    weak: bool = False
    is_time: bool = False


def over_values(text: str, sorts: Sequence[Sort], *, led: bool) -> list[str] | None:
    """A line of headings cut into one for the labels and one for each column of values, by what the values are: ``Bay
    Tenant SF Monthly rent Lease end``; None where it is no such line. ``led``: other lines stand above it, so that it is
    no title and need not fit as well."""
    if (text[-1:] in ".!?;:" and not _SHORT.search(text)) or _DASHED.search(text):
        return None
    if is_caseless(text):
        parts = _spaced(text)
        return parts if len(parts) == len(sorts) + 1 else _of_words(parts, sorts)
    found = [one for mode in _MODES if (one := _best(_bound(_atoms(text), mode), sorts)) is not None]
    if not found:
        return None
    score, heads = max(found, key=lambda one: one[0])
    return heads if score >= (_LEAST_LED if led else _LEAST_FIT) else None


_SHORT = regex.compile(r"(?:^|[ /])(?:\p{Lu}[\p{L}]{0,3}|mo|yr|mth)\.$")  # as headings are shortened: "Occ."
_DASHED = regex.compile(r"\s[–—]\s")  # as titles have
_CASELESS = regex.compile(r"[א-ת\u4e00-\u9fff]")


def is_caseless(text: str) -> bool:
    """Whether a text is in a script without capital letters, which tell nothing of where its headings begin."""
    return _CASELESS.search(text) is not None


def _spaced(text: str) -> list[str]:
    """The words of a line without capital letters, each with the brackets and the number behind it."""
    found: list[str] = []
    for token in _TOKEN.finditer(text):
        if found and (token[0][0] == "(" or _BEHIND.fullmatch(token[0]) or only_unit(token[0])):
            found[-1] += f" {token[0]}"
        else:
            found.append(token[0])
    return found


def _of_words(parts: Sequence[str], sorts: Sequence[Sort]) -> list[str] | None:
    """Headings of several words each, which tell their ends by what they name and by the brackets behind them."""
    found = _best([_Atom(part) for part in parts], sorts)
    least = _LEAST_NAMED * len(sorts) - _JOIN * (len(parts) - len(sorts) - 1)
    return found[1] if found and found[0] >= least else None


_OPEN_END = regex.compile(rf"(?:^|[ %])(?:{words.OPEN_ENDS})$")
_BEHIND = regex.compile(r"\d{1,2}|[12]?\d\d\d|%")
_MODES = ("ends", "begins", "alone")


def _atoms(text: str) -> list[_Atom]:
    """The places where headings may begin: words with a capital letter, times, and signs that do not end one."""
    found: list[_Atom] = []
    tokens = [(one[0], bool(one["time"]) and not one[0][0].islower()) for one in _TOKEN.finditer(text)]
    for index, (token, is_time) in enumerate(tokens):
        after = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        sign = _UNITED.fullmatch(token) is not None or _is_unit(token)
        leads = sign and len(token) == 1 and after[:1].islower()
        named = bool(_BEGINS.match(token)) and not sign and not only_unit(token)
        if is_time or not found:
            found.append(_Atom(token, is_time=is_time))
        elif _OPEN_END.search(found[-1].text):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {token}")
        elif leads or named or (sign and token[0] != "%" and len(token) > 1):
            found.append(_Atom(token, weak=not (leads or named)))
        elif sign and len(token) == 1 and found[-1].text[-1:] == ")":
            found.append(_Atom(token, weak=True))
        elif found[-1].is_time and token[0] != "(" and not only_unit(token):
            found.append(_Atom(token))
        else:
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {token}")
    return found


def _is_unit(token: str) -> bool:
    """Whether a word is a unit that ends the heading: of energy, mass or volume, or money for one: ``Output MWh``."""
    if "/" in token:
        return bool(measure(token.split("/")[0]).currency) and token[:1].isupper()
    return not token[1:].islower() and token.isalpha() and is_physical(token)


def _bound(atoms: Sequence[_Atom], mode: str) -> list[_Atom]:
    """The atoms with times put to the words before them, to those behind, or by themselves."""
    found: list[_Atom] = []
    for atom in atoms:
        before = found[-1] if found else None
        ends = mode == "ends" and atom.is_time and before is not None and not before.is_time
        begins = mode == "begins" and not atom.is_time and before is not None and before.is_time
        if before is not None and (ends or begins):
            found[-1] = _Atom(f"{before.text} {atom.text}", before.weak)
        else:
            found.append(atom)
    return found


def _best(atoms: Sequence[_Atom], sorts: Sequence[Sort]) -> tuple[float, list[str]] | None:
    """The likeliest headings out of atoms, that of the labels first, and how well they fit."""
    count, size = len(sorts), len(atoms)
    if not count < size <= _MOST_ATOMS:
        return None
    known: dict[int, tuple[float, list[str]]] = {size: (0.0, [])}
    for place in range(count - 1, -1, -1):
        known = dict(_before(atoms, known, sorts[place], place + 1))
    exact = float(size == count + 1)
    ways = [
        (score + _of_labels(atoms[:first]) + exact, [_joined(atoms[:first]), *heads])
        for first, (score, heads) in known.items()
        if first
    ]
    told = [(score + _alike(heads[1:]), heads) for score, heads in ways]
    return max(told, key=lambda one: one[0], default=None)


def _before(
    atoms: Sequence[_Atom], known: dict[int, tuple[float, list[str]]], sort: Sort, least: int
) -> Iterator[tuple[int, tuple[float, list[str]]]]:
    """The best ways to go on with one more heading, which ends where those of ``known`` begin."""
    for first in range(least, len(atoms)):
        ways = [
            (score + _fit(atoms[first:last], sort), [_joined(atoms[first:last]), *heads])
            for last, (score, heads) in known.items()
            if last > first
        ]
        if ways:
            yield first, max(ways, key=lambda one: one[0])


def _joined(atoms: Sequence[_Atom]) -> str:
    return " ".join(atom.text for atom in atoms)


def _of_labels(atoms: Sequence[_Atom]) -> float:
    timed = any(_TIME.search(atom.text) for atom in atoms)
    caseless = is_caseless(atoms[0].text)
    named = 0.5 * (caseless and generic_label(_joined(atoms))) - _closed(atoms)
    return (
        named
        - (_JOIN + _EXTRA if caseless else _EXTRA) * (len(atoms) - 1)
        - 0.5 * timed * (len(atoms[0].text.split()) > 1)
    )


def _alike(heads: Sequence[str]) -> float:
    """Headings that have a time all have one; none is called as another is but for its time."""
    timed = [head for head in heads if _TIME.search(head)]
    bare = {_TIME.sub("", head).strip() for head in timed} & (set(heads) - set(timed))
    return 0.5 * (len(timed) == len(heads)) - 0.5 * len(bare)


def _fit(atoms: Sequence[_Atom], sort: Sort) -> float:
    joins = sum(_WEAK if atom.weak else -_JOIN for atom in atoms[1:])
    joins -= _closed(atoms)
    return joins - _WEAK * atoms[0].weak + _fits(_joined(atoms), sort)


def _closed(atoms: Sequence[_Atom]) -> int:
    """How many of these, which go on, end in brackets, as headings do in a script without capital letters."""
    return sum(one.text[-1:] == ")" and is_caseless(one.text) for one in atoms[:-1])


@lru_cache(maxsize=4096)
def _fits(head: str, sort: Sort) -> float:
    """How well a heading goes with values of a sort."""
    said = measure(head)
    known = 0.4 * (" " in head and _is_metric(head))
    if is_caseless(head):
        known += 0.2 * _begins_with_metric(head) + 0.5 * is_period(numbers.fold(head)[0])
    if sort == "date":
        marks = lexicons.phrases("date_roles").find(lexicons.Words(head))
        return 1.0 * bool(marks) + 0.2 * any(mark.end - mark.start == len(head) for mark in marks) + known
    if sort == "percent":
        return 1.0 * bool(said.percent) - 0.5 * bool(said.currency or said.counted) + known
    if sort in ("money", "ratio"):
        return 0.5 * bool(said.money or said.currency or said.times) - 0.5 * (said.percent > 1) + known
    return 0.5 * bool(said.counted or said.unit or said.money or said.currency) + known


def _begins_with_metric(head: str) -> bool:
    return any(mark.start == 0 for mark in lexicons.phrases("metrics").find(lexicons.Words(head)))


def _is_metric(head: str) -> bool:
    """Whether a heading is the name of a metric and nothing else."""
    folded = numbers.fold(head)[0]
    marks = lexicons.phrases("metrics").find(lexicons.Words(head))
    return any(mark.end - mark.start >= len(folded) for mark in marks)
