// kgwalk task: sequence tasks on the shared attention core.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/task_parts.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/line_stream.h"
#include "runtime/text.h"

namespace kgwalk::cli {

void add_training_options(CLI::App& train, TaskOptions& options, const std::string& task) {
  train.add_option("--run", options.run, "run folder; an interrupted training in it is resumed")->required();
  train.add_option("--preset", options.preset, "one of seq2seq/presets/" + task + "_*")
      ->capture_default_str();
  train.add_option("--pillars", options.pillars,
                   "begin with the heads voted to stay of this run, which was trained with heads.groups");
}

void add_model_options(const std::vector<CLI::App*>& subs, TaskOptions& options) {
  for (CLI::App* sub : subs) {
    sub->add_option("--model", options.model, "a finished run or a model's folder")->required();
    sub->add_option("--batch", options.batch, "lines decoded together at most")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    sub->add_option("--weights", options.weights, "numbers that matrices are multiplied in: float32 or int8")
        ->check(CLI::IsMember({"float32", "int8"}))
        ->capture_default_str();
  }
}

Verb dispatch(CLI::App& task, std::vector<SubVerb> subs) {
  task.require_subcommand(1);
  task.fallthrough();
  for (const auto& [sub, verb] : subs) sub->fallthrough();
  return [subs = std::move(subs)] {
    for (const auto& [sub, verb] : subs)
      if (sub->parsed()) verb();
  };
}

void stream_lines(int most, const Common& common,
                  const std::function<void(const std::vector<std::string>&, long long)>& use) {
  LineStream input(STDIN_FILENO, *common.stop);
  for (long long first = 1;;) {
    const std::vector<std::string> lines = input.next(static_cast<std::size_t>(most));
    if (common.stop->requested())
      throw Stopped("stopped before line " + with_commas(first) + "; what came before it is written");
    if (lines.empty()) return;
    use(lines, first);
    first += static_cast<long long>(lines.size());
    flush_printed();
  }
}

void warn_of_repair(long long number, const Common& common) {
  common.reporter->warn("line " + with_commas(number) +
                        " holds bytes that are no UTF-8; they are read as unknown");
}

void print_training(const seq2seq::PairTrainReport& report, const Common& common) {
  print("{} pieces, {} weights; {}\nmodel: {}\n", with_commas(report.vocabulary),
        with_commas(report.parameters.all), report.training.summary(), report.model.string());
  common.write_json(report.to_json());
}

void write_hypotheses(const std::string& file, const std::vector<std::string>& lines) {
  if (file.empty()) return;
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  write_file_atomically(file, text);
}

void warn_of_cut(const seq2seq::DecodingReport& decoding, const char* what, const Common& common) {
  if (decoding.cut > 0)
    common.reporter->warn(with_commas(decoding.cut) + " " + what +
                          " were longer than the model's limit and cut");
}

void print_speed(const seq2seq::DecodingReport& decoding, const char* what, int beam) {
  print("{} {}, beam {}, {:.1f} a second ({:.2f} s, {:.2f} s of processor time)\n",
        decoding.hypotheses.size(), what, beam, decoding.per_second(), decoding.seconds,
        decoding.processor_seconds);
}

void print_decoded(const seq2seq::Decoded& decoded, long long number, bool several, const Common& common) {
  if (decoded.cut)
    common.reporter->warn("line " + with_commas(number) +
                          " is longer than the model's limit; its end is left out");
  if (decoded.repaired) warn_of_repair(number, common);
  for (const seq2seq::Hypothesis& hypothesis : decoded.hypotheses)
    if (several)
      print("{} ||| {} ||| {:.4f}\n", number, hypothesis.text, hypothesis.score);
    else
      print("{}\n", hypothesis.text);
}

Verb add_task(CLI::App& app, Common& common) {
  app.require_subcommand(1);
  return [mt = add_mt(app, common), lm = add_lm(app, common), asr = add_asr(app, common),
          slu = add_slu(app, common), summarize = add_summarize(app, common)] {
    mt();
    lm();
    asr();
    slu();
    summarize();
  };
}

}  // namespace kgwalk::cli
