#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from hallu_site.management.commands import process

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
    try:
        if sys.argv[1:2] == [
            "process"
        ]:  # which becomes another program: what that needs would be loaded twice
            process.Command().run_from_argv(sys.argv)
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:  # a refused start is an answer to the operator, not a crash
        sys.exit(f"hallu: {reason}")
