// kgwalk task lm: language models over words.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/task_parts.h"
#include "runtime/text.h"
#include "seq2seq/tasks/language_task.h"
#include "seq2seq/tasks/line_stream.h"
#include "seq2seq/tasks/parallel_text.h"
#include "seq2seq/tasks/translation_config.h"

namespace kgwalk::cli {
namespace {

struct LanguageOptions {
  std::string train, dev, test, run, model, preset = "plain";
};

void train_lm(const LanguageOptions& options, const Common& common) {
  seq2seq::LanguageTrainOptions train;
  apply_json(train.config, seq2seq::task_preset("lm", options.preset), "preset " + options.preset);
  train.config = load_config(common.config_files, common.assignments, train.config);
  train.train = options.train;
  train.dev = options.dev;
  train.run = options.run;
  train.seed = common.seed;
  const seq2seq::LanguageTrainReport report = seq2seq::train_language(train, *common.reporter, *common.stop);
  fmt::print("{} words in the vocabulary, {} weights; {} updates in {} epochs, {} ({} of processor time)\n",
             with_commas(report.vocabulary), with_commas(report.parameters),
             with_commas(report.training.steps), report.training.epochs,
             format_duration(report.training.seconds), format_duration(report.training.processor_seconds));
  fmt::print("best evaluation at update {}: {}\nmodel: {}\n", report.training.best_step,
             report.training.best_metrics.dump(), report.model.string());
  common.write_json(report.to_json());
}

seq2seq::LanguageGenerator open_model(const LanguageOptions& options, const Common& common) {
  auto model = seq2seq::LanguageGenerator::open(options.model);
  seq2seq::LanguageConfig& config = model.config();
  config.search = load_config(common.config_files, common.assignments, config.search);
  return model;
}

void eval_lm(const LanguageOptions& options, const Common& common) {
  auto model = seq2seq::LanguageGenerator::open(options.model);
  // Only how the text is read may change here.
  seq2seq::LanguageConfig config = load_config(common.config_files, common.assignments, model.config());
  model.config().eval_window = config.eval_window;
  model.config().eval_stride = config.eval_stride;
  const seq2seq::Likelihood found = model.likelihood(seq2seq::read_text_lines(options.test));
  fmt::print(
      "perplexity {:.2f} a word: {} words with ends of lines, {} of them unknown; windows of {}, {} told in "
      "each\n",
      found.perplexity(), with_commas(found.words), with_commas(found.unknown), config.eval_window,
      config.eval_stride);
  common.write_json({{"perplexity", found.perplexity()},
                     {"words", found.words},
                     {"unknown", found.unknown},
                     {"negative_log_prob", found.negative_log_prob},
                     {"eval_window", config.eval_window},
                     {"eval_stride", config.eval_stride}});
}

// Continues every line of standard input as it comes. With several continuations a line: "NUMBER ||| TEXT".
void run_lm(const LanguageOptions& options, const Common& common) {
  auto model = open_model(options, common);
  seq2seq::LineStream input(STDIN_FILENO);
  long long number = 0;
  for (;;) {
    std::vector<std::string> lines = input.next(1);
    if (lines.empty() || common.stop->requested()) break;
    ++number;
    if (seq2seq::repair_utf8(lines[0]))
      common.reporter->warn("line " + with_commas(number) +
                            " holds bytes that are no UTF-8; they are read as unknown");
    for (const std::string& text : model.continue_line(lines[0]))
      if (model.config().search.nbest > 1)
        fmt::print("{} ||| {}\n", number, text);
      else
        fmt::print("{}\n", text);
    std::fflush(stdout);
  }
}

}  // namespace

Verb add_lm(CLI::App& task, Common& common) {
  auto options = std::make_shared<LanguageOptions>();
  CLI::App* lm = task.add_subcommand("lm", "language modelling");
  lm->require_subcommand(1);
  CLI::App* train = lm->add_subcommand("train", "train a language model");
  train->add_option("--train", options->train, "training text")->required();
  train->add_option("--dev", options->dev, "development text")->required();
  train->add_option("--run", options->run, "run folder; an interrupted training in it is resumed")
      ->required();
  train->add_option("--preset", options->preset, "one of seq2seq/presets/lm_*")->capture_default_str();
  CLI::App* eval =
      lm->add_subcommand("eval", "perplexity a word by sliding windows (--set eval_window, eval_stride)");
  eval->add_option("--test", options->test, "text")->required();
  CLI::App* run = lm->add_subcommand("run", "continue the lines of standard input; --set changes the search");
  for (CLI::App* sub : {eval, run})
    sub->add_option("--model", options->model, "a finished run or a model's folder")->required();
  for (CLI::App* sub : {lm, train, eval, run}) sub->fallthrough();
  return [=, &common] {
    if (train->parsed()) train_lm(*options, common);
    if (eval->parsed()) eval_lm(*options, common);
    if (run->parsed()) run_lm(*options, common);
  };
}

}  // namespace kgwalk::cli
