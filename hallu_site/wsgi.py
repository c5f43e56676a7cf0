"""The WSGI entry point for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
application = get_wsgi_application()

from detection import spans  # noqa: E402  # needs the settings that the line above loads
from detection.operations import patience  # noqa: E402  # the same
from hallu_site import startup  # noqa: E402  # needs the apps

patience.limit("web")
spans.start("web")
startup.refuse_demo_users()
startup.warn_of_owner()
startup.warm_up()
