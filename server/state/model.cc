#include "server/state/model.h"

#include <utility>

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/conversation/introduction.h"
#include "rl/training/run.h"
#include "runtime/config.h"
#include "runtime/json_text.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

ConversationOptions with_source(ConversationOptions options, const ModelSource& source) {
  options.simulator = source.simulator;
  options.text = source.text;
  options.listener = source.listener;
  return options;
}

}  // namespace

ModelSource ModelSource::read(const std::filesystem::path& file, std::string name) {
  ModelSource source;
  apply_json(source, read_json_file(file.string()), file.string());
  if (source.database.empty() || source.run.empty())
    throw ConfigError(file.string() + ": database and run must be given");
  for (std::string* path : {&source.database, &source.run, &source.listener, &source.simulator, &source.text,
                            &source.recognizer, &source.introduction})
    if (!path->empty()) *path = (file.parent_path() / *path).string();
  source.name = name.empty() ? file.stem().string() : std::move(name);
  return source;
}

Model::Model(ModelSource source, const ConversationOptions& options)
    : Model(source, Conversation::open(source.database, source.run, with_source(options, source))) {}

Model::Model(ModelSource source, Conversation first)
    : source_(std::move(source)),
      first_(std::move(first)),
      explorer_(first_.guide().planner().graph()),
      retriever_(first_.retriever()) {}

const Completer& Model::completer() const {
  const std::lock_guard lock(opening_);
  if (!completer_) {
    if (source_.database.empty()) throw Refusal(404, "this model has no embeddings to complete facts from");
    const graph::Store store = graph::Store::open(source_.database, graph::Store::Mode::kReadOnly);
    // The graph is the planner's, which lives as long as this model.
    const std::shared_ptr<const graph::KnowledgeGraph> graph(std::shared_ptr<void>(), &planner().graph());
    try {
      completer_.emplace(Completer::open(store, graph));
    } catch (const StoreError& error) {
      throw Refusal(404, error.what());
    }
  }
  return *completer_;
}

const Querier& Model::querier() const {
  const std::lock_guard lock(opening_);
  if (!querier_) querier_.emplace(planner().graph());
  return *querier_;
}

const TextEmbedder& Model::embedder() const {
  const std::lock_guard lock(opening_);
  if (!embedder_) {
    std::filesystem::path folder = source_.text;
    if (folder.empty() && !source_.run.empty())
      folder = rl::open_walker_run(source_.run).folder.manifest().text;
    if (folder.empty()) throw Refusal(404, "the model '" + source_.name + "' has no text encoder");
    embedder_.emplace(TextEmbedder::open(folder));
  }
  return *embedder_;
}

const Recognizer& Model::recognizer() const {
  const std::lock_guard lock(opening_);
  if (!recognizer_) {
    if (source_.recognizer.empty())
      throw Refusal(404, "the model '" + source_.name + "' has no speech recognizer");
    recognizer_.emplace(Recognizer::open(source_.recognizer));
  }
  return *recognizer_;
}

std::vector<std::string> Model::files() const {
  const std::lock_guard lock(opening_);
  if (!files_) {
    files_.emplace();
    if (source_.database.empty()) return *files_;
    const graph::Store store = graph::Store::open(source_.database, graph::Store::Mode::kReadOnly);
    const Json counts = store.meta().value("counts", Json::object()),
               files = counts.value("files", Json::object());
    for (const auto& file : files.items())
      if (file.value().value("kind", "") == "triples")
        files_->push_back(std::filesystem::path(file.key()).filename().string());
  }
  return *files_;
}

// The notice may be ahead of the database for a moment.
bool Model::is_behind() const {
  if (source_.database.empty()) return false;
  const std::uint64_t held = graph::last_edit(planner().graph());
  if (graph::last_edit_noticed(source_.database) <= held) return false;
  return graph::last_edit(graph::Store::open(source_.database, graph::Store::Mode::kReadOnly)) > held;
}

Json Model::introduction() const {
  const std::lock_guard lock(introducing_);
  if (!introduction_)
    introduction_ =
        source_.introduction.empty() ? introduction_of(first_) : read_json_file(source_.introduction);
  return *introduction_;
}

Json Model::facts() const {
  const graph::KnowledgeGraph& graph = planner().graph();
  return {{"model", source_.name},
          {"about", source_.about},
          {"license", source_.license},
          {"entities", graph.num_entities()},
          {"connected_entities", graph.num_connected()},
          {"relations", graph.num_relations()},
          {"edges", graph.num_edges()},
          {"graph_checksum", graph.checksum()},
          {"heads_for_goals", planner().stage() == Planner::Stage::kTwo},
          {"transcribes", !source_.recognizer.empty()},
          {"welcome", first_.welcome()}};
}

}  // namespace kgwalk::server
