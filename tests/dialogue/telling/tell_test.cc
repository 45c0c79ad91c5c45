#include <cstdlib>
#include <iostream>

#include "kgwalk/form_text.h"
#include "tests/dialogue/telling/film_facts.h"

namespace kgwalk::dialogue {
namespace {

using namespace forms;  // NOLINT: the makers of forms
using graph::number_value;
using graph::year_value;
using testing::FilmFacts;

class Tell : public FilmFacts {};

TEST_F(Tell, Probe) {
  const auto show = [&](const Query& q, const TellOptions& o = {}) {
    std::cout << told(q, o) << "\n    " << form_line(q, engine_.answer(q, o.before), engine_, builtin_wordings(), o) << "\n    "
              << why_sentence(q, engine_.answer(q, o.before), engine_, builtin_wordings(), o) << '\n';
  };
  const Relations released = relation("release year"), height = relation("height"), born = relation("birth date"),
                  pop = relation("population"), founded = relation("founded"), kids = relation("children");
  const Condition late = {Comparison::kGreater, year_value(1995)};
  show(find(by("Ida Marsh")));
  show(find(by("Ida Marsh")), {.most_names = 1});
  show(find(by("Ida Marsh")), {.most_names = 1, .skip = 1});
  show(find(by("Ida Marsh")), {.most_names = 1, .skip = 2});
  show(find(both(type("Film"), by("Ida Marsh"))), {.most_names = 2});
  show(find(step(thing("Harbor"), relation("directed by"))));
  show(find(step(thing("Harbor"), released)));
  show(find(step(thing("Acme Pictures"), founded)));
  show(find(step(thing("Ida Marsh"), height)));
  show(find(step(thing("Ida Marsh"), born)));
  show(find(step(thing("Quarry"), relation("has genre"))));
  show(find(step(step(thing("Harbor"), relation("directed by")), relation("Place of birth"))));
  show(find(step(step(thing("Harbor"), relation("starred actors")), relation("Place of birth"))));
  show(find(step(by("Ida Marsh"), relation("starred actors"))));
  show(find(where(both(type("Film"), by("Ida Marsh")), released, late)));
  show(find(where(by("Ida Marsh"), released, late)));
  show(find(where(by("Ida Marsh"), released, {Comparison::kGreater, year_value(2010)})));
  show(find(where(type("City"), pop, {Comparison::kGreater, number_value(100000)})));
  show(find(where(type("Company"), founded, between(year_value(1990), year_value(2000)))));
  show(find(where(type("Company"), founded, {Comparison::kEqual, year_value(2004)})));
  show(find(where_count(type("Person"), count_of(kids), {Comparison::kAtLeast, number_value(1)})));
  show(find(where_count(type("Person"), count_of(kids), {Comparison::kAtLeast, number_value(2)})));
  show(find(either(by("Ida Marsh"), by("Tom Vale"))));
  show(find(but(type("Film"), by("Ida Marsh"))));
  show(find(but(by("Ida Marsh"), thing("Harbor"))));
  show(find(both(by("Ida Marsh"), step(thing("Olaf Reed"), relation("~starred actors")))));
  show(find(having(founded)));
  show(count(by("Ida Marsh")));
  show(count(by("Ida Marsh")), {.variety = 1});
  show(count(both(type("Film"), by("Ida Marsh"))), {.variety = 1});
  show(count(by("Olaf Reed")));
  show(count(step(thing("Lantern"), relation("has genre"))));
  show(count(type("Film")));
  show(count(step(thing("Ida Marsh"), kids)));
  show(sum(by("Ida Marsh"), relation("runtime")));
  show(average(type("Film"), released));
  show(average(type("City"), pop));
  show(average(type("Film"), height));
  show(which({thing("Harbor"), thing("Orchard")}, value_of(released), false));
  show(which({thing("Harbor"), thing("Orchard")}, value_of(released)));
  show(which({thing("Harbor"), thing("Orchard"), thing("Quarry")}, value_of(released)));
  show(which({thing("Ida Marsh"), thing("Tom Vale")}, value_of(height)));
  show(which({thing("Oslo"), thing("Bergen"), thing("Narvik")}, value_of(pop)));
  show(which({thing("Ida Marsh"), thing("Tom Vale")}, count_of(kids)));
  show(which({thing("Ida Marsh"), thing("Tom Vale")}, count_of(relation("~directed by"))));
  show(which({thing("Lantern"), thing("Orchard")}, value_of(relation("runtime"))));
  show(which({thing("Ida Marsh"), thing("Olaf Reed")}, value_of(height)));
  show(whether(thing("Harbor"), Comparison::kLess, thing("Orchard"), value_of(released)));
  show(whether(thing("Harbor"), Comparison::kGreater, thing("Orchard"), value_of(released)));
  show(whether(thing("Lantern"), Comparison::kEqual, thing("Orchard"), value_of(relation("runtime"))));
  show(whether(thing("Lantern"), Comparison::kEqual, thing("Harbor"), value_of(relation("runtime"))));
  show(whether(thing("Lantern"), Comparison::kGreater, thing("Orchard"), value_of(relation("runtime"))));
  show(whether(thing("Ida Marsh"), Comparison::kGreater, thing("Tom Vale"), count_of(kids)));
  show(difference(thing("Orchard"), thing("Harbor"), value_of(released)));
  show(difference(thing("Tom Vale"), thing("Ida Marsh"), value_of(height)));
  show(difference(thing("Ida Marsh"), thing("Tom Vale"), value_of(born)));
  show(difference(thing("Ida Marsh"), thing("Tom Vale"), count_of(kids)));
  show(check_among(thing("Ida Marsh"), step(thing("Harbor"), relation("directed by"))));
  show(check_among(thing("Tom Vale"), step(thing("Harbor"), relation("directed by"))));
  show(check_among(thing("Harbor"), by("Tom Vale")));
  show(check_among(thing("Olaf Reed"), step(thing("Harbor"), kids)));
  show(check_among(entities({entity("Harbor"), entity("Lantern")}), by("Ida Marsh")));
  show(check_among(entities({entity("Harbor"), entity("Quarry")}), by("Ida Marsh")));
  show(check_among(thing("Harbor"), type("Film")));
  show(check_among(thing("Harbor"), type("City")));
  show(check_among(thing("Harbor"), where(by("Ida Marsh"), released, late)));
  show(check_among(thing("Lantern"), where(by("Ida Marsh"), released, late)));
  show(check(where(by("Ida Marsh"), released, late)));
  show(check(by("Olaf Reed")));
  show(check_count(by("Ida Marsh"), {Comparison::kAtLeast, number_value(3)}));
  show(check_count(by("Ida Marsh"), {Comparison::kAtLeast, number_value(4)}));
  show(relations_between(thing("Harbor"), thing("Ida Marsh")));
  show(relations_between(thing("Harbor"), thing("Oslo")));
  show(find(last(type("Film"), value_of(released))));
  show(find(first(by("Ida Marsh"), value_of(released))));
  show(find(last(type("Film"), value_of(released), 2)));
  show(find(last(type("Film"), value_of(relation("runtime")))));
  show(find(last(type("Person"), count_of(kids))));
  show(find(first(type("Person"), value_of(born))));
  show(find(last(type("City"), value_of(pop), 5)));
  show(find(last(type("Film"), value_of(height))));
  show(find(where(type("Film"), released, {Comparison::kGreater, number_value(5, *graph::find_unit("m"))})));
  show(find(step(last(by("Ida Marsh"), value_of(released)), relation("starred actors"))));
  show(find(step(first(by("Ida Marsh"), value_of(released)), relation("starred actors"))));
  const std::vector<std::vector<EntityId>> seen = {{entity("Harbor"), entity("Lantern"), entity("Quarry")}};
  show(find(where(before(0), released, late)), {.before = seen});
  show(count(where(before(0), released, late)), {.before = seen});
  show(find(where(before(0), released, {Comparison::kGreater, year_value(2010)})), {.before = seen});
  show(find(last(before(0), value_of(released))), {.before = seen});
  show(find(step(before(0), relation("directed by"))), {.before = seen});
  for (const char* name : {"Harbor", "Ida Marsh", "Oslo", "Acme Pictures", "Drama", "Narvik"})
    std::cout << tell_about(values_, entity(name)) << '\n';
}

}  // namespace
}  // namespace kgwalk::dialogue
