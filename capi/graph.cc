#include <utility>

#include "capi/arguments.h"
#include "capi/objects.h"
#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "planner/queries/answers_as_json.h"
#include "planner/queries/names.h"

namespace kgwalk::capi {
namespace {

constexpr std::size_t kRows = 100;
constexpr double kSeconds = 5;
constexpr int kCompletions = 10;

std::shared_ptr<const SharedGraph> shared_graph(const kgwalk_graph* handle) {
  return object_of<GraphObject>(handle)->shared;
}

template <class Value>
Value checked_id(Value id, Value count, const char* what) {
  if (id < count) return id;
  throw Misuse("the graph has " + std::to_string(count) + " " + what + ", and none with the id " +
               std::to_string(id));
}

// The one way in for both languages of questions.
kgwalk_status ask(const kgwalk_graph* graph, FormRequest request, std::size_t rows, double seconds,
                  char** json) {
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(json, "json");
    if (request.form.empty() && request.sparql.empty()) throw ConfigError("the question is empty");
    request.rows = rows == 0 ? kRows : rows;
    request.seconds = seconds == 0 ? kSeconds : seconds;
    const Querier& querier = shared->querier();
    *json = copied(querier.to_json(querier.answer(request))).release();
  });
}

}  // namespace

SharedGraph::SharedGraph(std::shared_ptr<const graph::KnowledgeGraph> graph, std::filesystem::path database)
    : graph_(std::move(graph)), database_(std::move(database)) {}

const Explorer& SharedGraph::explorer() const {
  const std::lock_guard lock(making_);
  if (!explorer_) explorer_.emplace(*graph_);
  return *explorer_;
}

const Querier& SharedGraph::querier() const {
  const std::lock_guard lock(making_);
  if (!querier_) querier_.emplace(*graph_);
  return *querier_;
}

const Completer& SharedGraph::completer() const {
  const std::lock_guard lock(making_);
  if (!completer_) {
    const graph::Store store = graph::Store::open(database_, graph::Store::Mode::kReadOnly);
    // Borrowed, since this object owns both: an owner inside would keep a model alive for ever.
    completer_.emplace(Completer::open(store, {std::shared_ptr<void>(), graph_.get()}));
  }
  return *completer_;
}

}  // namespace kgwalk::capi

using namespace kgwalk::capi;
namespace graph = kgwalk::graph;

static_assert(sizeof(kgwalk_edge) == sizeof(graph::Edge) &&
                  offsetof(kgwalk_edge, relation) == offsetof(graph::Edge, relation) &&
                  offsetof(kgwalk_edge, tail) == offsetof(graph::Edge, tail),
              "edges are lent as they lie in the graph");

kgwalk_status kgwalk_graph_open(int version, const char* database, kgwalk_graph** opened) {
  if (opened != nullptr) *opened = nullptr;
  return guarded([&] {
    check_version(version);
    need(opened, "the place for the graph");
    const std::string path = path_of(database, "database");
    const graph::Store store = graph::Store::open(path, graph::Store::Mode::kReadOnly);
    auto loaded = std::make_shared<const graph::KnowledgeGraph>(store.load_graph());
    *opened = handle_of(
        std::make_shared<GraphObject>(std::make_shared<const SharedGraph>(std::move(loaded), path)));
  });
}

kgwalk_status kgwalk_graph_close(kgwalk_graph* graph) { return close_handle<GraphObject>(graph); }

uint32_t kgwalk_graph_num_entities(const kgwalk_graph* graph) {
  return guarded_value(0U, [&] { return shared_graph(graph)->graph().num_entities(); });
}

uint32_t kgwalk_graph_num_relations(const kgwalk_graph* graph) {
  return guarded_value(0U, [&] { return shared_graph(graph)->graph().num_relations(); });
}

uint64_t kgwalk_graph_num_facts(const kgwalk_graph* graph) {
  return guarded_value(std::uint64_t{0}, [&] { return shared_graph(graph)->graph().num_edges() / 2; });
}

