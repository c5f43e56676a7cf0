"""May a fact be remembered, and with how much confidence?"""

from detection.core.facts.memory_gate import RANKS, REDUCTION, GateLimits, Outcome, gate, gate_lift

__all__ = ["RANKS", "REDUCTION", "GateLimits", "Outcome", "gate", "gate_lift"]
