"""The life of an answer: taken in, sampled, published to the workers, written strictly, concluded, told.

:mod:`intake` owns the two transactions, :mod:`publishing` is the only way to the broker.
"""
