"""Work given to another thread goes on in the context of the one that gives it: what logs and traces name is kept there."""

from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def carried(call: Callable[..., Result]) -> Callable[..., Result]:
    """``call``, to be made in other threads, several at a time, each with the context variables of this one."""
    here = copy_context()

    def there(*given: Any) -> Result:
        return here.copy().run(call, *given)  # a context is entered by one thread at a time

    return there
