"""The words and signs of numbers (NUM-01…NUM-04): the words out of the lexicons, the signs and codes here.

Keys are lower case. Scales are powers of ten as factors; currencies are ISO 4217 codes.
"""

from collections.abc import Iterator
from decimal import Decimal

from detection.core import lexicons


def _said(table: str, *languages: str) -> Iterator[tuple[str, str]]:
    """Each phrase of a table with its key."""
    for language in languages or lexicons.LANGUAGES:
        for key, phrases in lexicons.table(table)[language].items():
            for phrase in phrases:
                yield phrase, key


def _listed(table: str, key: str) -> tuple[str, ...]:
    """The phrases of one key in all languages."""
    return tuple(phrase for phrase, said in _said(table) if said == key)


CURRENCY_SIGNS: dict[str, str] = {
    "$": "USD", "€": "EUR", "£": "GBP", "₪": "ILS", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
    "₫": "VND", "฿": "THB", "₴": "UAH", "₦": "NGN", "₱": "PHP", "₡": "CRC", "₭": "LAK", "₾": "GEL", "￥": "CNY",
    "us$": "USD", "us $": "USD", "u.s. $": "USD", "u.s $": "USD", "a$": "AUD", "au$": "AUD", "au $": "AUD",
    "c$": "CAD", "c $": "CAD", "ca$": "CAD", "cad$": "CAD", "cad $": "CAD", "hk$": "HKD", "hk $": "HKD",
    "nt$": "TWD", "nz$": "NZD", "nz $": "NZD", "nzd$": "NZD", "nzd $": "NZD", "s$": "SGD", "sgd$": "SGD",
    "r$": "BRL", "mex$": "MXN", "mx$": "MXN", "mop$": "MOP", "tt$": "TTD", "rd$": "DOP", "gy$": "GYD",
    "z$": "ZWL", "t$": "TOP", "cuc$": "CUC", "$u": "UYU", "aud$": "AUD",
}  # fmt: skip

CURRENCY_ABBREVIATIONS: dict[str, str] = {
    "rs": "INR", "rs.": "INR", "kr": "SEK", "kr.": "SEK", "rm": "MYR", "rp": "IDR", "rp.": "IDR", "zł": "PLN", "kč": "CZK",
}  # fmt: skip
"""Words in the place of a sign; longer words may begin like them."""

CURRENCY_CODES = (
    "USD", "EUR", "GBP", "ILS", "NIS", "JPY", "CNY", "RMB", "INR", "CHF", "CAD", "AUD", "NZD", "HKD", "SGD",
    "SEK", "NOK", "DKK", "KRW", "TWD", "BRL", "MXN", "ZAR", "TRY", "PLN", "RUB", "AED", "SAR", "THB",
    "CZK", "HUF", "IDR", "MYR", "VND", "EGP", "NGN", "KES", "QAR", "KWD", "BHD", "ARS", "CLP", "UAH", "KZT", "PKR", "LKR", "CNH", "COP", "RON",
)  # fmt: skip
CODE_MEANS = {"NIS": "ILS", "RMB": "CNY", "CNH": "CNY"}
CODES_LIKE_WORDS = {"TRY": "TRY", "COP": "COP", "RON": "RON", "MYR": "RM"}
"""Currencies whose code or sign names them only where it is written in capitals: a rm is a room."""
KRONE = {"nb": "NOK", "nn": "NOK", "no": "NOK", "da": "DKK", "is": "ISK"}
"""What ``kr`` means in a text of another language than Swedish."""

DOLLARS = frozenset(("AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "MXN"))
"""Currencies whose sign is ``$`` too, when their code says so: ``$1,190 AUD``."""

CENTED = DOLLARS | {"EUR", "ZAR"}
"""Currencies besides the US dollar whose hundredths are cents."""

CURRENCY_WORDS = {
    form: code for phrase, code in _said("currencies") for form in (phrase, phrase.replace('"', "''"))
}
CURRENCY_PARTS = dict(_said("currency_parts")) | {"¢": "USD"}
"""Hundredths of a currency; a currency named beside them says which."""
CENTS = ("ct", *(name for name, code in CURRENCY_PARTS.items() if code == "USD"))
"""What hundredths of a dollar, and of many another currency, are called."""

_K, _M, _B, _T = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9, Decimal(10) ** 12

SCALE_WORDS = {phrase: Decimal(value) for phrase, value in _said("scales")}
_UNITS = frozenset(phrase for phrase, _ in _said("units", "zh"))
PREFIXED_UNITS = tuple(
    sorted(
        phrase
        for phrase in _UNITS
        if phrase[0] in SCALE_WORDS and len(phrase) > 1 and phrase[1:] not in _UNITS
    )
)
"""Units that begin like a scale and are no scale: 千瓦时, 兆瓦, but not 万千瓦时."""
SCALE_LETTERS: dict[str, Decimal] = {
    "k": _K, "m": _M, "mm": _M, "mn": _M, "mln": _M, "mio": _M, "mrd": _B, "b": _B, "bn": _B, "t": _T, "tn": _T, "trn": _T
}  # fmt: skip

HAN_CURRENCIES = _listed("currency_places", "before")

DECIMAL_COMMA = frozenset((
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "id", "is", "it", "lt", "lv", "nb", "nl", "nn", "no", "pl", "pt",
    "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi",
))  # fmt: skip
"""Languages that write 1.234,5 (ISO 639-1)."""

_ENGLISH = {phrase: int(value) for phrase, value in _said("numbers", "en")}
_HEBREW = {phrase: int(value) for phrase, value in _said("numbers", "he")}
_CHINESE = {phrase: int(value) for phrase, value in _said("numbers", "zh")}
ENGLISH_NUMBERS = {word: value for word, value in _ENGLISH.items() if value < 100}
ENGLISH_SCALES = {word: value for word, value in _ENGLISH.items() if value >= 100}
HEBREW_SCALES = {word: value for word, value in _HEBREW.items() if word in SCALE_WORDS or word == "מאות"}
HEBREW_NUMBERS = {word: value for word, value in _HEBREW.items() if word not in HEBREW_SCALES}
CHINESE_DIGITS = {word: value for word, value in _CHINESE.items() if value < 10}
CHINESE_UNITS = {word: value for word, value in _CHINESE.items() if value >= 10}
CHINESE_MYRIADS = {sign: int(SCALE_WORDS[sign]) for sign in "万萬亿億"}

MONTHS = {name: int(number) for name, number in _said("months", "en", "he")}
SPELLED_DAYS = {
    name: int(day)
    for name, day in _said("ordinals", "en")
    if name.replace(" ", "").isalpha() and name not in ("final", "last")
}
ORDINALS = {name: int(number) for name, number in _said("ordinals")} | {
    str(number): number for number in range(1, 5)
}

APPROXIMATE = (*_listed("number_cues", "approximate"), "~", "≈", "∼")
AT_LEAST = (*_listed("number_cues", "at_least"), ">", "≥", ">=")
AT_MOST = (*_listed("number_cues", "at_most"), "<", "≤", "<=")
UP, DOWN = _listed("number_cues", "up"), _listed("number_cues", "down")

CUE_LINKS = (*_listed("number_cues", "link"), "about:")
UP_BY, NO_CUE, LEVELS = (_listed("number_cues", key) for key in ("up_by", "no_cue", "level"))
CUES_AFTER = (*_listed("number_cues", "after"), "+")

RATIO_NAMES, RATIO_LINKS = _listed("ratios", "name"), _listed("ratios", "link")
RATIO_OF, COVERS = _listed("ratios", "of"), _listed("ratios", "cover")
LABELS_BEFORE = _listed("labels", "before")