kgwalk_status kgwalk_graph_find_entity(const kgwalk_graph* graph, const char* name, uint32_t* entity) {
  if (entity != nullptr) *entity = 0;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(entity, "entity");
    *entity = graph::entity_named(shared->graph(), text_of(name, "name"));
  });
}

kgwalk_status kgwalk_graph_find_relation(const kgwalk_graph* graph, const char* name, uint32_t* relation) {
  if (relation != nullptr) *relation = 0;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(relation, "relation");
    *relation = kgwalk::relation_named(shared->graph(), text_of(name, "name"));
  });
}

kgwalk_status kgwalk_graph_entity_name(const kgwalk_graph* graph, uint32_t entity, char** name) {
  if (name != nullptr) *name = nullptr;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(name, "name");
    const auto id = checked_id(entity, shared->graph().num_entities(), "entities");
    *name = copied(std::string(shared->graph().entity_name(id))).release();
  });
}

kgwalk_status kgwalk_graph_relation_name(const kgwalk_graph* graph, uint32_t relation, char** name) {
  if (name != nullptr) *name = nullptr;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(name, "name");
    const auto id = checked_id(relation, shared->graph().num_relations(), "relations");
    *name = copied(std::string(shared->graph().relation_name(id))).release();
  });
}

kgwalk_status kgwalk_graph_inverse(const kgwalk_graph* graph, uint32_t relation, uint32_t* inverse) {
  if (inverse != nullptr) *inverse = 0;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(inverse, "inverse");
    *inverse = shared->graph().inverse(checked_id(relation, shared->graph().num_relations(), "relations"));
  });
}

kgwalk_status kgwalk_graph_edges(const kgwalk_graph* graph, uint32_t entity, const kgwalk_edge** edges,
                                 size_t* num_edges) {
  if (edges != nullptr) *edges = nullptr;
  if (num_edges != nullptr) *num_edges = 0;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(edges, "edges");
    need(num_edges, "num_edges");
    const auto span =
        shared->graph().out_edges(checked_id(entity, shared->graph().num_entities(), "entities"));
    *edges = reinterpret_cast<const kgwalk_edge*>(span.data());
    *num_edges = span.size();
  });
}

kgwalk_status kgwalk_graph_search(const kgwalk_graph* graph, const char* text, size_t count, char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(json, "json");
    *json = copied(kgwalk::search_json(shared->explorer().search(text_of(text, "text"), count))).release();
  });
}

kgwalk_status kgwalk_graph_distance(const kgwalk_graph* graph, const char* from, const char* to,
                                    char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(json, "json");
    *json =
        copied(kgwalk::way_json(shared->explorer().way(text_of(from, "from"), text_of(to, "to")))).release();
  });
}

kgwalk_status kgwalk_graph_query(const kgwalk_graph* graph, const char* form, size_t rows, double seconds,
                                 char** json) {
  if (json != nullptr) *json = nullptr;
  kgwalk::FormRequest request;
  const kgwalk_status status = guarded([&] { request.form = text_of(form, "form"); });
  return status != KGWALK_OK ? status : ask(graph, std::move(request), rows, seconds, json);
}

kgwalk_status kgwalk_graph_sparql(const kgwalk_graph* graph, const char* query, size_t rows, double seconds,
                                  char** json) {
  if (json != nullptr) *json = nullptr;
  kgwalk::FormRequest request;
  const kgwalk_status status = guarded([&] { request.sparql = text_of(query, "query"); });
  return status != KGWALK_OK ? status : ask(graph, std::move(request), rows, seconds, json);
}

kgwalk_status kgwalk_graph_complete(const kgwalk_graph* graph, const char* head, const char* relation,
                                    const char* tail, int k, int known, char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto shared = shared_graph(graph);
    need(json, "json");
    *json = copied(kgwalk::completions_json(
                       shared->completer().complete({.head = text_or_empty(head, "head"),
                                                     .relation = text_or_empty(relation, "relation"),
                                                     .tail = text_or_empty(tail, "tail"),
                                                     .k = k == 0 ? kCompletions : k,
                                                     .known = known != 0})))
                .release();
  });
}
