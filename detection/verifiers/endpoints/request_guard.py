"""What every request to an endpoint goes through: today's money, the endpoint's circuit, the books."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from detection.verifiers.endpoints.budget import Budget
from detection.verifiers.endpoints.circuit import Circuit
from detection.verifiers.endpoints.replies import Reply


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """The guard of one model at one endpoint."""

    budget: Budget
    circuit: Circuit

    def ask(self, send: Callable[[], Reply]) -> Reply:
        """The reply, with what it cost. Raises :class:`~detection.verifiers.endpoints.failures.BudgetSpent` and what
        :meth:`Circuit.passage` raises without asking; whatever ``send`` raises otherwise."""
        self.budget.check()
        with self.circuit.passage():
            reply = send()
        return replace(reply, usage=self.budget.charge(reply.tokens_in, reply.tokens_out))
