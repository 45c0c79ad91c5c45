// Forms as people ask them, drawn at random from the facts of a graph.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "kgwalk/forms.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::dialogue::testing {

class RandomForms {
 public:
  RandomForms(const graph::TypedValues& values, std::uint64_t seed)
      : values_(values), graph_(values.graph()), random_(seed) {
    for (graph::RelationId r = 0; r < graph_.num_relations(); ++r)
      if (values.group(r) >= 2 && !graph_.relation_name(r).starts_with('~')) valued_.push_back(r);
  }

  forms::Query query() {
    using namespace forms;  // NOLINT: the makers of forms
    const auto [a, b] = compared();
    switch (random_() % 12) {
      case 0:
        return count(set(2));
      case 1:
        return valued_.empty() ? count(set(1)) : sum(set(1), {valued()});
      case 2:
        return valued_.empty() ? count(set(1)) : average(set(1), {valued()});
      case 3:
        return which({entities({a.head}), entities({b.head})}, measure(a.relation), random_() % 2 == 0);
      case 4:
        return whether(entities({a.head}), static_cast<Comparison>(random_() % 6), entities({b.head}),
                       measure(a.relation));
      case 5:
        return difference(entities({a.head}), entities({b.head}), measure(a.relation));
      case 6:
        return check(set(2));
      case 7:
        return check_among(entities({edge().tail}), set(1));
      case 8: {
        const graph::Triple fact = edge();
        return relations_between(entities({fact.head}), entities({fact.tail}));
      }
      default:
        return find(set(2));
    }
  }

 private:
  graph::Triple edge() {
    const auto place = random_() % graph_.num_edges();
    const auto offsets = graph_.offsets();
    const auto head = std::upper_bound(offsets.begin(), offsets.end(), place) - offsets.begin() - 1;
    const graph::Edge& e = graph_.edges()[place];
    return {static_cast<graph::EntityId>(head), e.relation, e.tail};
  }
  graph::RelationId valued() { return valued_[random_() % valued_.size()]; }
  forms::Measure measure(graph::RelationId relation) const {
    const bool value = values_.group(relation) >= 2 && !graph_.relation_name(relation).starts_with('~');
    return value ? forms::value_of({relation}) : forms::count_of({relation});
  }
  // Two facts of one relation.
  std::pair<graph::Triple, graph::Triple> compared() {
    const graph::Triple a = edge();
    for (int i = 0; i < 2000; ++i)
      if (const graph::Triple b = edge(); b.relation == a.relation && b.head != a.head) return {a, b};
    return {a, a};
  }

  forms::Set set(int depth) {
    using namespace forms;  // NOLINT: the makers of forms
    const graph::Triple fact = edge();
    const Set hop = step(entities({fact.head}), {fact.relation});
    if (depth == 0) return hop;
    const auto out = graph_.out_edges(fact.tail);
    const graph::Edge next = out[random_() % out.size()];
    switch (random_() % 9) {
      case 0:
        return step(set(depth - 1), {next.relation});
      case 1:
        return both(hop, step(entities({next.tail}), {graph_.inverse(next.relation)}));
      case 2:
        return either(hop, step(entities({edge().head}), {fact.relation}));
      case 3:
        return but(hop, step(entities({next.tail}), {graph_.inverse(next.relation)}));
      case 4:
        return where_count(set(depth - 1), count_of({next.relation}),
                           {Comparison::kAtLeast, graph::number_value(2)});
      case 5:
        return last(set(depth - 1), count_of({next.relation}));
      case 6: {
        if (valued_.empty()) return hop;
        const graph::RelationId by = valued();
        const auto ranked = values_.ranked(by);
        const graph::TypedValue value = values_.value(by, ranked[random_() % ranked.size()].value);
        return where(set(depth - 1), {by},
                     {random_() % 2 == 0 ? Comparison::kGreater : Comparison::kLess, value});
      }
      case 7:
        return valued_.empty() ? hop : first(set(depth - 1), value_of({valued()}), 1 + random_() % 3);
      default:
        return hop;
    }
  }

  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
  std::mt19937_64 random_;
  std::vector<graph::RelationId> valued_;
};

}  // namespace kgwalk::dialogue::testing
