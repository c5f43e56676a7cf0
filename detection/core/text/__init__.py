"""What every detector asks of a text: its sentences, words, citation marks, language and direction."""

from detection.core.text.bare import Bare, bare, wide_pauses
from detection.core.text.languages import LANGUAGES, Texts, base, has_rules, isolated, spoken
from detection.core.text.marks import citation_marks, known_ids, mark_spans, resolve, strip_marks
from detection.core.text.phrases import CLAUSE_BREAKS, CONFIDENCE, FINITE_VERBS
from detection.core.text.splitting import sentences
from detection.core.text.tokens import (
    detect_language,
    direction,
    is_hedge,
    is_instruction,
    is_question,
    literal_words,
    shingles,
    words,
)
from detection.core.text.values import named_in, values_of

__all__ = [
    "CLAUSE_BREAKS",
    "CONFIDENCE",
    "FINITE_VERBS",
    "LANGUAGES",
    "Bare",
    "Texts",
    "bare",
    "base",
    "citation_marks",
    "detect_language",
    "direction",
    "has_rules",
    "is_hedge",
    "is_instruction",
    "is_question",
    "isolated",
    "known_ids",
    "literal_words",
    "mark_spans",
    "named_in",
    "resolve",
    "sentences",
    "shingles",
    "spoken",
    "strip_marks",
    "values_of",
    "wide_pauses",
    "words",
]
