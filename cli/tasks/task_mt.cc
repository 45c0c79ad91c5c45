// kgwalk task mt: translation.
#include <fmt/ranges.h>

#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "seq2seq/tasks/text_lines.h"
#include "seq2seq/tasks/translation/config.h"
#include "seq2seq/tasks/translation/eval.h"
#include "seq2seq/tasks/translation/plots.h"
#include "seq2seq/tasks/translation/run.h"

namespace kgwalk::cli {
namespace {

struct TranslationOptions : TaskOptions {
  std::vector<std::string> train, dev, test;
  std::string tokenizer = "13a";
  std::vector<int> groups;
  bool mixed_case = false;
};

void add_pair(CLI::App& app, const char* name, std::vector<std::string>& files, const char* help) {
  app.add_option(name, files, help)->expected(2)->required()->type_name("SOURCE TARGET");
}

void train_mt(const TranslationOptions& options, const Common& common) {
  auto train = training_of<seq2seq::TranslationTrainOptions>("mt", options, common);
  train.train_source = options.train[0];
  train.train_target = options.train[1];
  train.dev_source = options.dev[0];
  train.dev_target = options.dev[1];
  const seq2seq::PairTrainReport report = seq2seq::train_translation(train, *common.reporter, *common.stop);
  print_training(with_commas(report.vocabulary) + " pieces, ", report.parameters.all, report, common);
}

seq2seq::Translator open_translator(const TranslationOptions& options, const Common& common) {
  seq2seq::Translator translator = seq2seq::Translator::open(options.model);
  translator.set_search(load_config(common.config_files, common.assignments, translator.config().search));
  if (options.int8()) translator.quantize();
  if (!options.groups.empty()) translator.keep_groups(options.groups);
  return translator;
}

void print_fusion(const seq2seq::FusionWeights& fusion) {
  const auto row = [](const char* what, const std::vector<double>& weights) {
    if (!weights.empty()) cli::print("{} {:.4f}\n", what, fmt::join(weights, " "));
  };
  row("encoder groups, gates", fusion.encoder_gates);
  row("decoder layers, gates", fusion.decoder_gates);
  row("decoder groups, psi", fusion.psi);
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
  write_lines(options.output, report.decoding.hypotheses);
  write_plots(options.plots, [&] {
    return seq2seq::translation_plots(translator, text.source.front(), report.decoding.hypotheses.front());
  });
  warn_of_cut(report.decoding, "lines", common);
  print("BLEU|{} = {:.2f} {}\n  95 % interval {:.2f} to {:.2f}\n", report.bleu_signature, report.bleu.score,
        report.bleu.details(), report.bleu_interval.low, report.bleu_interval.high);
  print("chrF2|{} = {:.2f}\n", report.chrf_signature, report.chrf);
  if (report.against_baseline)
    print("baseline {:.2f}, difference {:+.2f}, p = {:.4f} (paired bootstrap)\n",
          report.against_baseline->baseline.score, report.against_baseline->difference.score,
          report.against_baseline->p_value);
  print_fusion(report.fusion);
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

Verb add_mt(CLI::App& tasks, Common& common) {
  const auto options = std::make_shared<TranslationOptions>();
  TaskCommand mt(tasks, {"mt", "translation", "machine translation"});
  CLI::App& train = mt.add("train", "train a translator", [=, &common] { train_mt(*options, common); });
  add_pair(train, "--train", options->train, "training text, a sentence a line");
  add_pair(train, "--dev", options->dev, "development text");
  add_training_options(train, *options, "mt");
  add_starts(train, *options);

  CLI::App& eval = mt.add("eval", "BLEU and chrF on parallel text; --set changes the search",
                          [=, &common] { eval_mt(*options, common); });
  add_pair(eval, "--test", options->test, "text to translate and its reference");
  eval.add_option("--tokenize", options->tokenizer, "words of BLEU: 13a, none or char")
      ->capture_default_str();
  eval.add_flag("--mixed-case", options->mixed_case, "compare with case; lower-cased otherwise");
  add_output(eval, *options, "the translations to this file");
  add_baseline(eval, *options, "another system's translations for a paired test");
  add_plots(eval, *options, "write attention maps of the first line");

  CLI::App& run = mt.add("run", "translate standard input, line by line; --set changes the search",
                         [=, &common] { run_mt(*options, common); });
  for (CLI::App* verb : {&eval, &run}) {
    add_model(*verb, *options);
    add_decoding_options(*verb, *options);
    verb->add_option("--groups", options->groups,
                     "of a model with groups of decoder layers, use these alone (from 0, ascending)");
  }
  return mt.verb();
}

std::vector<Configurable> configures_mt() {
  return {task_configurable<seq2seq::TranslationConfig>("mt", "machine translation")};
}

const TaskRegistration kMtTask({add_mt, configures_mt, 1});

}  // namespace
}  // namespace kgwalk::cli
