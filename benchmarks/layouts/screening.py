"""Which answers of the public rows, true and wrong, are supported over their table in another layout."""

from collections import Counter
from collections.abc import Callable, Sequence

from benchmarks.layouts.cutting import chunks_of
from benchmarks.layouts.sheets import Row, Sheet
from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source


def screened(
    sheets: Sequence[Sheet], render: Callable[[Sheet], str], split: Callable[[str], list[str]]
) -> Counter[str]:
    """How many answers of each kind are supported, over the rendered table and the other chunks of their row, under the
    kind; how many there are under ``KIND n``. Kinds are ``direct``, ``computed`` and those of wrong values."""
    score: Counter[str] = Counter()
    for sheet in sheets:
        chunks = chunks_of(sheet.name, render(sheet), split) if sheet.rows else ()
        for row in sheet.rows:
            sources = (*chunks, *_prose(row))
            said = [(row["trace"], row["answer_sentence"], row["gold_surface"])]
            said += [(wrong["kind"], wrong["sentence"], wrong["surface"]) for wrong in row["perturbations"]]
            for kind, sentence, surface in said:
                score[f"{kind} n"] += 1
                score[kind] += is_supported(sentence, surface, sources)
    return score


def _prose(row: Row) -> tuple[Source, ...]:
    return tuple(
        Source(chunk["id"], chunk["text"]) for chunk in row["source_chunks"] if chunk["kind"] != "table"
    )


def is_supported(sentence: str, surface: str, sources: tuple[Source, ...]) -> bool:
    """Whether every claim of the number ``surface`` in ``sentence`` is supported."""
    case = Case(answer=sentence, sources=sources)
    read = claims.read(case)
    conclusion = pipeline.screen(Context(case, read, DEFAULTS, "information_budget"), Memory(("numeric",)))
    start = sentence.rfind(surface)
    end = start + len(surface)
    wanted = {claim.index for claim in read if claim.number and claim.start < end and start < claim.end}
    found = [one.status for one in conclusion.findings if one.detector == "numeric" and one.claim in wanted]
    return bool(found) and set(found) == {"supported"}
