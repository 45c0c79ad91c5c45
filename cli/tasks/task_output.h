// What the sequence tasks read, print and write alike.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "runtime/text.h"
#include "seq2seq/attention/attention_plots.h"
#include "seq2seq/tasks/decoding.h"

namespace kgwalk::cli {

// Standard input line by line as it comes, up to `most` at a time, until its end or a signal; `first` counts
// from 1. What was printed is flushed after each call.
void stream_lines(int most, const Common& common,
                  const std::function<void(const std::vector<std::string>& lines, long long first)>& use);
void warn_of_repair(long long number, const Common& common);

// Files one by one: what is wrong with one is told, the others are used; Error at the end when there was any,
// and Stopped after a signal. `used` says what could not be done with it: "transcribed".
void each_file(const std::vector<std::string>& files, const char* used, const Common& common,
               const std::function<void(const std::string& file)>& use);

// How a training went and where its model lies; `size` begins the line ("900 units, ") or is empty.
template <class Report>
void print_training(const std::string& size, std::int64_t weights, const Report& report,
                    const Common& common) {
  print("{}{} weights; {}\n", size, with_commas(weights), report.training.summary());
  if constexpr (requires { report.encoder; })
    print("encoder: {}\n", report.encoder.string());
  else
    print("model: {}\n", report.model.string());
  common.write_json(report.to_json());
}

// Lines and pictures, when a file or folder for them is given.
void write_lines(const std::string& file, std::span<const std::string> lines);
void write_plots(const std::string& folder, const std::function<std::vector<seq2seq::NamedPlot>()>& draw);

// Warns of inputs that were cut; `what` is a plural noun.
void warn_of_cut(const seq2seq::DecodingReport& decoding, const char* what, const Common& common);
// The report's line about speed.
void print_speed(const seq2seq::DecodingReport& decoding, const char* what, int beam);
// A line that the stream held, decoded: its hypothesis, or with several of them "NUMBER ||| TEXT ||| SCORE" a
// line; warnings before.
void print_decoded(const seq2seq::Decoded& decoded, long long number, bool several, const Common& common);

}  // namespace kgwalk::cli
