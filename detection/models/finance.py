"""The financial database: the figures of record that numbers are verified against.

Each column of :class:`FinancialMetrics` states its kind by its field class, so a new column is evidence
from the day it is migrated: :func:`figure_columns` finds it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models, transaction
from django.db.models import Exists, F, ProtectedError, Q
from django.utils.translation import gettext

from detection.core.types import Kind
from detection.models.standing import NotHeld, PersonEvent


class FigureField(models.DecimalField):  # type: ignore[type-arg]  # generic in the stubs only
    """A decimal column that is a figure of record; ``kind`` is the claim kind it can support."""

    kind: Kind = "number"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", 20)
        kwargs.setdefault("decimal_places", 6 if self.kind != "currency" else 2)
        kwargs.setdefault("null", True)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)


class CurrencyField(FigureField):
    """An amount in the property's currency, major units."""

    kind: Kind = "currency"


class PercentageField(FigureField):
    """A percentage, in percent: 85.5 means 85.5 %."""

    kind: Kind = "percentage"


class RatioField(FigureField):
    """A ratio such as a coverage: 1.25 means 1.25×."""

    kind: Kind = "ratio"


Row = TypeVar("Row", bound="Bound")


class StillBound(ProtectedError):
    """What keys, people or groups name was to be deleted; the message names them."""


class BoundRows(models.QuerySet[Row]):
    """Rows that are deleted one by one, so that none goes while something is bound to it."""

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete them, or raise :class:`StillBound` and delete none."""
        with transaction.atomic():
            done = [row.delete() for row in self]
        return sum(count for count, _each in done), {self.model._meta.label: len(done)}


class Bound(models.Model):
    """Something that keys, people or groups name to say what is seen; while any does, it cannot be deleted."""

    objects = BoundRows.as_manager()

    class Meta:
        abstract = True

    def bindings(self) -> list[models.Model]:
        """What names this row."""
        raise NotImplementedError

    @transaction.atomic
    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Delete it, or raise :class:`StillBound` with whatever names it."""
        type(self)._default_manager.select_for_update().filter(pk=self.pk).first()
        if bindings := self.bindings():
            named = ", ".join(str(one) for one in bindings)
            told = gettext("%(row)s is still bound to: %(named)s. Take that away first.")
            raise StillBound(told % {"row": self, "named": named}, set(bindings))
        return super().delete(*args, **kwargs)


class PropertyGroup(Bound):
    """Properties that the same people may see; with ``all_properties``, every property, those to come too. A property in
    no group is seen by every user."""

    name = models.CharField(max_length=100, unique=True)
    all_properties = models.BooleanField(
        default=False, db_default=False, help_text="Its members see every property, those to come too."
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="property_groups")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def bindings(self) -> list[models.Model]:
        """Its members and its properties: without it, everybody would see what is in no other group."""
        return [*self.members.order_by("pk"), *self.properties.all()]


class Property(Bound):
    """A property of the portfolio. ``code`` is what submitters call it; ``fiscal_year_end_month`` is the month in which
    its fiscal year ends, 12 for the calendar year and empty where only its periods tell."""

    code = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=200)
    currency = models.CharField(
        max_length=3,
        default="USD",
        validators=[RegexValidator(r"^[A-Z]{3}$", "Give an ISO 4217 code such as USD.")],
    )
    fiscal_year_end_month = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(12)]
    )
    groups = models.ManyToManyField(PropertyGroup, blank=True, related_name="properties")

    class Meta:
        ordering = ["code"]
        verbose_name_plural = "properties"

    def __str__(self) -> str:
        return f"{self.code} · {self.name}"

    @classmethod
    def seen_by(cls, person: Any) -> "models.QuerySet[Property]":
        """The properties that a person sees: of no group, of their groups, or all of them."""
        if getattr(person, "is_superuser", False):
            return cls._default_manager.all()
        all_of_them = Exists(PropertyGroup.objects.filter(members=person.pk, all_properties=True))
        seen = Q(groups=None) | Q(groups__members=person.pk) | Q(all_of_them)
        return cls._default_manager.filter(seen).distinct()

    def bindings(self) -> list[models.Model]:
        """The keys and the groups that name it."""
        return [*self.api_keys.all(), *self.groups.all()]

    @contextmanager
    def regrouping(self, actor: User | None) -> Iterator[None]:
        """Change, inside, the groups of this property; each member of one that changes has it in their history.

        Raises :class:`NotHeld` when ``actor`` does not see the property; None is whoever runs this machine.
        """
        with transaction.atomic():
            type(self)._default_manager.select_for_update(no_key=True).get(pk=self.pk)
            if actor and not Property.seen_by(actor).filter(pk=self.pk).exists():
                raise NotHeld(gettext("You do not see this property, so you cannot say who does."))
            before = {*self.groups.values_list("name", flat=True)}
            yield
            after = {*self.groups.values_list("name", flat=True)}
            was, now = (
                {"property": self.code, "property_groups": sorted(names)} for names in (before, after)
            )
            touched = PropertyGroup.objects.filter(name__in=before ^ after)
            for person in User.objects.filter(property_groups__in=touched).distinct().order_by("pk"):
                PersonEvent.append(person, "property_regrouped", actor=actor, before=was, after=now)


