"""Arithmetic that a text does in front of the reader: ``1,500 − 600 = 900``, ``700 less 200, that is 500``.

A step of reasoning states its operands and its result at once. Whether the result follows is a matter of reckoning,
not of evidence; whether the operands are right is for the evidence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow

import regex

from detection.core.numbers import CURRENCY_WORDS, SCALE_LETTERS, SCALE_WORDS, digits, fold
from detection.core.patterns import late

Span = tuple[int, int]

MOST_READ = 20_000
"""Characters of a text that are read; a step is not longer."""
MOST_TOKENS = 40
"""A longer run of numbers and signs is a table, and nobody's arithmetic."""

_EXACT = Context(prec=34, traps=[DivisionByZero, InvalidOperation, Overflow])
_SCALES = {
    **{k.lower(): v for k, v in SCALE_LETTERS.items()},
    **{k.lower(): v for k, v in SCALE_WORDS.items()},
}
_OPERATORS = {
    "+": r"\+|plus\b|ועוד|加上?",
    "-": r"[-–]|minus\b|less\b|פחות|[减減]去?",
    "*": r"[*×·]|x(?=\s)|times\b|multiplied\sby\b|כפול|乘以?",
    "/": r"[/÷]|divided\sby\b|חלקי|除以",
}
_EQUALS = r"=|≈|,?\s?(?:equals|equal\sto|which\sis|that\sis|is|gives|makes|leaves|comes\sto)\b|(?:שווה\sל-?|כלומר|הם|הוא)|[,;]?\s?(?:等[于於]|即|得到?)"
_OPERATOR = regex.compile(
    r"\s*(?:" + "|".join(f"(?P<{n}>{p})" for n, p in zip("psmd", _OPERATORS.values(), strict=True)) + r")\s*"
)
_EQUAL = regex.compile(rf"\s*(?:{_EQUALS})\s*")
_WORDS = "|".join(sorted(map(regex.escape, map(str.lower, CURRENCY_WORDS)), key=len, reverse=True))
_SCALE = "|".join(sorted(map(regex.escape, _SCALES), key=len, reverse=True))
_NUMBER = late(
    r"(?P<sign>-\s?)?(?:(?:[$€£₪¥₹]|us\$|usd\s)\s?)?(?P<run>\d[\d,]*(?:\.\d+)?)(?!\d)"
    rf"(?:\s?(?P<scale>{_SCALE})(?![a-z]))?(?:\s?(?P<percent>%|pp\b|percent\b)|x\b)?(?:\s?(?:{_WORDS})(?!\p{{L}}))?"
)
_BEGINS = regex.compile(r"(?<![\d.,\p{L}])(?:\((?=[\s(]{0,8}[-$€£₪¥₹\d])|(?=[-$€£₪¥₹]?\s?\d|us[$d]))")
_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Equation:
    """One piece of arithmetic: ``text`` stands at ``start:end``, ``operands`` and ``result`` are stretches of it.
    ``value`` is what the operands give, as written for people; ``holds`` whether that is the stated result within
    its own rounding."""

    text: str
    start: int
    end: int
    operands: tuple[Span, ...]
    result: Span
    value: str
    holds: bool


@dataclass(frozen=True, slots=True)
class _Token:
    """A number, an operator, a bracket or an equals sign; ``tight`` is a dash without spaces (``3-5`` may be a range)
    and an equals sign that is a word."""

    sign: str
    start: int
    end: int
    value: Decimal = _NOTHING
    precision: Decimal = _NOTHING
    per_cent: bool = False
    tight: bool = False


def equations(text: str) -> tuple[Equation, ...]:
    """The arithmetic of a text, in order. Linear in its length; what cannot be reckoned is left out."""
    folded, origin = fold(text)
    found: list[Equation] = []
    place = 0
    while begins := _BEGINS.search(folded, place, MOST_READ):
        tokens = list(_tokens(folded, begins.start()))
        place = max(begins.end(), tokens[-1].end if tokens else 0, begins.start() + 1)
        equation = _equation(tokens)
        if equation is not None:
            found.append(_placed(text, origin, *equation))
    return tuple(found)


def _tokens(folded: str, place: int) -> Iterator[_Token]:
    """Numbers and signs in turn, for as long as they follow each other."""
    wanted = True
    for _ in range(MOST_TOKENS):
        if wanted and folded[place : place + 1] == "(":
            yield _Token("(", place, place + 1)
            place += 1
            continue
        if not wanted and folded[place : place + 1] == ")":
            yield _Token(")", place, place + 1)
            place += 1
            continue
        token = _number(folded, place) if wanted else _sign(folded, place)
        if token is None:
            return
        yield token
        place, wanted = token.end, not wanted


