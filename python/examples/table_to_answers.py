"""From a pandas table to exact answers, nothing trained: table_to_answers.py."""

import pandas

import kgwalk

films = pandas.DataFrame(
    {
        "film": ["Memento", "Inception", "Tenet", "Heat", "Collateral"],
        "directed by": ["Christopher Nolan"] * 3 + ["Michael Mann"] * 2,
        "release year": ["2000", "2010", "2020", "1995", "2004"],
    }
)
# A column a relation: (film, column, cell).
facts = films.melt(id_vars="film").itertuples(index=False)
graph = kgwalk.KnowledgeGraph.from_triples(tuple(fact) for fact in facts)
forms = kgwalk.Forms(graph)

by_nolan = {"step": "~directed by", "from": "Christopher Nolan"}
for form in (
    {"find": by_nolan},
    {"count": {"where": "release year", "test": ">", "value": 2005, "of": by_nolan}},
    {"find": {"last": {"having": "release year"}, "by": "release year", "n": 1}},
):
    print(forms.words(form, forms.answer(form)))

# The same question in SPARQL, and its answer as a table.
sparql = forms.sparql({"find": by_nolan})
answer = forms.answer(sparql)
print(films[films["film"].isin(forms.names(answer))].to_string(index=False))
