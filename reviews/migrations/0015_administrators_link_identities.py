"""Administrators may link people with their identities at a provider, as they may do all that the administration shows."""

from django.contrib.auth.management import create_permissions
from django.db import migrations


def give(apps, _editor):
    """The permissions on identities, for the role."""
    config = apps.get_app_config("detection")
    config.models_module = True  # what create_permissions asks of an app that is installed
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    group, permission = (apps.get_model("auth", name) for name in ("Group", "Permission"))
    named = permission.objects.filter(content_type__app_label="detection", content_type__model="identity")
    for role in group.objects.filter(name="admin"):
        role.permissions.add(*named)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0014_verified_since"), ("detection", "0032_signing_in")]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
