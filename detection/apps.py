"""How an answer is judged."""

from django.apps import AppConfig


class DetectionConfig(AppConfig):
    """The detection app; knows nothing of reviews."""

    name = "detection"

    def ready(self) -> None:
        """Register the system checks."""
        from detection.operations import checks  # noqa: F401  # importing registers them
