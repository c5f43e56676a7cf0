"""scikit-learn, which some figures are compared with; it takes seconds to load, so only the process that asks does."""

from importlib import import_module
from typing import Any


def peer(module: str) -> Any:
    """``peer("metrics")``: a module of scikit-learn."""
    return import_module(f"sklearn.{module}")
