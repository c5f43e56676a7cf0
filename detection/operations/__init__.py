"""What runs beside the answers: which operations verify, limits of time and load, state of the verifiers and stores."""
