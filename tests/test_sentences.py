"""Which sentences of the code and the templates a catalogue has to hold."""

import pytest

from hallu_site.sentences import NotLiteral, Sentence, in_code, in_template

pytestmark = pytest.mark.requirement("APP-03")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('_("Open")', Sentence("Open")),
        ('translation.gettext("Open")', Sentence("Open")),
        ('gettext_lazy("a "\n "b")', Sentence("a b")),
        ('pgettext("risk", "High")', Sentence("High", context="risk")),
        ('ngettext("%(n)d day", "%(n)d days", n) % {"n": n}', Sentence("%(n)d day", "%(n)d days")),
        ('npgettext_lazy("c", "one", "many", "n")', Sentence("one", "many", "c")),
        ('_tunable((1, 2), "How many.", 0, group="risk")', Sentence("How many.")),
    ],
)
def test_each_function_of_the_code_is_read(code: str, found: Sentence) -> None:
    assert list(in_code(code)) == [found]


@pytest.mark.parametrize("code", ['_(f"{n} open")', "_(name)", '_("a" + b)', 'gettext("a %s" % b)'])
def test_what_is_put_together_where_it_is_looked_up_is_refused(code: str) -> None:
    with pytest.raises(NotLiteral, match=r"page\.py:1"):
        list(in_code(code, "page.py"))


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ('{% translate "Open" %}', Sentence("Open")),
        ('{% translate "Open" context "review" as word %}', Sentence("Open", context="review")),
        ("{% blocktranslate %}100 % of {{ n }}{% endblocktranslate %}", Sentence("100 %% of %(n)s")),
        (
            "{% blocktranslate trimmed count n=x|length %}\n {{ n }} day\n{% plural %} {{ n }} days {% endblocktranslate %}",
            Sentence("%(n)s day", "%(n)s days"),
        ),
        ('{{ text|default:_("(none)") }}', Sentence("(none)")),
        ('{% include "a.html" with label=_("It’s \'so\'") %}', Sentence("It’s 'so'")),
    ],
)
def test_each_tag_of_a_template_is_read(template: str, found: Sentence) -> None:
    assert list(in_template(template)) == [found]


def test_what_only_looks_like_a_sentence_of_a_template_is_none() -> None:
    assert list(in_template('<p>_("no")</p>{% comment %}{% translate "no" %}{% endcomment %}{{ _|x }}')) == []
