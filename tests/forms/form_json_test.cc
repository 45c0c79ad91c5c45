#include "kgwalk/error.h"
#include "tests/error_text.h"
#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using testing::FilmWorld;

class FormJson : public FilmWorld {
 protected:
  [[nodiscard]] Query read(const char* json) const { return query_of_json(Json::parse(json), values_); }
  [[nodiscard]] std::string error(const char* json) const {
    try {
      (void)read(json);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "no error";
  }
};

TEST_F(FormJson, IsReadAsItIsWritten) {
  const Measure cast = count_of(relation("starring"), thing("Cyd"));
  const Query all[] = {
      find(step(thing("Ada"), {relation("~director")[0], relation("~directed by")[0]})),
      count(where(films(), relation("released"),
                  between(graph::year_value(1990), graph::date_value(1999, 12, 31)))),
      sum(by("Ada"), relation("minutes")),
      average(but(films(), by("Ada")), relation("minutes")),
      which({thing("Ada"), thing("Ben")}, value_of(relation("height")), false),
      whether(thing("Arrow"), Comparison::kAtMost, thing("Beacon"), cast),
      difference(thing("Ada"), thing("Ben"), value_of(relation("height"))),
      check(both(by("Ada"), either(by("Ben"), before(0)))),
      check_among(thing("Arrow"), last(films(), cast, 3)),
      check_count(first(having(relation("released")), value_of(relation("released"))),
                  {Comparison::kLess, graph::number_value(2)}),
      relations_between(thing("Arrow"), thing("Ada")),
      find(where_count(films(), cast, {Comparison::kNotEqual, graph::number_value(0)})),
      find(where(films(), relation("note"), {Comparison::kEqual, graph::text_value("2005")})),
      find(where(films(), relation("height"),
                 {Comparison::kLess, graph::number_value(180, *graph::find_unit("cm"))})),
      find(where(films(), relation("released"),
                 {Comparison::kGreater, *graph::parse_value("2005-06-01T21:15:30")})),
      find(entities({})),
  };
  for (const Query& query : all) {
    const Json json = to_json(query, values_);
    EXPECT_EQ(query_of_json(json, values_), query) << json.dump();
  }
}

TEST_F(FormJson, TakesNamesIdsAndWordsForValues) {
  EXPECT_EQ(read(R"({"find": {"step": "~http://example.org/director", "from": "http://example.org/Ada"}})"),
            find(by("Ada")));
  EXPECT_EQ(read(R"({"find": {"where": "born", "test": "<", "value": "3 May 1955", "of": "Ada"}})")
                .set.condition.value,
            graph::date_value(1955, 5, 3));
  EXPECT_EQ(
      read(R"({"find": {"where": "minutes", "test": "<", "value": 99999, "of": "Ada"}})").set.condition.value,
      graph::number_value(99999));
}

TEST_F(FormJson, NamesTheNearest) {
  EXPECT_EQ(error(R"({"find": {"step": "direktor", "from": "Ada"}})").substr(0, 75),
            "find.step: relation 'direktor' is not in the graph; did you mean 'director'");
  EXPECT_EQ(error(R"({"count": {"step": "director", "from": "Arow"}})"),
            "count.step.from: entity 'Arow' is not in the graph; did you mean 'Arrow'?");
  EXPECT_EQ(error(R"({"find": {"step": "director", "form": "Arrow"}})"),
            "find.step: there is no 'form' here (did you mean 'from'?)");
  EXPECT_EQ(error(R"({"fnd": "Arrow"})"),
            "form: 'fnd' is no form; it must be one of find, count, sum, average, which, whether, "
            "difference, check, "
            "relations (did you mean 'find'?)");
}

TEST_F(FormJson, IsStrict) {
  for (
      const char* json :
      {R"([])", R"({})", R"({"find": 5})", R"({"find": "Ada", "count": "Ada"})",
       R"({"find": {"step": "director"}})",
       R"({"find": {"where": "minutes", "test": "~", "value": 5, "of": "Ada"}})",
       R"({"find": {"where": "minutes", "test": "<", "value": {"year": "x"}, "of": "Ada"}})",
       R"({"find": {"where": "minutes", "test": "<", "value": {"date": "2005-02-31"}, "of": "Ada"}})",
       R"({"find": {"where": "minutes", "test": "<", "value": {"number": 5, "unit": "blink"}, "of": "Ada"}})",
       R"({"find": {"where": "minutes", "between": [1, 2], "test": "<", "of": "Ada"}})",
       R"({"find": {"first": "Ada", "by": "minutes", "n": 0}})",
       R"({"find": {"first": "Ada", "by": "minutes", "n": -1}})",
       R"({"find": {"first": "Ada", "by": "minutes", "by_count": "minutes"}})",
       R"({"which": ["Ada"], "by": "minutes"})", R"({"find": {"before": -1}})", R"({"relations": ["Ada"]})",
       R"({"find": {"and": []}})"})
    EXPECT_NE(error(json), "no error") << json;
}

TEST_F(FormJson, TellsAnswers) {
  const Json json = to_json(engine_.answer(find(last(films(), value_of(relation("released"))))), values_);
  EXPECT_EQ(json.dump(), R"({"complete":true,"total":1,"entities":["Candle"],"order":"descending",)"
                         R"("measured":[{"entity":"Candle",)"
                         R"("value":{"year":2005},"shown":"2005"}]})");
}

}  // namespace
}  // namespace kgwalk::forms
