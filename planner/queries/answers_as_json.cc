#include "planner/queries/answers_as_json.h"

#include <cstddef>
#include <utility>

namespace kgwalk {

Json hop_json(const NamedHop& hop) {
  Json json = {{"head", hop.head}, {"relation", hop.relation}, {"tail", hop.tail}};
  if (!hop.sources.empty()) json["sources"] = hop.sources;
  if (hop.weight) json["weight"] = *hop.weight;
  return json;
}

Json hops_json(const std::vector<NamedHop>& hops) {
  Json list = Json::array();
  for (const NamedHop& hop : hops) list.push_back(hop_json(hop));
  return list;
}

Json found_json(const EntityFound& found) {
  return {{"entity", found.name}, {"edges", found.edges}, {"kind", found.kind}};
}

Json search_json(const std::vector<EntityFound>& found) {
  constexpr const char* kFits[] = {"same", "begins", "word begins", "near"};
  Json list = Json::array();
  for (const EntityFound& entity : found) {
    list.push_back(found_json(entity));
    list.back()["fit"] = kFits[static_cast<std::size_t>(entity.fit)];
  }
  return {{"entities", std::move(list)}};
}

Json way_json(const std::optional<std::vector<NamedHop>>& way) {
  if (!way) return {{"distance", nullptr}, {"path", nullptr}};
  return {{"distance", way->size()}, {"path", hops_json(*way)}};
}

Json links_json(const std::vector<Link>& links) {
  Json list = Json::array();
  for (const Link& link : links) {
    Json paths = Json::array();
    for (const ConnectingPath& path : link.paths)
      paths.push_back({{"hops", hops_json(path.hops)},
                       {"log_prob", path.log_prob},
                       {"reason", path.reason},
                       {"text", path.to_string()}});
    list.push_back({{"from", link.from},
                    {"to", link.to},
                    {"distance", link.distance ? Json(*link.distance) : Json(nullptr)},
                    {"paths", std::move(paths)}});
  }
  return {{"links", std::move(list)}};
}

Json completions_json(const std::vector<Completion>& completions) {
  Json answers = Json::array();
  for (const Completion& found : completions) {
    answers.push_back(hop_json(found.fact));
    answers.back()["distance"] = found.distance;
    answers.back()["known"] = found.known;
  }
  return {{"answers", std::move(answers)}};
}

Json retrieved_json(const Retrieved& found) {
  Json facts = Json::array();
  for (const RetrievedFact& fact : found.facts) {
    facts.push_back(hop_json(fact.fact));
    if (fact.fact.weight) facts.back()["fact_weight"] = *fact.fact.weight;  // the graph's own
    facts.back()["weight"] = fact.weight;
    facts.back()["source"] = fact.source;
  }
  return {{"text", found.text},
          {"tokens", found.tokens},
          {"cut", found.cut},
          {"entities", found.entities},
          {"facts", std::move(facts)}};
}

}  // namespace kgwalk
