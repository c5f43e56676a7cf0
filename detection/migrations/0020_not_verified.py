"""A strict answer may be refused because nobody could verify it; since when an endpoint lacks log-probabilities."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0019_chunk_frames'),
    ]

    operations = [
        migrations.AddField(
            model_name="verifierendpoint",
            name="lacking_since",
            field=models.DateTimeField(
                blank=True, help_text="Since when it gives no log-probabilities.", null=True
            ),
        ),
        migrations.RemoveConstraint(
            model_name='strictanswer',
            name='finished_strict_answer_has_a_status',
        ),
        migrations.AlterField(
            model_name='strictanswer',
            name='status',
            field=models.CharField(blank=True, choices=[('success', 'Success'), ('insufficient_context', 'Insufficient Context'), ('low_confidence', 'Low Confidence'), ('hallucination_detected', 'Hallucination Detected'), ('not_verified', 'Not Verified'), ('error', 'Error')], max_length=30),
        ),
        migrations.AddConstraint(
            model_name='strictanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('status', '')), models.Q(('finished_at__isnull', False), ('status__in', ['success', 'insufficient_context', 'low_confidence', 'hallucination_detected', 'not_verified', 'error'])), _connector='OR'), name='finished_strict_answer_has_a_status'),
        ),
    ]
