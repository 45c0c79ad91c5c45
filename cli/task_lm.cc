// kgwalk task lm: language models over words.
#include <fmt/format.h>

#include "cli/print.h"
#include "cli/task_parts.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/text.h"
#include "seq2seq/tasks/language/task.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::cli {
namespace {

struct LanguageOptions : TaskOptions {
  std::string train, dev, test, output, baseline;
};

void train_lm(const LanguageOptions& options, const Common& common) {
  seq2seq::LanguageTrainOptions train;
  train.config = configured<seq2seq::LanguageConfig>("lm", options, common);
  train.train = options.train;
  train.dev = options.dev;
  train.run = options.run;
  train.pillars_of = options.pillars;
  train.seed = common.seed;
  const seq2seq::LanguageTrainReport report = seq2seq::train_language(train, *common.reporter, *common.stop);
  print("{} words in the vocabulary, {} weights; {}\nmodel: {}\n", with_commas(report.vocabulary),
        with_commas(report.parameters), report.training.summary(), report.model.string());
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

}  // namespace

Verb add_lm(CLI::App& task, Common& common) {
  auto options = std::make_shared<LanguageOptions>();
  CLI::App* lm = task.add_subcommand("lm", "language modeling")->alias("language");
  CLI::App* train = lm->add_subcommand("train", "train a language model");
  train->add_option("--train", options->train, "training text")->required();
  train->add_option("--dev", options->dev, "development text")->required();
  add_training_options(*train, *options, "lm");
  CLI::App* eval =
      lm->add_subcommand("eval", "perplexity a word by sliding windows (--set eval_window, eval_stride)");
  eval->add_option("--test", options->test, "text")->required();
  eval->add_option("--output", options->output, "write what each line is given: -log p, tab, words")
      ->check(output_file());
  eval->add_option("--baseline", options->baseline,
                   "another model's --output on this text for a paired test");
  CLI::App* run = lm->add_subcommand("run", "continue the lines of standard input; --set changes the search");
  for (CLI::App* sub : {eval, run})
    sub->add_option("--model", options->model, "a finished run or a model's folder")->required();
  return dispatch(*lm, {{train, [=, &common] { train_lm(*options, common); }},
                        {eval, [=, &common] { eval_lm(*options, common); }},
                        {run, [=, &common] { run_lm(*options, common); }}});
}

}  // namespace kgwalk::cli
