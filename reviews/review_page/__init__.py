"""The review page (S4): an answer with its claims, the evidence beside each, and what a reviewer does with it.

:mod:`presentation` feeds the page; :mod:`panels` the evidence beside a claim.
"""
