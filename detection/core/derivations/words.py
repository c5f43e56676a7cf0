"""The words that say a number was computed: which operation, and which phrases name its operands.

English, Hebrew and Chinese. Sentences come lower-cased and without the number itself.
"""

import regex

_CHANGE = regex.compile(
    r"\b(?:chang\w*|increas\w*|decreas\w*|gr[oe]w\w*|growth|declin\w*|differen\w*|rose|risen|rise|fell|fall\w*|up|down|higher|lower|drop\w*|more|less|fewer|gain\w*|improv\w*|reduc\w*|exceed\w*|varia(?:nce|tion)|net|minus|excluding|year-on-year|yoy)\b"
    r"|שינוי|השתנ|עלייה|עליה|ירידה|גידול|קיטון|הפרש|צמיחה|עלה|עלתה|עלו|ירד|ירדה|ירדו|גדל|צמח|קטן|קטנ|פחות|יותר"
    r"|变化|变动|增长|增加|增幅|减少|下降|降幅|上升|差额|差异|相差|同比|環比|环比|變動|增長|減少|差額"
)
_AVERAGE = regex.compile(r"\baverage[sd]?\b|\bmean\b|ממוצע|平均|均值")
_SUM = regex.compile(
    r"\b(?:totals?|totall?ed|totall?ing|sums?|combined|aggregate|together|overall|altogether|cumulative\w*|plus|both)\b"
    r"|סך|סכום|יחד|בסך|合计|合計|总|總|共|之和|加上"
)
_SHARE_OF = regex.compile(
    r"\b(?:percentages?|percent|per\scent|proportion|share|portion|fraction|ratio)\s(?:\w+\s)?(?:of|to|over)\b|\b(?:account\w*\sfor|represent\w*|constitut\w*|ma[dk]es?\sup|made\sup|out\sof|relative\sto|of\stotal|margin)\b|%\sof\b|כאחוז|מתוך|שיעור|מהווה|היוו|占|佔|比重|率"
)
_CHANGE_OF_SHARE = regex.compile(
    r"\b(?:chang\w*|increas\w*|decreas\w*|difference|growth)\s(?:in|of)\s(?:the\s)?(?:\w+\s)?(?:percent\w*|per\scent|proportion|share|ratio|margin|%)"
)
_RATIO = regex.compile(
    r"\b(?:ratio|proportion|per|divided\sby|times|multiple|coverage|over)\b|יחס|חלקי|比率|比例|之比|倍|除以"
)
_FALL = regex.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall\w*|drop\w*|reduc\w*|lower|down|shr[aiu]nk)\b|ירידה|ירד|קיטון|קטנ|קטן|הפחת|减少|下降|降|減少"
)
_RISE = regex.compile(
    r"\b(?:increas\w*|gr[oe]w\w*|growth|rise|rose|risen|higher|up|gain\w*|chang\w*)\b|עלי|גידול|צמיח|עלה|עלתה|שינוי|增|上升|升|变"
)
_EITHER_ORDER = regex.compile(r"\b(?:differen\w*|gap|apart)\b|הפרש|差额|差异|相差|差額")
_OUTGOING = regex.compile(
    r"\b(?:expenses?|costs?|loss(?:es)?|charges?|payments?|paid|disposals?|outflows?|used|purchases?|repurchases?|depreciation|amorti[sz]ation|impairments?|dividends?|deficit|taxe?s?(?!\srates?))\b|הוצא|הפסד|תשלומ|עלויות|עלות|פחת|费用|費用|成本|亏损|虧損|损失|支出|折旧"
)
_RESULT = regex.compile(
    r"\b(?:income|profits?|earnings|results?|cash|balances?|equity|position|net)\b|רווח|הכנס|תוצא|יתר|הון|利润|利潤|收益|收入|余额|結餘|净|淨"
)
_TWO_WAY = regex.compile(
    r"\((?:benefits?|loss(?:es)?|income|gains?|decrease|increase|expenses?|provision|הכנסה|הפסד|רווח|亏损|损失|收益)\)"
)
_RANGE = regex.compile(
    r"\b(?:19|20)\d\d年?\s?(?:-|–|—|to|through|until|till|עד|至|到|－)\s?(?:\w+\s){0,2}?(?:19|20)\d\d(?!\d)"
)


def operations(sentence: str, kind: str, unit: str) -> list[str]:
    """Which operations the sentence names for a claim of this kind, in the order to try."""
    average, change = bool(_AVERAGE.search(sentence)), bool(_CHANGE.search(sentence))
    if kind == "percentage":
        if unit == "pp":
            return ["difference", "points"]
        if average and not change:
            return ["average"]
        named = ["growth", "difference"] if change else []
        if not change or (_SHARE_OF.search(sentence) and not _CHANGE_OF_SHARE.search(sentence)):
            named.append("share")
        if _CHANGE_OF_SHARE.search(sentence):
            named.append("points")
        if _SUM.search(sentence):
            named.append("sum")
        return [*named, "average"] if average else named
    if kind == "ratio":
        return ["ratio"]
    named = ["average"] if average else []
    if change:
        named.append("difference")
    if _SUM.search(sentence):
        named.append("sum")
    if _RATIO.search(sentence):
        named.append("ratio")
    return named


def speaks_of_average(sentence: str) -> bool:
    """Whether the sentence names an average."""
    return bool(_AVERAGE.search(sentence))


def speaks_of_sum(sentence: str) -> bool:
    """Whether the sentence names a sum."""
    return bool(_SUM.search(sentence))


def speaks_of_fall(sentence: str) -> bool:
    """Whether the sentence states a decrease, so that its positive number means a negative change."""
    return bool(_FALL.search(sentence)) and not _RISE.search(sentence)


def either_order(sentence: str) -> bool:
    """Whether the sentence asks what lies between two values, whichever is larger."""
    return bool(_EITHER_ORDER.search(sentence))


def speaks_of_outgoing(sentence: str) -> bool:
    """Whether the sentence speaks of amounts paid or lost, which tables show as negative; not of what may be either."""
    return bool(_OUTGOING.search(sentence)) and not _TWO_WAY.search(sentence)


def speaks_of_result(sentence: str) -> bool:
    """Whether the sentence speaks of what may be a gain or a loss, so that its sign has a meaning."""
    return bool(_RESULT.search(sentence))


def is_range(sentence: str) -> bool:
    """Whether the years named are the ends of a range (``from 2017 to 2019``)."""
    return bool(_RANGE.search(sentence))
