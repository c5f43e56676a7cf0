"""Reviews that were voided of late are found by an index, as those that were resolved are."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("reviews", "0018_trigger_of_audits")]

    operations = [
        migrations.AddIndex(
            "hallucinationreview",
            models.Index(
                fields=["-voided_at"], condition=Q(voided_at__isnull=False), name="review_by_voiding"
            ),
        ),
    ]
