"""What is seen of an installation from outside: counts for Prometheus, rates by week, lanes that move, what a load needs."""
