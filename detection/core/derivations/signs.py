"""Which way round and with which sign operands are taken: what the words say of rising, falling and paying.

Tables show expenses and losses in brackets, sentences speak of them as amounts.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from detection.core.derivations.formulas import Operand, Shape, unsigned
from detection.core.derivations.words import (
    either_order,
    speaks_of_fall,
    speaks_of_outgoing,
    speaks_of_result,
)


def signed(
    shape: Shape,
    operands: Sequence[Operand],
    claimed: Decimal,
    direction: Literal["up", "down"] | None,
    sentence: str,
) -> tuple[Shape, Sequence[Operand]]:
    """The formula and its operands as ``sentence`` means them for the value ``claimed``.

    A decrease is stated positive. What is negative throughout changes by its size. A difference between two
    things may be stated either way round, a share without the signs of a table.
    """
    operation = shape.operation
    if _by_size(operation, operands, claimed, sentence, directed=direction is not None):
        operands = [unsigned(operand) for operand in operands]
    if operation not in ("growth", "difference") or claimed < 0:
        return shape, operands
    if direction == "down" or (direction is None and speaks_of_fall(sentence)):
        return Shape("decline" if operation == "growth" else operation, shape.parts[::-1]), operands
    smaller = len(operands) == 2 and operands[0].value < operands[1].value
    if operation == "difference" and smaller and either_order(sentence):
        return Shape(operation, shape.parts[::-1]), operands
    return shape, operands


def _by_size(
    operation: str, operands: Sequence[Operand], claimed: Decimal, sentence: str, *, directed: bool
) -> bool:
    negative = [operand.value < 0 for operand in operands]
    if operation in ("share", "ratio"):
        return claimed > 0 and any(negative) and not all(negative)
    if not all(negative):
        return False
    if operation == "growth":
        return True
    outgoing = speaks_of_outgoing(sentence) or (directed and not speaks_of_result(sentence))
    return outgoing and (operation == "difference" or claimed > 0)
