"""Citation marks: what ``[S0]`` in an answer is, and which source it means (CIT-01, GOV-01).

CIT-01's rule is that every bracket ``[id]`` cites. Here a mark is a pair of square brackets — ``[ ]``,
``【 】`` or ``［ ］`` — around 1 to 200 characters of one line without another bracket, except

* what editors put in brackets (``[sic]``, ``[…]``, ``[x]``; :data:`EDITORIAL`),
* the changed letter of a quotation (``[T]he``),
* pictures, and Markdown links whose label is no id (``[Annual report](https://…)``; ``[S0](https://…)`` cites),
* code: between back-ticks, and the index of an array (``rows[0] = 5``),
* the beginning of a footnote (``[^1]: Rent roll``), which says what its mark means.

``[S0, S1]`` and ``[S0; S1]`` cite two sources, ``[S0][S1]`` likewise, ``[1-3]`` three.
"""

from collections.abc import Collection, Iterable, Iterator

import regex

EDITORIAL = frozenset(
    {
        "", "x", "sic", "?", "!", "-", "--", "—", "_", "citation needed", "emphasis added", "redacted",
        "evidence removed", "כך במקור", "ההדגשה שלי", "原文如此", "略", "省略", "待补充", "待補充",
    }
)  # fmt: skip

BRACKET = regex.compile(r"[\[【［]([^\[\]【】［］\n\r]{1,200})[\]】］]")
_DOTS = regex.compile(r"[.…\s]+")
_LABEL = regex.compile(
    r"(?:sources?|src|refs?|references?|documents?|docs?|chunks?|citations?|מקורות|מקור|מסמך|"
    r"来源|來源|资料|資料|文档|文檔|文献|文獻|出处|出處)?\s*[#^:：№.]?\s*(.+)",
    regex.IGNORECASE | regex.DOTALL,
)
_ID = regex.compile(r"(?=[^\s]*\d)[^\s]{1,40}")
_CODE = regex.compile(r"(`{1,3})(?!`)[^`]{1,4000}?(?<!`)\1(?!`)")
_INDEX = regex.compile(r"-?\d{0,9}:?-?\d{0,9}|[ijkn]|[\"'][\w -]{1,40}[\"']")
_INDEXED = regex.compile(r"\s*(?:[-+*/%]?=|[<>!]=)|\.[a-z_]\w*|\(|\[-?\d*\]\s*[=.(]")
_FOOTNOTE = regex.compile(r"(?m)^[ \t]{0,3}\[\^?([^\[\]\n]{1,200})\]:[ \t]*([^\n]{0,400})")
_RANGE = regex.compile(
    r"(?P<name>[^\d\s]*?)(?P<first>\d{1,6})\s?[-–—~]\s?(?P<again>[^\d\s]*?)(?P<last>\d{1,6})"
)
LONGEST_RANGE = 100
"""Sources that one range may cite; a longer one is taken as written."""

_LIST = regex.compile(r"[,;，；、]")
_SPACES = regex.compile(r"\s+")
_DIRECTION = regex.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")


def is_mark(text: str, found: "regex.Match[str]") -> bool:
    """Whether a :data:`BRACKET` match in ``text`` is a citation mark by the rule above, code apart."""
    inside = found.group(1).strip()
    if inside.casefold() in EDITORIAL or _DOTS.fullmatch(inside):
        return False
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    if after == "(":
        return before != "!" and _ID.fullmatch(inside) is not None
    if after == ":" and _begins_line(text, found.start()):
        return False
    if _is_index(text, found, inside, before):
        return False
    return not (len(inside) == 1 and inside.isalpha() and after.isascii() and after.islower())


def _begins_line(text: str, start: int) -> bool:
    lead = text[max(0, start - 4) : start].rstrip(" \t")
    return lead.endswith("\n") or (not lead and start < 4)


def _is_index(text: str, found: "regex.Match[str]", inside: str, before: str) -> bool:
    """Whether a bracket picks an element: ``rows[0] = 5``, ``data["rent"].total``."""
    named = before.isascii() and (before.isalnum() or before in "_)]") and before != ""
    return named and _INDEX.fullmatch(inside) is not None and _INDEXED.match(text, found.end()) is not None


