"""The WSGI entry point for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
application = get_wsgi_application()

from hallu_site.startup import refuse_demo_users, warn_of_owner  # noqa: E402  # needs the apps that the line above loads

refuse_demo_users()
warn_of_owner()
