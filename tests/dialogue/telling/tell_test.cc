// Queries and the exact sentences, each read by eye.
#include <cctype>

#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "tests/dialogue/telling/film_facts.h"
#include "tests/dialogue/telling/random_forms.h"

namespace kgwalk::dialogue {
namespace {

using namespace forms;  // NOLINT: the makers of forms
using graph::number_value;
using graph::year_value;
using testing::FilmFacts;

class Tell : public FilmFacts {
 protected:
  const Relations released = relation("release year"), height = relation("height"),
                  born = relation("birth date"), population = relation("population"),
                  founded = relation("founded"), children = relation("children"),
                  runtime = relation("runtime");
  const Condition late = {Comparison::kGreater, year_value(1995)};
  const Condition too_late = {Comparison::kGreater, year_value(2010)};
};

TEST_F(Tell, OneHopIsSaidByItsWordings) {
  EXPECT_EQ(told(find(by("Ida Marsh"))), "Ida Marsh directed Harbor, Lantern and Orchard.");
  EXPECT_EQ(told(find(by("Ida Marsh")), {.most_names = 1}), "Ida Marsh directed 3 films: Harbor and 2 more.");
  EXPECT_EQ(told(find(by("Ida Marsh")), {.most_names = 1, .skip = 1}), "The others are Lantern and Orchard.");
  EXPECT_EQ(told(find(by("Ida Marsh")), {.most_names = 1, .skip = 2}), "The last one is Orchard.");
  EXPECT_EQ(told(find(both(type("Film"), by("Ida Marsh"))), {.most_names = 2}),
            "Ida Marsh directed Harbor, Lantern and Orchard.");
  EXPECT_EQ(told(find(step(thing("Harbor"), relation("directed by")))), "Ida Marsh directed Harbor.");
  EXPECT_EQ(told(find(step(thing("Harbor"), released))), "Harbor came out in 1994.");
  EXPECT_EQ(told(find(step(thing("Acme Pictures"), founded))), "Acme Pictures was founded on 1 April 2004.");
  EXPECT_EQ(told(find(step(thing("Ida Marsh"), height))), "The height of Ida Marsh is 1.8 m.");
  EXPECT_EQ(told(find(step(thing("Ida Marsh"), born))), "Ida Marsh was born on 3 February 1950.");
  EXPECT_EQ(told(find(step(thing("Quarry"), relation("has genre")))),
            "I do not know the genre of Quarry; my graph does not say.");
}

// "In 2010", as a statement says beside its fact.
TEST(TellQualified, WhatAStatementMustSayIsSaidBehindTheStep) {
  const graph::KnowledgeGraph graph = testing::graph_of(R"(@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Oslo :population 600000 , 700000 ; :mayor :Ida_Marsh . :Ida_Marsh :party :Greens .
[] a rdf:Statement ; rdf:subject :Oslo ; rdf:predicate :population ; rdf:object 600000 ; :point_in_time "2010"^^xsd:gYear .
[] a rdf:Statement ; rdf:subject :Oslo ; rdf:predicate :mayor ; rdf:object :Ida_Marsh ; :start "2010"^^xsd:gYear ; :side :Greens .
)");
  const graph::TypedValues values(graph);
  const Engine engine(values);
  const auto relation = [&](const char* name) { return Relations{*graph.find_relation(name)}; };
  const auto told = [&](const char* by, std::vector<Qualified> with) {
    const Query query = find(step(entities({*graph.find_entity("Oslo")}), relation(by), std::move(with)));
    return tell(query, engine.answer(query), engine, builtin_wordings(), {}).sentence;
  };
  const auto in = [&](const char* name, std::int64_t year) {
    return Qualified{relation(name), {Comparison::kEqual, year_value(year)}};
  };
  EXPECT_EQ(told("population", {in("point in time", 2010)}), "The population of Oslo in 2010 is 600,000.");
  EXPECT_EQ(told("population", {in("point in time", 2020)}),
            "None that I know of: my graph has no populations of Oslo in 2020.");
  EXPECT_EQ(told("mayor", {in("start", 2010), {relation("side"), {}, {*graph.find_entity("Greens")}}}),
            "The mayor of Oslo with start in 2010 with side Greens is Ida Marsh.");
}

TEST_F(Tell, StepsBehindStepsAreNounPhrases) {
  EXPECT_EQ(told(find(step(step(thing("Harbor"), relation("directed by")), relation("Place of birth")))),
            "The birthplace of the director of Harbor is Oslo.");
  EXPECT_EQ(told(find(step(step(thing("Harbor"), relation("starred actors")), relation("Place of birth")))),
            "The birthplace of the actors in Harbor is Oslo.");
  EXPECT_EQ(told(find(step(by("Ida Marsh"), relation("starred actors")))),
            "The actors in films directed by Ida Marsh are Olaf Reed and Mona Field.");
}

TEST_F(Tell, FiltersAndSetsAreNounPhrases) {
  EXPECT_EQ(told(find(where(both(type("Film"), by("Ida Marsh")), released, late))),
            "I know 2 films directed by Ida Marsh that came out after 1995: Lantern and Orchard.");
  EXPECT_EQ(told(find(where(by("Ida Marsh"), released, late))),
            "I know 2 films directed by Ida Marsh that came out after 1995: Lantern and Orchard.");
  EXPECT_EQ(told(find(where(by("Ida Marsh"), released, too_late))),
            "None that I know of: my graph has no films directed by Ida Marsh that came out after 2010.");
  EXPECT_EQ(told(find(where(type("City"), population, {Comparison::kGreater, number_value(100000)}))),
            "I know 2 cities with a population over 100,000: Oslo and Bergen.");
  EXPECT_EQ(told(find(where(type("Company"), founded, between(year_value(1990), year_value(2000))))),
            "I know one company founded from 1990 to 2000: Borg Films.");
  EXPECT_EQ(told(find(where(type("Company"), founded, {Comparison::kEqual, year_value(2004)}))),
            "I know one company founded in 2004: Acme Pictures.");
  EXPECT_EQ(
      told(find(where_count(type("Person"), count_of(children), {Comparison::kAtLeast, number_value(1)}))),
      "I know 2 people with at least 1 child: Ida Marsh and Tom Vale.");
  EXPECT_EQ(
      told(find(where_count(type("Person"), count_of(children), {Comparison::kAtLeast, number_value(2)}))),
      "I know one person with at least 2 children: Ida Marsh.");
  EXPECT_EQ(told(find(either(by("Ida Marsh"), by("Tom Vale")))),
            "I know 4 films directed by Ida Marsh or Tom Vale: Harbor, Lantern, Orchard and Quarry.");
  EXPECT_EQ(told(find(but(type("Film"), by("Ida Marsh")))),
            "I know one film other than those directed by Ida Marsh: Quarry.");
  EXPECT_EQ(told(find(but(by("Ida Marsh"), thing("Harbor")))),
            "I know 2 films directed by Ida Marsh other than Harbor: Lantern and Orchard.");
  EXPECT_EQ(told(find(both(by("Ida Marsh"), step(thing("Olaf Reed"), relation("~starred actors"))))),
            "I know 2 films directed by Ida Marsh that star Olaf Reed: Harbor and Lantern.");
  EXPECT_EQ(told(find(having(founded))),
            "I know 2 companies with a founding date: Acme Pictures and Borg Films.");
}

TEST_F(Tell, PeopleAreWho) {
  const Set actors = both(type("Person"), step(thing("Harbor"), relation("starred actors")));
  EXPECT_EQ(told(count(both(actors, step(thing("Oslo"), relation("~Place of birth"))))),
            "There is one person born in Oslo who starred in Harbor.");
}

TEST_F(Tell, CountsAreSaidAsFarAsTheGraphSays) {
  EXPECT_EQ(told(count(by("Ida Marsh"))), "Ida Marsh directed 3 films.");
  EXPECT_EQ(told(count(by("Ida Marsh")), {.variety = 1}),
            "There are 3 films directed by Ida Marsh that I know of.");
  EXPECT_EQ(told(count(both(type("Film"), by("Ida Marsh"))), {.variety = 1}),
            "There are 3 films directed by Ida Marsh that I know of.");
  EXPECT_EQ(told(count(by("Olaf Reed"))),
            "None that I know of: my graph has no films directed by Olaf Reed.");
  EXPECT_EQ(told(count(step(thing("Lantern"), relation("has genre")))), "Lantern has 2 genres.");
  EXPECT_EQ(told(count(type("Film"))), "There are 4 films.");
  EXPECT_EQ(told(count(step(thing("Ida Marsh"), children))), "Ida Marsh has 2 children.");
}

TEST_F(Tell, SumsAndAveragesAreOfWhatTheGraphGives) {
  EXPECT_EQ(told(sum(by("Ida Marsh"), runtime)),
            "The total runtime of the 3 films directed by Ida Marsh is 330.");
  EXPECT_EQ(told(average(type("Film"), released)), "The average release year of the 4 films is about 1997.");
  EXPECT_EQ(told(average(type("City"), population)),
            "The average population of the 3 cities is about 331,333.");
  EXPECT_EQ(told(average(type("Film"), height)), "I cannot tell: my graph gives no height of the films.");
}

TEST_F(Tell, WhichIsToldWithAllValues) {
  EXPECT_EQ(told(which({thing("Harbor"), thing("Orchard")}, value_of(released), false)),
            "Harbor came out first: 1994 against 2006.");
  EXPECT_EQ(told(which({thing("Harbor"), thing("Orchard")}, value_of(released))),
            "Orchard came out later: 2006 against 1994.");
  EXPECT_EQ(told(which({thing("Harbor"), thing("Orchard"), thing("Quarry")}, value_of(released))),
            "Orchard came out last: 2006 against 1994 (Harbor) and 1987 (Quarry).");
  EXPECT_EQ(told(which({thing("Ida Marsh"), thing("Tom Vale")}, value_of(height))),
            "Ida Marsh is taller: 1.8 m against 172 cm.");
  EXPECT_EQ(told(which({thing("Oslo"), thing("Bergen"), thing("Narvik")}, value_of(population))),
            "Oslo is the biggest: 700,000 against 280,000 (Bergen) and 14,000 (Narvik).");
  EXPECT_EQ(told(which({thing("Ida Marsh"), thing("Tom Vale")}, count_of(children))),
            "Ida Marsh has more children: 2 against 1.");
  EXPECT_EQ(told(which({thing("Ida Marsh"), thing("Tom Vale")}, count_of(relation("~directed by")))),
            "Ida Marsh directed more films: 3 against 2.");
  EXPECT_EQ(told(which({thing("Lantern"), thing("Orchard")}, value_of(runtime))),
            "Neither is ahead: Lantern and Orchard both have 120.");
  EXPECT_EQ(told(which({thing("Ida Marsh"), thing("Olaf Reed")}, value_of(height))),
            "I cannot compare these: my graph does not give the height of both Ida Marsh and Olaf Reed.");
}

TEST_F(Tell, WhetherSaysWhatIsSo) {
  EXPECT_EQ(told(whether(thing("Harbor"), Comparison::kLess, thing("Orchard"), value_of(released))),
            "Yes, Harbor (1994) is older than Orchard (2006).");
  EXPECT_EQ(told(whether(thing("Harbor"), Comparison::kGreater, thing("Orchard"), value_of(released))),
            "No, Harbor (1994) is older than Orchard (2006).");
  EXPECT_EQ(told(whether(thing("Lantern"), Comparison::kEqual, thing("Orchard"), value_of(runtime))),
            "Yes, Lantern and Orchard have the same runtime: 120.");
  EXPECT_EQ(told(whether(thing("Lantern"), Comparison::kEqual, thing("Harbor"), value_of(runtime))),
            "No, Lantern (120) and Harbor (90) do not have the same runtime.");
  EXPECT_EQ(told(whether(thing("Lantern"), Comparison::kGreater, thing("Orchard"), value_of(runtime))),
            "No, Lantern and Orchard have the same runtime: 120.");
  EXPECT_EQ(told(whether(thing("Ida Marsh"), Comparison::kGreater, thing("Tom Vale"), count_of(children))),
            "Yes, Ida Marsh (2) has more children than Tom Vale (1).");
}

TEST_F(Tell, DifferencesHaveUnits) {
  EXPECT_EQ(told(difference(thing("Orchard"), thing("Harbor"), value_of(released))),
            "The difference is 12 years: Orchard (2006) against Harbor (1994).");
  EXPECT_EQ(told(difference(thing("Tom Vale"), thing("Ida Marsh"), value_of(height))),
            "The difference is 8 cm: Tom Vale (172 cm) against Ida Marsh (1.8 m).");
  EXPECT_EQ(told(difference(thing("Ida Marsh"), thing("Tom Vale"), value_of(born))),
            "The difference is 3652 days, about 10 years: Ida Marsh (3 February 1950) against Tom Vale (3 "
            "February 1960).");
  EXPECT_EQ(told(difference(thing("Ida Marsh"), thing("Tom Vale"), count_of(children))),
            "The difference is 1: Ida Marsh (2) against Tom Vale (1).");
}

TEST_F(Tell, ChecksTellTheFactOrWhatIsSaidInstead) {
  EXPECT_EQ(told(check_among(thing("Ida Marsh"), step(thing("Harbor"), relation("directed by")))),
            "Yes, Ida Marsh directed Harbor.");
  EXPECT_EQ(told(check_among(thing("Tom Vale"), step(thing("Harbor"), relation("directed by")))),
            "No, as far as I know Harbor was directed by Ida Marsh.");
  EXPECT_EQ(told(check_among(thing("Harbor"), by("Tom Vale"))),
            "No, as far as I know Harbor was directed by Ida Marsh.");
  EXPECT_EQ(told(check_among(thing("Olaf Reed"), step(thing("Harbor"), children))),
            "Not as far as I know: my graph does not say that Olaf Reed is a child of Harbor.");
  EXPECT_EQ(told(check_among(entities({entity("Harbor"), entity("Lantern")}), by("Ida Marsh"))),
            "Yes, Ida Marsh directed Harbor and Lantern.");
  EXPECT_EQ(told(check_among(entities({entity("Harbor"), entity("Quarry")}), by("Ida Marsh"))),
            "Not as far as I know: my graph does not say that Ida Marsh directed Quarry. It does say that "
            "Ida Marsh directed Harbor.");
  EXPECT_EQ(told(check_among(thing("Harbor"), type("Film"))), "Yes, Harbor is a film.");
  EXPECT_EQ(told(check_among(thing("Harbor"), type("City"))), "No, as far as I know Harbor is a film.");
  EXPECT_EQ(
      told(check_among(thing("Harbor"), where(by("Ida Marsh"), released, late))),
      "Not as far as I know: Harbor is not one of the films directed by Ida Marsh that came out after 1995.");
  EXPECT_EQ(told(check_among(thing("Lantern"), where(by("Ida Marsh"), released, late))),
            "Yes, Lantern is one of the films directed by Ida Marsh that came out after 1995.");
  EXPECT_EQ(told(check(where(by("Ida Marsh"), released, late))),
            "Yes, there are 2 films directed by Ida Marsh that came out after 1995.");
  EXPECT_EQ(told(check(by("Olaf Reed"))),
            "No, none that I know of: my graph has no films directed by Olaf Reed.");
  EXPECT_EQ(told(check_count(by("Ida Marsh"), {Comparison::kAtLeast, number_value(3)})),
            "Yes, there are 3 films directed by Ida Marsh.");
  EXPECT_EQ(told(check_count(by("Ida Marsh"), {Comparison::kAtLeast, number_value(4)})),
            "No, as far as I know there are 3 films directed by Ida Marsh.");
}

TEST_F(Tell, RelationsAreSaidAsFacts) {
  EXPECT_EQ(told(relations_between(thing("Harbor"), thing("Ida Marsh"))), "Ida Marsh directed Harbor.");
  EXPECT_EQ(told(relations_between(thing("Harbor"), thing("Oslo"))),
            "I know of nothing that joins Harbor and Oslo directly.");
}

TEST_F(Tell, FirstAndLastComeWithTheirValues) {
  EXPECT_EQ(told(find(last(type("Film"), value_of(released)))), "The newest film is Orchard (2006).");
  EXPECT_EQ(told(find(first(by("Ida Marsh"), value_of(released)))),
            "The oldest film directed by Ida Marsh is Harbor (1994).");
  EXPECT_EQ(told(find(last(type("Film"), value_of(released), 2))),
            "The 2 newest films are Orchard (2006) and Lantern (1999).");
  EXPECT_EQ(told(find(last(type("Film"), value_of(runtime)))),
            "The 2 longest films are Lantern (120) and Orchard (120), which are equal.");
  EXPECT_EQ(told(find(last(type("Person"), count_of(children)))),
            "The person with the most children is Ida Marsh (2).");
  EXPECT_EQ(told(find(first(type("Person"), value_of(born)))),
            "The oldest person is Ida Marsh (3 February 1950).");
  EXPECT_EQ(
      told(find(last(type("City"), value_of(population), 5))),
      "The 3 biggest cities are Oslo (700,000), Bergen (280,000) and Narvik (14,000), and I know no others.");
  EXPECT_EQ(told(find(last(type("Film"), value_of(height)))),
            "I cannot tell: my graph gives no height of the films.");
  EXPECT_EQ(told(find(where(type("Film"), released,
                            {Comparison::kGreater, number_value(5, *graph::find_unit("m"))}))),
            "I cannot compare these: my graph has no release year that compares with 5 m.");
  EXPECT_EQ(told(find(step(last(by("Ida Marsh"), value_of(released)), relation("starred actors")))),
            "None that I know of: my graph has no actors in the newest film directed by Ida Marsh.");
  EXPECT_EQ(told(find(step(first(by("Ida Marsh"), value_of(released)), relation("starred actors")))),
            "The actors in the oldest film directed by Ida Marsh are Olaf Reed and Mona Field.");
}

TEST_F(Tell, AnswersOfBeforeAreThose) {
  const std::vector<std::vector<EntityId>> seen = {{entity("Harbor"), entity("Lantern"), entity("Quarry")}};
  EXPECT_EQ(told(find(where(before(0), released, late)), {.before = seen}),
            "I know one of those that came out after 1995: Lantern.");
  EXPECT_EQ(told(count(where(before(0), released, late)), {.before = seen}),
            "I know one of those that came out after 1995.");
  EXPECT_EQ(told(find(where(before(0), released, too_late)), {.before = seen}),
            "As far as I know, none of those came out after 2010.");
  EXPECT_EQ(told(find(last(before(0), value_of(released))), {.before = seen}),
            "The newest of those is Lantern (1999).");
  EXPECT_EQ(told(find(step(before(0), relation("directed by"))), {.before = seen}),
            "The directors of those are Ida Marsh and Tom Vale.");
}

TEST_F(Tell, LimitsThatWereMetAreTold) {
  const Query films = find(by("Ida Marsh"));
  EXPECT_EQ(tell(films, engine_.answer(films, {}, {.max_visits = 1}), engine_).sentence,
            "I could not find this out (films directed by Ida Marsh): I would have to look at too much of my "
            "graph.");
  const Told part = tell(films, engine_.answer(films, {}, {.max_rows = 2}), engine_);
  EXPECT_EQ(part.sentence, "Ida Marsh directed 3 films: Harbor, Lantern and 1 more.");
  EXPECT_EQ(part.named, 2U);
}

TEST_F(Tell, TellsInWhichOrderItNames) {
  const Query films = find(last(type("Film"), value_of(released), 3));
  const Answer answer = engine_.answer(films);
  const Told some = tell(films, answer, engine_, builtin_wordings(), {.most_names = 1});
  EXPECT_EQ(some.named, 1U);
  EXPECT_EQ(some.order, answer.entities);
  const Told rest =
      tell(films, answer, engine_, builtin_wordings(), {.most_names = 1, .skip = 1, .all = true});
  EXPECT_EQ(rest.sentence, "The others are Lantern (1999) and Harbor (1994).");
  EXPECT_EQ(rest.named, 2U);
  EXPECT_EQ(tell(films, answer, engine_, builtin_wordings(), {.skip = 3}).sentence,
            "Those were all of them.");
}

TEST_F(Tell, RefusesAFormThatDoesNotHoldTogether) { EXPECT_THROW((void)told(find(before(0))), ConfigError); }

TEST_F(Tell, FormLinesSayWhatCameOut) {
  const auto line = [&](const Query& query) { return form_line(query, engine_.answer(query), engine_); };
  EXPECT_EQ(line(count(where(by("Ida Marsh"), released, late))),
            "films directed by Ida Marsh that came out after 1995: 2");
  EXPECT_EQ(line(find(type("Film"))), "films: 4");
  EXPECT_EQ(line(find(by("Olaf Reed"))), "films directed by Olaf Reed: none");
  EXPECT_EQ(line(average(type("City"), population)), "average population of cities: about 331,333");
  EXPECT_EQ(line(whether(thing("Harbor"), Comparison::kLess, thing("Orchard"), value_of(released))),
            "whether release year of Harbor is earlier than that of Orchard: yes");
}

TEST_F(Tell, WhyNamesTheFacts) {
  const auto why = [&](const Query& query) { return why_sentence(query, engine_.answer(query), engine_); };
  EXPECT_EQ(
      why(find(step(step(thing("Acme Pictures"), relation("headquarters")), relation("~Place of birth")))),
      "The headquarters of Acme Pictures is Oslo, and Ida Marsh and Olaf Reed were born in Oslo.");
  EXPECT_EQ(why(find(by("Ida Marsh"))), "Ida Marsh directed Harbor and Lantern. The same goes for 1 more.");
  EXPECT_EQ(why(find(last(type("Film"), value_of(released)))),
            "Orchard is a film, and Orchard came out in 2006.");
  EXPECT_EQ(why(which({thing("Ida Marsh"), thing("Tom Vale")}, value_of(height))),
            "The height of Ida Marsh is 1.8 m, and the height of Tom Vale is 172 cm.");
  EXPECT_EQ(why(relations_between(thing("Harbor"), thing("Ida Marsh"))), "Ida Marsh directed Harbor.");
  EXPECT_EQ(why(find(by("Olaf Reed"))), "");
}

// No sentence names what neither query nor answer holds, but types, in a denial what is so instead, of one
// thing that is asked whether it has any, those, and what two are found to have in common.
TEST_F(Tell, NamesNothingElseOfTheGraph) {
  testing::RandomForms forms(values_, 7);
  const auto is_within = [](const std::string& text, const std::string& name) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; ++at) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
    }
    return false;
  };
  int named = 0;
  for (int i = 0; i < 2000; ++i) {
    const Query query = forms.query();
    const Answer answer = engine_.answer(query);
    if (query.kind == QueryKind::kCheck && !query.members.empty() && answer.truth == false) continue;
    if (query.kind == QueryKind::kCheck && query.members.empty() && query.set.kind == SetKind::kStep)
      continue;
    const Told told = tell(query, answer, engine_);
    std::string allowed = in_words(query, values_) + " / ";
    for (const EntityId each : answer.entities) allowed += values_.shown(each) + " / ";
    if (query.kind == QueryKind::kCheck && query.set.kind == SetKind::kAnd)
      if (const auto members = engine_.members(query.set))
        for (const EntityId each : *members) allowed += values_.shown(each) + " / ";
    for (const Measured& each : answer.measured)
      allowed += std::string(graph_.entity_name(each.entity)) + " / " + graph::shown(each.value) + " / ";
    EXPECT_FALSE(told.sentence.empty());
    EXPECT_EQ(told.sentence.find_first_of("\x01\x02\x03{}|~_"), std::string::npos) << told.sentence;
    EXPECT_TRUE(told.sentence.ends_with('.') || told.sentence.ends_with('?')) << told.sentence;
    for (EntityId id = 0; id < graph_.num_entities(); ++id) {
      const std::string name = values_.shown(id);
      if (values_.kind(id) != graph::ValueKind::kThing || !is_within(told.sentence, name)) continue;
      ++named;
      EXPECT_TRUE(is_within(allowed, name)) << told.sentence << "\n" << allowed;
    }
  }
  EXPECT_GT(named, 2000);
}

}  // namespace
}  // namespace kgwalk::dialogue
