"""``manage.py import_financials``: CSV and JSON, all or nothing, every bad row named; ``create_api_key``."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from detection.management.commands.import_financials import Command
from detection.models import ApiKey, FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from detection.runs import evidence
from tests.api_calls import Caller

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-01")]
CSV = """property,property_name,currency,period,start,end,net_operating_income,occupancy_rate,account_code,account_name,amount
OAK,Oak Tower,USD,Q3 2024,2024-07-01,2024-09-30,1234567.89,85.5,,,
OAK,,,Q3 2024,,,,,4000,Rental income,2000000
OAK,,,Q3 2024,,,,,5000,"Repairs, ""urgent"" ones",-1500.5
מגדל,מגדל האלון,ILS,רבעון 3 2024,2024-07-01,2024-09-30,500000,,,,
"""


def imported(path: Path, **options: Any) -> str:
    out = StringIO()
    call_command("import_financials", str(path), stdout=out, **options)
    return out.getvalue()


def written(folder: Path, content: str | bytes, name: str = "figures.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(path: Path) -> list[str]:
    with pytest.raises(CommandError) as error:
        imported(path)
    *told, last = str(error.value).splitlines()
    assert last == "Nothing was imported."
    assert (Property.objects.count(), FinancialPeriod.objects.count()) == (0, 0)
    return told


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_a_csv_brings_everything_in(tmp_path: Path, mark: bytes, ending: bytes) -> None:
    told = imported(written(tmp_path, mark + CSV.encode().replace(b"\n", ending)))
    oak, hebrew = Property.objects.get(code="OAK"), Property.objects.get(code="מגדל")
    assert (oak.name, hebrew.name, hebrew.currency) == ("Oak Tower", "מגדל האלון", "ILS")
    quarter = oak.periods.get()
    assert (quarter.label, str(quarter.start), str(quarter.end)) == ("Q3 2024", "2024-07-01", "2024-09-30")
    assert (str(quarter.metrics.net_operating_income), str(quarter.metrics.occupancy_rate)) == (
        "1234567.89",
        "85.500000",
    )
    lines = list(quarter.statement_lines.values_list("account_code", "account_name"))
    assert lines == [("4000", "Rental income"), ("5000", 'Repairs, "urgent" ones')]
    assert "properties: 2 new, 0 changed, 0 unchanged" in told
    assert "income-statements: 2 new" in told


def test_importing_twice_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, CSV)
    imported(path)
    before = FinancialMetrics.objects.values_list("updated_at", flat=True).order_by("pk")
    stamps = list(before)
    assert "financial-metrics: 0 new, 0 changed, 2 unchanged" in imported(path)
    assert list(before.all()) == stamps


def test_an_empty_cell_changes_nothing_and_a_filled_one_does(tmp_path: Path) -> None:
    imported(written(tmp_path, CSV))
    told = imported(
        written(tmp_path, "property,period,net_operating_income,occupancy_rate\nOAK,Q3 2024,,90\n")
    )
    assert "occupancy_rate 85.500000 → 90" in told
    metrics = FinancialMetrics.objects.get(period__property__code="OAK")
    assert (str(metrics.net_operating_income), str(metrics.occupancy_rate)) == ("1234567.89", "90.000000")


def test_a_dry_run_tells_and_writes_nothing(tmp_path: Path) -> None:
    told = imported(written(tmp_path, CSV), dry_run=True)
    assert "new properties: OAK" in told
    assert "Dry run: nothing was written." in told
    assert Property.objects.count() == IncomeStatementData.objects.count() == 0


def test_a_json_object_brings_everything_in(tmp_path: Path) -> None:
    about = {"property": "OAK", "period": "Q3 2024"}
    content = {
        "properties": [{"code": "OAK", "name": "Oak"}],
        "periods": [{"property": "OAK", "label": "Q3 2024", "start": "2024-07-01", "end": "2024-09-30"}],
        "financial-metrics": [{**about, "net_operating_income": 1234567.89}],
        "income-statements": [{**about, "account_code": "4000", "account_name": "Rent", "amount": "1"}],
    }
    imported(written(tmp_path, json.dumps(content), "figures.json"))
    assert str(FinancialMetrics.objects.get().net_operating_income) == "1234567.89"
    assert IncomeStatementData.objects.get().account_name == "Rent"


def test_the_end_of_the_fiscal_year_is_brought_in(tmp_path: Path) -> None:
    imported(written(tmp_path, "property,property_name,fiscal_year_end_month\nOAK,Oak,9\nELM,Elm,\n"))
    assert list(Property.objects.values_list("code", "fiscal_year_end_month")) == [("ELM", None), ("OAK", 9)]
    imported(written(tmp_path, "property,fiscal_year_end_month\nOAK,6\n"))
    oak = Property.objects.get(code="OAK")
    assert oak.fiscal_year_end_month == 6
    case = evidence.build(answer="NOI rose.", sources=(), about=oak, period=None)
    assert case.fiscal_year_end == 6


def test_a_json_list_has_the_columns_of_the_csv(tmp_path: Path) -> None:
    row = {
        "property": "OAK",
        "property_name": "Oak",
        "period": "Q3",
        "start": "2024-07-01",
        "end": "2024-09-30",
        "dscr": 1.25,
    }
    imported(written(tmp_path, json.dumps([row]), "figures.json"))
    assert str(FinancialMetrics.objects.get().dscr) == "1.250000"


def test_every_bad_row_is_named_with_its_line(tmp_path: Path) -> None:
    told = refused(
        written(
            tmp_path,
            "property,property_name,period,start,end,net_operating_income,account_code,account_name,amount\n"
            "OAK,Oak,Q3 2024,2024-07-01,2024-09-30,1,,,\n"
            "OAK,,Q4 2024,2024-12-31,2024-10-01,,,,\n"
            "ELM,,Q3 2024,,,5,,,\n"
            "OAK,,Q3 2024,,,,4000,Rent,many\n"
            "OAK,,Q1 2024,,,7,,,\n",
        )
    )
    assert [line.split(":")[0] for line in told] == ["line 3", "line 4", "line 6", "line 5"]
    assert "cannot end before it starts" in told[0]
    assert "Nearest: OAK" in told[1]
    assert "amount" in told[3]


def test_lines_that_contradict_each_other_are_named(tmp_path: Path) -> None:
    told = refused(written(tmp_path, "property,property_name\nOAK,Oak Tower\nOAK,Oak House\n"))
    assert told == ["line 3: name differ from line 2."]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("property,priod\nOAK,Q3\n", "line 1: there is no column “priod”. Nearest: period"),
        ("period\nQ3\n", "line 1: the column property is missing."),
        ("property,property\nOAK,OAK\n", "line 1: the column property is there twice."),
        ("property,period\nOAK,Q3,extra\n", "line 2: more cells than columns."),
        ("property,dscr\nOAK,1.2\n", "line 2: dscr is given without a period."),
        (
            "property,period,amount\nOAK,Q3,5\n",
            "line 2: amount or account_name is given without an account_code.",
        ),
        ("property,property_name\n,Oak\n", "line 2: property is missing."),
        ("property,property_name\nOAK,\x00\n", "line 2: a NUL character."),
        ('property,property_name\nOAK,"open\n', "unexpected end of data"),
        ("property,property_name\nOAK,\xff".encode("latin-1"), "is not UTF-8"),
        ("", "line 1: the column property is missing."),
        ("property,currency\nOAK,USD\n", "line 2: name: A new record needs this."),
    ],
)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, content: str | bytes, told: str) -> None:
    assert told in "\n".join(refused(written(tmp_path, content)))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("5", "Give a list of rows"),
        ('{"propertys": []}', "Give a list of rows"),
        ('{"properties": {}}', "properties: give a list."),
        ('{"properties": [{"code": "OAK", "name": "Oak"}, 5]}', "properties 2: give an object."),
        ("[5]", "row 1: give an object."),
        ('[{"property": "OAK", "nme": "x"}]', "row 1: there is no column “nme”"),
        ('{"properties": [{"code": "O\\u0000", "name": "Oak"}]}', "properties 1: code"),
        ('{"properties": [{"code": "O\\ud83d", "name": "Oak"}]}', "properties 1: code"),
    ],
)
def test_json_that_cannot_be_read_says_where(tmp_path: Path, content: str, told: str) -> None:
    assert told in "\n".join(refused(written(tmp_path, content, "figures.json")))


def test_other_files_and_missing_ones_are_refused(tmp_path: Path) -> None:
    assert "give a .csv, .xlsx or .json file" in refused(written(tmp_path, "x", "figures.txt"))[0]
    assert "No such file" in refused(tmp_path / "nothing.csv")[0]


def test_the_help_describes_every_column() -> None:
    help_text = Command().create_parser("manage.py", "import_financials").format_help()
    for column in (
        "property_name",
        "start, end",
        "account_code",
        "net_operating_income",
        "dscr",
        "--dry-run",
    ):
        assert column in help_text


def test_a_key_is_printed_once_and_works(reviewer: User) -> None:
    oak = Property.objects.create(code="OAK", name="Oak")
    out = StringIO()
    call_command(
        "create_api_key",
        "backend",
        "--scopes",
        "submit, read",
        "--property",
        "OAK",
        "--user",
        reviewer.username,
        stdout=out,
    )
    plain = out.getvalue().strip()
    key = ApiKey.objects.get()
    assert (key.name, key.scopes, key.user, list(key.properties.all())) == (
        "backend",
        ["submit", "read"],
        reviewer,
        [oak],
    )
    assert plain not in str(ApiKey.objects.values().get())
    assert Caller(key=plain).get("answers/").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--scopes", "submit,write"], "not write"),
        (["--scopes", ","], "Scopes are"),
        (["--scopes", "read", "--property", "OKA"], "Nearest: OAK"),
        (["--scopes", "read", "--user", "dna"], "Nearest: dana"),
    ],
)
def test_a_key_that_cannot_be_made_says_why(arguments: list[str], told: str, reviewer: User) -> None:
    Property.objects.create(code="OAK", name="Oak")
    with pytest.raises(CommandError, match=told):
        call_command("create_api_key", "backend", *arguments)
    assert ApiKey.objects.count() == 0


def test_a_keys_name_is_taken_once() -> None:
    call_command("create_api_key", "backend", "--scopes", "read", stdout=StringIO())
    with pytest.raises(CommandError, match="already"):
        call_command("create_api_key", "backend", "--scopes", "read")
