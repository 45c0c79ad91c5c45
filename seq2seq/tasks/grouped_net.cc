#include "seq2seq/tasks/grouped_net.h"

#include "kgwalk/error.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk::seq2seq {

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
  result.loss = result.loss + grouping;
}

void GroupedNetImpl::describe_into(Json& evaluation) {
  if (!groups) return;
  const GroupQuality quality = groups->quality();
  evaluation["silhouette"] = quality.silhouette;
  if (quality.dunn) evaluation["dunn"] = *quality.dunn;
  groups->observe(false);
}

void check_grouped(const GroupedHeadsOptions& heads, const std::filesystem::path& run) {
  if (!heads.active())
    throw ConfigError(run.string() + ": was trained without groups of heads; set heads.groups");
}

std::vector<std::vector<std::int64_t>> vote_pillars(GroupedNet& net, const std::filesystem::path& checkpoint,
                                                    std::int64_t batches,
                                                    const std::function<void(std::int64_t)>& run_batch,
                                                    Reporter& reporter, const StopFlag& stop) {
  const torch::NoGradGuard no_grad;
  load_state(*net, read_checkpoint_model(checkpoint), checkpoint.string());
  move_to(*net, compute_device());
  net->eval();
  net->observe(true);
  net->groups->clear_votes();
  const auto progress = reporter.start("heads vote", batches, "batches");
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    if (stop.requested()) throw Stopped("stopped while heads were voting; nothing was written");
    run_batch(batch);
    net->groups->vote();
    progress->add(1);
  }
  return net->groups->pillars();
}

}  // namespace kgwalk::seq2seq
