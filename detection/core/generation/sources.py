"""The cited sources under an answer (RAG-10)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from detection.core import text
from detection.core.claims import source_ids
from detection.core.types import Case, Source

CitationStyle = Literal["inline", "end"]
"""``inline`` keeps the marks in the text, ``end`` only lists the sources below it."""

HEADINGS = {"en": "Sources:", "he": "מקורות:", "zh": "来源："}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"chapter": "chapter", "section": "section", "page": "page"},
    "he": {"chapter": "פרק", "section": "סעיף", "page": "עמוד"},
    "zh": {"chapter": "章", "section": "节", "page": "页"},
}
"""What is told of a source besides its id and title, where its metadata has it."""


def listed(case: Case) -> tuple[Source, ...]:
    """The sources that the answer cites, in the order of their first marks; a parent stands for its chunks."""
    by_name: dict[str, list[Source]] = {}
    for source in case.sources:
        if source.parent_ref:
            by_name.setdefault(source.parent_ref, []).append(source)
    by_name |= {source.ref: [source] for source in case.sources}
    cited = dict.fromkeys(ref for ref, _, _ in text.citation_marks(case.answer, source_ids(case)))
    found = {source.ref: source for ref in cited for source in by_name.get(ref, ())}
    return tuple(found.values())


def with_sources(case: Case, cited: Sequence[Source], style: CitationStyle) -> str:
    """The answer with the list of its sources below it, in the answer's language."""
    language = case.language if case.language in HEADINGS else "en"
    body = case.answer if style == "inline" else text.strip_marks(case.answer)
    if not cited:
        return body
    lines = [f"- {_described(source, language)}" for source in cited]
    return "\n".join([body, "", f"**{HEADINGS[language]}**", *lines])


def _described(source: Source, language: str) -> str:
    words = _WORDS[language]
    told = [source.title] if source.title else []
    told += [f"{word} {source.metadata[name]}" for name, word in words.items() if source.metadata.get(name)]
    return f"[{source.ref}] {', '.join(told)}".strip()
