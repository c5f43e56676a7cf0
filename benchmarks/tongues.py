"""How tables of a language name currencies, scales, periods, totals and rates, and how an answer in it writes a value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of a language, as patterns over the cells and the text of a table. ``scales`` are powers of ten by the word of a
    table, ``written`` the word of an answer by the power, ``larger`` the next power in which an answer may write. ``money`` is a
    currency with its scale in brackets behind a name, ``stated`` that of a whole table, ``scaled`` any word for a scale. What is
    called a ``total`` is no row, what is called a ``rate`` is not added up, and ``counts`` have no currency where a table states
    one for all its lines. ``points`` stand behind a distance of shares, ``space`` between a number and its unit."""

    currency: str
    scales: Mapping[str, int]
    larger: Mapping[int, int]
    written: Mapping[int, str]
    points: str
    period: re.Pattern[str]
    total: re.Pattern[str]
    rate: re.Pattern[str]
    counts: re.Pattern[str]
    noun: re.Pattern[str]
    scaled: re.Pattern[str]
    money: str
    stated: str
    space: str = " "


def _any(scales: Mapping[str, int]) -> str:
    """A pattern of the words for scales, the longest first."""
    return "|".join(sorted(scales, key=len, reverse=True))


_CURRENCY = r"(?:US\$|A\$|C\$|NZ\$|HK\$|S\$|\$|€|£|¥|USD|EUR|GBP|AUD|CAD|NZD|CHF|NOK|SEK|DKK|JPY|INR|ZAR)"
_SCALES = {"thousand": 3, "thousands": 3, "000": 3, "'000": 3, "000s": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "m": 6, "billion": 9, "billions": 9, "bn": 9}  # fmt: skip
_MONEY = rf"(?P<currency>{_CURRENCY})\s?(?P<scale>{_any(_SCALES)})?"
_SHEKEL = '(?:ש"ח|ש״ח|₪|דולר|יורו)'
_HEBREW = {"אלפי": 3, "מיליוני": 6, "מיליון": 6, "מיליארדי": 9, "מיליארד": 9}
_YUAN = "(?:美元|港元|欧元|歐元|元)"
_CHINESE = {"千": 3, "万": 4, "萬": 4, "百万": 6, "百萬": 6, "亿": 8, "億": 8}

TONGUES = {
    "en": Tongue(
        currency=_CURRENCY,
        scales=_SCALES,
        larger={3: 6, 6: 9},
        written={3: "thousand", 6: "million", 9: "billion"},
        points=" percentage points",
        period=re.compile(
            rf"(?:FY ?\d{{2,4}}|(?:Q[1-4]|[12]H|H[12])[ -]?(?:FY ?)?'?\d{{2,4}}|(?:19|20)\d\d|(?:19|20)\d\d/\d\d|{_MONTH} (?:19|20)\d\d)"
        ),
        total=re.compile(
            r"(?i)\b(total|overall|all|average|sum|portfolio|group|combined|mean|median|whole|net|subtotal)\b"
        ),
        rate=re.compile(
            r"(?i)\b(per|rate|average|avg|mean|median|price|score|age|index|ratio|margin|yield|factor|rating|share|utili[sz]ation|occupancy|year|built|opened|since|rank|speed|temperature|days?|hours?|minutes?|time|term|tenor|lease|load)\b|%|/"
        ),
        counts=re.compile(
            r"(?i)head ?count|employees|number|units|rooms|nights|ratio|rate|%|fte|visitors|passengers|members|subscribers|stores|sites|customers|tonnes|patients|students|per |eps|shares|volume|guests|tickets|beds|km|margin|days|return on|average|homes|sq|area|mw|gwh|count|density|yield|occupancy|times"
        ),
        noun=re.compile(r"[A-Za-z][A-Za-z³²° ]{0,14}"),
        scaled=re.compile(r"thousand|million|000"),
        money=rf"\s*(?:in )?{_MONEY}\s*",
        stated=rf"[(\[](?:all )?(?:figures |amounts )?(?:in )?{_MONEY}[)\]]",
    ),
    "he": Tongue(
        currency=_SHEKEL,
        scales=_HEBREW,
        larger={3: 6, 6: 9},
        written={3: "אלפי", 6: "מיליון", 9: "מיליארד"},
        points=" נקודות אחוז",
        period=re.compile(r"(?:19|20)\d\d|(?:Q[1-4]|רבעון [1-4],?)[ /]?(?:20)?\d\d"),
        total=re.compile(r'סה"כ|סה״כ|סך|ממוצע|כולל|כלל|נטו|שנת?י'),
        rate=re.compile(r'ממוצע|שיעור|אחוז|תפוסה|ל-?מ"ר|למ״ר|ריבית|שנת|מח"מ|ימים|שנים|מחיר|תשואה|יחס|ניצולת|שהייה|ציון|גיל|שעות|דקות|מועד|פירעון|סיום|קומה|קוטר|לחץ|ותק|מדד|%|/|\bל[א-ת]'),
        counts=re.compile(r"עובדים|מספר|יחידות|חדרים|לינות|יחס|שיעור|%|אחוז|סניפים|לקוחות|טון|תלמידים|למניה|מניות|ממוצע|מיטות|שטח|תפוסה|ימים|תשואה"),
        noun=re.compile(r'[א-ת"״ ]{1,14}'),
        scaled=re.compile(r"אלפי|מיליוני|באלפים|אגורות"),
        money=rf"\s*ב?-?(?P<scale>{_any(_HEBREW)})?\s*(?P<currency>{_SHEKEL})\s*",
        stated=rf"ב?-?(?P<scale>{_any(_HEBREW)})\s*(?P<currency>{_SHEKEL})",
    ),
    "zh": Tongue(
        currency=_YUAN,
        scales=_CHINESE,
        larger={3: 4, 4: 8, 6: 8},
        written={3: "千", 4: "万", 6: "百万", 8: "亿"},
        points="个百分点",
        period=re.compile(r"(?:19|20)\d\d(?:年度?)?|(?:19|20)\d\d年?(?:第?[一二三四1-4]季度?|Q[1-4])"),
        total=re.compile("合计|合計|总计|總計|小计|小計|全部|平均|总|總|净|淨|全年|其中|其他"),
        rate=re.compile("率|占比|比例|比重|平均|均|单价|單價|价|價|每|/|／|年份|年限|届满|屆滿|到期|期|指数|指數|评分|評分|人均|坪效|%|％|天|日|小时|小時|分钟|倍|度|龄|齡|楼层|樓層|层|層|亩产|畝產|单位|濃度|浓度|时间|時間"),
        counts=re.compile("人|数|數|量|率|比|%|％|每股|股|均|面积|面積|倍|天|吨|噸|户|店"),
        noun=re.compile(r"[一-鿿]{1,5}"),
        scaled=re.compile("万|萬|亿|億|千|百万"),
        money=rf"\s*(?:人民币|新台幣|人民幣)?(?P<scale>{_any(_CHINESE)})?(?P<currency>{_YUAN})\s*",
        stated=rf"(?:人民币|新台幣|人民幣)?(?P<scale>{_any(_CHINESE)})(?P<currency>{_YUAN})",
        space="",
    ),
}  # fmt: skip
