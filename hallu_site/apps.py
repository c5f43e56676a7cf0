"""The composition root as an app, so that its management commands are found; which static files are served."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.contrib.staticfiles.apps import StaticFilesConfig


class HalluSiteConfig(AppConfig):
    """Knows every app, holds no logic."""

    name = "hallu_site"

    def ready(self) -> None:
        """Register the system checks."""
        from hallu_site import checks  # noqa: F401  # importing registers them


class Administration(admin_apps.AdminConfig):
    """Django's admin, open to administrators only."""

    default = False
    default_site = "detection.admin_site.AdministrationSite"


class StaticFiles(StaticFilesConfig):
    """Django's static files, less what packages bring along and no page here asks for.

    Compressing those took longer than the rest of the first start: a second API viewer and the
    browsable API, which is off: the API answers in JSON alone.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "redoc",
        "rest_framework",
    ]
