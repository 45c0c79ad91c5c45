// The verbs of `kgwalk task`, a file each, and what several of them do alike.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "runtime/config.h"
#include "seq2seq/tasks/decoding.h"
#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/presets.h"

namespace kgwalk::cli {

// Each adds its subcommand to `task`; what it returns does nothing when another one was asked for.
Verb add_mt(CLI::App& task, Common& common);
Verb add_lm(CLI::App& task, Common& common);
Verb add_slu(CLI::App& task, Common& common);
Verb add_asr(CLI::App& task, Common& common);
Verb add_summarize(CLI::App& task, Common& common);

// Options of the trainings and models of sequence tasks.
struct TaskOptions {
  std::string run, model, pillars, preset = "plain";
  std::string output, baseline, weights = "float32";
  int batch = 64;
  [[nodiscard]] bool int8() const { return weights == "int8"; }
};
// --run, --preset and --pillars of `TASK train`.
void add_training_options(CLI::App& train, TaskOptions& options, const std::string& task);
// --model, --batch and --weights of `eval` and `run`.
void add_model_options(const std::vector<CLI::App*>& subs, TaskOptions& options);

// The preset with what the command line changes.
template <class Config>
Config configured(const std::string& task, const TaskOptions& options, const Common& common) {
  Config config;
  apply_json(config, seq2seq::task_preset(task, options.preset), "preset " + options.preset);
  return load_config(common.config_files, common.assignments, config);
}

// The verb that runs what belongs to the subcommand that was asked for. Options of the program may stand
// behind all of them.
using SubVerb = std::pair<CLI::App*, Verb>;
[[nodiscard]] Verb dispatch(CLI::App& task, std::vector<SubVerb> subs);

// Standard input line by line as it comes, up to `most` at a time, until its end or a signal; `first` counts
// from 1. What was printed is flushed after each call.
void stream_lines(int most, const Common& common,
                  const std::function<void(const std::vector<std::string>& lines, long long first)>& use);
void warn_of_repair(long long number, const Common& common);

void print_training(const seq2seq::PairTrainReport& report, const Common& common);
// To the file, when one is given.
void write_hypotheses(const std::string& file, const std::vector<std::string>& lines);
// Warns of inputs that were cut; `what` is a plural noun.
void warn_of_cut(const seq2seq::DecodingReport& decoding, const char* what, const Common& common);
// The report's line about speed.
void print_speed(const seq2seq::DecodingReport& decoding, const char* what, int beam);
// A line that the stream held, decoded: its hypothesis, or with several of them "NUMBER ||| TEXT ||| SCORE" a
// line; warnings before.
void print_decoded(const seq2seq::Decoded& decoded, long long number, bool several, const Common& common);

}  // namespace kgwalk::cli
