"""Words around a number that qualify it: about, at least, up to, increased by (contracts: approximation, bounds, direction)."""

from dataclasses import dataclass
from typing import Literal

import regex

from detection.core.numbers import words as words

Bound = Literal["at_least", "at_most"]
Direction = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Cues:
    """What the words beside a number say of it."""

    approximate: bool = False
    bound: Bound | None = None
    direction: Direction | None = None

    def joined(self, other: "Cues") -> "Cues":
        """These cues, completed by those of the other side."""
        if other is NO_CUES:
            return self
        return Cues(
            self.approximate or other.approximate,
            self.bound or other.bound,
            self.direction or other.direction,
        )


NO_CUES = Cues()
_MEANING: dict[str, str] = {
    **dict.fromkeys(words.UP, "up"),
    **dict.fromkeys(words.DOWN, "down"),
    **dict.fromkeys(words.APPROXIMATE, "approximate"),
    **dict.fromkeys(words.AT_LEAST, "at_least"),
    **dict.fromkeys(words.AT_MOST, "at_most"),
    **{level: f"level {'at_least' if level in words.AT_LEAST else 'at_most'}" for level in words.LEVELS},
    **dict.fromkeys(words.CUE_LINKS, "link"),
    **dict.fromkeys(words.NO_CUE, "none"),
    "the": "the",
}
_HEBREW = regex.compile(r"\p{Hebrew}")
_JOINED = regex.compile(r"(?<!\p{Hebrew})[ושהכלבמ]{0,3}$")
_BOUNDS: dict[str | None, Bound] = {"at_least": "at_least", "at_most": "at_most"}
_LEVELS: dict[str | None, Bound] = {"level at_least": "at_least", "level at_most": "at_most"}
_DIRECTIONS: dict[str | None, Direction] = {"up": "up", "down": "down"}
_LENGTHS: dict[str, list[int]] = {}  # in words, of the cues by their last word, the longest first
for _length, _last in sorted({(len(cue.split()), cue.split()[-1]) for cue in _MEANING}, reverse=True):
    _LENGTHS.setdefault(_last, []).append(_length)
_GLUED: dict[str, list[str]] = {}  # by last character, the longest first
for _cue in sorted(_MEANING, key=len, reverse=True):
    if not _cue[0].isascii() or not _cue[0].isalpha():
        _GLUED.setdefault(_cue[-1], []).append(_cue)
_AFTER = regex.compile(
    r"\s?(?:(?:(?:annual|yearly|yoy|year[\s-]over[\s-]year|quarterly|qoq|quarter[\s-]over[\s-]quarter|monthly)\s)?"
    r"(?:(?P<up>increase|growth|higher|rise|gain|improvement|widening|expansion|עלייה|גידול)"
    r"|(?P<down>decrease|decline|lower|drop|reduction|fall|tightening|compression|contraction|ירידה|קיטון))"
    r"|(?P<least>or\smore|or\shigher|or\sabove|or\sgreater|(?<!\s)\+(?![\d\s]*\d)|以上|לפחות|ומעלה)|(?P<most>or\sless|or\slower|or\sfewer|以下|לכל\sהיותר)|(?P<about>左右|上下|or\sso\b|בערך))",
    regex.I,
)


_AFTER_MEANS = {
    "up": Cues(direction="up"),
    "down": Cues(direction="down"),
    "least": Cues(bound="at_least"),
    "most": Cues(bound="at_most"),
    "about": Cues(approximate=True),
}


def cues_before(before: str) -> Cues:
    """The cues at the end of ``before``, the short stretch of text that ends where the number begins."""
    tail = before.rstrip().lower()
    approximate = known = False
    bound: Bound | None = None
    direction: Direction | None = None
    for _ in range(4):
        cue, tail = _last_cue(tail)
        if cue == "the":
            known = True  # "about the $4.2M listing" speaks of it, and gives it exactly
        elif cue == "approximate":
            approximate = not known
        elif cue in _BOUNDS:
            bound = bound or _BOUNDS[cue]
        elif cue in _LEVELS:
            bound = bound or _LEVELS[cue]
            break
        elif cue in _DIRECTIONS:
            direction = _DIRECTIONS[cue]
            break
        elif cue is None:
            break
    direction = direction or _changed_by(before.rstrip())
    if not (approximate or bound or direction):
        return NO_CUES
    return Cues(approximate, bound, direction)


_CHANGES: dict[str, Direction] = {
    **dict.fromkeys((*words.UP, *words.UP_BY), "up"),
    **dict.fromkeys(words.DOWN, "down"),
}


def _changed_by(tail: str) -> Direction | None:
    """The direction of ``cut rates by``: the verb of a change stands a few words before its "by"."""
    if not tail.endswith(" by"):
        return None
    clause = tail[-40:-2].replace(".", ",").rpartition(",")[2]
    return next((_CHANGES[word] for word in reversed(clause.split()[-4:]) if word in _CHANGES), None)


def _last_cue(tail: str) -> tuple[str | None, str]:
    """The cue that ``tail`` ends with (``link`` for a word between a cue and its number) and what is left."""
    if not tail:
        return None, ""
    parts = tail[-40:].rsplit(None, 3)
    for count in _LENGTHS.get(parts[-1], ()):
        phrase = " ".join(parts[-count:])
        if len(parts) >= count and phrase in _MEANING:
            return _MEANING[phrase], tail[: max(0, len(tail) - len(phrase))].rstrip()
    if not tail[-1].isascii() or not tail[-1].isalnum():
        for cue in _GLUED.get(tail[-1], ()):
            if tail.endswith(cue) and (led := _led(tail[: -len(cue)], cue)) is not None:
                return _MEANING[cue], led.rstrip()
    return None, ""


def _led(before: str, cue: str) -> str | None:
    """What stands before a cue, without the letters that are joined to a Hebrew one (וירד, שאיבד); None where a Hebrew cue is
    the end of a longer word. Chinese has no spaces to tell by."""
    if not _HEBREW.match(cue):
        return before
    joined = _JOINED.search(before)
    return before[: joined.start()] if joined else None


def cues_after(after: str) -> Cues:
    """The cues with which ``after``, the text behind the number, begins: ``5 % higher``, ``10 or more``."""
    match = _AFTER.match(after)
    if match is None:
        return NO_CUES
    return _AFTER_MEANS[match.lastgroup or ""]
