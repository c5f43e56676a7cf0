"""The composition root: settings, URLs, the Celery application. Importing it makes that application current."""

from hallu_site.celery import app as celery_app

__all__ = ["celery_app"]
