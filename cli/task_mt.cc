// kgwalk task mt: translation.
#include <fmt/format.h>

#include <filesystem>

#include "cli/print.h"
#include "cli/task_parts.h"
#include "runtime/files.h"
#include "seq2seq/tasks/text_lines.h"
#include "seq2seq/tasks/translation/eval.h"
#include "seq2seq/tasks/translation/plots.h"
#include "seq2seq/tasks/translation/run.h"

namespace kgwalk::cli {
namespace {

struct TranslationOptions : TaskOptions {
  std::vector<std::string> train, dev, test;
  std::string tokenizer = "13a", plots;
  std::vector<int> groups;
  bool mixed_case = false;
};

void add_pair(CLI::App& app, const char* name, std::vector<std::string>& files, const char* help) {
  app.add_option(name, files, help)->expected(2)->required()->type_name("SOURCE TARGET");
}

void train_mt(const TranslationOptions& options, const Common& common) {
  seq2seq::TranslationTrainOptions train;
  train.config = configured<seq2seq::TranslationConfig>("mt", options, common);
  train.train_source = options.train[0];
  train.train_target = options.train[1];
  train.dev_source = options.dev[0];
  train.dev_target = options.dev[1];
  train.run = options.run;
  train.pillars_of = options.pillars;
  train.seed = common.seed;
  print_training(seq2seq::train_translation(train, *common.reporter, *common.stop), common);
}

seq2seq::Translator open_translator(const TranslationOptions& options, const Common& common) {
  seq2seq::Translator translator = seq2seq::Translator::open(options.model);
  translator.set_search(load_config(common.config_files, common.assignments, translator.config().search));
  if (options.int8()) translator.quantize();
  if (!options.groups.empty()) translator.keep_groups(options.groups);
  return translator;
}

void eval_mt(const TranslationOptions& options, const Common& common) {
  const seq2seq::Translator translator = open_translator(options, common);
  const seq2seq::ParallelText text = seq2seq::read_parallel_text(options.test[0], options.test[1]);
  seq2seq::TranslationEvalOptions eval;
  eval.bleu.tokenizer = seq2seq::parse_bleu_tokenizer(options.tokenizer);
  eval.bleu.lower = eval.chrf.lower = !options.mixed_case;
  eval.batch = options.batch;
  if (!options.baseline.empty()) eval.baseline = seq2seq::read_text_lines(options.baseline);
  const seq2seq::TranslationEvalReport report =
      seq2seq::evaluate_translation(translator, text, eval, *common.reporter);
  write_hypotheses(options.output, report.decoding.hypotheses);
  if (!options.plots.empty()) {
    std::filesystem::create_directories(options.plots);
    for (const seq2seq::NamedPlot& plot :
         seq2seq::translation_plots(translator, text.source.front(), report.decoding.hypotheses.front()))
      write_file_atomically(std::filesystem::path(options.plots) / (plot.name + ".svg"), plot.svg);
  }
  warn_of_cut(report.decoding, "lines", common);
  print("BLEU|{} = {:.2f} {}\n  95 % interval {:.2f} to {:.2f}\n", report.bleu_signature, report.bleu.score,
        report.bleu.details(), report.bleu_interval.low, report.bleu_interval.high);
  print("chrF2|{} = {:.2f}\n", report.chrf_signature, report.chrf);
  if (report.against_baseline)
    print("baseline {:.2f}, difference {:+.2f}, p = {:.4f} (paired bootstrap)\n",
          report.against_baseline->baseline.score, report.against_baseline->difference.score,
          report.against_baseline->p_value);
  print_speed(report.decoding, "sentences", translator.config().search.beam);
  common.write_json(report.to_json());
}

// Translates standard input as it comes. With several hypotheses a line: "NUMBER ||| TEXT ||| SCORE".
void run_mt(const TranslationOptions& options, const Common& common) {
  const seq2seq::Translator translator = open_translator(options, common);
  stream_lines(options.batch, common, [&](const std::vector<std::string>& lines, long long first) {
    for (const seq2seq::Decoded& decoded : translator.translate(lines, options.batch))
      print_decoded(decoded, first++, translator.config().search.nbest > 1, common);
  });
}

}  // namespace

Verb add_mt(CLI::App& task, Common& common) {
  auto options = std::make_shared<TranslationOptions>();
  CLI::App* mt = task.add_subcommand("mt", "machine translation")->alias("translation");
  CLI::App* train = mt->add_subcommand("train", "train a translator");
  add_pair(*train, "--train", options->train, "training text, a sentence a line");
  add_pair(*train, "--dev", options->dev, "development text");
  add_training_options(*train, *options, "mt");

  CLI::App* eval = mt->add_subcommand("eval", "BLEU and chrF on parallel text; --set changes the search");
  add_pair(*eval, "--test", options->test, "text to translate and its reference");
  eval->add_option("--tokenize", options->tokenizer, "words of BLEU: 13a, none or char")
      ->capture_default_str();
  eval->add_flag("--mixed-case", options->mixed_case, "compare with case; lower-cased otherwise");
  eval->add_option("--output", options->output, "write the translations to this file")->check(output_file());
  eval->add_option("--baseline", options->baseline, "another system's translations for a paired test");
  eval->add_option("--plots", options->plots, "write attention maps of the first line to this folder (svg)");

  CLI::App* run =
      mt->add_subcommand("run", "translate standard input, line by line; --set changes the search");
  add_model_options({eval, run}, *options);
  for (CLI::App* sub : {eval, run})
    sub->add_option("--groups", options->groups,
                    "of a model with groups of decoder layers, use these alone (from 0, ascending)");
  return dispatch(*mt, {{train, [=, &common] { train_mt(*options, common); }},
                        {eval, [=, &common] { eval_mt(*options, common); }},
                        {run, [=, &common] { run_mt(*options, common); }}});
}

}  // namespace kgwalk::cli
