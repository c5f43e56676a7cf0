"""A review may end because its answer was verified since, and is not flagged."""

from django.db import migrations, models


def call_withdrawn(apps, _editor):
    """Reviews that ended so, on the way back."""
    reviews = apps.get_model("reviews", "HallucinationReview").objects.filter(void_cause="verified")
    reviews.update(void_cause="withdrawn")


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0031_nothing_waits_unfinished'),
        ('reviews', '0013_signed_histories'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='hallucinationreview',
            name='void_review_has_a_cause',
        ),
        migrations.AlterField(
            model_name='hallucinationreview',
            name='void_cause',
            field=models.CharField(blank=True, choices=[('superseded', 'A newer answer replaced it'), ('duplicate', 'Duplicate'), ('withdrawn', 'Source withdrawn'), ('verified', 'Verified since, and not flagged')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='hallucinationreview',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'void'), ('void_cause__in', ['superseded', 'duplicate', 'withdrawn', 'verified']), ('voided_at__isnull', False)), models.Q(models.Q(('state', 'void'), _negated=True), ('void_cause', ''), ('voided_at__isnull', True)), _connector='OR'), name='void_review_has_a_cause'),
        ),
        migrations.RunPython(migrations.RunPython.noop, call_withdrawn),
    ]
