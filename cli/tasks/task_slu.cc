// kgwalk task slu: spoken language understanding by distillation from text (PAD).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "seq2seq/tasks/understanding/distillation.h"
#include "seq2seq/tasks/understanding/speech_batch.h"
#include "seq2seq/tasks/understanding/speech_pretraining.h"
#include "seq2seq/tasks/understanding/understander.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

struct SluOptions : TaskOptions {
  std::vector<std::string> text, audio;
  std::string dev, data, teacher, student, split = "test";
  bool all_folds = false;
};

void run_text(const SluOptions& options, const Common& common) {
  auto train = training_of<seq2seq::TextPretrainOptions>("slu", options, common);
  train.train.assign(options.text.begin(), options.text.end());
  train.dev = options.dev;
  const auto report = seq2seq::pretrain_teacher(train, *common.reporter, *common.stop);
  const Json& dev = report.training.best_metrics;
  print("masked pieces of the development text: perplexity {:.1f}, accuracy {:.1f} %\n",
        dev.value("perplexity", 0.0), 100 * dev.value("accuracy", 0.0));
  print_training("", report.parameters, report, common);
}

void run_pretrain(const SluOptions& options, const Common& common) {
  auto train = training_of<seq2seq::SpeechPretrainOptions>("slu", options, common);
  train.manifests.assign(options.audio.begin(), options.audio.end());
  const auto report = seq2seq::pretrain_speech(train, *common.reporter, *common.stop);
  const Json& dev = report.training.best_metrics;
  print("codes of hidden frames of the development speech: loss {:.3f}, accuracy {:.1f} %\n",
        dev.value("loss", 0.0), 100 * dev.value("accuracy", 0.0));
  print_training("", report.parameters, report, common);
}

// Pictures of the first utterances of a split.
void draw(const SluOptions& options, const seq2seq::Manifest& manifest, seq2seq::Wav2Vec2 student,
          const seq2seq::Teacher* teacher, const seq2seq::AlignmentObjective& objective) {
  constexpr std::size_t kPictures = 4;
  const std::vector<std::size_t> places = seq2seq::items_of_split(manifest, options.split);
  write_plots(options.plots, [&] {
    std::vector<seq2seq::NamedPlot> plots;
    for (std::size_t i = 0; i < std::min(kPictures, places.size()); ++i) {
      const seq2seq::SpokenItem& item = manifest.items[places[i]];
      const auto picture = seq2seq::significance_picture(item.file, item.text, student, teacher, objective);
      plots.push_back({fmt::format("significance_{}", i),
                       seq2seq::significance_svg(item.file.filename().string() + ": " + item.text, picture)});
    }
    return plots;
  });
}

void run_align(const SluOptions& options, const Common& common) {
  auto train = training_of<seq2seq::AlignOptions>("slu", options, common);
  train.manifest = options.data;
  train.teacher = options.teacher;
  train.student = options.student;
  const auto report = seq2seq::align_speech(train, *common.reporter, *common.stop);
  print("alignment loss of the development pairs {:.4f}\n", report.training.best_metrics.value("loss", 0.0));
  print_training("", report.parameters, report, common);
  if (options.plots.empty()) return;
  const auto teacher = seq2seq::Teacher::open(options.teacher);
  draw(options, seq2seq::read_manifest(options.data), seq2seq::open_speech_encoder(options.run), &teacher,
       train.config.objective);
}

void run_train(const SluOptions& options, const Common& common) {
  auto train = training_of<seq2seq::UnderstandingTrainOptions>("slu", options, common);
  train.manifest = options.data;
  train.student = options.student;
  train.all_folds = options.all_folds;
  const auto report = seq2seq::train_understanding(train, *common.reporter, *common.stop);
  for (const auto& training : report.trainings) print("{}\n", training.summary());
  print("test {} {:.2f} % of {} utterances\nmodel: {}\n", report.test.name, report.test.value,
        with_commas(report.test.utterances), report.models.front().string());
  common.write_json(report.to_json());
}

std::string line_of(const std::string& file, const seq2seq::Understanding& told) {
  if (!told.label.empty()) return fmt::format("{}\t{}\t{:.3f}", file, told.label, told.probability);
  std::string slots;
  for (const std::string& slot : told.slots) slots += (slots.empty() ? "" : " | ") + slot;
  return file + '\t' + slots;
}

Json json_of(const std::string& file, const seq2seq::Understanding& told) {
  if (!told.label.empty()) return {{"file", file}, {"label", told.label}, {"probability", told.probability}};
  return {{"file", file}, {"slots", told.slots}};
}

