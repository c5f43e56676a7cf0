from django.db import migrations, models


class Migration(migrations.Migration):
    """What was left out under load is found without looking at every run, and runs by when they finished."""

    dependencies = [("detection", "0008_verifier_endpoints")]
    operations = [
        migrations.AddField(
            model_name="detectionrun",
            name="recheck",
            field=models.BooleanField(
                default=False, help_text="Its verifier was left out under load and is still owed."
            ),
        ),
        migrations.AddIndex(
            model_name="detectionrun",
            index=models.Index(condition=models.Q(("recheck", True)), fields=["id"], name="run_to_recheck"),
        ),
        migrations.AddIndex(
            model_name="detectionrun",
            index=models.Index(fields=["finished_at"], name="run_by_finish"),
        ),
    ]