def _number(folded: str, place: int) -> _Token | None:
    found = _NUMBER.match(folded, place)
    run = found["run"].rstrip(",") if found else ""
    parsed = digits(run) if run else None
    if found is None or parsed is None:
        return None
    end = found.end() if run == found["run"] else found.start("run") + len(run)
    factor = _SCALES.get(found["scale"] or "", Decimal(1)) / (100 if found["percent"] else 1)
    value = -parsed.value if found["sign"] else parsed.value
    return _Token("number", place, end, value * factor, parsed.step / 2 * factor, bool(found["percent"]))


def _sign(folded: str, place: int) -> _Token | None:
    found = _OPERATOR.match(folded, place)
    if found:
        sign = next(op for op, name in zip(_OPERATORS, "psmd", strict=True) if found[name])
        return _Token(sign, place, found.end(), tight=found[0] in ("-", "–"))
    equal = _EQUAL.match(folded, place)
    return _Token("=", place, equal.end(), tight=equal[0].strip() not in ("=", "≈")) if equal else None


def _equation(tokens: Sequence[_Token]) -> tuple[Sequence[_Token], _Token, Decimal] | None:
    """The left side, the stated result and what the left side gives; None for what is no equation."""
    at = next((n for n, token in enumerate(tokens) if token.sign == "="), 0)
    left, rest = tokens[:at], tokens[at + 1 :]
    if not rest or rest[0].sign != "number" or not any(token.sign in _OPERATORS for token in left):
        return None
    if tokens[at].tight and any(token.tight for token in left):
        return None
    try:
        value, left_over = _sum(left)
    except (ArithmeticError, IndexError):
        return None
    if left_over or (_goes_on(rest) and not _is(value, rest[0])):
        return None
    return left, rest[0], value


def _goes_on(rest: Sequence[_Token]) -> bool:
    """Whether the right side is reckoned too (``10 + 20 = 15 + 15``): its first number is then no result."""
    return len(rest) > 2 and rest[1].sign in _OPERATORS


def _is(value: Decimal, stated: _Token) -> bool:
    return abs(value - stated.value) <= stated.precision


def _sum(tokens: Sequence[_Token]) -> tuple[Decimal, Sequence[_Token]]:
    value, rest = _product(tokens)
    while rest and rest[0].sign in "+-":
        sign = rest[0].sign
        other, rest = _product(rest[1:])
        value = _EXACT.add(value, other) if sign == "+" else _EXACT.subtract(value, other)
    return value, rest


def _product(tokens: Sequence[_Token]) -> tuple[Decimal, Sequence[_Token]]:
    value, rest = _factor(tokens)
    while rest and rest[0].sign in "*/":
        sign = rest[0].sign
        other, rest = _factor(rest[1:])
        value = _EXACT.multiply(value, other) if sign == "*" else _EXACT.divide(value, other)
    return value, rest


def _factor(tokens: Sequence[_Token]) -> tuple[Decimal, Sequence[_Token]]:
    """A number or what stands in brackets. Raises :class:`IndexError` where neither follows."""
    if tokens[0].sign != "(":
        return tokens[0].value, tokens[1:]
    value, rest = _sum(tokens[1:])
    return value, rest[1:] if rest[0].sign == ")" else rest


def _placed(
    text: str, origin: list[int] | None, left: Sequence[_Token], result: _Token, value: Decimal
) -> Equation:
    """The equation with its places in the text as submitted."""
    start, end = _unfolded(origin, left[0].start, result.end)
    return Equation(
        text=text[start:end],
        start=start,
        end=end,
        operands=tuple(_unfolded(origin, token.start, token.end) for token in left if token.sign == "number"),
        result=_unfolded(origin, result.start, result.end),
        value=_written(value, per_cent=result.per_cent),
        holds=_is(value, result),
    )


def _unfolded(origin: list[int] | None, start: int, end: int) -> Span:
    return (start, end) if origin is None else (origin[start], origin[end - 1] + 1)


def _written(value: Decimal, *, per_cent: bool) -> str:
    shown = _EXACT.multiply(value, Decimal(100)) if per_cent else value
    plain = f"{round(shown, 4):,f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return f"{plain} %" if per_cent else plain
