"""Text folded for reading numbers: one sign for one meaning, whatever the script or the width.

Folding lowers the case and keeps the length (so offsets stay), except that characters nobody can see are taken out and the joined letters of PDFs
(``ﬁ``) are parted; then an offset map leads back.
"""

import unicodedata

import regex

HIDDEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
_HIDDEN = frozenset(HIDDEN)
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_TO_PART = _HIDDEN.union(_LIGATURES)
_SIGNS = {
    "％": "%", "٪": "%", "﹪": "%", "＄": "$", "﹩": "$", "￡": "£", "￥": "¥", "．": ".", "，": ",", "٫": ".", "٬": ",",
    "（": "(", "）": ")", "－": "-", "−": "-", "‐": "-", "‑": "-", "﹣": "-", "＋": "+", "：": ":", "∶": ":", "／": "/", "～": "~",
    "\u202f": "\u00a0", "\u2009": "\u00a0", "\u2007": "\u00a0", "\u2008": "\u00a0", "［": "[", "］": "]", "【": "[", "】": "]",
    "′": "'", "‘": "'", "’": "'", "׳": "'", "״": '"', "“": '"', "”": '"', "־": "-", "＜": "<", "＞": ">", "﹤": "<", "﹥": ">",
}  # fmt: skip
_TABLE = {ord(sign): plain for sign, plain in _SIGNS.items()}
_TABLE.update(
    (code, str(unicodedata.decimal(chr(code)))) for code in range(0x660, 0x1FC00) if chr(code).isdecimal()
)
_TABLE[0x130] = "i"  # the one letter whose lower case is longer than itself
_TABLE.update((code, chr(code - 0xFEE0)) for code in (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)))
_FULL_WIDTH_PAUSE = regex.compile(r"(?<!\d)，|(?<=\d{4}|[.．]\d{1,9})，|，(?!\d{3}(?!\d))")
_DOUBTFUL = regex.compile(r"[^\P{Nd}0-9０-９]|\d[\p{Cyrillic}\p{Greek}]")
_RUN = regex.compile(r"\p{Nd}(?:[.,٫٬]?\p{Nd}|[\p{Cyrillic}\p{Greek}])*+")
_FULL_WIDTH_ZERO = ord("０")


def fold(text: str) -> tuple[str, list[int] | None]:
    """The folded text and, when something was taken out or parted, the offset in ``text`` of each folded character."""
    if text.isascii():
        return text.lower(), None
    if _TO_PART.isdisjoint(text):
        return _plain(text), None
    letters = [
        (place, letter)
        for place, character in enumerate(text)
        if character not in _HIDDEN
        for letter in _LIGATURES.get(character, character)
    ]
    return _plain("".join(letter for _, letter in letters)), [place for place, _ in letters]


def _plain(text: str) -> str:
    """``text`` in plain signs. A full-width comma pauses unless it parts thousands; a run of digits of two scripts
    is no number anybody wrote and becomes ``_``.
    """
    if "，" in text:
        text = _FULL_WIDTH_PAUSE.sub(";", text)
    if _DOUBTFUL.search(text) is not None:
        text = _RUN.sub(lambda run: "_" * len(run[0]) if _mixed(run[0]) else run[0], text)
    return text.translate(_TABLE).lower()


def _mixed(run: str) -> bool:
    zeros = {ord(sign) - unicodedata.decimal(sign) for sign in run if sign.isdecimal()}
    letters = any(sign.isalpha() for sign in run)
    return letters or len({ord("0") if zero == _FULL_WIDTH_ZERO else zero for zero in zeros}) > 1
