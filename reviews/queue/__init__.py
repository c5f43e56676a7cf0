"""The queue (S2, S3): which reviews wait, in what order, for whom, and actions on several of them.

Others call :mod:`visible` (whose reviews), :mod:`filters`, :mod:`next_review` and :mod:`search`.
"""
