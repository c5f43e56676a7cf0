"""Profiles that named a target under one half say in their note that it counts as one half (conclusion §3)."""

from django.db import migrations

NOTE = "A target under 0.5 counts as 0.5 from here on: under one half nothing is called supported."
HALF = 0.5


def is_under_half(values):
    records = [values.get("base", {}), *(each["values"] for each in values.get("overrides", []))]
    return any(target < HALF for each in records for target in each.get("target_by_method", {}).values())


def say_so(apps, _editor):
    profiles = apps.get_model("detection", "ThresholdProfile").objects
    for profile in profiles.all():
        if is_under_half(profile.values):
            profiles.filter(pk=profile.pk).update(note=f"{profile.note} {NOTE}".strip())


class Migration(migrations.Migration):
    dependencies = [("detection", "0020_not_verified")]
    operations = [migrations.RunPython(say_so, migrations.RunPython.noop)]
