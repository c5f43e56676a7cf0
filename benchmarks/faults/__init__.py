"""Is an answer lost, doubled or left lying, whatever breaks? ``python -m benchmarks.faults --answers 100000 --kills 128``.

A whole installation, its processes as ``manage.py process`` starts them, takes answers over HTTP from clients that try again
as a real one would, while every process, the broker and the database are killed with -9 at random moments, workers are
stopped for longer than their lease, the broker forgets its messages and the verifier has bad hours. What counts is the list
of answers that got a 2xx. Exits with 1 when one of them is lost, doubled or left, or an invariant does not hold.
"""
