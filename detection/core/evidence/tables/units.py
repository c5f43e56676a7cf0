"""What headings, labels and unit lines say of the unit: currency, scale, per what, percent, counts (and what they except)."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

import regex

from detection.core import lexicons, numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.values import any_of
from detection.core.patterns import late
from detection.core.quantities.measures import METRES, PHYSICAL, is_physical, unit_in, unit_of_all

LONGEST = 300  # characters of a text that are looked at
_NAMED = any_of(sorted(code.lower() for code in numbers.CURRENCY_CODES))
_SIGNS = (
    rf"(?:us\s?\$|[acs]\$|nt\$|hk\$|[$€£¥₪₹]|\b(?:{_NAMED})\b|\b(?:{_NAMED})(?=['\s]?0|m\b|bn\b|k\b|000))"
)
_NO_THINGS = frozenset(
    ("times", "percent", "point", "basis_point", "week", "month", "quarter", "year", "decade", "day")
)


def _things(language: str) -> str:
    """The words of a language for what is counted or measured, any of them."""
    units = lexicons.table("units")[language]
    return any_of(
        name
        for key, names in units.items()
        if key not in _NO_THINGS and key != lexicons.SKIP
        for name in names
    )


_HAN = {
    name: code for name, code in numbers.CURRENCY_WORDS.items() if ord(name[0]) >= 0x2E80 and name != "元"
}
_HEBREW_SCALED = rf"(?:[₪$€£]|ש|דולר|שקל|יורו|אירו|(?:{_things('he')})(?![א-ת]))"
_SCALE = late(
    rf"""(?:\bin\b|\bof\b|\(|^|{_SIGNS}|\bdollars|\bamounts?|\bexpressed|\bstated|\beuros?)\s?'?(?:us\s)?(?:{_SIGNS}\s?)?
      (?:(?P<k>thousands?|(?<!\d\()k\b|'?000\b|'?000'?s\b)|(?P<m>millions?|mn?\b|mm\b|mio\b)|(?P<b>billions?|bn\b)|(?P<t>trillions?|tn\b)|(?P<l>lakhs?)|(?P<c>crores?))
    | (?P<h>\bin\shundreds\b)|(?<=(?:^|[,(]|\bin)\s?)(?P<k>1[,.\s]?000)(?=\s\p{{L}})|(?P<k>\bthousands\b|'000\b|\b000s\b|\b[tk]\s?{_SIGNS}(?!\w))|(?P<m>\bmillions\b|\b(?:m|mn|mio\.?)\s?{_SIGNS}(?!\w))|(?P<b>\bbillions\b|\bbn\s?{_SIGNS}(?!\w))
    | (?:(?<!\d\s?)|(?=\())(?:(?P<k>ב?-?אלפי\s{_HEBREW_SCALED}|באלפים|\(אלפים\)|אלש"ח)|(?P<m>במיליונים|\(מיליונים\)|ב?-?(?:מיליוני|מיליון)\s{_HEBREW_SCALED}|מלש"ח|(?<![א-ת"])מש"ח)|(?P<b>ב?-?מיליארדי\s{_HEBREW_SCALED}))
    | (?<![\d.,十百千万萬亿億]\s?)(?:(?P<m>百万|百萬)|(?P<b>十亿|十億)|(?!{any_of(numbers.PREFIXED_UNITS)})(?P<k>千)|(?P<w>万|萬)|(?P<y>亿|億))
      (?=人民币|人民幣|{any_of(_HAN)}|[美港日欧歐]?[元圆圓]|平方|㎡|m²|千瓦|度|{_things("zh")}|[)\]:;,。]|\s*$)
    | (?<=[单單]位:\s?)(?!{any_of(numbers.PREFIXED_UNITS)})(?:(?P<k>千)|(?P<w>万|萬)|(?P<y>亿|億))(?=[\u4e00-\u9fff]{{1,4}}\s*$)
    | (?<=\()(?!{any_of(numbers.PREFIXED_UNITS)})(?:(?P<k>千)|(?P<w>万|萬)|(?P<y>亿|億))(?=[\u4e00-\u9fff]{{1,4}}\))
    """,
    regex.X,
)
_IN_FULL = re.compile(r"\bnot in (?:thousand|million)s?\b")
_POWERS = {"h": 2, "k": 3, "m": 6, "b": 9, "t": 12, "l": 5, "c": 7, "w": 4, "y": 8}
_MAY_SCALE = re.compile(
    r"hundreds|thous|illi|lakh|crore|000|\b(?:k|mn?|mm|mio|bn?|tn)\b|\b[tkm](?:eur|usd|gbp|chf|nok|sek|dkk|ils|nis|cny|rmb|inr|jpy|cad|aud)\b|[$€£₪¥](?:k|m|b)|t€|אלפ|מיל|מליונ|אלש|מלש|מש\"|[千万萬百亿億十]"
)
_CODES = {code.lower(): numbers.CODE_MEANS.get(code, code) for code in numbers.CURRENCY_CODES}
_LETTERED = {name: code for name, code in numbers.CURRENCY_WORDS.items() if ord(name[0]) < 0x2E80}
_NAMES = {**numbers.CURRENCY_SIGNS, **_CODES, **_LETTERED, **_HAN, "元": "CNY"}
_CURRENCY = late(
    rf"(?<![a-z])(?:{any_of(numbers.CURRENCY_SIGNS)})|[$€£₪¥₹]|(?<![a-z])(?:{any_of(_CODES)})(?![a-z])"
    rf"|(?<![a-zא-ת])[הב]?\K(?:{any_of(_LETTERED)})(?![a-zא-ת])|{any_of(_HAN)}|元"
)
_LETTERS = re.compile(r"[a-z]+")
_MAY_CURRENCY = frozenset((*_CODES, *(word for name in _NAMES for word in name.split() if word.isascii())))


class Measure(NamedTuple):
    """What a heading or a label says of the values beside it. ``percent`` is 4 for points of per cent, 3 for basis points, 2 for
    per cent, 1 for a rate or a margin, which may be written otherwise; ``strict``: it names a unit that is counted, with decimals or without; ``size``
    is the unit of measure that they are in."""

    currency: str = ""
    scale: Decimal | None = None
    unit: str = ""
    per: str = ""
    percent: int = 0
    times: bool = False
    counted: bool = False
    money: bool = False
    strict: bool = False
    size: str = ""


class Declared(NamedTuple):
    """What a unit line declares for all values, or for those whose label or heading names one of ``subjects``; none of
    ``spared``; ``counted`` things and no money; ``percent``: shares and nothing else. ``apart``: the line has units of
    their own for others; ``money``: it is for what is money by its words, and nothing else; ``size``: the unit of measure of all
    that is no money; ``titled``: it stands behind the name of the figure that all values are of, whatever their headings count."""

    subjects: tuple[frozenset[str], ...] = ()
    currency: str = ""
    scale: Decimal | None = None
    unit: str = ""
    per: str = ""
    spared: tuple[frozenset[str], ...] = ()
    counted: bool = False
    percent: bool = False
    apart: bool = False
    money: bool = False
    size: str = ""
    titled: bool = False


def scales(folded: str) -> list[Decimal]:
    """Every scale that the folded text declares."""
    if _MAY_SCALE.search(folded) is None:
        return []
    if _IN_FULL.search(folded):
        return [Decimal(1)]
    plain = METRES.sub(" ", folded)
    return [Decimal(10) ** _POWERS[found.lastgroup] for found in _SCALE.finditer(plain) if found.lastgroup]


def currencies(folded: str) -> list[str]:
    """The ISO 4217 codes of the currencies that the folded text names."""
    folded = _JOINED_CODE.sub(" ", folded)  # kEUR
    if folded.isascii() and "$" not in folded and _MAY_CURRENCY.isdisjoint(_LETTERS.findall(folded)):
        return []
    found = [_NAMES[name] for name in _CURRENCY.findall(folded)]
    return ["TWD" if code == "CNY" and _TAIWAN.search(folded) else code for code in found]


_JOINED_CODE = re.compile(r"\b[tkm](?=(?:eur|usd|gbp|chf|nok|sek|dkk|ils|nis|cny|rmb|inr|jpy|cad|aud)\b)")
_TAIWAN = re.compile("新[台臺][币幣]|nt\\$")
_UNIT_WORDS = (
    (re.compile(r"\bsquare (?:feet|foot)\b|\bsq\.? ?ft\b|\bsf\b|\brsf\b|平方英尺|רגל רבוע"), "sf"),
    (
        re.compile(r"\bsquare met(?:re|er)s?\b|\bsq\.? ?m\b|\bsqm\b|\bm2\b|m²|㎡|平方米|平米|מ\"ר|מטר רבוע"),
        "sqm",
    ),
)
_PER = late(
    rf"(?:\bper (?:each |leased |average )?|(?P<slash>/ ?))(?:{'|'.join(f'(?P<n{index}>{pattern})' for index, (pattern, _) in enumerate(words.PERS))})(?![a-z])"
)
_EACH = [(late(pattern), name) for pattern, name in words.EACHS]
_COUNTED, _RATES, _NO_RATES = (late(text) for text in (words.COUNTED, words.RATES, words.NO_RATES))
_PERCENTS, _TIMES = late(words.PERCENTS), late(words.TIMES)
_SHARES = ((3, late(words.POINTS)), (4, late(words.PERCENT_POINTS)), (2, _PERCENTS))
_GENERIC, _MONEY = words.GENERIC, words.MONEY
_WORD = regex.compile(r"[a-z][a-z'-]*|[א-ת][א-ת\"'-]*|[\u4e00-\u9fff]+|\d+")
_OWN_SIGNS = re.compile(rf"{_SIGNS}|元|dollar|ש\"ח|\bct\b")


@lru_cache(maxsize=8192)
def measure(text: str) -> Measure:
    """What a heading or label says of its values."""
    folded = _SCALED_NAME.sub(r"(\1) ", numbers.fold(text[:LONGEST])[0]).replace("_", " ")
    tail = _TAIL.search(folded) if _MAY_SCALE.search(folded) else None  # Gold produced, thousand oz
    found, named = scales(folded) or (scales(f"({tail[1]})") if tail else []), currencies(folded)
    main = _EXCEPT.sub("", folded)
    part = _PARTS_OF.search(main) if not found else None
    if part is not None:
        found, named = [_PART], named or _of_part(main, part[0])
    per = pers(main)
    rate = _RATES.search(main) is not None and _NO_RATES.search(main) is None
    strict = part is None and (_is_of_things(main) or (not per and not named and is_physical(main)))
    money = _is_money(main)
    strict = strict or (bool(found) and part is None and not money and not per and _counts_things(main))
    return Measure(
        named[0] if named else "",
        found[0] if found else None,
        _unit_word(main, per),
        per,
        next((n for n, said in _SHARES if said.search(main)), int(rate and part is None)),
        _TIMES.search(main) is not None,
        (_COUNTED.search(main) is not None and not (named or (per and money))) or strict,
        money or part is not None,
        strict or _LASTS.search(main) is not None,
    )


def _of_part(folded: str, name: str) -> list[str]:
    """The currency of hundredths: ``pence``; cents are those of the currency named before them, if any is."""
    owners = lexicons.table("currency_parts").values()
    own = next((code for parts in owners for code, names in parts.items() if name in names), "")
    return [own] if own and (own != "USD" or f"us {name}" in folded) else []


_PART = Decimal("0.01")
_SCALED_NAME = re.compile(r"_(thousands?|millions?|billions?)(?=_|$)")  # litres_thousand
_PARTS_OF = regex.compile(words.CURRENCY_PARTS)
_LASTS = regex.compile(words.LASTING)
_MONEY_HAN = tuple(word for word in _MONEY if word[0] >= "\u4e00")


def _is_of_things(folded: str) -> bool:
    """Whether brackets name a unit that is no money and no rate: ``Q2 2024 (MWh)``, ``(thousand TEU)``."""
    groups = (one[1] or one[2] or "" for one in _BRACKETED.finditer(folded))
    return any(_counts(group) for group in groups if not group[0].isdigit())


def _counts(group: str) -> bool:
    if "/" in group or "per " in group or currencies(group):
        return False
    found = lexicons.phrases("units").find(lexicons.Words(group))
    return any(mark.value - _NO_THINGS for mark in found)


def _counts_things(folded: str) -> bool:
    """Whether a text names what is counted: ``Policies 2024 (000)``."""
    marks = lexicons.phrases("counted").find(lexicons.Words(folded))
    return _counts(folded) or (any("thing" in one.value for one in marks) and not currencies(folded))


def _unit_word(folded: str, per: str) -> str:
    for pattern, name in _UNIT_WORDS:
        if name not in per.split() and pattern.search(folded):
            return name
    return ""


_AVERAGE = frozenset(
    name for keys in lexicons.table("totals").values() for name in keys["average"] if " " not in name
)
_YEARLY = frozenset(words.YEARLY)


def pers(folded: str) -> str:
    """What amounts are stated for: ``$/sf/yr`` gives ``sf year``."""
    found: list[str] = []
    slashes = "/" in folded and (
        _OWN_SIGNS.search(folded) is not None or not _MONEY.isdisjoint(_words(folded))
    )
    if slashes or "per " in folded:
        found.extend(
            words.PERS[int((each.lastgroup or "n0")[1:])][1]
            for each in _PER.finditer(folded)
            if each["slash"] is None or slashes
        )
    if _AVERAGE.intersection(_words(folded)) and _AVERAGE.union(_YEARLY).issuperset(_words(folded)):
        return " ".join(found)  # the average of the year, not so much a year
    spoken = [(match.start(), name) for pattern, name in _EACH if (match := pattern.search(folded))]
    found.extend(name for _, name in sorted(spoken))
    return " ".join(dict.fromkeys(found))


def _words(folded: str) -> list[str]:
    return _WORD.findall(folded)


# --- unit lines ---

_EXCEPT = regex.compile(
    r"[,、;][^,、;()]{1,16}除外|(?:\bexcept\b|\bother than\b|\bexcluding\b|\bunless\b|למעט|除(?!以))[^|()]{0,160}"
)
_BRACKETED = regex.compile(r"\(([^()]{1,200})\)|\[([^\[\]]{1,200})\]")
_CLAUSES = regex.compile(r"[;；\n。]|(?<!u\.s|\bno)\.\s|，(?=[^,，]{1,12}(?:单位|:))")
_SCALED_THINGS = regex.compile(r"(?:in )?(?:thousands?|millions?|billions?)(?: of)? \p{L}+(?: \p{L}+)?")
_SAYS = regex.compile(
    r"\bin\b|,\s*(?:(?:us )?dollars?,? |euros?,? |[$€£₪¥] ?)?(?:thousands|millions|billions)\b|:|单位|單位|ב-?(?:אלפי|מיליו|ש\"ח|דולר)|\b000|'000|^\W*\$|^\W*(?:usd|eur|gbp|nis|us\$)"
)
_WHICH = regex.compile(r"([^,]{1,60}?),? which (?:is|are) (.{1,80})")
_PARTS = regex.compile(r",|、|\band\b|&|\bor\b|(?<!\w)ו-?(?=[א-תa-z])|及|和|与|與")
_SUBJECT_END = regex.compile(r"\bin\b|:|单位|單位|(?<!\w)ב-?(?=אלפי|מיליו|ש\"ח|דולר)|\bare\b|\bis\b")


@lru_cache(maxsize=2048)
def declared(text: str) -> tuple[Declared, ...]:
    """Everything that a caption, title or unit line declares."""
    folded = numbers.fold(text[: 2 * LONGEST])[0]
    if (
        not scales(folded)
        and not currencies(folded)
        and not any(pattern.search(folded) for pattern, _ in _UNIT_WORDS)
        and _PARTS_OF.search(folded) is None
        and _TAIL.search(_BRACKETED.sub(" ", folded)) is None
    ):
        return (Declared(percent=True),) if _OF_PERCENT.search(folded) else _measured(text)
    each = _each_in_brackets(folded)
    found = _for_names(each, ()) or [
        one for clause, bracketed in _parts(folded) for one in _clause(clause, bracketed)
    ]
    if _leads_with_things(folded):
        found = [one._replace(counted=not one.currency) if not one.subjects else one for one in found]
    if _TITLED.match(folded) and _MONEY.isdisjoint(_words(folded)):
        found = [one._replace(titled=bool(one.scale) and not one.currency) for one in found]
    if any(one.currency == "TWD" for one in found):
        found = [one._replace(currency="TWD") if one.currency == "CNY" else one for one in found]
    if len({one._replace(subjects=()) for one in found if one.subjects}) > 1:
        found = [one._replace(apart=bool(one.subjects)) for one in found]
    return tuple(found)


def _measured(text: str) -> tuple[Declared, ...]:
    """What a title declares that ends in a unit of measure: ``Generation, GWh (second quarter)``."""
    title = _REMARKED.sub("", text.strip())
    size = unit_in(title) if _UNIT_ENDS.search(title) else ""
    return (Declared(counted=True, size=size),) if size in PHYSICAL else ()


_UNIT_ENDS = regex.compile(r"^[^.;:|\n]{2,80}(?:,\s[^,]{1,16}|\([^()]{1,16}\))$")
_REMARKED = regex.compile(r"(?<=,[^,()]{1,16})\s\([^()]*\)$")  # what follows a unit in brackets
_OF_PERCENT = regex.compile(
    r"(?m)[(\[](?:in )?%(?=[)\] ])(?: per [a-z]+| of [a-z ]+)?[)\]]|^(?:in )?(?:%|per ?cent)(?: of [a-z -]+)?$"
)
_TITLED = regex.compile(
    r"(?!in )[^(,\n]*\p{L}[^(,\n]*(?:\(|,\s|\s[–—-]\s)'?(?:000\b|(?:thousand|million)s?\b(?! of)|אלפים|באלפים|מיליונים|במיליונים)"
)
_LEADING = regex.compile(r"(?:.* [-–—] )?([^,(–—]+)")


def _leads_with_things(folded: str) -> bool:
    """Whether a caption begins with what its table counts: ``Customers at period end (in thousands)``."""
    body = _LEADING.match(folded)
    if body is None or not _MONEY.isdisjoint(_words(body[1])):
        return False
    said = body[1].strip()
    marks = lexicons.phrases("counted").find(lexicons.Words(said))
    things = any(mark.start == 0 and "thing" in mark.value for mark in marks)
    return things and said.split(" ")[0].endswith("s")


_TAIL = late(
    rf"(?:,\s*(?=(?:us )?(?:{_SIGNS}|dollars|euros?)\s*$)|[,\s]\s*(?={_SIGNS}\s?(?:in )?(?:'?000'?s?|thousands?|millions?|billions?|m|mn|bn|k)\b)"
    r"|(?:,| [-–—])\s*(?=(?:(?:thousands?|millions?|billions?|1[. ]?000)(?: \p{L}+){0,6}|(?:אלפי|מיליוני|מיליארדי) [\p{L}\"]+|באלפים|במיליונים)\s*(?:\(|$)))([^,]{1,48}?)(?:\s*(?:,|unless|except)[^,]*(?:,.*)?)?\s*$"
)


def _parts(folded: str) -> list[tuple[str, bool]]:
    """The clauses that may declare, in the order of the text, and whether brackets enclose them."""
    inside = [(part.start(), part[1] or part[2], True) for part in _BRACKETED.finditer(folded)]
    outside = _BRACKETED.sub(lambda part: " " * len(part[0]), folded)
    ends = [(found.start(), found.end()) for found in _CLAUSES.finditer(outside)]
    starts = zip([0, *(end for _, end in ends)], [*(start for start, _ in ends), len(outside)], strict=True)
    found = [(low, outside[low:high], False) for low, high in starts]
    for low, clause, _ in list(found):
        says = _SAYS.search(clause) is not None and bool(scales(clause))
        tail = None if says or only_unit(clause.strip()) else _TAIL.search(clause)
        if tail is not None:
            inside.append((low + tail.start(1), tail[1], True))
    return [
        (clause, bracketed)
        for _, whole, bracketed in sorted([*inside, *found])
        for clause in (_CLAUSES.split(whole) if bracketed else [whole])
        if bracketed
        or _SAYS.search(clause) is not None
        or only_unit(clause.strip())
        or _each_in(clause)
        or _SCALED_THINGS.fullmatch(clause.strip())
    ]


def declares(text: str) -> bool:
    """Whether a text declares a scale or a currency for a table."""
    return len(text) <= LONGEST and any(one.scale or one.currency or one.unit for one in declared(text))


def is_unit_line(text: str) -> bool:
    """Whether a text does nothing else than declare units: of all amounts, ``(in thousands)``, or of each that it names."""
    return len(text) <= LONGEST and any(
        (one.apart or not one.subjects) and (one.scale or one.currency) for one in declared(text)
    )


def tells_apart(text: str) -> bool:
    """Whether a text declares scales, and only for what it names beside others in units of their own."""
    scaled = [one for one in declared(text) if one.scale]
    return any(one.apart for one in scaled) and all(one.subjects for one in scaled)


def _clause(clause: str, bracketed: bool) -> list[Declared]:
    main = clause
    spared: tuple[frozenset[str], ...] = ()
    others: list[Declared] = []
    exception = _EXCEPT.search(clause)
    if exception is not None:
        main = clause[: exception.start()]
        spared, others = _excepted(exception[0])
    named, found = currencies(main), scales(f"({main})" if bracketed else main)
    each = _each_in(main)
    if len(each) > 1 or (each and not ((named or found) and _SUBJECT_END.search(main))):
        return [*_for_names(each, spared), *others]
    part = _PARTS_OF.search(main) if bracketed and not found else None
    if part is not None:
        found, named = [_PART], named or _of_part(main, part[0])
    unit = "" if named or found else _unit_word(main, "")
    if not (named or found or (unit and not bracketed)):
        return others
    subjects = _subjects(main)
    return [
        Declared(
            subjects,
            named[0] if named else "",
            found[0] if found else None,
            unit,
            pers(main),
            spared,
            not unit and _counts_all(main, bracketed),
            size="" if named else unit_of_all(main),
        ),
        *others,
    ]


class _Each(NamedTuple):
    """A part of a clause: the ``names`` of what is in a ``unit``."""

    names: str
    unit: str


_IN = regex.compile(r"\bin\b|:|(?:单位|單位)[为為是]?:?|[以为為]|(?<![\w\"])ב-?(?=[א-ת₪$€£%])")
_PARTED = regex.compile(r"[,;、]|\band\b|(?<!\w)ו-?(?=[א-ת])")
_MOST_OF_UNIT = 6  # words of a unit


def _each_in(clause: str) -> list[_Each]:
    """The parts of a clause of which each has its unit: ``area in hectares, income and direct cost in USD thousand``."""
    marks = [one for one in _IN.finditer(clause) if _begins_with_unit(clause[one.end() :])]
    found, low = list[_Each](), 0
    for mark, behind in zip_longest(marks, marks[1:]):
        rest = clause[mark.end() : behind.start() if behind else len(clause)]
        cut = _names_behind(rest) if behind else len(rest)
        if cut < 0:  # "sales in units in thousand": the later one holds
            continue
        if any(map(str.isalpha, clause[low : mark.start()])):
            found.append(_Each(_named_in(clause[low : mark.start()]), rest[:cut].strip()))
        low = mark.end() + cut
    return found


def _named_in(called: str) -> str:
    """What a clause names before it says more of it: the weights of ``All weights in this section are live weight``."""
    end = _SUBJECT_END.search(called)
    return called[: end.start()] if end is not None and called[: end.start()].strip() else called


def _names_behind(rest: str) -> int:
    """Where a unit ends before names go on; -1 where none do. What is a unit itself is no name: ``in USD, thousands``."""
    for found in _PARTED.finditer(rest):
        following = _PARTED.split(rest[found.end() :])[0].strip()
        if following and not only_unit(following):
            return found.start()
    return -1


def _begins_with_unit(text: str) -> bool:
    """Whether a text begins with a unit: of money, a scale, per cent, or of what is counted or measured."""
    phrase = _PARTED.split(text)[0].strip()
    if not phrase or phrase[0].isdigit() or len(phrase.split()) > _MOST_OF_UNIT:
        return False
    if currencies(phrase) or scales(f"in {phrase}") or _PERCENTS.match(phrase):
        return True
    first = len(phrase.split()[0])
    marks = lexicons.phrases("units").find(lexicons.Words(phrase))
    return any(
        (mark.start < first and mark.value - _NO_THINGS) or mark.end - mark.start == len(phrase)
        for mark in marks
    )


def _each_in_brackets(folded: str) -> list[_Each]:
    """The parts of a list whose units stand in brackets behind names: ``area (ha), income (USD thousand)``; none of one
    alone."""
    found, low = list[_Each](), 0
    for group in _BRACKETED.finditer(folded):
        unit = group[1] or group[2]
        called = _CLAUSES.split(folded[low : group.start()])[-1]
        listed = not found or _PARTED.match(called.strip()) is not None
        if listed and any(map(str.isalpha, called)) and _begins_with_unit(unit):
            found.append(_Each(called, unit))
        low = group.end()
    return found if len({one.unit for one in found}) > 1 else []


def _for_names(each: Sequence[_Each], spared: tuple[frozenset[str], ...]) -> list[Declared]:
    """What the parts of a clause declare, each for its names."""
    paid = any(currencies(one.unit) for one in each)
    return [_for_name(one, spared, paid=paid) for one in each]


def _for_name(each: _Each, spared: tuple[frozenset[str], ...], *, paid: bool) -> Declared:
    """What a part of a clause declares for its names; ``paid``: this or another part names a currency."""
    named, found = currencies(each.unit) or currencies(each.names), scales(f"in {each.unit}")
    percent = not named and _PERCENTS.search(each.unit) is not None
    money = _is_money(each.names) and not paid
    things = not found or _counts(each.unit) or (not money and _counts_things(each.names))
    return Declared(
        _called(each.names),
        named[0] if named else "",
        found[0] if found else None,
        "" if named or found else _unit_word(each.unit, pers(each.unit)),
        pers(each.unit) if named else "",
        spared,
        things and not (named or percent),
        percent,
        size="" if named or percent else unit_of_all(each.unit),
    )


def _is_money(text: str) -> bool:
    return bool(_MONEY.intersection(_words(text))) or any(word in text for word in _MONEY_HAN)


def _counts_all(main: str, bracketed: bool) -> bool:
    """Whether a clause says of what it speaks of that it is counted: ``Visitors in thousands of people``."""
    if bracketed or _SCALED_THINGS.fullmatch(main.strip()) is not None:
        return _counts(main)
    end = _SUBJECT_END.search(main)
    return end is not None and bool(_subjects(main)) and _counts(main[end.end() :])


def _excepted(said: str) -> tuple[tuple[frozenset[str], ...], list[Declared]]:
    """What is excepted: left as written, or ``which is in millions``."""
    body = regex.sub(
        r"^(?:except(?: for)?|other than|excluding|unless|למעט|除)\s*(?:where)?|^[,、;]|除外$", "", said
    )
    which = _WHICH.search(body)
    if which is not None:
        subjects = tuple(part for part in map(stems, _PARTS.split(which[1])) if part)
        named, found = currencies(which[2]), scales("in " + which[2])
        return (), [
            Declared(subjects, named[0] if named else "", found[0] if found else None, "", pers(which[2]))
        ]
    parts = [stems(part) - words.NO_EXCEPTION for part in _PARTS.split(body)]
    return tuple(part for part in parts if part), []


def _subjects(main: str) -> tuple[frozenset[str], ...]:
    """What the clause speaks of, each by its words: ``Rents in GBP``, ``坪效：元／坪``; none for all amounts."""
    end = _SUBJECT_END.search(main)
    if end is None:
        return ()
    return _called(main[: end.start()])


def _called(names: str) -> tuple[frozenset[str], ...]:
    parts = [stems(part) - _GENERIC for part in _PARTS.split(names)]
    return tuple(part for part in parts if part and len(part) <= 5)


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """The words of a text without the ending of the plural, units of area by their short names."""
    folded = numbers.fold(text)[0].replace("_", " ")
    for pattern, name in _UNIT_WORDS:
        folded = pattern.sub(name, folded)
    return frozenset(
        word[:-1] if len(word) > 3 and word[-1] == "s" and word.isascii() else word
        for word in _WORD.findall(folded)
    )


def names(subjects: tuple[frozenset[str], ...], said: str) -> bool:
    """Whether ``said`` names one of the subjects: all words of one, or Chinese words within it."""
    own = stems(said)
    for subject in subjects:
        if subject <= own:
            return True
        if any(word >= "\u4e00" and word in said for word in subject):
            return True
    return False


_ONLY_UNIT = late(
    rf"\(?(?:in )?(?:{_SIGNS}|us dollars?|dollars?)?[\s']*(?:in )?(?:000'?s?|m|mn|bn|k|thousands?|millions?|billions?)?\)?|\(?%\)?|\(?x\)?"
    r"|(?:人民币|人民幣)?(?:千|百?[万萬]|十?[亿億])?(?:人民币|人民幣|[美港日欧歐]?元|新?[台臺]币|新?[台臺]幣)"
    r"|ב?-?(?:אלפי|מיליוני|מיליארדי)\s(?:[₪$€£]|דולר(?:ים)?|שקל(?:ים)?|ש\"ח|יורו|אירו)"
)


def only_unit(text: str) -> bool:
    """Whether a heading is a unit and nothing else: ``£m``, ``$'000``, ``%``."""
    return len(text) <= 24 and _ONLY_UNIT.fullmatch(numbers.fold(text)[0]) is not None


_UNIT_GROUP = regex.compile(r"\s*[(\[（]([^()\[\]（）]{1,40})[)\]）]")
_UNIT_TAIL = late(
    rf"_(?:(?:pct|bps|usd|eur|gbp|ils|sf|sqm)(?:_?(?:k|m|mn|bn|000|thousands?|millions?))?|(?:thousand|million|billion)s?(?:_(?:usd|eur|gbp|ils))?)\s*$|[\s,]*(?:{_SIGNS}\s?'?(?:000'?s?|m|mn|k|bn)?|'000)\s*$|(?<=\w)\s+%\s*$",
    regex.I,
)
_MORE = regex.compile(r"(?:19|20)\d\d|[qhQH][1-4]")


@lru_cache(maxsize=8192)
def without_unit(text: str) -> str:
    """A heading without the unit it declares: ``Base rent ($/sf/yr)`` is ``Base rent``."""

    def bare(group: "regex.Match[str]") -> str:
        said = measure(group[1])
        own = (
            said.currency
            or said.scale
            or said.unit
            or said.per
            or said.percent > 1
            or group[1].strip() in ("x", "X")
        )
        return "" if own and not _MORE.search(group[1]) else group[0]

    plain = _UNIT_GROUP.sub(bare, text)
    folded = numbers.fold(plain)[0]
    if len(folded) == len(plain):
        tail = _UNIT_TAIL.search(folded)
        plain = plain[: tail.start()] if tail and tail.start() else plain
    return plain.strip() or text
