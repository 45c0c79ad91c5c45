// kgwalk task lm: language models over words.
#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/language/language_model.h"
#include "seq2seq/tasks/language/run.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::cli {
namespace {

struct LanguageOptions : TaskOptions {
  std::string train, dev, test;
};

void train_lm(const LanguageOptions& options, const Common& common) {
  auto train = training_of<seq2seq::LanguageTrainOptions>("lm", options, common);
  train.train = options.train;
  train.dev = options.dev;
  const seq2seq::LanguageTrainReport report = seq2seq::train_language(train, *common.reporter, *common.stop);
  print_training(with_commas(report.vocabulary) + " words in the vocabulary, ", report.parameters, report,
                 common);
}

seq2seq::LanguageModel open_model(const LanguageOptions& options, const Common& common) {
  auto model = seq2seq::LanguageModel::open(options.model);
  seq2seq::LanguageConfig& config = model.config();
  config.search = load_config(common.config_files, common.assignments, config.search);
  return model;
}

void eval_lm(const LanguageOptions& options, const Common& common) {
  auto model = seq2seq::LanguageModel::open(options.model);
  // Only how the text is read may change here.
  seq2seq::LanguageConfig config = load_config(common.config_files, common.assignments, model.config());
  model.config().eval_window = config.eval_window;
  model.config().eval_stride = config.eval_stride;
  std::vector<seq2seq::LineLikelihood> baseline;
  if (!options.baseline.empty()) baseline = seq2seq::read_line_likelihoods(options.baseline);
  const std::vector<std::string> text = seq2seq::read_text_lines(options.test);
  if (text.empty()) throw DataError(options.test, 0, "has no line to tell");
  const seq2seq::Likelihood found = model.likelihood(text);
  print(
      "perplexity {:.2f} a word: {} words with ends of lines, {} of them unknown; windows of {}, {} told in "
      "each\n",
      found.perplexity(), with_commas(found.words), with_commas(found.unknown), config.eval_window,
      config.eval_stride);
  if (!options.output.empty()) write_file_atomically(options.output, seq2seq::to_text(found.lines));
  Json json = {{"perplexity", found.perplexity()},  {"words", found.words},
               {"unknown", found.unknown},          {"negative_log_prob", found.negative_log_prob},
               {"eval_window", config.eval_window}, {"eval_stride", config.eval_stride}};
  if (!options.baseline.empty()) {
    const seq2seq::PairedBootstrap test = seq2seq::compare(baseline, options.baseline, found.lines);
    print(
        "baseline {:.2f}, difference {:+.2f} ({:+.2f} to {:+.2f}), p = {:.4f} (paired bootstrap of lines)\n",
        test.baseline.score, test.difference.score, test.difference.low, test.difference.high, test.p_value);
    json["baseline"] = {{"perplexity", test.baseline.score},
                        {"difference", test.difference.score},
                        {"low", test.difference.low},
                        {"high", test.difference.high},
                        {"p", test.p_value}};
  }
  common.write_json(json);
}

// Continues every line of standard input as it comes. With several continuations a line: "NUMBER ||| TEXT".
void run_lm(const LanguageOptions& options, const Common& common) {
  auto model = open_model(options, common);
  stream_lines(1, common, [&](const std::vector<std::string>& lines, long long number) {
    std::string line = lines.front();
    if (seq2seq::repair_utf8(line)) warn_of_repair(number, common);
    for (const std::string& text : model.continue_line(line))
      if (model.config().search.nbest > 1)
        print("{} ||| {}\n", number, text);
      else
        print("{}\n", text);
  });
}

Verb add_lm(CLI::App& tasks, Common& common) {
  const auto options = std::make_shared<LanguageOptions>();
  TaskCommand lm(tasks, {"lm", "language", "language modeling"});
  CLI::App& train = lm.add("train", "train a language model", [=, &common] { train_lm(*options, common); });
  train.add_option("--train", options->train, "training text")->required();
  train.add_option("--dev", options->dev, "development text")->required();
  add_training_options(train, *options, "lm");
  add_starts(train, *options);

  CLI::App& eval = lm.add("eval", "perplexity a word by sliding windows (--set eval_window, eval_stride)",
                          [=, &common] { eval_lm(*options, common); });
  eval.add_option("--test", options->test, "text")->required();
  add_output(eval, *options, "what each line is given: -log p, tab, words");
  add_baseline(eval, *options, "another model's --output on this text for a paired test");

  CLI::App& run = lm.add("run", "continue the lines of standard input; --set changes the search",
                         [=, &common] { run_lm(*options, common); });
  for (CLI::App* verb : {&eval, &run}) add_model(*verb, *options);
  return lm.verb();
}

std::vector<Configurable> configures_lm() {
  return {task_configurable<seq2seq::LanguageConfig>("lm", "language modeling")};
}

const TaskRegistration kLmTask({add_lm, configures_lm, 2});

}  // namespace
}  // namespace kgwalk::cli
