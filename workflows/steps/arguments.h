// What a step was given, as names and text: members of its options that differ from their defaults
// (kgwalk/workflows.h). They tell people what is done, and a workflow whether that is what was done before.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kgwalk/evaluation.h"
#include "kgwalk/ingest.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/training.h"
#include "workflows/measuring/ask_listener.h"
#include "workflows/steps/pages.h"

namespace kgwalk {

using Arguments = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] Arguments arguments_of(const graph::IngestOptions& options);
[[nodiscard]] Arguments arguments_of(const ComputeDistancesOptions& options);
[[nodiscard]] Arguments arguments_of(const EmbedOptions& options);
[[nodiscard]] Arguments arguments_of(const PretrainTextOptions& options);
[[nodiscard]] Arguments arguments_of(const MakeQuestionsOptions& options);
[[nodiscard]] Arguments arguments_of(const TrainWalkerOptions& options);
[[nodiscard]] Arguments arguments_of(const TrainListenerOptions& options);
[[nodiscard]] Arguments arguments_of(const TrainSimulatorOptions& options);
[[nodiscard]] Arguments arguments_of(const TrainStage2Options& options);
[[nodiscard]] Arguments arguments_of(const EvaluatePathsOptions& options);
[[nodiscard]] Arguments arguments_of(const EvaluateQuestionsOptions& options);
[[nodiscard]] Arguments arguments_of(const EvaluateSuccessOptions& options);
[[nodiscard]] Arguments arguments_of(const AskListenerOptions& options);
[[nodiscard]] Arguments arguments_of(const PlanPageOptions& options);
[[nodiscard]] Arguments arguments_of(const DialoguesPageOptions& options);
[[nodiscard]] Arguments arguments_of(const PackOptions& options);

}  // namespace kgwalk
