"""The settings of processes under test: started as ever, they serve files that nobody collected, and go wrong where an
answer says so (:mod:`tests.faults.faulty`)."""

from hallu_site.settings import *  # noqa: F403  # all of them
from hallu_site.settings import STORAGES
from tests.faults import faulty

STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
faulty.connect()
