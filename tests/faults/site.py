"""The site as gunicorn serves it in fault tests: its files are found without being collected."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")

from django.conf import settings  # needs the variable

settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"

from hallu_site.wsgi import application  # noqa: E402  # needs the setting

__all__ = ["application"]
