"""Citation marks: what ``[S0]`` in an answer is, and which source it means (CIT-01, GOV-01).

CIT-01's rule is that every bracket ``[id]`` cites. Here a mark is a pair of square brackets — ``[ ]``,
``【 】`` or ``［ ］`` — around 1 to 200 characters of one line without another bracket, except

* what editors put in brackets (``[sic]``, ``[…]``, ``[x]``; :data:`EDITORIAL`),
* the changed letter of a quotation (``[T]he``),
* pictures, and Markdown links whose label has a space (``[Annual report](https://…)``).

``[S0, S1]`` and ``[S0; S1]`` cite two sources, ``[S0][S1]`` likewise.
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
_LIST = regex.compile(r"[,;，；、]")
_SPACES = regex.compile(r"\s+")


def is_mark(text: str, found: "regex.Match[str]") -> bool:
    """Whether a :data:`BRACKET` match in ``text`` is a citation mark by the rule above."""
    inside = found.group(1).strip()
    if inside.casefold() in EDITORIAL or _DOTS.fullmatch(inside):
        return False
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    if after == "(":
        return before != "!" and not _SPACES.search(inside)
    return not (len(inside) == 1 and inside.isalpha() and after.isascii() and after.islower())


def mark_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of every mark with its brackets, in order."""
    return [found.span() for found in BRACKET.finditer(text) if is_mark(text, found)]


def citation_marks(text: str, ids: Collection[str] | dict[str, str] = ()) -> list[tuple[str, int, int]]:
    """Every citation of ``text`` as (ref, start, end); the offsets are those of the whole bracket.

    A bracket with a list gives one entry for each of its parts. When the source ``ids`` are given, each
    ref that resolves is given as the id it means (``ids`` may be the answer of :func:`known_ids`), and an id that itself contains a comma is not taken
    apart; a ref that resolves to nothing stays as written.
    """
    known = ids if isinstance(ids, dict) else known_ids(ids)
    cited: list[tuple[str, int, int]] = []
    for found in BRACKET.finditer(text):
        if is_mark(text, found):
            refs = _refs(found.group(1), known)
            cited += [(ref, found.start(), found.end()) for ref in refs]
    return cited


def known_ids(ids: Iterable[str]) -> dict[str, str]:
    """The ids by their comparable form, for :func:`resolve` on many refs. Of ids that differ only in
    spaces, the first counts."""
    known: dict[str, str] = {}
    for ref in ids:
        known.setdefault(_comparable(ref), ref)
    return known


def resolve(ref: str, ids: Collection[str] | dict[str, str]) -> str | None:
    """The source id that a written ref means, or None (RAG-06).

    First the ref as written; then, when it names its kind (``Source 1``, ``doc #1``, ``מקור 1``,
    ``来源1``, ``^1``), what follows that word. Only spaces are forgiven. Case, numbering from zero or one
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
            yield resolve(part, known) or part.strip()


def _comparable(ref: str) -> str:
    return _SPACES.sub(" ", ref.strip())
