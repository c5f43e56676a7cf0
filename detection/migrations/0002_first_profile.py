"""Version 1 of the thresholds, from the declared defaults, and append-only histories."""

from django.db import migrations

from detection.append_only import append_only


def first_profile(apps, _editor):
    profile = apps.get_model("detection", "ThresholdProfile")
    if not profile.objects.exists():
        profile.objects.create(version=1, values={"base": {}, "overrides": []}, state="active", note="Declared defaults.")


class Migration(migrations.Migration):
    dependencies = [("detection", "0001_initial")]
    operations = [
        migrations.RunPython(first_profile, migrations.RunPython.noop),
        append_only("detection_profileevent"),
        append_only("detection_accessevent"),
    ]