void run_eval(const SluOptions& options, const Common& common) {
  const auto model = seq2seq::Understander::open(options.model);
  const seq2seq::Manifest manifest = seq2seq::read_manifest(options.data);
  const std::vector<std::size_t> places = seq2seq::items_of_split(manifest, options.split);
  std::vector<seq2seq::Understanding> told;
  const seq2seq::UnderstandingScore score = model.score(manifest, places, &told);
  print("{} {:.2f} % of {} utterances\n", score.name, score.value, with_commas(score.utterances));
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < places.size(); ++i)
    lines.push_back(line_of(manifest.items[places[i]].file.string(), told[i]));
  write_lines(options.output, lines);
  if (!options.plots.empty()) {
    std::optional<seq2seq::Teacher> teacher;
    if (!options.teacher.empty()) teacher = seq2seq::Teacher::open(options.teacher);
    draw(options, manifest, model.encoder(), teacher ? &*teacher : nullptr, {});
  }
  common.write_json(score.to_json());
}

void run_files(const SluOptions& options, const Common& common) {
  const auto model = seq2seq::Understander::open(options.model);
  Json all = Json::array();
  each_file(options.files, "understood", common, [&](const std::string& file) {
    const fs::path path = file;
    const seq2seq::Understanding told = model.understand(std::span(&path, 1)).front();
    print("{}\n", options.as_json() ? json_of(file, told).dump() : line_of(file, told));
    all.push_back(json_of(file, told));
  });
  common.write_json(all);
}

// The verbs that make an encoder.
void add_encoders(TaskCommand& slu, const std::shared_ptr<SluOptions>& options, Common& common) {
  CLI::App& text =
      slu.add("text", "pre-train a teacher on sentences", [=, &common] { run_text(*options, common); });
  add_training_options(text, *options, "slu");
  text.add_option("--train", options->text, "text files, a sentence a line")->required();
  text.add_option("--dev", options->dev, "held-out sentences")->required();

  CLI::App& pretrain = slu.add("pretrain", "pre-train a speech encoder on audio alone",
                               [=, &common] { run_pretrain(*options, common); });
  add_training_options(pretrain, *options, "slu");
  pretrain.add_option("--audio", options->audio, "manifests of utterances")->required();

  CLI::App& align = slu.add("align", "draw a speech encoder to a teacher (PAD)",
                            [=, &common] { run_align(*options, common); });
  add_training_options(align, *options, "slu");
  align.add_option("--data", options->data, "manifest with text; splits align and dev are used")->required();
  align.add_option("--teacher", options->teacher, "run of `task slu text`, or a folder with ALBERT or BERT")
      ->required();
  align.add_option("--student", options->student, "run of `task slu pretrain`, or a wav2vec 2.0 folder")
      ->required();
  add_plots(align, *options, "draw priors and spans of utterances of --split");
  align.add_option("--split", options->split, "split that is drawn")->capture_default_str();
}

Verb add_slu(CLI::App& tasks, Common& common) {
  const auto options = std::make_shared<SluOptions>();
  options->preset.clear();  // none serves all verbs
  TaskCommand slu(tasks, {"slu", "understanding", "spoken language understanding"});
  add_encoders(slu, options, common);

  CLI::App& train = slu.add("train", "train a head on a frozen speech encoder and test it",
                            [=, &common] { run_train(*options, common); });
  add_training_options(train, *options, "slu");
  train.add_option("--data", options->data, "manifest of utterances")->required();
  train.add_option("--student", options->student, "run of `pretrain` or `align`, or a wav2vec 2.0 folder")
      ->required();
  train.add_flag("--all-folds", options->all_folds,
                 "train and test on every fold (split.by speaker or random)");

  CLI::App& eval = slu.add("eval", "accuracy or slot F1 on a split of a manifest",
                           [=, &common] { run_eval(*options, common); });
  eval.add_option("--data", options->data, "manifest of utterances")->required();
  eval.add_option("--split", options->split, "which split")->capture_default_str();
  add_output(eval, *options, "what was understood to this file");
  add_plots(eval, *options, "draw priors and spans of some utterances");
  eval.add_option("--teacher", options->teacher, "teacher of the drawn pieces");

  CLI::App& run = slu.add("run", "say what files mean", [=, &common] { run_files(*options, common); });
  add_sound_files(run, *options, "sound files")->required();
  add_format(run, *options, "text or json");
  for (CLI::App* verb : {&eval, &run})
    add_model(*verb, *options, "a finished run of `train` or a model's folder");
  return slu.verb();
}

// The presets that a verb reads.
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

std::vector<Configurable> configures_slu() {
  using namespace seq2seq;  // NOLINT(google-build-using-namespace): a table of its configurations
  return {
      task_configurable<TextPretrainConfig>(
          "slu", "text", "the text encoder that teaches speech understanding", understanding_presets("text")),
      task_configurable<SpeechPretrainConfig>("slu", "pretrain", "the speech encoder of speech understanding",
                                              understanding_presets("pretrain")),
      task_configurable<AlignConfig>("slu", "align", "alignment of speech with text",
                                     understanding_presets("align")),
      task_configurable<UnderstandingConfig>("slu", "train", "a head of speech understanding",
                                             understanding_presets("train"))};
}

const TaskRegistration kSluTask({add_slu, configures_slu, 5});

}  // namespace
}  // namespace kgwalk::cli
