"""Properties, periods and figures of record, as single resources and as rows of a bulk upsert."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from detection.access import key_of, visible_periods, visible_properties
from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from detection.models.finance import figure_columns
from detection.serializers.fields import EXACT, WordField

FIGURES = tuple(column.name for column in figure_columns())


class VisibleProperty(serializers.SlugRelatedField[Property]):
    """A property by its code, among those the caller may see."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(slug_field="code", **({"queryset": Property.objects.all()} | kwargs))

    def to_internal_value(self, data: Any) -> Property:
        """The property of that code. Fails for unknown ones and for what is no text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)

    def get_queryset(self) -> QuerySet[Property]:
        """The caller's properties."""
        return visible_properties(key_of(self.context["request"]))


class VisiblePeriod(serializers.PrimaryKeyRelatedField[FinancialPeriod]):
    """A period by its id, among those of the caller's properties."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**({"queryset": FinancialPeriod.objects.all()} | kwargs))

    def to_internal_value(self, data: Any) -> FinancialPeriod:
        """The period of that id. Fails for unknown ones and for what is no whole number."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("incorrect_type", data_type=type(data).__name__)
        return super().to_internal_value(data)  # type: ignore[arg-type]  # its stubs take the row for the id

    def get_queryset(self) -> QuerySet[FinancialPeriod]:
        """The periods of the caller's properties."""
        return visible_periods(key_of(self.context["request"]))


class PropertySerializer(serializers.ModelSerializer[Property]):
    """A property of the portfolio."""

    serializer_field_mapping = EXACT

    class Meta:
        model = Property
        fields = ["id", "code", "name", "currency", "fiscal_year_end_month"]


class PeriodSerializer(serializers.ModelSerializer[FinancialPeriod]):
    """A period a property reports for, both ends inclusive."""

    serializer_field_mapping = EXACT

    property = VisibleProperty()

    class Meta:
        model = FinancialPeriod
        fields = ["id", "property", "label", "start", "end"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A period starts before it ends."""
        _check_order(
            attrs.get("start", getattr(self.instance, "start", None)),
            attrs.get("end", getattr(self.instance, "end", None)),
        )
        return attrs


class MetricsSerializer(serializers.ModelSerializer[FinancialMetrics]):
    """The figures of one period; decimals are strings."""

    serializer_field_mapping = EXACT

    period = VisiblePeriod()
    property = serializers.CharField(source="period.property.code", read_only=True)
    period_label = serializers.CharField(source="period.label", read_only=True)

    class Meta:
        model = FinancialMetrics
        fields = ["id", "period", "property", "period_label", *FIGURES, "updated_at"]
        read_only_fields = ["updated_at"]

    def validate_period(self, period: FinancialPeriod) -> FinancialPeriod:
        """One row of figures for each period."""
        taken = FinancialMetrics.objects.filter(period=period)
        if (taken.exclude(pk=self.instance.pk) if self.instance else taken).exists():
            raise serializers.ValidationError("This period has its figures already; change that row.")
        return period


class StatementLineSerializer(serializers.ModelSerializer[IncomeStatementData]):
    """One line of a period's income statement."""

    serializer_field_mapping = EXACT

    period = VisiblePeriod()
    property = serializers.CharField(source="period.property.code", read_only=True)
    period_label = serializers.CharField(source="period.label", read_only=True)

    class Meta:
        model = IncomeStatementData
        fields = [
            "id", "period", "property", "period_label", "account_code", "account_name", "amount", "updated_at",
        ]  # fmt: skip
        read_only_fields = ["updated_at"]


class PropertyRow(serializers.ModelSerializer[Property]):
    """A property in a bulk upsert, found by its code. A new one needs a name."""

    serializer_field_mapping = EXACT

    code = WordField(max_length=40)
    name = WordField(max_length=200, required=False)

    class Meta:
        model = Property
        fields = ["code", "name", "currency", "fiscal_year_end_month"]


class PeriodRow(serializers.Serializer[Any]):
    """A period in a bulk upsert, found by property code and label. A new one needs both dates."""

    property = WordField(max_length=40)
    label = WordField(max_length=40)  # type: ignore[assignment]  # a field's own label is no column
    start = serializers.DateField(required=False)
    end = serializers.DateField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A period starts before it ends."""
        _check_order(attrs.get("start"), attrs.get("end"))
        return attrs


class MetricsRow(serializers.ModelSerializer[FinancialMetrics]):
    """Figures in a bulk upsert, found by property code and period label. What a row leaves out stays."""

    serializer_field_mapping = EXACT

    property = WordField(max_length=40)
    period = WordField(max_length=40, help_text="Label")

    class Meta:
        model = FinancialMetrics
        fields = ["property", "period", *FIGURES]


class StatementLineRow(serializers.ModelSerializer[IncomeStatementData]):
    """A statement line in a bulk upsert, found by property code, period label and account code. A new one
    needs an account name."""

    serializer_field_mapping = EXACT

    property = WordField(max_length=40)
    period = WordField(max_length=40, help_text="Label")
    account_name = WordField(max_length=200, required=False)

    class Meta:
        model = IncomeStatementData
        fields = ["property", "period", "account_code", "account_name", "amount"]
        validators: list[Any] = []


class OutcomeSerializer(serializers.Serializer[Any]):
    """How many rows a bulk upsert created, changed and found as they were."""

    created = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()


def _check_order(start: Any, end: Any) -> None:
    if start and end and start > end:
        raise serializers.ValidationError({"end": "A period cannot end before it starts."})
