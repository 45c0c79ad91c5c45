#include "embeddings/links/graph_embedding.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "embeddings/links/calibration.h"
#include "embeddings/links/embedding_run.h"
#include "embeddings/links/ranking.h"
#include "embeddings/vectors/matrix_io.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/run_folder.h"
#include "runtime/stopwatch.h"

namespace kgwalk::embeddings {
namespace {

constexpr int kEpochsALine = 5;
constexpr std::size_t kCalibrated = 1000;  // held-out facts that a scale is fitted and measured on

bool is_forward(const graph::KnowledgeGraph& graph, RelationId r) {
  const RelationId inverse = graph.inverse(r);
  if (inverse == r) return true;
  const bool marked = graph.relation_name(r).starts_with('~');
  const bool inverse_marked = graph.relation_name(inverse).starts_with('~');
  return marked != inverse_marked ? inverse_marked : r < inverse;
}

// Moves a seeded sample of the facts to the end and returns how many stay in front.
std::size_t split(std::vector<Triple>& facts, double held_out, std::uint64_t seed) {
  std::vector<Triple> front, back;
  Random random(seed, 0x5EED);
  for (const Triple& t : facts) (random.uniform() < held_out ? back : front).push_back(t);
  const std::size_t kept = front.size();
  facts = std::move(front);
  facts.insert(facts.end(), back.begin(), back.end());
  return kept;
}

std::vector<float> weights_of(const graph::KnowledgeGraph& graph, std::span<const Triple> facts) {
  const graph::GraphDetails& details = graph::details(graph);
  if (!details.has_weights())
    throw ConfigError("the graph has no weights; ingest them, or train without `weights`");
  std::vector<float> weights;
  for (const Triple& fact : facts) weights.push_back(details.weight(graph::edge_number(graph, fact).value()));
  return weights;
}

double train(EmbeddingTraining& training, const GraphEmbeddingConfig& config, RunFolder* run,
             Reporter& reporter, const StopFlag& stop) {
  if (run) {
    run->write_manifest(RunManifest(kEmbeddingRun, config, config.embedding.seed));
    resume(training, *run);
    run->metrics().rewind(training.epochs_done());
  }
  double last_loss = 0;
  Stopwatch since_save;
  while (!training.done()) {
    const std::optional<double> loss = training.run_epoch(reporter, stop);
    if (!loss) save_and_stop(training, run);
    last_loss = *loss;
    if (training.done() || training.epochs_done() % kEpochsALine == 0) {
      char line[80];
      std::snprintf(line, sizeof line, "epoch %d: loss %.4f", training.epochs_done(), last_loss);
      reporter.info(line);
    }
    if (!run) continue;
    run->metrics().write({{"step", training.epochs_done()}, {"loss", last_loss}});
    if (since_save.seconds() > config.checkpoint_every_s || training.done()) {
      save(training, *run);
      since_save = Stopwatch();
    }
  }
  return last_loss;
}

// Dense rows of all relations, [R, D]: an inverse one that was not trained gets the inverted vector of the
// other.
std::vector<float> relations_of(const graph::KnowledgeGraph& graph, const EmbeddingModel& model) {
  std::vector<float> out = dense(model.relations);
  if (!model.reverse.empty()) return out;
  const auto dim = static_cast<std::size_t>(model.relations.dim());
  for (RelationId r = 0; r < graph.num_relations(); ++r) {
    if (is_forward(graph, r)) continue;
    model.score->invert(std::span(out).subspan(graph.inverse(r) * dim, dim),
                        std::span(out).subspan(r * dim, dim));
  }
  return out;
}

std::vector<RelationId> reverse_of(const graph::KnowledgeGraph& graph) {
  std::vector<RelationId> out;
  for (RelationId r = 0; r < graph.num_relations(); ++r) out.push_back(graph.inverse(r));
  return out;
}

std::vector<RelationId> forward_relations(const graph::KnowledgeGraph& graph) {
  std::vector<RelationId> out;
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    if (is_forward(graph, r)) out.push_back(r);
  return out;
}

}  // namespace

EmbeddingConfig default_graph_embedding(Choice<EmbeddingKind> kind) {
  EmbeddingConfig config = default_embedding(kind);
  config.dim = 384;
  // Products learn in smaller steps: their batches stay as they are.
  if (score_model(kind).measure(config) != Measure::kProduct) config.batch = 1024;
  config.epochs = 30;
  return config;
}

GraphEmbeddingConfig graph_embedding_config(const Json& json, std::string_view source) {
  GraphEmbeddingConfig named, config;
  apply_json(named, json, source);
  config.embedding = default_graph_embedding(named.embedding.model);
  apply_json(config, json, source);
  return config;
}

std::vector<Triple> forward_triples(const graph::KnowledgeGraph& graph) {
  std::vector<Triple> out;
  for (EntityId e = 0; e < graph.num_connected(); ++e)
    for (const graph::Edge& edge : graph.out_edges(e))
      if (is_forward(graph, edge.relation)) out.push_back({e, edge.relation, edge.tail});
  return out;
}

EmbeddingTables embed_graph(graph::Store& store, const GraphEmbeddingConfig& config,
                            const std::filesystem::path& run, Reporter& reporter, const StopFlag& stop) {
  validate(config);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::optional<RunFolder> folder;
  if (!run.empty()) folder = RunFolder::create(run, kEmbeddingRun);
  const Stopwatch watch;
  std::vector<Triple> facts = forward_triples(graph);
  if (facts.empty()) throw ConfigError("the graph has no edges to embed");
  const std::size_t kept = split(facts, config.held_out, config.embedding.seed);
  std::vector<Triple> trained(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(kept));
  std::vector<float> weights = config.weights ? weights_of(graph, trained) : std::vector<float>();
  EmbeddingTraining training(config.embedding, std::move(trained), graph.num_connected(),
                             graph.num_relations(), std::move(weights), reverse_of(graph));
  const double loss = train(training, config, folder ? &*folder : nullptr, reporter, stop);
  const StoredEmbedding name{config.embedding.model, config.embedding.dim};
  Json meta = {{"kind", name.kind.name()},
               {"graph_checksum", graph.checksum()},
               {"config", to_json_of(config)},
               {"facts", kept},
               {"loss", loss},
               {"train_seconds", watch.seconds()},
               {"train_cpu_seconds", watch.processor_seconds()}};
  if (!training.model().reverse.empty()) meta["reverse"] = training.model().reverse;
  if (kept < facts.size()) {
    const AnswerIndex known({facts});
    const std::span<const Triple> held(facts.data() + kept, facts.size() - kept);
    meta["held_out"] = summarize(ranks(training.model(), held, known, reporter)).to_json();
    meta["calibration"] = calibrate(training.model(), graph, forward_relations(graph), held, kCalibrated);
  }
  if (folder) folder->write_result("embedding", meta);
  store.put_table(name.name() + "/entities", dense(training.model().entities), name.dim, meta);
  store.put_table(name.name() + "/relations", relations_of(graph, training.model()), name.dim, meta);
  return EmbeddingTables::open(store, name.kind, name.dim).value();
}

}  // namespace kgwalk::embeddings