class FinancialPeriod(models.Model):
    """A period that a property reports for, both ends inclusive."""

    property = models.ForeignKey(Property, on_delete=models.CASCADE, related_name="periods")
    label = models.CharField(max_length=40)
    start = models.DateField()
    end = models.DateField()

    class Meta:
        ordering = ["property", "-start"]
        indexes = [models.Index(fields=["start", "end"], name="period_by_dates")]
        constraints = [
            models.UniqueConstraint(fields=["property", "label"], name="period_label_unique_per_property"),
            models.CheckConstraint(condition=Q(start__lte=F("end")), name="period_starts_before_it_ends"),
        ]

    def __str__(self) -> str:
        return f"{self.label} · {self.property.code}"


class FinancialMetrics(models.Model):
    """The figures of one period."""

    period = models.OneToOneField(FinancialPeriod, on_delete=models.CASCADE, related_name="metrics")
    total_revenue = CurrencyField()
    gross_potential_rent = CurrencyField()
    operating_expenses = CurrencyField()
    net_operating_income = CurrencyField()
    net_income = CurrencyField()
    debt_service = CurrencyField()
    occupancy_rate = PercentageField()
    vacancy_rate = PercentageField()
    expense_ratio = PercentageField()
    ltv = PercentageField(verbose_name="loan to value")
    cap_rate = PercentageField()
    debt_yield = PercentageField()
    dscr = RatioField(verbose_name="debt service coverage ratio")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "financial metrics"

    def __str__(self) -> str:
        return str(self.period)


def figure_columns() -> tuple[FigureField, ...]:
    """The columns of :class:`FinancialMetrics` that are figures, in order."""
    return tuple(f for f in FinancialMetrics._meta.get_fields() if isinstance(f, FigureField))


class IncomeStatementData(models.Model):
    """One line of a period's income statement, in the property's currency."""

    period = models.ForeignKey(FinancialPeriod, on_delete=models.CASCADE, related_name="statement_lines")
    account_code = models.CharField(max_length=40)
    account_name = models.CharField(max_length=200)
    amount = models.DecimalField(max_digits=20, decimal_places=2)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["period", "account_code"]
        verbose_name = verbose_name_plural = "income statement data"
        constraints = [
            models.UniqueConstraint(
                fields=["period", "account_code"], name="statement_line_unique_per_period"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_code} {self.account_name}"


class MetricAlias(models.Model):
    """A further phrase for a metric or account, added to the built-in ones."""

    metric = models.CharField(max_length=60)
    language = models.CharField(max_length=10, blank=True)
    text = models.CharField(max_length=100)

    class Meta:
        ordering = ["metric", "text"]
        verbose_name_plural = "metric aliases"
        constraints = [
            models.UniqueConstraint(fields=["language", "text"], name="metric_alias_means_one_thing")
        ]

    def __str__(self) -> str:
        return f"{self.text} → {self.metric}"
