"""The numeric detector: every number of an answer against records and sources."""

from detection.core.matching.breakpoints import SWITCHES, Breakpoint, Switches, breakpoints
from detection.core.matching.decision import tolerance_name

__all__ = ["SWITCHES", "Breakpoint", "Switches", "breakpoints", "tolerance_name"]
