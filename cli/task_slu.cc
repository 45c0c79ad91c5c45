// kgwalk task slu: spoken language understanding by distillation from text (PAD).
#include <fmt/format.h>

#include <filesystem>

#include "cli/print.h"
#include "cli/task_parts.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"
#include "seq2seq/tasks/presets.h"
#include "seq2seq/tasks/understanding/distillation.h"
#include "seq2seq/tasks/understanding/speech_batch.h"
#include "seq2seq/tasks/understanding/speech_pretraining.h"
#include "seq2seq/tasks/understanding/understander.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

struct SluOptions {
  std::vector<std::string> text, audio, files;
  std::string dev, data, teacher, student, run, model, preset, split = "test", format = "text", plots, output;
  bool all_folds = false;
};

template <class Config>
Config config_of(const SluOptions& options, const Common& common) {
  Config config;
  apply_json(config, seq2seq::task_preset("slu", options.preset), "preset " + options.preset);
  return load_config(common.config_files, common.assignments, config);
}

void print_pretraining(const seq2seq::PretrainReport& report, const Common& common) {
  print("{} weights; {}\nencoder: {}\n", with_commas(report.parameters), report.training.summary(),
        report.encoder.string());
  common.write_json(report.to_json());
}

void run_text(const SluOptions& options, const Common& common) {
  seq2seq::TextPretrainOptions train;
  train.config = config_of<seq2seq::TextPretrainConfig>(options, common);
  train.train.assign(options.text.begin(), options.text.end());
  train.dev = options.dev;
  train.run = options.run;
  train.seed = common.seed;
  const auto report = seq2seq::pretrain_teacher(train, *common.reporter, *common.stop);
  const Json& dev = report.training.best_metrics;
  print("masked pieces of the development text: perplexity {:.1f}, accuracy {:.1f} %\n",
        dev.value("perplexity", 0.0), 100 * dev.value("accuracy", 0.0));
  print_pretraining(report, common);
}

void run_pretrain(const SluOptions& options, const Common& common) {
  seq2seq::SpeechPretrainOptions train;
  train.config = config_of<seq2seq::SpeechPretrainConfig>(options, common);
  train.manifests.assign(options.audio.begin(), options.audio.end());
  train.run = options.run;
  train.seed = common.seed;
  const auto report = seq2seq::pretrain_speech(train, *common.reporter, *common.stop);
  const Json& dev = report.training.best_metrics;
  print("codes of hidden frames of the development speech: loss {:.3f}, accuracy {:.1f} %\n",
        dev.value("loss", 0.0), 100 * dev.value("accuracy", 0.0));
  print_pretraining(report, common);
}

// Pictures of the first utterances of a split.
void draw(const SluOptions& options, const seq2seq::Manifest& manifest, seq2seq::Wav2Vec2 student,
          const seq2seq::Teacher* teacher, const seq2seq::AlignmentObjective& objective) {
  constexpr std::size_t kPictures = 4;
  fs::create_directories(options.plots);
  const std::vector<std::size_t> places = seq2seq::items_of_split(manifest, options.split);
  for (std::size_t i = 0; i < std::min(kPictures, places.size()); ++i) {
    const seq2seq::SpokenItem& item = manifest.items[places[i]];
    const auto picture = seq2seq::significance_picture(item.file, item.text, student, teacher, objective);
    write_file_atomically(
        fs::path(options.plots) / fmt::format("significance_{}.svg", i),
        seq2seq::significance_svg(item.file.filename().string() + ": " + item.text, picture));
  }
}

void run_align(const SluOptions& options, const Common& common) {
  seq2seq::AlignOptions train;
  train.config = config_of<seq2seq::AlignConfig>(options, common);
  train.manifest = options.data;
  train.teacher = options.teacher;
  train.student = options.student;
  train.run = options.run;
  train.seed = common.seed;
  const auto report = seq2seq::align_speech(train, *common.reporter, *common.stop);
  print("alignment loss of the development pairs {:.4f}\n", report.training.best_metrics.value("loss", 0.0));
  print_pretraining(report, common);
  if (options.plots.empty()) return;
  const auto teacher = seq2seq::Teacher::open(options.teacher);
  draw(options, seq2seq::read_manifest(options.data), seq2seq::open_speech_encoder(options.run), &teacher,
       train.config.objective);
}

