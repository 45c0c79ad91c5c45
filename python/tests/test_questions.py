"""Values and forms."""

import pytest

import kgwalk


@pytest.fixture(scope="module")
def forms(graph):
    return kgwalk.Forms(graph)


BY_ADA = {"step": "~directed_by", "from": "Ada Brook"}
LATE = {"count": {"where": "release_year", "test": ">", "value": 2010, "of": BY_ADA}}


def test_values():
    height = kgwalk.parse_value("1.72 m")
    assert height.kind == "number" and height.unit == "m" and height.start == pytest.approx(1.72)
    assert kgwalk.compare_values(kgwalk.number_value(180, "cm"), ">", height) is True
    assert kgwalk.compare_values(kgwalk.year_value(2005), "=", kgwalk.date_value(2005, 6, 1)) is not None
    assert kgwalk.compare_values(height, "<", kgwalk.date_value(2005, 6, 1)) is None
    assert kgwalk.parse_value("nothing of the kind") is None
    assert str(kgwalk.date_value(1902, 3, 14)) == "14 March 1902"
    assert kgwalk.year_month_value(2005, 6).kind == "year-month" and kgwalk.text_value("a").text == "a"
    assert kgwalk.value_of_literal('"5"^^<http://www.w3.org/2001/XMLSchema#integer>').kind == "number"
    assert kgwalk.year_value(1999) == kgwalk.year_value(1999) and hash(kgwalk.year_value(1999)) is not None
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.number_value(1, "furlongs of nothing")
    with pytest.raises(kgwalk.ConfigError):
        kgwalk.date_value(2005, 13, 1)


def test_forms_and_sparql_agree(forms):
    query = forms.query(LATE)
    assert query.kind == "count" and "count" in repr(query)
    answer = forms.answer(query)
    assert answer.complete and answer.cut == "none" and answer.number.start == sum(
        1 for i in range(30) if i % 4 == 0 and 1990 + i > 2010
    )
    assert forms.form(query) == forms.form(forms.query(forms.form(query)))
    assert "Ada Brook" in forms.words(query) and forms.words(query, answer).endswith(str(answer.number))
    assert forms.answer(forms.sparql(query)).number == answer.number
    assert forms.answer_json(answer)["number"]
    assert forms.query(LATE) == query
    assert forms.graph.num_entities > 0


def test_sets_names_and_evidence(forms):
    answer = forms.answer({"find": BY_ADA}, max_rows=3)
    assert answer.cut == "rows" and len(answer.entities) == 3 and answer.total == 8
    whole = forms.answer({"find": BY_ADA})
    assert "Red Harbor" in forms.names(whole)
    facts = forms.evidence({"find": BY_ADA}, whole.entities[0])
    assert len(facts) == 1 and len(facts[0]) == 3
    first = forms.answer({"find": {"first": BY_ADA, "by": "release_year", "n": 1}})
    assert forms.names(first) == ["Red Harbor"] and first.measured[0].value.kind == "year"
    again = forms.answer({"count": {"before": 0}}, [whole.entities])
    assert again.number.start == 8
    assert forms.answer({"check": BY_ADA}).truth is True


def test_values_of_relations(forms, graph):
    year = graph.relation("release_year")
    assert forms.ends(year)[1] == "year"
    ranked = forms.ranked(year)
    assert len(ranked) == 30 and ranked == sorted(ranked)
    assert forms.value_of(year, graph.entity("1990")).kind == "year"
    assert forms.value(graph.entity("1990")).kind == "year"


def test_what_is_no_form_is_refused(forms):
    with pytest.raises(kgwalk.ConfigError) as caught:
        forms.answer({"fnid": "Drama"})
    assert caught.value.nearest == ["find"]
    with pytest.raises(kgwalk.ConfigError) as caught:
        forms.answer({"find": "Red Harbr"})
    assert "Red Harbor" in caught.value.nearest
    with pytest.raises(kgwalk.ConfigError):
        forms.answer("SELECT nonsense")
    with pytest.raises(TypeError):
        forms.answer(None)
    with pytest.raises(TypeError):
        forms.answer({"find": {1, 2}})
    with pytest.raises(IndexError):
        forms.answer({"find": {"before": 0}}, [[10**6]])
    with pytest.raises(TypeError):
        kgwalk.Forms(None)