def _brackets(text: str) -> Iterator["regex.Match[str]"]:
    """The brackets of ``text`` that are marks, in order; what stands in code is none."""
    code = [found.span() for found in _CODE.finditer(text)] if "`" in text else []
    position = 0
    for found in BRACKET.finditer(text):
        while position < len(code) and code[position][1] <= found.start():
            position += 1
        if position < len(code) and code[position][0] <= found.start():
            continue
        if is_mark(text, found):
            yield found


def mark_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of every mark with its brackets, in order."""
    return [found.span() for found in _brackets(text)]


def citation_marks(text: str, ids: Collection[str] | dict[str, str] = ()) -> list[tuple[str, int, int]]:
    """Every citation of ``text`` as (ref, start, end); the offsets are those of the whole bracket.

    A bracket with a list gives one entry for each of its parts. When the source ``ids`` are given, each
    ref that resolves is given as the id it means (``ids`` may be the answer of :func:`known_ids`), and an id that itself contains a comma is not taken
    apart; a ref that resolves to nothing stays as written.
    """
    known = ids if isinstance(ids, dict) else known_ids(ids)
    notes = _footnotes(text, known)
    cited: list[tuple[str, int, int]] = []
    for found in _brackets(text):
        refs = _refs(found.group(1), known)
        cited += [(notes.get(ref.lstrip("^"), ref), found.start(), found.end()) for ref in refs]
    return cited


def _footnotes(text: str, known: dict[str, str]) -> dict[str, str]:
    """The sources that footnotes name, by the footnote's own label: ``[^1]: S0``. A label that is itself an id
    means that source."""
    if "]:" not in text:
        return {}
    notes = {}
    for label, named in _FOOTNOTE.findall(text):
        ref = resolve(named.strip(" .[]"), known)
        if ref is not None and resolve(label, known) is None:
            notes[label.strip()] = ref
    return notes


def known_ids(ids: Iterable[str]) -> dict[str, str]:
    """The ids by their comparable form, for :func:`resolve` on many refs. Of ids that differ only in
    spaces and marks of direction, the first counts."""
    known: dict[str, str] = {}
    for ref in ids:
        known.setdefault(_comparable(ref), ref)
    return known


def resolve(ref: str, ids: Collection[str] | dict[str, str]) -> str | None:
    """The source id that a written ref means, or None (RAG-06).

    First the ref as written; then, when it names its kind (``Source 1``, ``doc #1``, ``מקור 1``,
    ``来源1``, ``^1``), what follows that word. Only spaces and the marks
    of direction that editors of Hebrew leave are forgiven. Case, numbering from zero or one
    and missing prefixes are never guessed: ``[1]`` does not mean ``S1``, and ``[S1]`` never ``S0``.
    """
    known = ids if isinstance(ids, dict) else known_ids(ids)
    written = _comparable(ref)
    if written in known:
        return known[written]
    bare = _LABEL.fullmatch(written)
    return known.get(bare.group(1)) if bare else None


def strip_marks(text: str) -> str:
    """``text`` without its citation marks and without the space before each."""
    if "[" not in text and "【" not in text and "［" not in text:
        return text
    kept: list[str] = []
    position = 0
    for start, end in mark_spans(text):
        kept.append(text[position:start].rstrip(" \t\u00a0"))
        position = end
    kept.append(text[position:])
    return "".join(kept)


def _refs(inside: str, known: dict[str, str]) -> Iterator[str]:
    whole = resolve(inside, known)
    if whole is not None:
        yield whole
        return
    for part in _LIST.split(inside):
        if part.strip():
            yield from _range(part.strip(), known) or [resolve(part, known) or part.strip()]


def _range(part: str, known: dict[str, str]) -> list[str]:
    """The refs of ``1-3`` or ``S1–S3``; empty for anything else, and where neither end is a source."""
    bare = _LABEL.fullmatch(part)
    found = _RANGE.fullmatch(bare.group(1) if bare else part)
    if found is None or found["again"] not in ("", found["name"]) or resolve(part, known) is not None:
        return []
    first, last = int(found["first"]), int(found["last"])
    refs = [f"{found['name']}{n}" for n in range(first, min(last, first + LONGEST_RANGE) + 1)]
    ends = [resolve(ref, known) for ref in (refs[0], refs[-1])] if refs else []
    if not 0 < last - first < LONGEST_RANGE or not any(ends):
        return []
    return [resolve(ref, known) or ref for ref in refs]


def _comparable(ref: str) -> str:
    return _SPACES.sub(" ", _DIRECTION.sub("", ref).strip())
