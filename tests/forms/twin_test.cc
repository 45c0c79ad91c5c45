// Random forms on random graphs, against an evaluator that looks at every fact for every entity.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "kgwalk/form_text.h"
#include "kgwalk/query.h"

namespace kgwalk::forms {
namespace {

using graph::KnowledgeGraph;
using Members = std::set<EntityId>;

KnowledgeGraph random_graph(std::mt19937_64& random) {
  std::vector<graph::NamedTriple> triples;
  const auto thing = [&] { return "t" + std::string(1, static_cast<char>('a' + random() % 16)); };
  for (int i = 0; i < 60; ++i)
    triples.push_back({thing(), "r" + std::string(1, static_cast<char>('a' + random() % 3)), thing()});
  for (int i = 0; i < 25; ++i) triples.push_back({thing(), "year", std::to_string(1990 + random() % 12)});
  for (int i = 0; i < 25; ++i) triples.push_back({thing(), "count", std::to_string(random() % 9)});
  return KnowledgeGraph::from_triples(triples);
}

class Twin {
 public:
  explicit Twin(const graph::TypedValues& values) : values_(values), graph_(values.graph()) {}

  Members members(const Set& set) const {
    Members all;
    if (set.kind == SetKind::kFirst || set.kind == SetKind::kLast) return ranked(set);
    for (EntityId e = 0; e < graph_.num_entities(); ++e)
      if (holds(set, e)) all.insert(e);
    return all;
  }

 private:
  bool holds(const Set& set, EntityId e) const {
    const auto in = [&](const Set& part) { return members(part).count(e) > 0; };
    switch (set.kind) {
      case SetKind::kEntities:
        return std::find(set.entities.begin(), set.entities.end(), e) != set.entities.end();
      case SetKind::kStep: {
        for (const EntityId from : members(set.parts[0]))
          if (tails(from, set.relations).count(e) > 0) return true;
        return false;
      }
      case SetKind::kHaving:
        return !tails(e, set.relations).empty();
      case SetKind::kAnd:
        return in(set.parts[0]) && in(set.parts[1]);
      case SetKind::kOr:
        return in(set.parts[0]) || in(set.parts[1]);
      case SetKind::kBut:
        return in(set.parts[0]) && !in(set.parts[1]);
      case SetKind::kWhere:
        for (const RelationId r : set.relations)
          for (const EntityId tail : tails(e, {r}))
            if (fits(values_.value(r, tail), set.condition)) return in(set.parts[0]);
        return false;
      case SetKind::kWhereCount:
        return fits(graph::number_value(static_cast<double>(counted(e, set.measure))), set.condition) &&
               in(set.parts[0]);
      default:
        return false;
    }
  }

  static bool fits(const TypedValue& value, const Condition& c) {
    if (!c.upper) return graph::compare(value, c.test, c.value).value_or(false);
    return graph::compare(value, Comparison::kAtLeast, c.value).value_or(false) &&
           graph::compare(value, Comparison::kAtMost, *c.upper).value_or(false);
  }

  Members tails(EntityId e, const Relations& relations) const {
    Members all;
    for (const graph::Edge& edge : graph_.out_edges(e))
      if (std::find(relations.begin(), relations.end(), edge.relation) != relations.end())
        all.insert(edge.tail);
    return all;
  }

  std::size_t counted(EntityId e, const Measure& measure) const {
    std::size_t count = 0;
    const Members among = measure.among.empty() ? Members() : members(measure.among[0]);
    for (const EntityId tail : tails(e, measure.relations))
      count += measure.among.empty() || among.count(tail) > 0 ? 1 : 0;
    return count;
  }

  Members ranked(const Set& set) const {
    const bool greatest = set.kind == SetKind::kLast;
    std::multimap<double, EntityId> order;
    for (const EntityId e : members(set.parts[0])) {
      std::vector<double> keys;
      if (set.measure.kind == MeasureKind::kCount)
        keys.push_back(static_cast<double>(counted(e, set.measure)));
      else
        for (const EntityId tail : tails(e, set.measure.relations))
          if (values_.kind(tail) != graph::ValueKind::kThing)
            keys.push_back(values_.value(set.measure.relations[0], tail).from);
      if (keys.empty()) continue;
      const double best = greatest ? -*std::max_element(keys.begin(), keys.end())
                                   : *std::min_element(keys.begin(), keys.end());
      order.emplace(best, e);
    }
    Members all;
    double last = 0;
    for (const auto& [key, e] : order) {
      if (all.size() >= set.n && key != last) break;
      all.insert(e);
      last = key;
    }
    return all;
  }

  const graph::TypedValues& values_;
  const KnowledgeGraph& graph_;
};

class RandomForms {
 public:
  RandomForms(const KnowledgeGraph& graph, std::mt19937_64& random) : graph_(graph), random_(random) {}

  Set set(int depth) {
    switch (depth == 0 ? below(3) : below(11)) {
      case 0:
        return step(entities({below(graph_.num_entities())}), family());
      case 1:
        return having(family());
      case 2:
        return entities({below(graph_.num_entities()), below(graph_.num_entities())});
      case 3:
        return step(set(depth - 1), family());
      case 4:
        return both(set(depth - 1), set(depth - 1));
      case 5:
        return either(set(depth - 1), set(depth - 1));
      case 6:
        return but(set(depth - 1), set(depth - 1));
      case 7: {
        const bool years = below(2) == 0;
        return where(set(depth - 1), named(years ? "year" : "count"), condition(years));
      }
      case 8:
        return where_count(set(depth - 1), measure(true),
                           {Comparison(below(6)), graph::number_value(below(4))});
      case 9:
        return first(set(depth - 1), measure(false), 1 + below(3));
      default:
        return last(set(depth - 1), measure(false), 1 + below(3));
    }
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Relations named(const char* name) { return {graph_.find_relation(name).value()}; }
  Relations family() {
    Relations all = {below(graph_.num_relations())};
    if (below(4) == 0) all.push_back(below(graph_.num_relations()));
    return all;
  }
  Condition condition(bool years) {
    const auto value = [&] {
      return years ? graph::year_value(1989 + below(14)) : graph::number_value(below(10));
    };
    if (below(5) == 0) return between(value(), value());
    return {Comparison(below(6)), value()};
  }
  Measure measure(bool count) {
    if (!count && below(3) > 0) return value_of(named(below(2) == 0 ? "year" : "count"));
    if (below(3) == 0) return count_of(family(), set(0));
    return count_of(family());
  }

  const KnowledgeGraph& graph_;
  std::mt19937_64& random_;
};

TEST(Twin, AgreesOnRandomForms) {
  std::mt19937_64 random(11);
  std::size_t told = 0;
  for (int round = 0; round < 40; ++round) {
    const KnowledgeGraph graph = random_graph(random);
    const graph::TypedValues values(graph);
    const Engine engine(values);
    const Twin twin(values);
    RandomForms forms(graph, random);
    for (int i = 0; i < 50; ++i) {
      const Set set = forms.set(static_cast<int>(random() % 3));
      const Members expected = twin.members(set);
      const auto members = engine.members(set);
      ASSERT_TRUE(members);
      ASSERT_EQ(*members, std::vector<EntityId>(expected.begin(), expected.end())) << in_words(set, values);
      for (const EntityId member : *members)
        for (const graph::Triple& edge : engine.evidence(find(set), member))
          ASSERT_TRUE(graph.has_edge(edge));
      ASSERT_EQ(query_of_json(to_json(find(set), values), values), find(set));
      told += members->size();
    }
  }
  EXPECT_GT(told, 2000U);
}

}  // namespace
}  // namespace kgwalk::forms
