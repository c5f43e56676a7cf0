"""The runs that judged an answer again are found by an index: of an answer the latest counts, and few are judged twice."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0038_attempts_by_time")]

    operations = [
        migrations.AddIndex(
            "detectionrun",
            models.Index(
                fields=["answer", "-id"], condition=models.Q(purpose="rescreen"), name="run_again"
            ),
        ),
    ]
