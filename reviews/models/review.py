"""A review's beginning and end: opened by a run or a person, reopened, void."""

from reviews.models.settling import Settling


class HallucinationReview(Settling):
    """A doubtful answer that a person settles."""
