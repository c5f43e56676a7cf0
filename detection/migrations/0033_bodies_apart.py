"""What events tell stands apart from their rows, so that it can be erased while their chains stay whole (SEC-19)."""

from django.db import migrations, models

from detection.append_only import append_only, never_emptied
from detection.history.apart import bodies_apart

HISTORIES = ("accessevent", "calibrationevent", "factevent", "personevent", "profileevent")


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0032_signing_in"),
        ("reviews", "0013_signed_histories"),  # it still writes what events tell into their rows
    ]
    operations = [
        migrations.CreateModel(
            name="EventBody",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("before", models.JSONField(blank=True, default=dict)),
                ("after", models.JSONField(blank=True, default=dict)),
                ("reason", models.TextField(blank=True)),
                ("salt", models.CharField(blank=True, max_length=32)),
            ],
            options={"verbose_name_plural": "event bodies"},
        ),
        *bodies_apart("detection", *HISTORIES),
        append_only("detection_eventbody", ("update",)),
        never_emptied("detection_eventbody"),
    ]
