// kgwalk config: every option of every trainable thing, with value, range and meaning, from the same definitions that
// read configuration files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "cli/commands.h"
#include "cli/print.h"
#include "dialogue/presets.h"
#include "dialogue/pretraining/pretrain_text.h"
#include "dialogue/questions/generate.h"
#include "dialogue/response/config.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/link_prediction.h"
#include "rl/presets.h"
#include "rl/simulator/simulator_config.h"
#include "rl/training/stage2_config.h"
#include "runtime/text.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/recognition/config.h"
#include "seq2seq/tasks/summary/config.h"
#include "seq2seq/tasks/translation/config.h"
#include "seq2seq/tasks/understanding/distillation.h"
#include "seq2seq/tasks/understanding/speech_pretraining.h"
#include "seq2seq/tasks/understanding/teacher.h"
#include "seq2seq/tasks/understanding/understander.h"
#include "walker/config.h"

namespace kgwalk::cli {
namespace {

// Something that takes --config and --set.
struct Configurable {
  std::string command;  // behind "kgwalk"
  std::string what;
  std::vector<std::string> presets;
  // The options with the values of a preset; an empty name: those that stand in the code.
  std::function<std::vector<OptionDoc>(const std::string&)> options;
};

template <class Config>
Configurable configurable(std::string command, std::string what, std::vector<std::string> presets = {},
                          std::function<Json(const std::string&)> preset = {}) {
  const auto options = [preset = std::move(preset)](const std::string& name) {
    Config config;
    if (!name.empty()) apply_json(config, preset(name), "preset " + name);
    return describe(config);
  };
  return {std::move(command), std::move(what), std::move(presets), options};
}

template <class Config>
Configurable task(const std::string& name, const std::string& verb, std::string what,
                  const std::vector<std::string>& presets) {
  return configurable<Config>(
      "task " + name + " " + verb, std::move(what), presets,
      [name](const std::string& preset) { return seq2seq::task_preset(name, preset); });
}

template <class Config>
Configurable task(const std::string& name, std::string what) {
  return task<Config>(name, "train", std::move(what), seq2seq::task_preset_names(name));
}

// The presets of `task slu` that a verb of it reads.
std::vector<std::string> understanding_presets(const std::string& verb) {
  const std::vector<std::string> heads = {"intent", "emotion", "slots", "slot_values"};
  std::vector<std::string> found;
  for (const std::string& name : seq2seq::task_preset_names("slu")) {
    const bool head = std::find(heads.begin(), heads.end(), name) != heads.end();
    const bool own = name == "text" || name == "pretrain";
    if (verb == "train" ? head : verb == "align" ? !head && !own : name == verb) found.push_back(name);
  }
  return found;
}

std::vector<Configurable> all_configurables() {
  using namespace seq2seq;  // NOLINT(google-build-using-namespace): a table of its configurations
  return {
      configurable<embeddings::GraphEmbeddingConfig>("embed", "TransE on the graph of a database"),
      configurable<embeddings::DistanceFactorsConfig>("distances", "low-rank factors of all distances"),
      configurable<embeddings::LinkPredictionConfig>("link-prediction", "TransE on a benchmark's files"),
      configurable<dialogue::PretrainTextConfig>(
          "pretrain-text", "the small text encoder", {"default", "tiny"},
          [](const std::string& name) { return to_json_of(dialogue::pretrain_preset(name)); }),
      configurable<dialogue::GenerateConfig>("questions", "questions about a graph"),
      configurable<walker::WalkerConfig>("train", "the walker, stage 1", walker::preset_names(),
                                         [](const std::string& name) { return walker::preset(name); }),
      configurable<dialogue::ResponseConfig>(
          "respond train", "the response model", dialogue::preset_names("respond"),
          [](const std::string& name) { return dialogue::preset("respond", name); }),
      configurable<rl::SimulatorConfig>(
          "simulator train", "the user simulator of stage 2", rl::preset_names("simulator"),
          [](const std::string& name) { return rl::preset("simulator", name); }),
      configurable<rl::Stage2Config>("rl", "the walker, stage 2", rl::preset_names("a2c"),
                                     [](const std::string& name) { return rl::preset("a2c", name); }),
      task<TranslationConfig>("mt", "machine translation"),
      task<LanguageConfig>("lm", "language modeling"),
      task<SummaryConfig>("summarize", "summaries of dialogues"),
      task<RecognitionConfig>("asr", "speech recognition"),
      task<TextPretrainConfig>("slu", "text", "the text encoder that teaches speech understanding",
                               understanding_presets("text")),
      task<SpeechPretrainConfig>("slu", "pretrain", "the speech encoder of speech understanding",
                                 understanding_presets("pretrain")),
      task<AlignConfig>("slu", "align", "alignment of speech with text", understanding_presets("align")),
      task<UnderstandingConfig>("slu", "train", "a head of speech understanding",
                                understanding_presets("train")),
  };
}

std::string range_of(const OptionDoc& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, ", "));
  if (option.low) return fmt::format("{:g} to {:g}", *option.low, *option.high);
  return option.type;
}

