"""How an answer is judged."""

from django.apps import AppConfig


class DetectionConfig(AppConfig):
    """The detection app; knows nothing of reviews."""

    name = "detection"
