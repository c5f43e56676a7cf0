"""Word overlap of what the answer says with its sources (RAG-08): cheap, blind to meaning, always there."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import ge

from detection.core import evidence, text
from detection.core.citations.overlaps import stems, weighted_overlap
from detection.core.context import Context
from detection.core.rules import PLAIN, Algebra, Column, Columns, Row, holds
from detection.core.thresholds import Thresholds
from detection.core.types import GroundingDecision, GroundingMeasurement, Overlap, Source

NOTHING = Overlap(0.0, 0.0, None)
FEW = 50
"""Chunks that are compared one by one."""
SENTENCE = Row("grounded", ("shared", ge, "overlap"))
ANSWER = Row("grounded", ("ratio", ge, "grounded_share"))


def measure(context: Context) -> GroundingMeasurement:
    """The overlap of every statement, and of every sentence that asserts something, with its best chunk.

    Overlap is the share of the distinct words of the sentence that the chunk has; ``overlap_literal`` is the
    same with the words as the source document splits them. The two may have different best chunks; ``source``
    is that of the larger, and ``weighted`` measures it by what each word is worth.
    """
    case, sources = context.case, _Sources(evidence.texts(context.case))
    statements = [claim for claim in context.claims if claim.kind == "statement"]
    by_claim = {claim.index: sources.overlap(claim.text, claim.citations) for claim in statements}
    spans = text.sentences(case.answer, case.language)
    spoken = sorted({claim.sentence for claim in statements if not claim.excluded})
    return GroundingMeasurement(
        claims=by_claim,
        sentences=tuple(sources.overlap(case.answer[slice(*spans[index])]) for index in spoken),
    )


def decide(measurement: GroundingMeasurement, context: Context) -> GroundingDecision:
    """Whether enough sentences reach the overlap, by the better of the two ways to split words (RAG-08). An
    answer without sentences has nothing ungrounded in it."""
    total, thresholds = len(measurement.sentences), context.thresholds
    grounded = sum(is_grounded(overlap, thresholds) for overlap in measurement.sentences)
    enough, ratio = is_enough(grounded, total, thresholds)
    return GroundingDecision(enough, ratio, grounded, total)


def is_grounded(overlap: Overlap, thresholds: Thresholds) -> bool:
    """Whether one statement or sentence shares enough words with a chunk, by the profile's rule."""
    words = max(overlap.overlap, overlap.overlap_literal)
    return bool(shares_enough({"words": words, "weighted": overlap.weighted}, thresholds))


def shares_enough(shared: Columns, thresholds: Thresholds) -> Column:
    """:func:`is_grounded` of shares by the name of their rule."""
    return holds(SENTENCE, {"shared": shared[thresholds.overlap_rule]}, thresholds)


def is_enough(
    grounded: Column, total: Column, thresholds: Thresholds, algebra: Algebra = PLAIN
) -> tuple[Column, Column]:
    """Whether enough of an answer's sentences are grounded, and how large a share of them is."""
    ratio = algebra.where(total > 0, grounded / algebra.most(total, 1), 1.0)
    return holds(ANSWER, {"ratio": ratio}, thresholds), ratio


class _Sources:
    """The chunks, ready to be asked which shares the most words; the same text is measured once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._refs = [source.ref for source in sources]
        chunks = [frozenset(text.words(source.text)) for source in sources]
        self._words = _Index(chunks)
        self._literal = _Index([text.literal_words(source.text) for source in sources])
        self._chunk = dict(zip(self._refs, chunks, strict=True))
        self._stems: dict[str, frozenset[str]] = {}
        self._named: dict[str, list[str]] = {}
        for source in sources:
            self._named.setdefault(source.parent_ref or source.ref, []).append(source.ref)
        self._named |= {source.ref: [source.ref] for source in sources}
        self._known: dict[str, tuple[Overlap, frozenset[str]]] = {}

    def overlap(self, sentence: str, citations: Collection[str] = ()) -> Overlap:
        """The sentence's overlaps, each 0 to 1, with the chunk that shares most of its words (RAG-08), and
        with the best of those that its ``citations`` name, by their own id or their parent's."""
        if sentence not in self._known:
            self._known[sentence] = self._measured(sentence)
        best, wanted = self._known[sentence]
        cited = [ref for each in citations for ref in self._named.get(each, ())]
        if not cited:
            return best
        return replace(best, cited=max(weighted_overlap(wanted, self._stems_of(ref)) for ref in cited))

    def _measured(self, sentence: str) -> tuple[Overlap, frozenset[str]]:
        """The overlap with the best chunk, and the stems of the sentence."""
        said = frozenset(text.words(sentence))
        wanted = stems(said)
        share, chunk = self._words.best(said)
        literal, literal_chunk = self._literal.best(text.literal_words(sentence))
        best = chunk if share >= literal else literal_chunk
        if best is None:
            return NOTHING, wanted
        ref = self._refs[best]
        return Overlap(share, literal, ref, weighted_overlap(wanted, self._stems_of(ref))), wanted

    def _stems_of(self, ref: str) -> frozenset[str]:
        if ref not in self._stems:
            self._stems[ref] = stems(self._chunk[ref])
        return self._stems[ref]


class _Index:
    """Which chunks have a word. Ten thousand chunks times a thousand sentences forbid comparing pairs; a few chunks are
    compared sooner than indexed."""

    def __init__(self, chunks: Sequence[frozenset[str]]) -> None:
        self._chunks = chunks
        self._having: dict[str, list[int]] = {}
        for position, chunk in enumerate(chunks if len(chunks) > FEW else ()):
            for word in chunk:
                self._having.setdefault(word, []).append(position)

    def best(self, wanted: frozenset[str]) -> tuple[float, int | None]:
        """The largest share of ``wanted`` that one chunk has, 0 to 1, and the first such chunk's position."""
        return self._compared(wanted) if len(self._chunks) <= FEW else self._looked_up(wanted)

    def _compared(self, wanted: frozenset[str]) -> tuple[float, int | None]:
        counts = [len(wanted & chunk) for chunk in self._chunks]
        most = max(counts, default=0)
        return (most / len(wanted), counts.index(most)) if most else (0.0, None)

    def _looked_up(self, wanted: frozenset[str]) -> tuple[float, int | None]:
        listed = sorted((word for word in wanted if word in self._having), key=self._rarity)
        shared: dict[int, int] = {}
        reached = 0
        # rarest words first: once no chunk unseen so far could win, the long lists of common words stay unread
        for read, word in enumerate(listed):
            if reached > len(listed) - read:
                return self._settle(shared, listed[read:], reached, len(wanted))
            for position in self._having[word]:
                shared[position] = shared.get(position, 0) + 1
            leader = max(self._having[word], key=shared.__getitem__)
            rest = sum(later in self._chunks[leader] for later in listed[read + 1 :])
            reached = max(reached, shared[leader] + rest)
        return self._settle(shared, (), reached, len(wanted))

    def _settle(
        self, shared: dict[int, int], rest: Sequence[str], reached: int, wanted: int
    ) -> tuple[float, int | None]:
        """The winner among the chunks seen; the words of ``rest`` are looked up only in those that can win."""
        counts = (
            (-count - sum(word in self._chunks[position] for word in rest), position)
            for position, count in shared.items()
            if count + len(rest) >= reached
        )
        count, position = min(counts, default=(0, None))
        return (-count / wanted, position) if position is not None else (0.0, None)

    def _rarity(self, word: str) -> tuple[int, str]:
        return len(self._having[word]), word
