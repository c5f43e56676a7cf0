"""What answers are owed by verifiers that were away has rows of its own, and endpoints say whether they are well; what was left out
under load so far is among them."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F
from django.utils import timezone


def carry_over(apps, _editor):
    runs, owed = apps.get_model("detection", "DetectionRun"), apps.get_model("detection", "OwedVerification")
    now, seen = timezone.now(), set()
    left_out = runs.objects.filter(recheck=True, finished_at__isnull=False).order_by("-id")
    for pk, answer, finished in left_out.values_list("pk", "answer", "finished_at"):
        if answer not in seen:
            seen.add(answer)
            owed.objects.create(
                answer_id=answer, run_id=pk, reason="overload", since=finished, noted_at=finished, due_at=now
            )
    apps.get_model("detection", "VerifierEndpoint").objects.update(gave_logprobs=F("logprobs"))


def carry_back(apps, _editor):
    runs, owed = apps.get_model("detection", "DetectionRun"), apps.get_model("detection", "OwedVerification")
    waiting = owed.objects.filter(ended_at__isnull=True)
    runs.objects.filter(pk__in=waiting.values("run")).update(recheck=True)
    apps.get_model("detection", "DetectorReport").objects.filter(status="away").update(status="error")


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0029_large_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='OwedVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('outage', 'Outage'), ('overload', 'Overload'), ('rate_limit', 'Rate Limit'), ('budget', 'Budget'), ('degraded', 'Degraded')], max_length=10)),
                ('since', models.DateTimeField()),
                ('noted_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(help_text='Before that it is not judged again.')),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, choices=[('judged_again', 'Judged Again'), ('settled', 'Settled'), ('superseded', 'Superseded'), ('given_up', 'Given Up')], max_length=12)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='detectorreport',
            name='report_status_is_known',
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='answered_at',
            field=models.DateTimeField(blank=True, help_text='When it last answered a probe with all that it can do.', null=True),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='well_since',
            field=models.DateTimeField(blank=True, help_text='When it first answered one after it had failed some.', null=True),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='down_reason',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='down_since',
            field=models.DateTimeField(blank=True, help_text='Since when it has answered no probe so.', null=True),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='gave_logprobs',
            field=models.BooleanField(default=False, help_text='Whether it ever gave log-probabilities: what is verified without them then is owed.'),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='probe_after',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='verifierendpoint',
            name='probes',
            field=models.PositiveIntegerField(default=0, help_text='How many probes in a row it failed.'),
        ),
        migrations.AlterField(
            model_name='detectorreport',
            name='status',
            field=models.CharField(choices=[('ok', 'Ok'), ('skipped', 'Skipped'), ('timeout', 'Timeout'), ('error', 'Error'), ('rate_limited', 'Rate Limited'), ('away', 'Away')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='detectorreport',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['ok', 'skipped', 'timeout', 'error', 'rate_limited', 'away'])), name='report_status_is_known'),
        ),
        migrations.AddField(
            model_name='owedverification',
            name='again',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pays', to='detection.detectionrun'),
        ),
        migrations.AddField(
            model_name='owedverification',
            name='answer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='owed_verifications', to='detection.answer'),
        ),
        migrations.AddField(
            model_name='owedverification',
            name='run',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='owed_verification', to='detection.detectionrun'),
        ),
        migrations.AddIndex(
            model_name='owedverification',
            index=models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['due_at', 'id'], name='owed_by_due'),
        ),
        migrations.AddIndex(
            model_name='owedverification',
            index=models.Index(condition=models.Q(('since__lt', models.F('noted_at'))), fields=['noted_at'], name='owed_again_by_time'),
        ),
        migrations.AddIndex(
            model_name='owedverification',
            index=models.Index(condition=models.Q(('again__isnull', False)), fields=['ended_at'], name='owed_paid_by_time'),
        ),
        migrations.AddConstraint(
            model_name='owedverification',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('answer',), name='one_owed_verification_per_answer'),
        ),
        migrations.AddConstraint(
            model_name='owedverification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('again__isnull', True), ('ended_at__isnull', True), ('ending', '')), models.Q(('again__isnull', False), ('ended_at__isnull', False), ('ending', 'judged_again')), models.Q(('again__isnull', True), ('ended_at__isnull', False), ('ending__in', ['settled', 'superseded', 'given_up'])), _connector='OR'), name='owed_verification_ends_whole'),
        ),
        migrations.RunPython(carry_over, carry_back),
    ]
