#include "workflows/training/configurations.h"

#include <utility>

#include "dialogue/presets.h"
#include "dialogue/pretraining/pretrain_text.h"
#include "dialogue/questions/generate.h"
#include "dialogue/response/config.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "kgwalk/settings.h"
#include "rl/presets.h"
#include "rl/simulator/simulator_config.h"
#include "rl/training/stage2_config.h"
#include "runtime/text.h"
#include "walker/config.h"
#include "workflows/training/listener_lessons.h"

namespace kgwalk {
namespace {

using PresetNamed = std::function<Json(const std::string&)>;

template <class Config>
Configuration configuration(std::string function, std::string what, std::vector<std::string> presets = {},
                            PresetNamed preset = {}) {
  const auto options = [preset = std::move(preset)](const std::string& name) {
    Config config;
    if (!name.empty()) apply_json(config, preset(name), "preset " + name);
    return describe(config);
  };
  return {std::move(function), std::move(what), std::move(presets), options};
}

std::vector<Configuration> configurations() {
  const auto of_rl = [](const char* model) {
    return [model](const std::string& name) { return rl::preset(model, name); };
  };
  return {
      configuration<embeddings::DistanceFactorsConfig>("compute_distances",
                                                       "low-rank factors of all distances"),
      configuration<embeddings::GraphEmbeddingConfig>("embed", "embeddings of the graph of a database"),
      configuration<embeddings::LinkPredictionConfig>("predict_links", "embeddings of a benchmark's files"),
      configuration<dialogue::GenerateConfig>("make_questions", "questions about a graph"),
      configuration<dialogue::PretrainTextConfig>(
          "pretrain_text", "the small text encoder", {"default", "tiny"},
          [](const std::string& name) { return to_json_of(dialogue::pretrain_preset(name)); }),
      configuration<walker::WalkerConfig>("train_walker", "the walker, stage 1", walker::preset_names(),
                                          [](const std::string& name) { return walker::preset(name); }),
      configuration<ListenConfiguration>("train_listener", "the listener, and the questions it is taught by"),
      configuration<rl::SimulatorConfig>("train_simulator", "the user simulator of stage 2",
                                         rl::preset_names("simulator"), of_rl("simulator")),
      configuration<dialogue::ResponseConfig>(
          "train_responder", "the response model", dialogue::preset_names("respond"),
          [](const std::string& name) { return dialogue::preset("respond", name); }),
      configuration<rl::Stage2Config>("train_stage2", "the walker, stage 2", rl::preset_names("a2c"),
                                      of_rl("a2c"))};
}

}  // namespace

Configuration configuration_of(std::string_view function) {
  std::vector<std::string> names;
  for (Configuration& known : configurations()) {
    if (known.function == function) return std::move(known);
    names.push_back(known.function);
  }
  throw ConfigError("'" + std::string(function) + "' takes no settings" +
                    did_you_mean(std::string(function), names));
}

Json json_of(const OptionDoc& option) {
  Json row = {{"name", option.name}, {"type", option.type}, {"value", option.value}};
  if (option.low) row["range"] = {*option.low, *option.high};
  if (!option.choices.empty()) row["choices"] = option.choices;
  if (!option.former.empty()) row["formerly"] = option.former;
  row["description"] = option.description;
  return row;
}

std::vector<std::string> presets_of(std::string_view function) { return configuration_of(function).presets; }

Json options_of(std::string_view function, std::string_view preset) {
  const Configuration known = configuration_of(function);
  if (!preset.empty() && known.presets.empty()) throw ConfigError(known.function + " has no presets");
  Json rows = Json::array();
  for (const OptionDoc& option : known.options(std::string(preset))) rows.push_back(json_of(option));
  return rows;
}

}  // namespace kgwalk
