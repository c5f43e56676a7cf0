"""Strict generation: six layers between a language model and a reader."""

from detection.core.generation.layers import (
    FALLBACKS,
    PRESETS,
    Generated,
    Layer,
    Request,
    Strictness,
    fallback_of,
    generate,
)
from detection.core.generation.sentences import refusal

__all__ = [
    "FALLBACKS",
    "PRESETS",
    "Generated",
    "Layer",
    "Request",
    "Strictness",
    "fallback_of",
    "generate",
    "refusal",
]
