#include "walker/training/other_graph.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"
#include "walker/network/neural_walker.h"

namespace kgwalk::walker {
namespace {

constexpr std::string_view kListener = "listener.", kStarts = "starts";
// What a relation means beyond its words, by its number; the last row is stopping's.
constexpr std::string_view kOwnRows = "listener.own";
// What concerns its graph's relations: which were never asked for (of another graph's none is favored), and
// their texts.
constexpr std::array<std::string_view, 3> kOfItsGraph = {"listener.unheard", "listener.relation_texts",
                                                         "listener.relation_shown"};
// From which probability on absence is told was fitted to its own graph; elsewhere only what is nearly sure
// is.
constexpr std::string_view kRefuseFrom = "listener.refuse_from";
constexpr double kSurelyAbsent = 0.9;
constexpr int kSmallWidth = 8;  // of the habit that there is none of

std::string remembered(const RunFolder& run, const char* what) {
  const Json& sums = run.manifest().checksums;
  return sums.contains(what) && sums[what].is_string() ? sums[what].get<std::string>() : std::string();
}

void refuse_what_needs_its_graph(const WalkerRun& run) {
  const std::string where = run.folder.path().string();
  const char* rest = "; it can only be used on the graph it was trained on";
  if (!run.weight_prefix.empty())
    throw ConfigError(where + ": a walker of stage 2 heads for goals by tables of its own graph" + rest);
  if (!run.config.listen.on)
    throw ConfigError(where + ": this walker does not listen, its choices are habits of its own graph" +
                      rest);
  if (!run.config.listen.relation_words)
    throw ConfigError(where + ": this walker knows relations by their numbers, not by their words" + rest);
}

// A walker that listens as the given one does, over a small habit.
WalkerConfig listening_alone(const WalkerConfig& given) {
  WalkerConfig config;
  config.model = WalkerKind::kScorer;
  config.decoder.width = kSmallWidth;
  config.metapath.kg_width = kSmallWidth;
  config.metapath.random_tables = true;
  config.text.states = false;
  config.text.word_width = kSmallWidth;
  config.listen = given.listen;
  config.max_hops = given.max_hops;
  config.search = given.search;
  config.search.length_weight = 0;
  return config;
}

// The weights that hear. Stopping keeps its row; other relations have the words they are read by.
NamedTensors hearing_weights(const NamedTensors& trained, const NamedTensors& fresh,
                             const std::string& where) {
  NamedTensors state = fresh;
  for (auto& [name, tensor] : state) {
    if (!name.starts_with(kListener) && name != kStarts) continue;
    if (std::find(kOfItsGraph.begin(), kOfItsGraph.end(), name) != kOfItsGraph.end()) continue;
    const auto found = trained.find(name);
    if (found == trained.end()) throw FormatError(where + ": '" + name + "' is missing; train the run again");
    if (name == kOwnRows) {
      tensor = torch::zeros_like(tensor);
      tensor[-1].copy_(found->second[-1]);
    } else if (name == kRefuseFrom) {
      tensor = found->second.clamp_min(kSurelyAbsent);
    } else {
      tensor = found->second;
    }
  }
  return state;
}

}  // namespace

bool is_of_another_graph(const graph::Store& store, const RunFolder& run) {
  return remembered(run, "graph") != store.graph_checksum();
}

std::unique_ptr<WalkModel> open_on_other_graph(const graph::Store& store, const WalkerRun& run,
                                               std::shared_ptr<const TextSource> text,
                                               const std::string& checkpoint) {
  refuse_what_needs_its_graph(run);
  if (run.config.listen.text && remembered(run.folder, "text") != text->checksum())
    throw FormatError(run.folder.path().string() +
                      ": this walker was trained with another text encoder; give that one");
  const torch::NoGradGuard no_grad;
  const WalkerConfig config = listening_alone(run.config);
  auto model = std::make_unique<NeuralWalker>(config, load_resources(config, store, [&] { return text; }));
  const std::filesystem::path from = run.folder.need_checkpoint(checkpoint);
  NamedTensors trained = read_checkpoint_model(from);
  widen_absence(trained);
  load_state(model->net(), hearing_weights(trained, state_of(model->net()), from.string()), from.string());
  model->net().scorer->forget();
  move_to(model->net(), compute_device());
  model->net().eval();
  return model;
}

}  // namespace kgwalk::walker
