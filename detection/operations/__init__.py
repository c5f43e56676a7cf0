"""What runs beside the answers: which operations verify, load, counts, rates, state of the verifiers."""
