"""A review ends without a decision when its answer is erased (SEC-19)."""

from django.db import migrations, models

CAUSES = ["superseded", "duplicate", "withdrawn", "verified"]


def has_a_cause(causes):
    void = models.Q(("state", "void"), ("void_cause__in", causes), ("voided_at__isnull", False))
    other = models.Q(models.Q(("state", "void"), _negated=True), ("void_cause", ""), ("voided_at__isnull", True))
    return models.CheckConstraint(condition=models.Q(void, other, _connector="OR"), name="void_review_has_a_cause")


def without(apps, _editor):
    """The version before knows no such end."""
    apps.get_model("reviews", "HallucinationReview").objects.filter(void_cause="erased").update(void_cause="withdrawn")


class Migration(migrations.Migration):
    dependencies = [("reviews", "0016_bodies_apart"), ("detection", "0034_erasures")]
    operations = [
        migrations.RemoveConstraint("hallucinationreview", "void_review_has_a_cause"),
        migrations.AlterField(
            "hallucinationreview",
            "void_cause",
            models.CharField(
                blank=True,
                choices=[
                    ("superseded", "A newer answer replaced it"),
                    ("duplicate", "Duplicate"),
                    ("withdrawn", "Source withdrawn"),
                    ("verified", "Verified since, and not flagged"),
                    ("erased", "The answer was erased"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint("hallucinationreview", has_a_cause([*CAUSES, "erased"])),
        migrations.RunPython(migrations.RunPython.noop, without),
    ]
