// A task's model beside the state of its groups of heads, and the way from a run that was trained in groups
// (GHT) to a model with a single head a group (GHT-PS; seq2seq/attention/grouped_heads.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "kgwalk/progress.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/grouped_heads.h"

namespace kgwalk::seq2seq {

class GroupedNetImpl : public torch::nn::Module {
 public:
  // `attended` holds the attentions whose heads are grouped: the model itself or a part of it.
  GroupedNetImpl(const GroupedHeadsOptions& options, std::shared_ptr<torch::nn::Module> model,
                 const torch::nn::Module& attended);
  void observe(bool on);                 // nothing without groups
  void add_loss(StepResult& result);     // that of the groups, after a forward pass
  void describe_into(Json& evaluation);  // silhouette and Dunn index, then the observers are let go

  std::shared_ptr<torch::nn::Module> model;  // registered "model"
  GroupedHeads groups{nullptr};              // "groups"; null without groups
};
TORCH_MODULE(GroupedNet);

// ConfigError when the run was trained without groups.
void check_grouped(const GroupedHeadsOptions& heads, const std::filesystem::path& run);

// A run that was trained in groups of heads, with the task's configuration. FormatError when it is none of
// `kind` or has no checkpoint yet, ConfigError as of check_grouped().
template <class Config>
struct GroupedStart {
  GroupedStart(const std::filesystem::path& run, const RunKind& kind) {
    const RunFolder folder = RunFolder::open(run, kind);
    checkpoint = folder.need_checkpoint("best");
    config = folder.manifest().part<Config>(kind.parts[0]);
    check_grouped(config.heads, run);
  }
  Config config;
  std::filesystem::path checkpoint;  // its best one
};

// Loads the checkpoint's weights into `net` and lets batches 0 .. batches - 1 vote; run_batch runs the model
// on one. Stopped when `stop` is set.
[[nodiscard]] std::vector<std::vector<std::int64_t>> vote_pillars(
    GroupedNet& net, const std::filesystem::path& checkpoint, std::int64_t batches,
    const std::function<void(std::int64_t)>& run_batch, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::seq2seq
