"""The life of an answer: taken in, screened, flagged, resolved, learnt from."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """The reviews app."""

    name = "reviews"
