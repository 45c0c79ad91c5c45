#include "seq2seq/tasks/starting_run.h"

#include <string_view>

#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk::seq2seq {

StartingRun::StartingRun(const std::filesystem::path& run, const RunKind& kind)
    : run_(run), checkpoint_(RunFolder::open(run, kind).need_checkpoint("best")) {}

void StartingRun::copy_to(torch::nn::Module& model) const {
  // GroupedNet registers the model under this name, with or without groups.
  constexpr std::string_view kModel = "model.";
  NamedTensors weights;
  for (auto& [name, tensor] : read_checkpoint_model(checkpoint_))
    if (name.starts_with(kModel)) weights.emplace(name.substr(kModel.size()), tensor);
  try {
    load_state(model, weights, checkpoint_.string());
  } catch (const FormatError& error) {
    throw ConfigError(
        run_.string() +
        ": its weights do not fit the model that is to be trained; give the preset and the --set of that "
        "run (its config.json): " +
        error.what());
  }
}

void check_starts(const std::filesystem::path& pillars_of, const std::filesystem::path& from) {
  if (!pillars_of.empty() && !from.empty())
    throw ConfigError(
        "a training begins with the pillars of a run or with its weights as they are, not with both: " +
        pillars_of.string() + ", " + from.string());
}

}  // namespace kgwalk::seq2seq
