"""What was read of chunks, kept for every worker."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0018_fiscal_year")]

    operations = [
        migrations.CreateModel(
            name="ChunkFrames",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content_hash", models.CharField(max_length=64)),
                ("reader_version", models.PositiveSmallIntegerField()),
                ("frames", models.BinaryField()),
                ("used_on", models.DateField(db_index=True)),
            ],
            options={
                "ordering": ["id"],
                "verbose_name_plural": "chunk frames",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["content_hash", "reader_version"], name="chunk_frames_once_per_reader"
                    )
                ],
            },
        ),
    ]
