// What a conversation remembers, as json: each of its states by names, as far as it differs from the one
// before. The form is told in docs/reference/formats/server.md.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"
#include "planner/conversation/talk.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr int kVersion = 1;

// A list as what it has in common with the one before it, and the rest.
Json as_change(const Json& before, const Json& now) {
  std::size_t same = 0;
  while (same < std::min(before.size(), now.size()) && before[same] == now[same]) ++same;
  return {{"same", same}, {"more", Json(now.begin() + static_cast<std::ptrdiff_t>(same), now.end())}};
}

Json changed(const Json& before, const Json& change) {
  const auto same = change.at("same").get<std::size_t>();
  if (same > before.size()) throw FormatError("memory of a conversation: 'same' is beyond the list before");
  Json now(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(same));
  for (const Json& one : change.at("more")) now.push_back(one);
  return now;
}

constexpr const char* kLists[] = {"said", "walked", "turns"};

// An edit that renames an entity leaves it the name of before.
std::optional<EntityId> known_entity(const graph::KnowledgeGraph& graph, const std::string& name) {
  if (const auto found = graph.find_entity(name)) return found;
  const graph::GraphDetails& details = graph::details(graph);
  if (graph::last_edit(graph) == 0 || !details.has_aliases()) return std::nullopt;
  for (EntityId e = 0; e < graph.num_entities(); ++e)
    for (const std::string_view alias : details.aliases(e))
      if (alias == name) return e;
  return std::nullopt;
}

EntityId entity_of(const graph::KnowledgeGraph& graph, const Json& name) {
  const auto found = known_entity(graph, name.get_ref<const std::string&>());
  if (!found)
    throw FormatError(
        fmt::format("memory of a conversation: '{}' is not in the graph", name.get<std::string>()));
  return *found;
}

graph::Triple hop_of(const graph::KnowledgeGraph& graph, const Json& hop) {
  const auto relation = graph.find_relation(hop.at(1).get_ref<const std::string&>());
  const EntityId head = entity_of(graph, hop.at(0)), tail = entity_of(graph, hop.at(2));
  if (!relation || !graph.has_edge({head, *relation, tail}))
    throw FormatError("memory of a conversation: " + hop.dump() + " is no edge of the graph");
  return {head, *relation, tail};
}

// What edits took away is left out of a state: who stands where nothing is any more stands nowhere, and paths
// through facts that are no more were not walked.
Json without_what_is_gone(Json state, const graph::KnowledgeGraph& graph) {
  const auto is_gone = [&](const Json& name) { return name.is_string() && !known_entity(graph, name); };
  const auto is_walkable = [&](const Json& hop) {
    const auto head = known_entity(graph, hop.at(0)), tail = known_entity(graph, hop.at(2));
    const auto relation = graph.find_relation(hop.at(1).get_ref<const std::string&>());
    return head && tail && relation && graph.has_edge({*head, *relation, *tail});
  };
  bool lost = false;
  for (const char* place : {"at", "goal"})
    if (is_gone(state.at(place))) {
      state[place] = nullptr;
      lost = true;
    }
  Json walked = Json::array();
  for (const Json& path : state.at("walked"))
    if (std::all_of(path.begin(), path.end(), is_walkable)) walked.push_back(path);
  lost = lost || walked.size() != state["walked"].size();
  state["walked"] = std::move(walked);
  const Json& planned = state.at("planned");
  if (lost || (planned.is_object() && (is_gone(planned.at("from")) || is_gone(planned.at("goal")))))
    state["planned"] = nullptr;
  return state;
}

}  // namespace

