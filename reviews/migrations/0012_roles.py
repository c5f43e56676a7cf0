"""The four roles are there from the first day, and administrators may do what their pages offer."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

ROLES = ("viewer", "reviewer", "senior", "admin")
ADMINISTERED = ("auth", "axes", "detection", "reviews")


def make(apps, _editor):
    """The roles that are missing, and for administrators every permission on what the administration shows: its pages
    say themselves what cannot be done there."""
    group, permission = (apps.get_model("auth", name) for name in ("Group", "Permission"))
    for config in apps.get_app_configs():
        if config.label in ADMINISTERED:
            config.models_module = True  # what create_permissions asks of an app that is installed
            create_permissions(config, apps=apps, verbosity=0)
            config.models_module = None
    roles = {name: group.objects.get_or_create(name=name)[0] for name in ROLES}
    roles["admin"].permissions.add(*permission.objects.filter(content_type__app_label__in=ADMINISTERED))


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0011_conclusions_of_before"),
        ("detection", "0025_nothing_is_called_back"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("axes", "0009_add_session_hash"),
    ]

    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
