"""How acts are worded, by language: patterns over the words of the lexicons (``<tell>`` is any phrase of that key).

Patterns of one act are tried in all languages together; their scripts tell them apart.
"""

from collections.abc import Mapping
from functools import cache

import regex

from detection.core import lexicons

_SLOT = regex.compile(r"(?<!\?P)<([a-z]+)>")
_GAP = r"[\s,]+"
_LEAD = r"[\s\"'“‘«*_`>#•\-–—]*(?:\d{1,3}[.)]\s+)?[\s\"'“‘«*_`]*"
_NUMBERS = (
    r"(?:\s*(?:no\.?|number|#|מס['׳]|מספר|ה-)?\s*\d{1,3}(?:(?:\s*(?:,|and|&|to|-|–|ו-|和|、)\s*)+\d{1,3})*)?"
)

PARTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "evidence": rf"(?:(?:the|these|those|this|that|your|both|neither|any of the|either of the|none of the)\s+)?"
        rf"(?:<given>\s+){{0,3}}(?:<sources>|<papers>)(?:\s+and\s+(?:the\s+)?(?:<sources>|<papers>))?"
        rf"(?:\s+(?:<given>|i have(?: been given)?|at hand|here|you (?:provided|gave|shared)))?{_NUMBERS}",
        "generic": rf"(?:(?:the|these|those|this|that|your|both)\s+)?(?:<given>\s+){{0,3}}<sources>(?:\s+<given>)?{_NUMBERS}",
        "not": r"(?:do|does|did)(?:\s+not|n['’]t)(?:\s+(?:actually|explicitly|specifically|clearly|directly|even|anywhere))?",
        "is": r"(?:is|are|was|were)",
        "isnt": r"(?:is|are|was|were)(?:\s+not|n['’]t)(?:\s+(?:actually|explicitly|specifically|clearly))?",
        "opening": r"(?:(?:however|unfortunately|but|and|no|also|sorry|in addition|beyond that|as (?:for|to) [^,.;]{1,60}),?\s+)?",
    },
    "he": {
        "evidence": rf"(?:<sources>|<papers>)(?:\s+(?:<given>|<papers>)){{0,3}}{_NUMBERS}",
        "generic": rf"<sources>(?:\s+<given>){{0,2}}{_NUMBERS}",
        "not": r"(?:אינו|אינה|אינם|אינן|איננו|איננה|לא)",
        "opening": r"(?:(?:עם זאת|אולם|אך|אבל|לצערי|לא|באשר ל[^,.;]{1,40}|לגבי [^,.;]{1,40}),?\s+)?",
    },
    "zh": {
        "evidence": rf"(?:<given>){{0,3}}的?(?:<sources>|<papers>)(?:[中里裡内內]|当中|當中|本身)?{_NUMBERS}",
        "generic": rf"(?:<given>){{0,3}}的?<sources>(?:[中里裡内內])?{_NUMBERS}",
        "not": r"(?:都|均|也|亦|则|則|并|並|却|卻|里|只字)*(?:没有|沒有|未曾|未|没|沒|不曾|无|無)(?:明确|明確|具体|具體|直接|任何)?(?:地)?",
        "opening": r"(?:(?:但是?|然而|不过|不過|抱歉|很遗憾|很遺憾|至于[^，。]{1,20}|至於[^，。]{1,20})[，,]?\s*)?",
    },
}
"""Parts of the patterns below, written like words: ``<evidence>``."""

PREAMBLES = {
    "en": (
        r"<according>\s+<evidence>(?:\s+and\s+<evidence>)?\s*(?:[,:]|(?=\s(?:the|a|an|it|there|you)\s))\s*",
        r"<generic>\s+(?:say|state|indicate|show|mention|report|explain|note|confirm|suggest)s?\s+that\s+",
        r"<question>[^,:.]{0,120}[,:]\s*",
    ),
    "he": (
        r"<according>\s?-?[הבלמ]{0,2}<evidence>\s*[,:]\s*",
        r"<according>\s?-?[הבלמ]{0,2}<sources>\s+<given>\s+(?=[\p{L}\d])",
        r"ה<generic>\s+<tell>\s+(?:כי\s+|ש(?=\p{L}))",
        r"<question>[^,:.]{0,80}[,:]\s*",
    ),
    "zh": (
        r"<according><evidence>(?:显示|顯示|可知|所述|记载|記載|来看|來看)?[，,：:]\s*",
        r"<question>[^，：。]{0,40}[，：]\s*",
    ),
}
"""What stands before an assertion and says where it is from."""

