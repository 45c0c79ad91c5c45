#include "seq2seq/tasks/grouped_net.h"

#include <cstdio>

#include "kgwalk/error.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/text.h"

namespace kgwalk::seq2seq {
namespace {

std::string unconverged(const GroupedHeadsImpl& groups) {
  char shift[64];
  std::snprintf(shift, sizeof shift, "%.4f, threshold %.4f", groups.shift.item<double>(),
                groups.options().threshold);
  return "the groups of heads have not converged (shift " + std::string(shift) + ")";
}

}  // namespace

GroupedNetImpl::GroupedNetImpl(const GroupedHeadsOptions& options, std::shared_ptr<torch::nn::Module> of,
                               const torch::nn::Module& attended)
    : model(register_module("model", std::move(of))) {
  if (options.active()) groups = register_module("groups", GroupedHeads(options, attentions_of(attended)));
}

void GroupedNetImpl::observe(bool on) {
  if (groups) groups->observe(on);
}

void GroupedNetImpl::add_loss(StepResult& result) {
  if (!groups) return;
  const torch::Tensor grouping = groups->loss();
  result.metrics["groups"] = grouping.item<double>();
  if (const auto shift = groups->fresh_shift()) result.metrics["shift"] = *shift;
  result.loss = result.loss + grouping;
}

void GroupedNetImpl::describe_into(Json& evaluation) {
  if (!groups) return;
  const GroupQuality quality = groups->quality();
  evaluation["silhouette"] = quality.silhouette;
  if (quality.dunn) evaluation["dunn"] = *quality.dunn;
  evaluation["shift"] = quality.shift;
  if (converged_at_) evaluation["converged_at"] = *converged_at_;
  groups->observe(false);
}

void GroupedNetImpl::keep_converged(const std::filesystem::path& folder,
                                    const std::function<void(const std::filesystem::path&)>& extra) {
  if (!groups) return;
  converged_folder_ = folder;
  extra_ = extra;
  if (std::filesystem::exists(folder))
    converged_at_ = read_json_file((folder / "state.json").string()).at("step").get<std::int64_t>();
}

void GroupedNetImpl::after_update(std::int64_t step) {
  if (converged_folder_.empty()) return;
  if (converged_at_ && *converged_at_ > step) {
    // Left by a training that went further before it was set back.
    std::filesystem::remove_all(converged_folder_);
    converged_at_.reset();
  }
  if (converged_at_ || !groups->converged()) return;
  converged_at_ = step;
  write_checkpoint(converged_folder_,
                   {state_of(*this), {}, {{"step", step}, {"shift", groups->shift.item<double>()}}}, extra_);
}

void GroupedNetImpl::tell_converged(Reporter& reporter) const {
  if (!groups) return;
  if (converged_at_)
    reporter.info("groups of heads had converged at update " + with_commas(*converged_at_) +
                  "; --pillars votes there");
  else
    reporter.warn(unconverged(*groups) + "; --pillars votes at the best evaluation");
}

void check_grouped(const GroupedHeadsOptions& heads, const std::filesystem::path& run) {
  if (!heads.active())
    throw ConfigError(run.string() + ": was trained without groups of heads; set heads.groups");
}

std::filesystem::path voting_checkpoint(const RunFolder& run) {
  return run.has_checkpoint("converged") ? run.checkpoint("converged") : run.need_checkpoint("best");
}

std::vector<std::vector<std::int64_t>> find_pillars(GroupedNet& net, const PillarSearch& search,
                                                    Reporter& reporter, const StopFlag& stop) {
  const torch::NoGradGuard no_grad;
  load_state(*net, read_checkpoint_model(search.checkpoint), search.checkpoint.string());
  if (search.stay != StayingHeads::kVoted) {
    Random random(search.seed);
    return net->groups->drawn_pillars(search.stay, random);
  }
  if (!net->groups->converged())
    reporter.warn(unconverged(*net->groups) + "; the vote is taken all the same");
  move_to(*net, compute_device());
  net->eval();
  net->observe(true);
  net->groups->clear_votes();
  const auto progress = reporter.start("heads vote", search.batches, "batches");
  for (std::int64_t batch = 0; batch < search.batches; ++batch) {
    if (stop.requested()) throw Stopped("stopped while heads were voting; nothing was written");
    search.run_batch(batch);
    net->groups->vote();
    progress->add(1);
  }
  return net->groups->pillars();
}

}  // namespace kgwalk::seq2seq
