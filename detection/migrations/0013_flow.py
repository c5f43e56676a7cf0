"""A claim is a detector's or a reviewer's, and no detector judged a reviewer's."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("detection", "0012_monitored_runs")]
    operations = [
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=Q(origin__in=["detector", "reviewer"]), name="claim_origin_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=~Q(origin="reviewer") | Q(flagged=False, status="", finding=""),
                name="no_detector_judged_a_reviewers_claim",
            ),
        ),
    ]