AFTERTHOUGHTS = {
    "en": (r",?\s+<according>\s+<evidence>\s*(?=[.!]?\s*$)",),
    "he": (r"(?:,?\s+כך)?,?\s+<according>\s?-?[הבלמ]{0,2}<evidence>\s*(?=[.!]?\s*$)",),
    "zh": (),
}
"""The same behind it."""

ABSTENTIONS = {
    "en": (
        r"<opening><evidence>\s+<not>\s+<tell>\b",
        r"<opening>(?:they|it)\s+<not>\s+(?:say|state|mention|specify|tell|explain)\s+(?=whether|what|who|when|where|how|why|which|if|anything)",
        r"<opening>neither\s+(?:of\s+)?<evidence>\s+<tell>s?\b",
        r"<opening><evidence>\s+(?:(?:is|are)\s+silent|<tell>s?\s+(?:nothing|no\s+<details>))\b",
        r"<opening>(?:there(?:\s+is|['’]s|\s+are)|<evidence>\s+ha(?:s|ve)|i\s+(?:find|found|see|have))\s+(?:nothing|no\s+(?:<given>\s+|specific\s+)?<details>)\b(?=.{0,120}?\b(?:in|within|from|about|on|regarding|as to)\b)",
        r"<opening>i\s+(?:could|can|did)\s*(?:not|n['’]t)\s+find\b",
        r"<opening>no\s+(?:[\p{L}\-]+\s+){0,4}<is>\s+(?:<told>|given|provided)(?=\s*(?:[.,;]|$|in\s|anywhere|for\s|about\s))",
        r"<opening>nothing\s+(?:<is>\s+<told>|in\s+<evidence>\s+\p{L}+)",
        r"<opening>not\s+(?:<told>|<listed>)\s+(?:anywhere\s+)?in\s+<evidence>",
        r"<opening>(?:i\s*(?:am|['’]m)\s+)?unable\s+to\s+(?:answer|determine|say|tell|find)\b",
        r"<opening>i\s+(?:cannot|can\s*not|can['’]t|could\s+not|couldn['’]t)\s+(?:answer|determine|say|tell|give\s+you|provide)\b",
        r"<opening>i\s+(?:do\s+not|don['’]t)\s+(?:know|have\s+(?:any\s+|enough\s+)?<details>)\b",
        r"<opening>(?:it|this|that)\s+(?:cannot|can\s*not|can['’]t)\s+be\s+(?:determined|answered|said|told|established)\b",
        r"<opening>[^.;:]{2,160}?\s<isnt>\s+(?:<told>|<listed>)\s+(?:anywhere\s+)?in\s+<evidence>",
        r"<opening>[^.;:,]{2,120}?\s(?:is|are)(?:\s+not|n['’]t)\s+(?:stated|mentioned|specified)(?=[.,!]?\s*$)",
    ),
    "he": (
        r"<opening>[וה]?ה<evidence>\s+<not>\s+<tell>(?!\p{L})",
        r"<opening>אין\s+(?:ב[ה]?<evidence>|כאן|בהם|בו)\s+(?:שום\s+|כל\s+)?<details>(?!\p{L})",
        r"<opening>אין\s+(?:שום\s+|כל\s+)?<details>\s.{0,80}?ב[ה]?<evidence>",
        r"<opening>[^.;:]{2,100}?\sאין\s+כאן\s+<details>(?!\p{L})",
        r"<opening>ב[ה]?<evidence>\s+(?:אין|<not>\s+(?:<told>|<listed>))(?!\p{L})",
        r"<opening>(?:לא|אינו|אינה|אינם)\s+<told>\s.{0,100}?ב[ה]?<evidence>",
        r"<opening>[^.;:]{2,120}?\s<not>\s+(?:<told>|<listed>)\s+ב[ה]?<evidence>",
        r"<opening>על\s[^.;:]{2,80}?\s<not>\s+<told>(?!\p{L})",
        r"<opening>(?:אי\s+אפשר|לא\s+ניתן|אין\s+באפשרותי|איני\s+יכול|לא\s+אוכל)\s+(?:לענות|לקבוע|לדעת|להשיב)(?!\p{L})",
    ),
    "zh": (
        r"<opening><evidence><not><tell>",
        r"<opening>(?:从|從|在)<evidence>[^，。；]{0,12}?(?:找不到|看不出|查不到|无法|無法|没有找到|沒有找到|未找到)",
        r"<opening>(?:找不到|查不到|没有找到|沒有找到|未找到)[^，。；]{0,20}?(?:<details>|资料|資料)",
        r"<opening>(?:没有|沒有|无|無)(?:相关|相關)?<details>(?:可查|可供|表明|显示|顯示)",
        r"<opening>[^，。；]{2,30}(?:隻字未提|只字未提|没有提及|沒有提及|未提及|未说明|未說明)(?=[，。；]|$)",
        r"<opening>(?:我)?(?:无法|無法)(?:根据|根據|从|從)?[^，。；]{0,16}?(?:回答|确定|確定|判断|判斷|得知)",
    ),
}
"""How a sentence or clause begins that says of the evidence that it does not tell something."""

