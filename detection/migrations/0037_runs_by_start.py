"""Runs begun in some days are found by an index: the dashboard counts them and those that failed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0036_traces_of_callers")]

    operations = [
        migrations.AddIndex("detectionrun", models.Index(fields=["created_at"], name="run_by_start")),
    ]
