// kgwalk task: sequence tasks on the shared attention core, and its first, mt (translation).
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/task_parts.h"
#include "runtime/error.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"
#include "seq2seq/tasks/line_stream.h"
#include "seq2seq/tasks/translation_eval.h"
#include "seq2seq/tasks/translation_plots.h"
#include "seq2seq/tasks/translation_run.h"

namespace kgwalk::cli {
namespace {

struct TranslationOptions {
  std::vector<std::string> train, dev, test;
  std::string run, model, pillars, preset = "plain";
  std::string tokenizer = "13a", output, baseline, plots;
  bool mixed_case = false;
  int batch = 64;
};

void add_pair(CLI::App& app, const char* name, std::vector<std::string>& files, const char* help) {
  app.add_option(name, files, help)->expected(2)->required()->type_name("SOURCE TARGET");
}

void train_mt(const TranslationOptions& options, const Common& common) {
  seq2seq::TranslationTrainOptions train;
  apply_json(train.config, seq2seq::task_preset("mt", options.preset), "preset " + options.preset);
  train.config = load_config(common.config_files, common.assignments, train.config);
  train.train_source = options.train[0];
  train.train_target = options.train[1];
  train.dev_source = options.dev[0];
  train.dev_target = options.dev[1];
  train.run = options.run;
  train.pillars_of = options.pillars;
  train.seed = common.seed;
  const seq2seq::TranslationTrainReport report =
      seq2seq::train_translation(train, *common.reporter, *common.stop);
  fmt::print("{} pieces, {} weights; {} updates in {} epochs, {} ({} of processor time)\n",
             with_commas(report.vocabulary), with_commas(report.parameters.all),
             with_commas(report.training.steps), report.training.epochs,
             format_duration(report.training.seconds), format_duration(report.training.processor_seconds));
  fmt::print("best evaluation at update {}: {}\nmodel: {}\n", report.training.best_step,
             report.training.best_metrics.dump(), report.model.string());
  common.write_json(report.to_json());
}

seq2seq::Translator open_translator(const TranslationOptions& options, const Common& common) {
  seq2seq::Translator translator = seq2seq::Translator::open(options.model);
  translator.set_search(load_config(common.config_files, common.assignments, translator.config().search));
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
  if (!options.output.empty()) {
    std::string lines;
    for (const std::string& hypothesis : report.hypotheses) lines += hypothesis + '\n';
    write_file_atomically(options.output, lines);
  }
  if (!options.plots.empty()) {
    std::filesystem::create_directories(options.plots);
    for (const seq2seq::NamedPlot& plot :
         seq2seq::translation_plots(translator, text.source.front(), report.hypotheses.front()))
      write_file_atomically(std::filesystem::path(options.plots) / (plot.name + ".svg"), plot.svg);
  }
  if (report.cut > 0)
    common.reporter->warn(with_commas(report.cut) + " lines were longer than the model's limit and cut");
  fmt::print("BLEU|{} = {:.2f} {}\n  95 % interval {:.2f} to {:.2f}\n", report.bleu_signature,
             report.bleu.score, report.bleu.details(), report.bleu_interval.low, report.bleu_interval.high);
  fmt::print("chrF2|{} = {:.2f}\n", report.chrf_signature, report.chrf);
  if (report.against_baseline)
    fmt::print("baseline {:.2f}, difference {:+.2f}, p = {:.4f} (paired bootstrap)\n",
               report.against_baseline->baseline.score,
               report.bleu.score - report.against_baseline->baseline.score, report.against_baseline->p_value);
  fmt::print("{} sentences, beam {}, {:.1f} a second ({:.2f} s, {:.2f} s of processor time)\n",
             report.hypotheses.size(), translator.config().search.beam, report.sentences_per_second(),
             report.seconds, report.processor_seconds);
  common.write_json(report.to_json());
}

// Translates standard input as it comes. With several hypotheses a line: "NUMBER ||| TEXT ||| SCORE".
void run_mt(const TranslationOptions& options, const Common& common) {
  const seq2seq::Translator translator = open_translator(options, common);
  seq2seq::LineStream input(STDIN_FILENO);
  long long number = 0;
  for (;;) {
    const std::vector<std::string> lines = input.next(static_cast<std::size_t>(options.batch));
    if (lines.empty() || common.stop->requested()) break;
    for (const seq2seq::Translation& translation : translator.translate(lines, options.batch)) {
      ++number;
      if (translation.cut)
        common.reporter->warn("line " + with_commas(number) +
                              " is longer than the model's limit; its end is left out");
      if (translation.repaired)
        common.reporter->warn("line " + with_commas(number) +
                              " holds bytes that are no UTF-8; they are read as unknown");
      for (const seq2seq::Hypothesis& hypothesis : translation.hypotheses)
        if (translator.config().search.nbest > 1)
          fmt::print("{} ||| {} ||| {:.4f}\n", number, hypothesis.text, hypothesis.score);
        else
          fmt::print("{}\n", hypothesis.text);
    }
    std::fflush(stdout);
  }
}

}  // namespace

Verb add_mt(CLI::App& task, Common& common) {
  auto options = std::make_shared<TranslationOptions>();
  CLI::App* mt = task.add_subcommand("mt", "machine translation");
  mt->require_subcommand(1);
  CLI::App* train = mt->add_subcommand("train", "train a translator");
  add_pair(*train, "--train", options->train, "training text, a sentence a line");
  add_pair(*train, "--dev", options->dev, "development text");
  train->add_option("--run", options->run, "run folder; an interrupted training in it is resumed")
      ->required();
  train->add_option("--preset", options->preset, "one of seq2seq/presets/mt_*")->capture_default_str();
  train->add_option("--pillars", options->pillars,
                    "begin with the heads voted to stay of this run, which was trained with heads.groups");

  CLI::App* eval = mt->add_subcommand("eval", "BLEU and chrF on parallel text; --set changes the search");
  add_pair(*eval, "--test", options->test, "text to translate and its reference");
  eval->add_option("--tokenize", options->tokenizer, "words of BLEU: 13a, none or char")
      ->capture_default_str();
  eval->add_flag("--mixed-case", options->mixed_case, "compare with case; lower-cased otherwise");
  eval->add_option("--output", options->output, "write the translations to this file");
  eval->add_option("--baseline", options->baseline, "another system's translations for a paired test");
  eval->add_option("--plots", options->plots, "write attention maps of the first line to this folder (svg)");

  CLI::App* run =
      mt->add_subcommand("run", "translate standard input, line by line; --set changes the search");
  for (CLI::App* sub : {eval, run}) {
    sub->add_option("--model", options->model, "a finished run or a model's folder")->required();
    sub->add_option("--batch", options->batch, "lines decoded together at most")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
  }
  for (CLI::App* sub : {mt, train, eval, run}) sub->fallthrough();
  return [=, &common] {
    if (train->parsed()) train_mt(*options, common);
    if (eval->parsed()) eval_mt(*options, common);
    if (run->parsed()) run_mt(*options, common);
  };
}

Verb add_task(CLI::App& app, Common& common) {
  app.require_subcommand(1);
  return [mt = add_mt(app, common), lm = add_lm(app, common)] {
    mt();
    lm();
  };
}

}  // namespace kgwalk::cli
