#include "cli/tasks/task_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/line_stream.h"

namespace kgwalk::cli {

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

void each_file(const std::vector<std::string>& files, const char* used, const Common& common,
               const std::function<void(const std::string&)>& use) {
  std::vector<std::string> failed;
  for (const std::string& file : files) {
    if (common.stop->requested()) break;
    try {
      use(file);
    } catch (const Stopped&) {
      if (files.size() == 1) throw;
      break;
    } catch (const Error& error) {
      if (files.size() == 1) throw;
      failed.push_back(file);
      common.reporter->warn(error.what());
    }
    flush_printed();
  }
  if (common.stop->requested()) throw Stopped("stopped; the files printed so far are whole");
  if (!failed.empty())
    throw DataError(failed.front(), 0,
                    fmt::format("{}{} of {} files could not be {} (see above)",
                                failed.size() > 1 ? "and others: " : "", failed.size(), files.size(), used));
}

void write_lines(const std::string& file, std::span<const std::string> lines) {
  if (file.empty()) return;
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  write_file_atomically(file, text);
}

void write_plots(const std::string& folder, const std::function<std::vector<seq2seq::NamedPlot>()>& draw) {
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  for (const seq2seq::NamedPlot& plot : draw())
    write_file_atomically(std::filesystem::path(folder) / (plot.name + ".svg"), plot.svg);
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

}  // namespace kgwalk::cli
