"""What the words around a number make of it: a figure, a change, the figure a change started from (contracts §3.4)."""

from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

import regex

from detection.core.numbers import dates
from detection.core.types import NumericClaim

Span = tuple[date, date]
_MOST_DATES = 12
_NEAR = 60
_REACH = 240  # characters on either side of a number whose words can say what it is
_ABOUT = r"(?:\s*(?:about|approximately|approx\.?|around|roughly|nearly|almost|some|just|over|under|only|as\smuch\sas|an?|another|the|~|כ-?|约|約))*\s*"
_BASE = regex.compile(
    rf"(?:\b(?:from|versus|vs\.?|against|than|(?:compared|relative)\s(?:to|with))|(?<![א-ת])(?:לעומת|מ-?|בהשוואה\sל-?)|从|較|较|比|低于|高于){_ABOUT}$"
)
_SET_AGAINST = regex.compile(
    rf"(?:\b(?:versus|vs\.?|against|(?:compared|relative|in\scomparison)\s(?:to|with))|(?<![א-ת])(?:לעומת|בהשוואה\sל-?|ביחס\sל-?|מול)|相比于?|相较于?|相較於?|对比|對比|较|較){_ABOUT}$"
)
_OVER = regex.compile(
    rf"[\s,;，)）]*(?:(?:and|which|is|was|well|much|slightly|far|even)\s){{0,3}}(?:(?:higher|lower|better|worse|greater|more|less|larger|smaller)\sthan|above|below){_ABOUT}"
    rf"|[\s,，]*(?:(?:גבוה|נמוך|גדול|קטן|טוב)(?:ה|ים|ות)?|יותר|פחות)\sמ-?{_ABOUT}|[\s,，]*(?:高于|低于|高於|低於|多于|少于|优于){_ABOUT}"
)
_BESIDE = regex.compile(r"\s*(?:相比|相较|相較)")
_UP_FROM = regex.compile(rf"\b(?:up|down|increase|decrease|decline|improvement)\sfrom{_ABOUT}$")
_BY = regex.compile(
    rf"(?:\bby|(?<![א-ת])ב-?|[增减減涨漲跌升降超][长長加少幅值出过過]*(?:了)?|多|少){_ABOUT}$"
)
_VERB = regex.compile(
    r"\b(?:mov(?:e|ed|ing)|went|going|goes|exceed\w*|surpass\w*|outpac\w*|outperform\w*|trail\w*|lag\w*|beat|topp?\w*|chang\w*|increas\w*|decreas\w*|grew|gr[oe]w\w*|growth|"
    r"declin\w*|rose|ris\w*|fell|fall\w*|dropp?\w*|climb\w*|improv\w*|slipp?\w*|shr[aiu]nk\w*|widen\w*|narrow\w*|differ\w*|gain\w*|jump\w*|advanc\w*|slid|dipp?\w*|expand\w*|contract\w*)\b"
    r"|על[הו]|עלתה|ירד[הו]?|גדל[הו]?|צמח[הו]?|קטנ[הו]|עול[הה]|[增减減涨漲跌升降超]"
)
_NOUN = regex.compile(
    r"\b(?:change|increase|decrease|growth|decline|difference|drop|gain|rise|gap|variance|spread|improvement|reduction)\s(?:in|of|between)\b[^;:]{0,120}"
    rf"\b(?:was|were|is|are|of|total+ed|amounted\sto|came\sto|equal+ed|stood\sat|reached)\b{_ABOUT}$"
    rf"|(?:השינוי|העלייה|הירידה|הגידול|ההפרש|הפער)\s[^;:]{{0,80}}(?:היה|הייתה|הוא|היא|של|עמד\sעל|עמדה\sעל|הסתכם\sב-?){_ABOUT}$"
    rf"|(?:增幅|降幅|差额|差額|涨幅|增长率|增長率|变动|變動)(?:为|為|是|达|達)?{_ABOUT}$"
)
_OR = regex.compile(rf"(?:%|percent|bps|points?|\d[kmb]?|million|thousand)\s*(?:,?\s*\bor\b|/|[(]){_ABOUT}$")
_OR_AFTER = regex.compile(
    r"^\s*(?:,?\s*\bor\b|/|[(])\s*(?:about\s|approximately\s)?[+−-]?[$€£₪¥₹]?\d[\d.,]*\s?(?:%|percent|bps)"
)
_UNSIGNED = regex.compile(r"\b(?:differen\w*|gap|apart|spread|between|variance)\b|הפרש|פער|差")
_DOWN = regex.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall\w*|dropp?\w*|down|lower|less|below|trail\w*|lag\w*|shr[aiu]nk\w*|slipp?\w*|reduc\w*|slid|dipp?\w*|contract\w*)\b|ירד|ירידה|קטן|נמוך|פחות|[减減跌降低少]"
)
_UP = regex.compile(
    r"\b(?:increas\w*|grew|gr[oe]w\w*|rose|ris\w*|up|higher|more|above|exceed\w*|surpass\w*|climb\w*|jump\w*|gain\w*|outp\w*|beat|topp?\w*|advanc\w*|expand\w*)\b|עלה|עלתה|עלייה|גדל|צמח|גבוה|יותר|[增涨漲升高多超]"
)
_YEARLY = regex.compile(
    r"\b(?:yoy|y/y|y-o-y|(?:year|yr)[\s-](?:over|on)[\s-](?:year|yr)|(?:a|one)\syear\s(?:ago|earlier|before|prior)|(?:prior|previous|last|preceding)[\s-]year\w*|annually|year[\s-]ago)\b|"
    r"(?:שנה\s(?:קודמת|שעברה)|אשתקד|השנה\sהקודמת|שנתי(?:ת)?)|同比|去年|上年|年增"
)
_SEQUENTIAL = regex.compile(
    r"\b(?:qoq|q/q|q-o-q|mom|m/m|(?:quarter|month|qtr)[\s-](?:over|on|to)[\s-](?:quarter|month|qtr)|sequential\w*|(?:(?:the|a)\s)?(?:prior|previous|last|preceding|one|immediately\spreceding)[\s-](?:quarter|month|period)\w*|quarterly|(?:a|one)\squarter\s(?:ago|earlier|before))\b"
    r"|(?:רבעון\s(?:קודם|שעבר)|הרבעון\sהקודם|רבעוני(?:ת)?|החודש\sהקודם)|环比|環比|上季|上一季|前一季|上个季度|上月"
)
_BARE_QUARTER = regex.compile(
    r"(?<!\w)q(?P<named>[1-4])(?![\w'’]|\s?(?:of\s)?(?:fy\s?)?(?:19|20)\d\d|\s?['’/-]\s?\d)"
    r"|(?<!\w|year['’]?s?\s|\d\s)(?P<named>first|second|third|fourth)\squarter"
    r"(?![\w'’]|,?\s(?:of\s|in\s)?(?:the\s|fy\s?|fiscal\s)?(?:19|20)\d\d|\s(?:of\s)?(?:the\s)?(?:last|prior|previous|preceding|same)\b|\s(?:in\sa\s|running|straight|a\syear))"
    r"|(?<=(?<![א-ת])[במלו]?)ה?רבעון\sה?(?P<named>ראשון|שני|שלישי|רביעי)"
    r"(?![א-ת]|\s(?:של\s|ב)?(?:שנת\s)?(?:19|20)\d\d|\s(?:של\s|ב)?(?:ה?שנה|אשתקד)|\sברציפות)"
    r"|(?<!\d年的?|[去上前]年度?的?|同)第?(?P<named>[一二三四])季度?(?!同期|\p{N})"
)
_QUARTERS = {
    word: number
    for number, words in enumerate(
        ("1 first ראשון 一", "2 second שני 二", "3 third שלישי 三", "4 fourth רביעי 四"), start=1
    )
    for word in words.split()
}
_FROM = regex.compile(
    r"(?:\b(?:from|since|versus|vs\.?|against|than|over|on|(?:compared|relative)\s(?:to|with|against)|that\sof)|(?<![א-ת])(?:לעומת|מ|ביחס\sל|בהשוואה\sל)|[较較比从從与與]|相比)"
    r"[\s-]*(?:(?:the|in|of|same|for|that)\s)*$"
)
_AGAINST = regex.compile(
    r"\b(?:compared|versus|vs\.?|than|from|against|over|above|below|since|relative)\b|לעומת|בהשוואה|ביחס|相比|[较較比从]"
)
_THAN = regex.compile(
    r"\b(?:than|versus|vs\.?|against|above|below|unlike|over|(?:compared|relative)\s(?:to|with)|exceed\w*|trail\w*)\s(?:at\s|that\sof\s|the\s)*$"
    r"|(?:לעומת|בהשוואה\sל-?)\s?$|[比较較]$"
)
_ABOVE = regex.compile(
    r"^\s*(?:above|below|more\sthan|less\sthan|higher|lower|greater|ahead\sof|short\sof|over|under)\b"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A number inside its sentence: the sentence folded to lower case, where the number stands, its dates, how
    many other numbers of the kind there are, whether there are others at all, and where those of the kind next to
    it end (``low``) and begin (``high``)."""

    text: str
    start: int
    end: int
    dates: tuple[NumericClaim, ...] = ()
    peers: int = 0
    alone: bool = True
    low: int = 0
    high: int | None = None

    @property
    def before(self) -> str:
        """What stands before the number, the nearest part of it."""
        return self.text[max(self.start - _REACH, 0) : self.start]

    @property
    def after(self) -> str:
        """What stands behind the number, the nearest part of it."""
        return self.text[self.end : self.end + _REACH]

    @property
    def around(self) -> str:
        """Both, with a space in the number's place."""
        return f"{self.before} {self.after}"


def is_base(said: Said) -> bool:
    """``rose from $1.1M``, ``up from $1.1M`` and ``grew against last year's $1.1M`` state what a change started from;
    so does ``$1.2M, compared with $1.1M`` without a verb."""
    if set_against(said):
        return True
    if _BASE.search(said.before) is None:
        return False
    return changes(said) or _UP_FROM.search(said.before) is not None


def set_against(said: Said) -> bool:
    """Whether a number is what the one of its kind before it is compared with."""
    if said.low and _SET_AGAINST.search(said.before):
        return True
    if said.low and said.start - said.low < _NEAR and _OVER.fullmatch(said.text, said.low, said.start):
        return True
    return said.high is not None and _BESIDE.match(said.after) is not None


def changes(said: Said) -> bool:
    """Whether the words around a number speak of a change at all."""
    return _VERB.search(said.around) is not None


def is_change(number: NumericClaim, said: Said, share: bool) -> bool:
    """``increased by $100K``, ``NOI grew 5 %``, ``exceeded debt service by $1M``: a change, not the figure.

    ``share`` says that the metric is itself a percentage or a ratio.
    """
    if number.unit == "pp" or number.direction is not None:
        return True
    if number.kind == "percentage" and not share:
        return changes(said) or _ABOVE.match(said.after) is not None
    before = said.before
    if _ABOVE.match(said.after):
        return True
    if _NOUN.search(before) or (_BY.search(before) and _VERB.search(before)):
        return True
    return _VERB.search(before) is not None and bool(_OR.search(before) or _OR_AFTER.search(said.after))


def in_brackets(said: Said) -> bool:
    """``NOI grew 5 % ($1.2M)``: the number in brackets may be the change or what came of it."""
    return said.before.rstrip().endswith("(")


def directions(number: NumericClaim, said: Said) -> tuple[int, ...]:
    """How the words count a stated change: 1 as it stands, −1 where a fall is stated positive; both for a
    difference that has no direction and for a number in brackets, which may be negative or an aside."""
    if isinstance(number.value, str) or number.value < 0:
        return (1, -1) if number.text.startswith("(") else (1,)
    if number.direction is not None:
        return (-1,) if number.direction == "down" else (1,)
    if _UNSIGNED.search(said.around):
        return 1, -1
    marks = [(m.start(), 1) for m in _UP.finditer(said.before)]
    marks += [(m.start(), -1) for m in _DOWN.finditer(said.before)]
    if not marks:
        marks = [(-m.start(), 1) for m in _UP.finditer(said.after)]
        marks += [(-m.start(), -1) for m in _DOWN.finditer(said.after)]
    return (max(marks)[1],) if marks else (1,)


def scopes(said: Said) -> list[Said]:
    """The words to look for periods in: those from the number on to the next of its kind, then those back to
    the one before, then all of them."""
    nearer = [(said.end, said.high or len(said.text)), (said.low, said.start)]
    found = []
    for low, high in nearer:
        blank = " " * low + said.text[low:high]
        inside = tuple(one for one in said.dates if low <= one.start < high)
        found.append(replace(said, text=blank, dates=inside))
    return [*found, said]


def compared_with(said: Said, place: int) -> bool:
    """Whether what is named at ``place`` is what something is compared with: ``than at MAPLE``."""
    return _THAN.search(said.text[max(place - 30, 0) : place]) is not None


def steps(said: Said) -> tuple[bool, bool]:
    """Whether the words compare with the year before and with the period before."""
    return _YEARLY.search(said.text) is not None, _SEQUENTIAL.search(said.text) is not None


def named_spans(said: Said, asked: Span | None) -> list[tuple[Span, bool]]:
    """The periods a sentence names, each with whether it is what something is compared with.

    A quarter without year (``from Q2``, ``against the second quarter``) is the one of the asked-for year, or of the year before when that would
    come later than the asked-for period.
    """
    found: dict[Span, bool] = {}
    for number in said.dates[:_MOST_DATES]:
        if number.start_date is not None and number.end_date is not None:
            found.setdefault((number.start_date, number.end_date), _is_against(said, number.start))
    last = max((span for span, base in found.items() if not base), default=asked)
    if last is not None:
        for match in islice(_BARE_QUARTER.finditer(said.text), _MOST_DATES):
            quarter = _quarter(_QUARTERS[match["named"]], last)
            found.setdefault(quarter, _is_against(said, match.start()))
    return list(found.items())


def _is_against(said: Said, place: int) -> bool:
    """Whether the period at ``place`` is what something is compared with: ``from Q2``, ``5 % compared to the
    $1.0M of Q3 2023``."""
    if _FROM.search(said.text[max(place - 40, 0) : place]):
        return True
    between = said.text[said.end : place] if place >= said.end else ""
    dated = any(said.end <= other.start < place for other in said.dates)
    return not dated and _AGAINST.search(between) is not None


def _quarter(number: int, last: Span) -> Span:
    year = last[1].year
    for candidate in (year, max(year - 1, 1)):
        stated = dates.of_iso(f"{candidate:04}-Q{number}")
        if stated.start is not None and stated.end is not None and stated.end <= last[1]:
            return stated.start, stated.end
    return last