Json Talk::state_as_json(const State& state) const {
  const walker::Example& s = state.situation;
  Json json = {{"at", state.placed ? Json(name(s.start)) : Json(nullptr)},
               {"goal", s.goal ? Json(name(*s.goal)) : Json(nullptr)}};
  json["said"] = Json::array();
  for (const graph::Chat& chat : s.context)
    json["said"].push_back({chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  json["walked"] = Json::array();  // paths, each a list of hops
  std::size_t begin = 0;
  for (const std::uint32_t end : s.path_ends) {
    Json path = Json::array();
    for (; begin < end; ++begin)
      path.push_back({name(s.walked[begin].head), graph().relation_name(s.walked[begin].relation),
                      name(s.walked[begin].tail)});
    json["walked"].push_back(std::move(path));
  }
  json["turns"] = state.turns;
  if (answerer_) json["focus"] = to_json(state.focus, answerer_->values());
  json["answered"] = state.answered;
  json["planned"] = state.unplanned;
  if (state.found)
    json["planned"] = {{"from", name(state.found->start)},
                       {"goal", state.found->goal ? Json(name(*state.found->goal)) : Json(nullptr)},
                       {"taken", state.taken == kNoPath ? Json(nullptr) : Json(state.taken)}};
  return json;
}

Json Talk::memory() const {
  Json states = Json::array(),
       before = {{"said", Json::array()}, {"walked", Json::array()}, {"turns", Json::array()}};
  const auto add = [&](const State& state) {
    Json now = state_as_json(state), change = now;
    for (const char* list : kLists) change[list] = as_change(before[list], now[list]);
    states.push_back(std::move(change));
    before = std::move(now);
  };
  for (const State& state : earlier_) add(state);
  add(now_);
  return {{"version", kVersion},
          {"graph", graph().checksum()},
          {"random", random_.state()},
          {"states", std::move(states)}};
}

// What was spoken of is forgotten where edits took some of it away.
Focus Talk::recalled_focus(const Json& json) const {
  try {
    return focus_of(json, answerer_->values());
  } catch (const FormatError&) {
    if (graph::last_edit(graph()) == 0) throw;
    return {};
  }
}

Talk::State Talk::state_of(const Json& given) const {
  const Json json = graph::last_edit(graph()) == 0 ? given : without_what_is_gone(given, graph());
  State state;
  walker::Example& s = state.situation;
  for (const Json& said : json.at("said"))
    s.context.push_back({said.at(0) == "user" ? graph::Speaker::kUser : graph::Speaker::kAssistant,
                         said.at(1).get<std::string>()});
  for (const Json& path : json.at("walked")) {
    for (const Json& hop : path) s.walked.push_back(hop_of(graph(), hop));
    s.path_ends.push_back(static_cast<std::uint32_t>(s.walked.size()));
  }
  state.placed = !json.at("at").is_null();
  if (state.placed) s.start = entity_of(graph(), json["at"]);
  if (!json.at("goal").is_null()) s.goal = entity_of(graph(), json["goal"]);
  state.turns = json.at("turns");
  if (answerer_ && json.contains("focus")) state.focus = recalled_focus(json["focus"]);
  state.answered = json.value("answered", Json(nullptr));
  state.taken = kNoPath;
  state.unplanned = json.at("planned");
  return state;
}

// What was planned at the state's turn is planned again: the same by the same walker. Where another one plans
// otherwise, what was walked stays.
void Talk::plan_again(State& state) const {
  if (state.unplanned.is_null()) return;
  const Json planned = std::exchange(state.unplanned, nullptr);
  State before = state;
  walker::Example& s = before.situation;
  const bool walked = !planned.at("taken").is_null() && !s.path_ends.empty();
  if (walked) {
    s.path_ends.pop_back();
    s.walked.resize(s.path_ends.empty() ? 0 : s.path_ends.back());
  }
  s.start = entity_of(graph(), planned.at("from"));
  s.goal.reset();
  if (!planned.at("goal").is_null()) s.goal = entity_of(graph(), planned["goal"]);
  state.found = find(before);
  if (!walked) return;
  const std::span<const graph::Triple> hops = std::span(state.situation.walked).subspan(s.walked.size());
  std::vector<FoundPath>& paths = state.found->paths;
  const auto same = std::find_if(paths.begin(), paths.end(), [&](const FoundPath& path) {
    return std::equal(path.hops.begin(), path.hops.end(), hops.begin(), hops.end(),
                      [](const FoundHop& a, const graph::Triple& b) { return a.triple == b; });
  });
  state.taken = static_cast<std::size_t>(same - paths.begin());
  if (same != paths.end()) return;
  // Taken by hand from what was weighed, unless the walker is another.
  const auto weighed = hops.size() == 1 ? weighed_path(*state.found, {hops[0].relation, hops[0].tail})
                                        : std::optional<FoundPath>();
  if (weighed) return paths.push_back(*weighed);
  state.found.reset();
}

void Talk::recall(const Json& memory) {
  try {
    if (memory.at("version") != kVersion)
      throw FormatError("memory of a conversation: it is of another version");
    if (memory.at("graph") != graph().checksum())
      throw FormatError("memory of a conversation: it is of another graph");
    std::vector<State> states;
    Json before = {{"said", Json::array()}, {"walked", Json::array()}, {"turns", Json::array()}};
    for (const Json& change : memory.at("states")) {
      Json now = change;
      for (const char* list : kLists) now[list] = changed(before[list], change.at(list));
      states.push_back(state_of(now));
      before = std::move(now);
    }
    if (states.empty()) throw FormatError("memory of a conversation: it has no states");
    if (states.size() > 1 && states[states.size() - 2].placed)
      states.back().stood = states[states.size() - 2].situation.start;
    plan_again(states.back());
    random_.set_state(memory.at("random").get<std::vector<std::uint64_t>>());
    now_ = std::move(states.back());
    states.pop_back();
    earlier_ = std::move(states);
    choice_ = {};
  } catch (const Json::exception& error) {
    throw FormatError(fmt::format("memory of a conversation: {}", error.what()));
  }
}

}  // namespace kgwalk
