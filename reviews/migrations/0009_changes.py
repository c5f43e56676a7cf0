"""Claims without digits, of the kind change, narrow the queue too (F05)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0008_audit_lane")]

    operations = [
        migrations.AddField(
            model_name="hallucinationreview",
            name="has_change",
            field=models.BooleanField(
                default=False, help_text="A claim of the kind change asks for a verdict."
            ),
        ),
        migrations.AddIndex(
            model_name="hallucinationreview",
            index=models.Index(
                condition=models.Q(("resolved_at__isnull", True), ("voided_at__isnull", True), ("has_change", True)),
                fields=["queue_order", "created_at", "id"],
                name="review_queue_has_change",
            ),
        ),
    ]
