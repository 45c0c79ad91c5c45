// kgwalk task summarize: summaries of dialogues.
#include <fmt/ranges.h>

#include <exception>

#include "cli/tasks/task_options.h"
#include "cli/tasks/task_output.h"
#include "kgwalk/error.h"
#include "seq2seq/tasks/summary/config.h"
#include "seq2seq/tasks/summary/eval.h"
#include "seq2seq/tasks/summary/run.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::cli {
namespace {

struct SummaryOptions : TaskOptions {
  std::string train, dev, test;
  bool no_stem = false;
};

void train_summarize(const SummaryOptions& options, const Common& common) {
  auto train = training_of<seq2seq::SummaryTrainOptions>("summarize", options, common);
  train.train = options.train;
  train.dev = options.dev;
  const seq2seq::PairTrainReport report = seq2seq::train_summarizer(train, *common.reporter, *common.stop);
  print_training(with_commas(report.vocabulary) + " pieces, ", report.parameters.all, report, common);
}

// What --set may change: the search's own names, and speaker_coverage.
struct SearchChoice : seq2seq::TokenSearchOptions {
  double speaker_coverage = 0;
  template <class F>
  void fields(F& f) {
    seq2seq::TokenSearchOptions::fields(f);
    f("speaker_coverage", speaker_coverage, "weight of speakers' coverage").range(0, 1000);
  }
};

seq2seq::Summarizer open_summarizer(const SummaryOptions& options, const Common& common) {
  seq2seq::Summarizer summarizer = seq2seq::Summarizer::open(options.model);
  SearchChoice choice{summarizer.config().search, summarizer.config().speaker_coverage};
  choice = load_config(common.config_files, common.assignments, choice);
  summarizer.set_search(choice, choice.speaker_coverage);
  if (options.int8()) summarizer.quantize();
  return summarizer;
}

void print_scores(const seq2seq::SummaryEvalReport& report) {
  for (std::size_t m = 0; m < report.rouge.size(); ++m) {
    print("{} F1 {:.2f}, 95 % interval {:.2f} to {:.2f}", seq2seq::kRougeNames[m], report.rouge[m].score,
          report.rouge[m].low, report.rouge[m].high);
    if (report.against_baseline) {
      const seq2seq::PairedBootstrap& test = (*report.against_baseline)[m];
      print("; baseline {:.2f}, difference {:+.2f}, p = {:.4f} (paired bootstrap)", test.baseline.score,
            test.difference.score, test.p_value);
    }
    print("\n");
  }
  for (const auto& [name, scores] : report.rules)
    cli::print("rule \"{}\": {:.2f}\n", name, fmt::join(scores, " / "));
}

void eval_summarize(const SummaryOptions& options, const Common& common) {
  const seq2seq::Summarizer summarizer = open_summarizer(options, common);
  seq2seq::SummaryEvalOptions eval;
  eval.stem = !options.no_stem;
  eval.batch = options.batch;
  if (!options.baseline.empty()) eval.baseline = seq2seq::read_text_lines(options.baseline);
  const seq2seq::SummaryEvalReport report = seq2seq::evaluate_summaries(
      summarizer, seq2seq::read_summary_examples(options.test), eval, *common.reporter);
  write_lines(options.output, report.decoding.hypotheses);
  warn_of_cut(report.decoding, "dialogues", common);
  print_scores(report);
  print_speed(report.decoding, "dialogues", summarizer.config().search.beam);
  common.write_json(report.to_json());
}

// Summarizes standard input as it comes: a json object with "dialogue" on each line.
void run_summarize(const SummaryOptions& options, const Common& common) {
  const seq2seq::Summarizer summarizer = open_summarizer(options, common);
  stream_lines(options.batch, common, [&](const std::vector<std::string>& lines, long long first) {
    std::vector<std::string> dialogues;
    std::exception_ptr broken;  // told when what stands before it has been answered
    try {
      for (const std::string& line : lines)
        dialogues.push_back(seq2seq::dialogue_of_line(line, "standard input",
                                                      static_cast<std::size_t>(first) + dialogues.size()));
    } catch (const DataError&) {
      broken = std::current_exception();
    }
    for (const seq2seq::Decoded& decoded : summarizer.summarize(dialogues, options.batch))
      print_decoded(decoded, first++, summarizer.config().search.nbest > 1, common);
    if (broken) std::rethrow_exception(broken);
  });
}

Verb add_summarize(CLI::App& tasks, Common& common) {
  const auto options = std::make_shared<SummaryOptions>();
  options->preset = "copy";
  options->batch = 32;
  TaskCommand summarize(tasks, {"summarize", "summary", "summaries of dialogues"});
  CLI::App& train =
      summarize.add("train", "train a summarizer", [=, &common] { train_summarize(*options, common); });
  train.add_option("--train", options->train, "dialogues with summaries, a json array")->required();
  train.add_option("--dev", options->dev, "the same for development")->required();
  add_training_options(train, *options, "summarize");
  add_starts(train, *options);

  CLI::App& eval = summarize.add(
      "eval", "ROUGE on dialogues with summaries; --set changes the search (beam, speaker_coverage, ...)",
      [=, &common] { eval_summarize(*options, common); });
  eval.add_option("--test", options->test, "dialogues with summaries, a json array")->required();
  eval.add_flag("--no-stem", options->no_stem, "compare words as they are; by their stems otherwise");
  add_output(eval, *options, "the summaries to this file, one a line");
  add_baseline(eval, *options, "another system's summaries for a paired test");

  CLI::App& run = summarize.add(
      "run",
      "summarize standard input, a json object with \"dialogue\" on each line; --set changes the search",
      [=, &common] { run_summarize(*options, common); });
  for (CLI::App* verb : {&eval, &run}) {
    add_model(*verb, *options);
    add_decoding_options(*verb, *options);
  }
  return summarize.verb();
}

std::vector<Configurable> configures_summarize() {
  return {task_configurable<seq2seq::SummaryConfig>("summarize", "summaries of dialogues")};
}

const TaskRegistration kSummarizeTask({add_summarize, configures_summarize, 3});

}  // namespace
}  // namespace kgwalk::cli
