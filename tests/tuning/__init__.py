"""How stored measurements, verdicts and thresholds are weighed against each other."""
