"""Strict generation: layers between a language model and a reader."""

from detection.core.generation.layers import (
    FALLBACKS,
    PRESETS,
    Detect,
    Generated,
    Layer,
    Request,
    Strictness,
    fallback_of,
    generate,
)
from detection.core.generation.sentences import refusal
from detection.core.generation.verified import asserted

__all__ = [
    "FALLBACKS",
    "PRESETS",
    "Detect",
    "Generated",
    "Layer",
    "Request",
    "Strictness",
    "asserted",
    "fallback_of",
    "generate",
    "refusal",
]
