// A task's model beside the state of its groups of heads, and the way from a run that was trained in groups
// (GHT) to a model with a single head a group (GHT-PS; seq2seq/attention/grouped_heads.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
  void observe(bool on);  // nothing without groups
  // That of the groups, after a forward pass; `shift` too where the groups were found anew.
  void add_loss(StepResult& result);
  // Silhouette, Dunn index, shift and when the groups had converged; then the observers are let go.
  void describe_into(Json& evaluation);
  // A training tells here what Algorithm 1 asks for: the first state in which the groups have converged (rho)
  // is kept as a checkpoint in `folder`; `extra` adds the task's own files. Nothing without groups.
  void keep_converged(const std::filesystem::path& folder,
                      const std::function<void(const std::filesystem::path&)>& extra);
  void after_update(std::int64_t step);
  // Tells when the groups of a finished training had converged, or warns that they have not.
  void tell_converged(Reporter& reporter) const;

  std::shared_ptr<torch::nn::Module> model;  // registered "model"
  GroupedHeads groups{nullptr};              // "groups"; null without groups

 private:
  std::filesystem::path converged_folder_;
  std::function<void(const std::filesystem::path&)> extra_;
  std::optional<std::int64_t> converged_at_;  // the update
};
TORCH_MODULE(GroupedNet);

// ConfigError when the run was trained without groups.
void check_grouped(const GroupedHeadsOptions& heads, const std::filesystem::path& run);

// Where the heads of a run vote: its checkpoint "converged", else "best" (Algorithm 1 votes once rho holds; a
// training that ended before is voted on at its end). FormatError when it has none yet.
[[nodiscard]] std::filesystem::path voting_checkpoint(const RunFolder& run);

// A run that was trained in groups of heads, with the task's configuration. FormatError when it is none of
// `kind` or has no checkpoint yet, ConfigError as of check_grouped().
template <class Config>
struct GroupedStart {
  // `by` is the configuration of the training that begins.
  GroupedStart(const std::filesystem::path& run, const RunKind& kind, const GroupedHeadsOptions& by,
               std::uint64_t seed_of_it)
      : stay(by.stay), seed(seed_of_it) {
    const RunFolder folder = RunFolder::open(run, kind);
    checkpoint = voting_checkpoint(folder);
    config = folder.manifest().part<Config>(kind.parts[0]);
    check_grouped(config.heads, run);
  }
  Config config;
  std::filesystem::path checkpoint;  // where its heads vote
  StayingHeads stay;
  std::uint64_t seed;  // of heads that are drawn
};

// What finds the heads that stay.
struct PillarSearch {
  std::filesystem::path checkpoint;
  StayingHeads stay = StayingHeads::kVoted;
  std::uint64_t seed = 1;
  std::int64_t batches = 0;
  std::function<void(std::int64_t)> run_batch;  // runs the model on one
};
// Loads the checkpoint's weights into `net` and lets batches 0 .. batches - 1 vote, with a warning when the
// groups have not converged; or draws the heads, as `stay` says. Stopped when `stop` is set.
[[nodiscard]] std::vector<std::vector<std::int64_t>> find_pillars(GroupedNet& net, const PillarSearch& search,
                                                                  Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::seq2seq
