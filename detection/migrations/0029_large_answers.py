"""Which runs are judged in the lane of large answers; those of before, and of workers of a version before, are in the others."""

from django.db import migrations, models

from detection.append_only import frozen

FROZEN = frozen(
    "detection_detectionrun",
    ("answer_id", "profile_id", "result"),
    once="OLD.finished_at IS NOT NULL AND OLD.result IS NOT NULL",
)


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0028_secrets_and_limits_of_keys'),
    ]

    operations = [
        FROZEN.backwards(),  # SQLite rebuilds the table, and drops its triggers
        migrations.AddField(
            model_name='detectionrun',
            name='large',
            field=models.BooleanField(db_default=False, default=False, help_text='Judging it takes long: a lane of its own, behind which no small one waits.'),
        ),
        FROZEN,
    ]