std::string as_text(const Configurable& task, const std::vector<OptionDoc>& options) {
  std::string out = fmt::format("kgwalk {}: {}\n", task.command, task.what);
  if (!task.presets.empty()) out += fmt::format("presets: {}\n", fmt::join(task.presets, ", "));
  for (const OptionDoc& option : options) {
    out += fmt::format("\n{} = {}    ({})\n    {}\n", option.name, option.value.dump(), range_of(option),
                       option.description);
    if (!option.former.empty()) out += fmt::format("    Formerly {}.\n", fmt::join(option.former, ", "));
  }
  return out;
}

Json as_json(const Configurable& task, const std::vector<OptionDoc>& options) {
  Json json = {
      {"task", task.command}, {"what", task.what}, {"presets", task.presets}, {"options", Json::array()}};
  for (const OptionDoc& option : options) {
    Json row = {{"name", option.name}, {"type", option.type}, {"value", option.value}};
    if (option.low) row["range"] = {*option.low, *option.high};
    if (!option.choices.empty()) row["choices"] = option.choices;
    if (!option.former.empty()) row["formerly"] = option.former;
    row["description"] = option.description;
    json["options"].push_back(std::move(row));
  }
  return json;
}

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string as_markdown(const std::vector<Configurable>& tasks) {
  std::string out =
      "# Options\n\nEvery option of everything that can be trained, as `kgwalk config --format markdown` "
      "prints it; the\n"
      "tests compare this page with the program. Values go into a file for `--config` (nested by the dots) "
      "or behind\n"
      "`--set NAME=VALUE`. The value shown is the one that holds when neither a preset nor a file gives "
      "another;\n"
      "`kgwalk config TASK --preset NAME` shows those of a preset.\n";
  for (const Configurable& task : tasks) {
    out += fmt::format("\n## kgwalk {}\n\n", task.command);
    std::string what = task.what;
    what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
    out += what + ".";
    if (!task.presets.empty()) out += fmt::format(" Presets: {}.", fmt::join(task.presets, ", "));
    out += "\n\n| option | value | range | meaning |\n|---|---|---|---|\n";
    for (const OptionDoc& option : task.options(""))
      out += fmt::format("| `{}` | `{}` | {} | {}{} |\n", option.name, cell(option.value.dump()),
                         range_of(option), cell(option.description),
                         option.former.empty() ? "" : fmt::format(" Formerly `{}`.", option.former.front()));
  }
  return out;
}

struct ConfigOptions {
  std::vector<std::string> task;
  std::string preset, format = "text";
};

const Configurable& find_task(const std::vector<Configurable>& tasks, const std::vector<std::string>& words) {
  const std::string wanted = fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> names;
  for (const Configurable& task : tasks) {
    if (task.command == wanted || task.command == wanted + " train") return task;
    names.push_back(task.command);
  }
  throw ConfigError("'" + wanted + "' takes no configuration" + did_you_mean(wanted, names) +
                    "; `kgwalk config` lists what does");
}

void run(const ConfigOptions& options, const Common& common) {
  const std::vector<Configurable> tasks = all_configurables();
  if (options.format == "markdown") return print_text(as_markdown(tasks));
  if (options.task.empty()) {
    Json json = Json::array();
    for (const Configurable& task : tasks) {
      json.push_back({{"task", task.command}, {"what", task.what}, {"presets", task.presets}});
      if (options.format == "text") print("{:<20} {}\n", task.command, task.what);
    }
    if (options.format == "json") print("{}\n", json.dump(2));
    return common.write_json(json);
  }
  const Configurable& task = find_task(tasks, options.task);
  if (!options.preset.empty() && task.presets.empty())
    throw ConfigError("kgwalk " + task.command + " has no presets");
  const std::vector<OptionDoc> found = task.options(options.preset);
  const Json json = as_json(task, found);
  print("{}", options.format == "json" ? json.dump(2) + "\n" : as_text(task, found));
  common.write_json(json);
}

}  // namespace

Verb add_config(CLI::App& app, Common& common) {
  auto options = std::make_shared<ConfigOptions>();
  app.add_option("task", options->task, "train, rl, embed, 'task mt', ...; none: list them");
  app.add_option("--preset", options->preset, "show the values of this preset");
  app.add_option("--format", options->format, "text, json, or markdown of everything")
      ->check(CLI::IsMember({"text", "json", "markdown"}))
      ->capture_default_str();
  return [options, &common] { run(*options, common); };
}

}  // namespace kgwalk::cli