void run_train(const SluOptions& options, const Common& common) {
  seq2seq::UnderstandingTrainOptions train;
  train.config = config_of<seq2seq::UnderstandingConfig>(options, common);
  train.manifest = options.data;
  train.student = options.student;
  train.run = options.run;
  train.all_folds = options.all_folds;
  train.seed = common.seed;
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
  if (!options.output.empty()) {
    std::string lines;
    for (std::size_t i = 0; i < places.size(); ++i)
      lines += line_of(manifest.items[places[i]].file.string(), told[i]) + '\n';
    write_file_atomically(options.output, lines);
  }
  if (!options.plots.empty()) {
    const bool taught = !options.teacher.empty();
    std::unique_ptr<seq2seq::Teacher> teacher;
    if (taught) teacher = std::make_unique<seq2seq::Teacher>(seq2seq::Teacher::open(options.teacher));
    draw(options, manifest, model.encoder(), teacher.get(), {});
  }
  common.write_json(score.to_json());
}

void run_files(const SluOptions& options, const Common& common) {
  const auto model = seq2seq::Understander::open(options.model);
  Json all = Json::array();
  for (const std::string& file : options.files) {
    if (common.stop->requested()) break;
    const fs::path path = file;
    const seq2seq::Understanding told = model.understand(std::span(&path, 1)).front();
    if (options.format == "json")
      print("{}\n", json_of(file, told).dump());
    else
      print("{}\n", line_of(file, told));
    flush_printed();
    all.push_back(json_of(file, told));
  }
  common.write_json(all);
}

CLI::App* add_training(CLI::App& slu, const char* name, const char* help, SluOptions& options) {
  CLI::App* sub = slu.add_subcommand(name, help);
  sub->add_option("--run", options.run, "run folder; an interrupted training in it is resumed")->required();
  sub->add_option("--preset", options.preset, "one of seq2seq/presets/slu_*")->required();
  return sub;
}

void add_alignment(CLI::App& slu, SluOptions& options, std::vector<CLI::App*>& subs) {
  CLI::App* text = add_training(slu, "text", "pre-train a teacher on sentences", options);
  text->add_option("--train", options.text, "text files, a sentence a line")->required();
  text->add_option("--dev", options.dev, "held-out sentences")->required();
  CLI::App* pretrain = add_training(slu, "pretrain", "pre-train a speech encoder on audio alone", options);
  pretrain->add_option("--audio", options.audio, "manifests of utterances")->required();
  CLI::App* align = add_training(slu, "align", "draw a speech encoder to a teacher (PAD)", options);
  align->add_option("--data", options.data, "manifest with text; splits align and dev are used")->required();
  align->add_option("--teacher", options.teacher, "run of `task slu text`, or a folder with ALBERT or BERT")
      ->required();
  align->add_option("--student", options.student, "run of `task slu pretrain`, or a wav2vec 2.0 folder")
      ->required();
  align->add_option("--plots", options.plots,
                    "draw priors and spans of utterances of --split to this folder (svg)");
  align->add_option("--split", options.split, "split that is drawn")->capture_default_str();
  subs.insert(subs.end(), {text, pretrain, align});
}

}  // namespace

Verb add_slu(CLI::App& task, Common& common) {
  auto options = std::make_shared<SluOptions>();
  CLI::App* slu = task.add_subcommand("slu", "spoken language understanding")->alias("understanding");
  slu->require_subcommand(1);
  std::vector<CLI::App*> subs{slu};
  add_alignment(*slu, *options, subs);
  CLI::App* train =
      add_training(*slu, "train", "train a head on a frozen speech encoder and test it", *options);
  train->add_option("--data", options->data, "manifest of utterances")->required();
  train->add_option("--student", options->student, "run of `pretrain` or `align`, or a wav2vec 2.0 folder")
      ->required();
  train->add_flag("--all-folds", options->all_folds,
                  "train and test on every fold (split.by speaker or random)");
  CLI::App* eval = slu->add_subcommand("eval", "accuracy or slot F1 on a split of a manifest");
  eval->add_option("--data", options->data, "manifest of utterances")->required();
  eval->add_option("--split", options->split, "which split")->capture_default_str();
  eval->add_option("--output", options->output, "write what was understood to this file")
      ->check(output_file());
  eval->add_option("--plots", options->plots,
                   "draw priors and spans of some utterances to this folder (svg)");
  eval->add_option("--teacher", options->teacher, "teacher of the drawn pieces");
  CLI::App* run = slu->add_subcommand("run", "say what files mean");
  run->add_option("files", options->files, "sound files")->required();
  run->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  for (CLI::App* sub : {eval, run})
    sub->add_option("--model", options->model, "a finished run of `train` or a model's folder")->required();
  subs.insert(subs.end(), {train, eval, run});
  for (CLI::App* sub : subs) sub->fallthrough();
  return [=, &common] {
    if (subs[1]->parsed()) run_text(*options, common);
    if (subs[2]->parsed()) run_pretrain(*options, common);
    if (subs[3]->parsed()) run_align(*options, common);
    if (train->parsed()) run_train(*options, common);
    if (eval->parsed()) run_eval(*options, common);
    if (run->parsed()) run_files(*options, common);
  };
}

}  // namespace kgwalk::cli
