"""The phrases of a sentence that name the operands of a derivation: ``A as a percentage of B``, ``between A and B``.

A sentence can be divided in more than one place; every division that its words allow is given, few of them.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import regex

from detection.core.derivations.words import either_order

_MOST = 6  # divisions of one sentence that are tried
_LONGEST = 600  # characters of a sentence that are divided
Parts = tuple[str, ...]

_SHARE_HEAD = regex.compile(
    r"^.*?\b(?:percentages?|per\s?cent|percent|proportion|share|fraction|ratio|portion)\b(?:,?\s(?:in\spercentage,?|constitu\w+|contribution))?(?:\s(?:of|between|from))?"
)
_SHARE_STRONG = regex.compile(
    r"\bas\s(?:an?\s)?(?:percentage|percent|per\s?cent|proportion|share|fraction|ratio|multiple|%)\s(?:of|to|over)\b"
    r"|\bdivided\sby\b|\bout\sof\b|\brelative\sto\b|\bin\srelation\sto\b|\bover\b|\bamong\b|(?<!\bfrom\s(?:\w+\s)?\d{4}\s)(?:-|\b)to(?:-|\b)"
    r"|\b(?:accounts?|accounted|accounting)\sfor\b|\b(?:represent|constitute|comprise)(?:s|d|ed|ing)?\b|\bma[dk]es?\sup\b|\bmade\sup\b"
    r"|\sל-?(?=\p{L})|מתוך|כאחוז\sמ|כשיעור\sמ|ביחס\sל|חלקי|מהווה|היוו|占|佔|除以|与|與|對|对"
)
_SHARE_WEAK = regex.compile(r"\b(?:of|in|within|and|from|per|on)\b|\sשל\s|\sמ(?=\p{L})|的")
_CHANGED = regex.compile(r"\band\b|\bto\b|\s?לבין|\sל-?(?=\p{L})|和|与|與|至|到")
_COMPARED = regex.compile(
    r"\bless\b|\bminus\b|\bexcluding\b|\bnet\sof\b|\bwithout\b|\bthan\b|\bversus\b|\bvs\b|\bover\b|\bexceed(?:s|ed)?\b|\bcompared\s(?:to|with)\b|\bfrom\b"
    r"|פחות|ללא|לעומת|减去|減去|比|较|較"
)
_FORMULAS: tuple[tuple["regex.Pattern[str]", tuple[Parts, ...]], ...] = (
    (
        regex.compile(r"\bcurrent\sratio\b|流动比率"),
        (("current assets 流动资产", "current liabilities 流动负债"),),
    ),
    (
        regex.compile(r"\bdebt[- ]to[- ]assets?\b|资产负债率"),
        (("total liabilities 负债", "total assets 资产"), ("total debt", "total assets")),
    ),
)
_MARGIN = regex.compile(
    r"((?:\b[a-z]+\s){1,4})margin\b|(?:שיעור\s)(ה?רווח(?:\s[א-ת]+){1,2})|(毛利|净利|營業利潤|营业利润|净利润)率"
)
_DIFFERENCE_HEAD = regex.compile(r"^.*\bbetween\b|^.*?(?:\sבין)(?=\s)")
_JOINED = regex.compile(r"\band\b|\bplus\b|\bas\swell\sas\b|&|\bwith\b|\sו-?(?=\p{L})|和|与|與|及|加上")
_LISTED = regex.compile(
    r",(?!\s?\d{4})\s?(?:and\s)?|\band\b|\bplus\b|\bas\swell\sas\b|;\s?|\sו-?(?=\p{L})|和|与|與|及|、|加上"
)


@lru_cache(maxsize=64)
def parts(sentence: str, operation: str) -> tuple[Parts, ...]:
    """The divisions of ``sentence`` into phrases that may name the operands of ``operation``, in their order; the
    tables of an answer are searched for the same few."""
    sentence = sentence[:_LONGEST]
    if operation in ("share", "ratio"):
        found = _shares(sentence)
    elif operation in ("growth", "difference"):
        found = _differences(sentence)
    else:
        found = _joined(sentence)
    return tuple(islice(found, _MOST))


def _halves(
    connector: "regex.Pattern[str]", sentence: str, head: "regex.Pattern[str] | None" = None
) -> Iterator[Parts]:
    begin = found.end() if head and (found := head.search(sentence)) else 0
    for match in connector.finditer(sentence, begin):
        first, second = sentence[begin : match.start()], sentence[match.end() :]
        if first.strip() and second.strip():
            yield first, second


def _differences(sentence: str) -> Iterator[Parts]:
    """What it became before what it was, as the operation takes them; two names in the order they are said."""
    yield from _halves(_COMPARED, sentence)
    for first, second in _halves(_CHANGED, sentence, _DIFFERENCE_HEAD):
        yield (first, second) if either_order(sentence) else (second, first)


def _shares(sentence: str) -> Iterator[Parts]:
    for named, formula in _FORMULAS:
        if named.search(sentence):
            yield from formula
    if margin := _MARGIN.search(sentence):
        yield f"{margin[1] or margin[2] or margin[3]} profit income", "total revenue sales הכנסות 收入"
    strong = list(_halves(_SHARE_STRONG, sentence))
    if strong:
        for first, second in strong:
            head = _SHARE_HEAD.search(first)
            yield (first[head.end() :] if head and first[head.end() :].strip() else first), second
        return
    head = _SHARE_HEAD.search(sentence)
    yield from _halves(_SHARE_WEAK, sentence[head.end() :] if head else sentence)


@lru_cache(maxsize=256)
def joined(phrase: str) -> tuple[Parts, ...]:
    """The ways to read a phrase as two things taken together: ``A and B``."""
    return tuple(islice(_halves(_JOINED, phrase), 2))


def _joined(sentence: str) -> Iterator[Parts]:
    listed = tuple(part for part in _LISTED.split(sentence) if part.strip())
    for begin in range(min(len(listed) - 2, 3)):
        if len(listed) - begin <= _MOST:
            yield listed[begin:]
    yield from _halves(_JOINED, sentence)
