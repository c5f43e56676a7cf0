"""The composition root as an app, so that its management commands are found."""

from django.apps import AppConfig


class HalluSiteConfig(AppConfig):
    """Knows every app, holds no logic."""

    name = "hallu_site"
