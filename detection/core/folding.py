"""Text folded for reading numbers: one sign for one meaning, whatever the script or the width.

Folding lowers the case and keeps the length (so offsets stay), except that characters nobody can see are taken out; then an
offset map leads back.
"""

import unicodedata

HIDDEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
_HIDDEN = frozenset(HIDDEN)
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


def fold(text: str) -> tuple[str, list[int] | None]:
    """The folded text and, when something was taken out, the offset in ``text`` of each folded character."""
    if text.isascii():
        return text.lower(), None
    if _HIDDEN.isdisjoint(text):
        return text.translate(_TABLE).lower(), None
    origin = [place for place, character in enumerate(text) if character not in _HIDDEN]
    return "".join(text[place] for place in origin).translate(_TABLE).lower(), origin
