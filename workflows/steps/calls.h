// Public functions as steps of a workflow.
#pragma once

#include <string>

#include "workflows/steps/steps.h"

namespace kgwalk {

// Makes steps; reporter and stop are borrowed, also by the steps.
class Calls {
 public:
  Calls(Reporter& reporter, const StopFlag& stop) : reporter_(reporter), stop_(stop) {}

  [[nodiscard]] Step operator()(std::string title, const graph::IngestOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const ComputeDistancesOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const EmbedOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const PretrainTextOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const MakeQuestionsOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const TrainWalkerOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const TrainListenerOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const TrainSimulatorOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const TrainStage2Options& options) const;
  [[nodiscard]] Step operator()(std::string title, const EvaluatePathsOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const EvaluateQuestionsOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const EvaluateSuccessOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const AskListenerOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const PlanPageOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const DialoguesPageOptions& options) const;
  [[nodiscard]] Step operator()(std::string title, const PackOptions& options) const;

 private:
  template <class Options, class Function>
  [[nodiscard]] Step step(std::string title, const char* name, const Options& options,
                          Function function) const;

  Reporter& reporter_;
  const StopFlag& stop_;
};

// Its json goes to a file too, which the step makes.
[[nodiscard]] Step with_json(Step step, const std::filesystem::path& file);

}  // namespace kgwalk
