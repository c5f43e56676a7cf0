"""A run never waits unfinished for its verifier: it concludes, and what is missing is owed."""

from django.db import migrations


class Dropped(migrations.RemoveField):
    """Removes a column. On the way back it comes with a default of the database: else SQLite would rebuild the table, and drop its
    triggers."""

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        field = to_state.apps.get_model(app_label, self.model_name)._meta.get_field(self.name)
        field.db_default = False
        super().database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):

    dependencies = [
        ("detection", "0030_verification_owed"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="detectionrun", name="run_to_recheck"),
        migrations.RemoveField(model_name="detectionrun", name="not_before"),
        Dropped(model_name="detectionrun", name="recheck"),
    ]
