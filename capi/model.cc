#include <utility>

#include "capi/arguments.h"
#include "capi/objects.h"
#include "kgwalk/connect.h"
#include "kgwalk/error.h"
#include "kgwalk/guide.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/plan_formats.h"
#include "kgwalk/planner.h"
#include "planner/queries/answers_as_json.h"

namespace kgwalk::capi {
namespace {

constexpr int kTurns = 10, kLinks = 3, kTokens = 400;

const Planner& planner_of(const ModelObject& model) { return model.first->guide().planner(); }

// Owned together with the conversation, which holds it.
std::shared_ptr<const SharedGraph> graph_of(const std::shared_ptr<const Conversation>& first,
                                            const std::filesystem::path& database) {
  const std::shared_ptr<const graph::KnowledgeGraph> graph(first, &first->guide().planner().graph());
  return std::make_shared<const SharedGraph>(graph, database);
}

ConversationOptions options_of(const kgwalk_model_options* given) {
  ConversationOptions options;
  if (given == nullptr) return options;
  constexpr std::size_t kFirstSize = offsetof(kgwalk_model_options, other_graph) + sizeof(int);
  const auto read = struct_of(given, kFirstSize, "options");
  options.text = path_or_empty(read.text);
  options.listener = path_or_empty(read.listener);
  options.simulator = path_or_empty(read.simulator);
  options.other_graph = read.other_graph != 0;
  return options;
}

std::shared_ptr<ModelObject> opened_model(const std::string& model, const std::string& run,
                                          ConversationOptions options) {
  if (!run.empty()) return std::make_shared<ModelObject>(Conversation::open(model, run, options), model);
  if (std::filesystem::is_directory(model) && !is_packed_model(model))
    throw ConfigError(model +
                      ": is no packed model; where it is a database, the folder of a run must be given");
  const PackedModel packed = PackedModel::open(model);
  if (options.text.empty()) options.text = packed.text;
  if (options.simulator.empty()) options.simulator = packed.simulator;
  return std::make_shared<ModelObject>(Conversation::open(packed.database, packed.run, options),
                                       packed.database);
}

}  // namespace

ModelObject::ModelObject(Conversation conversation, const std::filesystem::path& database)
    : first(std::make_shared<const Conversation>(std::move(conversation))),
      retriever(first->retriever()),
      graph(graph_of(first, database)) {}

}  // namespace kgwalk::capi

using namespace kgwalk::capi;

kgwalk_status kgwalk_model_open(int version, const char* model, const char* run,
                                const kgwalk_model_options* options, kgwalk_model** opened) {
  if (opened != nullptr) *opened = nullptr;
  return guarded([&] {
    check_version(version);
    need(opened, "the place for the model");
    *opened = handle_of(opened_model(path_of(model, "model"), path_or_empty(run), options_of(options)));
  });
}

kgwalk_status kgwalk_model_close(kgwalk_model* model) { return close_handle<ModelObject>(model); }

kgwalk_status kgwalk_model_graph(const kgwalk_model* model, kgwalk_graph** graph) {
  if (graph != nullptr) *graph = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    need(graph, "the place for the graph");
    *graph = handle_of(std::make_shared<GraphObject>(asked->graph));
  });
}

kgwalk_status kgwalk_model_lead(const kgwalk_model* model, const char* start, const char* goal, int turns,
                                char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    need(json, "json");
    *json =
        copied(kgwalk::trajectory_as_json(asked->first->guide().lead({.start = text_of(start, "start"),
                                                                      .goal = text_of(goal, "goal"),
                                                                      .turns = turns == 0 ? kTurns : turns})))
            .release();
  });
}

kgwalk_status kgwalk_model_connect(const kgwalk_model* model, const char* const* entities,
                                   size_t num_entities, int k, int detour, char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    need(json, "json");
    *json = copied(kgwalk::links_json(kgwalk::connect(
                       planner_of(*asked), {.entities = texts_of(entities, num_entities, "entities"),
                                            .k = k == 0 ? kLinks : k,
                                            .detour = detour})))
                .release();
  });
}

kgwalk_status kgwalk_model_retrieve(const kgwalk_model* model, const char* question, int tokens, char** text,
                                    char** json) {
  if (text != nullptr) *text = nullptr;
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    if (text == nullptr) need(json, "the place for the text and that for the JSON");
    const kgwalk::Retrieved found = asked->retriever.retrieve(
        {.question = text_of(question, "question"), .tokens = tokens == 0 ? kTokens : tokens});
    Text lines = copied(found.text);
    if (json != nullptr) *json = copied(kgwalk::retrieved_json(found)).release();
    if (text != nullptr) *text = lines.release();
  });
}