CLOSINGS = {
    "en": (r"(?:(?:i|we)\s+)?<closing>\b", r"(?:please\s+)?(?:let\s+me\s+know|feel\s+free|(?:do\s+not|don['’]t)\s+hesitate)\b",
           r"if\s+you\s+(?:have|need|want|would\s+like|require)\b[^.!?]{0,120}?\b(?:let\s+me\s+know|feel\s+free|just\s+ask|i\s+can|i['’]m\s+happy)\b"),
    "he": (r"(?:אני\s+)?<closing>(?!\p{L})", r"אם\s+(?:יש|תרצו|תרצה|תצטרכו|דרוש)[^.!?]{0,80}?(?:אשמח|אני\s+כאן|פנו\s+אליי)"),
    "zh": (r"<closing>",),
}  # fmt: skip

ADVICE = {
    "en": (r"<advise>\s+(?:that\s+you\s+)?(?:always\s+|to\s+)?<consult>\b",),
    "he": (r"<advise>\s+<consult>(?!\p{L})",),
    "zh": (r"<advise>[^，。；]{0,6}?<consult>",),
}
"""Advice to look or ask elsewhere; any other advice is a statement that evidence may carry."""

REPLIES = {
    "en": (r"<reply>(?:[\s,–—-]+<much>)?\s*[.!]*\s*$", r"<much>(?:[\s,]+so)?\s*[.!]*\s*$"),
    "he": (r"<reply>(?:[\s,–—-]+<much>)?\s*[.!]*\s*$", r"<much>\s*[.!]*\s*$"),
    "zh": (r"<reply>(?:[，,\s]*<much>)?\s*[。.！!]*\s*$", r"<much>\s*[。.！!]*\s*$"),
}
RESTATED = {"en": (r"<asked>\b",), "he": (r"<asked>(?!\p{L})",), "zh": (r"<asked>",)}

ONWARD = regex.compile(
    r"\s*;\s+|\s*:\s+(?=\S)|\s+[—–]\s+|,\s+(?:but|yet|although|though|while|whereas|only)\s+"
    r"|,\s+(?:אך|אבל|אולם|ואילו|אם כי|אלא)\s+|[；：]|，(?:但是?|不过|不過|只|而(?!且)|然而|仅|僅)",
    regex.IGNORECASE,
)
"""Where a sentence goes on to assert something after it abstained."""


@cache
def compiled(name: str) -> "regex.Pattern[str]":
    """The patterns of one of the tables above in all languages, each from where the sentence begins."""
    table: Mapping[str, tuple[str, ...]] = globals()[name]
    every = [_filled(pattern, language) for language, patterns in table.items() for pattern in patterns]
    lead = "" if name == "AFTERTHOUGHTS" else _LEAD
    return regex.compile("|".join(f"(?:{lead}{pattern})" for pattern in every), regex.IGNORECASE)


def _filled(pattern: str, language: str) -> str:
    """A pattern with its parts, and with the words of the language in place of their keys."""
    parts = {**PARTS[language], "evidence": f"(?P<evidence>{PARTS[language]['evidence']})"}
    whole = _SLOT.sub(lambda slot: parts.get(slot[1], slot[0]), pattern)
    return _SLOT.sub(lambda slot: _any(language, slot[1]), whole)


def _any(language: str, key: str) -> str:
    phrases = sorted(lexicons.table("discourse")[language][key], key=len, reverse=True)
    words = "|".join(regex.escape(phrase).replace(r"\ ", _GAP).replace("'", "['’]") for phrase in phrases)
    if language == "zh":
        return f"(?:{words})"
    return rf"(?:{words})(?:e?s)?(?!\p{{L}})"
