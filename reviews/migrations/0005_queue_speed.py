"""Lists narrow and sort by columns of the review's own, each with an index of its own."""

from django.db import migrations, models
from django.db.models import Exists, OuterRef, Subquery

KINDS = ("statement", "currency", "percentage", "ratio", "date", "number")


def fill(apps, schema_editor):
    review, claim = apps.get_model("reviews", "HallucinationReview"), apps.get_model("detection", "Claim")
    flagged = claim.objects.filter(run=OuterRef("run"), flagged=True, origin="detector")
    answers = apps.get_model("detection", "Answer").objects.filter(pk=OuterRef("answer"))
    review.objects.update(
        language=Subquery(answers.values("language")[:1]),
        **{f"has_{kind}": Exists(flagged.filter(kind=kind)) for kind in KINDS},
    )


class Migration(migrations.Migration):
    dependencies = [("reviews", "0004_flow")]
    operations = [
        migrations.AlterModelOptions(
            name='hallucinationreview',
            options={'ordering': ('queue_order', 'created_at', 'id')},
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_currency',
            field=models.BooleanField(default=False, help_text='A claim of the kind currency asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_date',
            field=models.BooleanField(default=False, help_text='A claim of the kind date asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_number',
            field=models.BooleanField(default=False, help_text='A claim of the kind number asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_percentage',
            field=models.BooleanField(default=False, help_text='A claim of the kind percentage asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_ratio',
            field=models.BooleanField(default=False, help_text='A claim of the kind ratio asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='has_statement',
            field=models.BooleanField(default=False, help_text='A claim of the kind statement asks for a verdict.'),
        ),
        migrations.AddField(
            model_name='hallucinationreview',
            name='language',
            field=models.CharField(blank=True, max_length=20),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True)), fields=['period', 'queue_order', 'created_at', 'id'], name='review_queue_by_period'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True)), fields=['language', 'queue_order', 'created_at', 'id'], name='review_queue_by_language'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True)), fields=['selection_reason', 'queue_order', 'created_at', 'id'], name='review_queue_by_reason'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True)), fields=['due_at', 'id'], name='review_queue_by_due'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True)), fields=['created_at', 'id'], name='review_queue_by_age'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_statement', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_statement'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_currency', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_currency'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_percentage', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_percentage'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_ratio', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_ratio'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_date', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_date'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', True), ('voided_at__isnull', True), ('has_number', True)), fields=['queue_order', 'created_at', 'id'], name='review_queue_has_number'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(fields=['state', 'queue_order', 'created_at', 'id'], name='review_by_state'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(fields=['created_at', 'id'], name='review_by_age'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(fields=['due_at', 'id'], name='review_by_due'),
        ),
        migrations.AddIndex(
            model_name='hallucinationreview',
            index=models.Index(condition=models.Q(('resolved_at__isnull', False)), fields=['resolved_by', '-resolved_at'], name='review_by_resolver'),
        ),
    ]
