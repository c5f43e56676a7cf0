"""What all screens share: words, numbers, directions, charts, the claims of an answer, the frame of a view.

It knows no screen; every screen may use all of it.
"""
