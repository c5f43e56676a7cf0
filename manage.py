#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:  # a refused start is an answer to the operator, not a crash
        sys.exit(f"hallu: {reason}")
