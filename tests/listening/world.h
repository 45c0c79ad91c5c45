// A small world of films, people and rivers, with types and values, for tests of hearing.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dialogue/linking/mention_finder.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/query.h"
#include "listening/candidates/features.h"
#include "listening/candidates/said_parts.h"

namespace kgwalk::testing {

inline std::vector<graph::NamedTriple> films_and_people() {
  return {{"Silver Harbor", "type", "film"},
          {"Night Ferry", "type", "film"},
          {"Paper Moons", "type", "film"},
          {"Silver Harbor", "directed by", "Ada Lindqvist"},
          {"Night Ferry", "directed by", "Ada Lindqvist"},
          {"Paper Moons", "directed by", "Bruno Castell"},
          {"Silver Harbor", "starring", "Carla Venn"},
          {"Silver Harbor", "starring", "Dario Pohl"},
          {"Night Ferry", "starring", "Carla Venn"},
          {"Paper Moons", "starring", "Carla Venn"},
          {"Paper Moons", "starring", "Dario Pohl"},
          {"Silver Harbor", "release year", "1999"},
          {"Night Ferry", "release year", "2004"},
          {"Paper Moons", "release year", "2011"},
          {"Ada Lindqvist", "birth place", "Oslo"},
          {"Bruno Castell", "birth place", "Girona"},
          {"Oslo", "country", "Norway"},
          {"Girona", "country", "Spain"}};
}

struct World {
  explicit World(const std::vector<graph::NamedTriple>& facts = films_and_people())
      : graph(graph::KnowledgeGraph::from_triples(facts)),
        values(graph),
        engine(values),
        lexicon(graph, values),
        finder(graph) {}

  [[nodiscard]] graph::EntityId entity(const std::string& name) const { return *graph.find_entity(name); }
  [[nodiscard]] std::vector<graph::EntityId> all(const std::vector<std::string>& names) const {
    std::vector<graph::EntityId> ids;
    for (const std::string& name : names) ids.push_back(entity(name));
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  [[nodiscard]] listening::Prepared prepared(const std::string& text,
                                             const listening::SaidBefore& before = {}) const {
    return listening::prepare(lexicon, engine, listening::heard_parts(lexicon, finder, text, before));
  }

  graph::KnowledgeGraph graph;
  graph::TypedValues values;
  forms::Engine engine;
  listening::Lexicon lexicon;
  dialogue::MentionFinder finder;
};

}  // namespace kgwalk::testing
