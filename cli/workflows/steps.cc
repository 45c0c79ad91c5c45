#include "cli/workflows/steps.h"

#include <unistd.h>

#include <utility>

#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/stopwatch.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStepsFormat = "kgwalk-steps";

// What tells that a file is another one: its content, which a copied folder has too.
std::string mark_of(const fs::path& file) {
  if (!fs::is_regular_file(file)) return file.string() + " is no file\n";
  return file.string() + " " + checksum_of_file(file) + "\n";
}

struct ResultFile {
  fs::path path = fs::temp_directory_path() / fmt::format("kgwalk-result-{}.json", ::getpid());
  ResultFile() { remove(); }
  ~ResultFile() { remove(); }
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

 private:
  void remove() const {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

std::string typed(const char* name, const Words& words) {
  std::string line = std::string("kgwalk ") + name;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" ?'!;&|<>$*()") == std::string::npos;
    line += plain ? " " + word : " \"" + word + "\"";
  }
  return line;
}

Steps::Steps(const Common& common, fs::path state) : common_(common), state_file_(std::move(state)) {
  if (fs::exists(state_file_)) {
    state_ = read_json_file(state_file_.string());
    if (!state_.is_object() || state_.value("format", "") != kStepsFormat || !state_.contains("steps") ||
        !state_["steps"].is_object())
      throw FormatError(state_file_.string() + ": does not hold the state of steps; remove it to begin anew");
  } else {
    state_ = {{"format", kStepsFormat},
              {"what", "which steps of a command of kgwalk are done; the command goes on behind them"},
              {"steps", Json::object()}};
  }
}

void Steps::show(std::string_view title, const char* name, const Words& words, std::string_view note) {
  ++shown_;
  const std::string number = counted_ == 0 ? "" : fmt::format("step {} of {}: ", shown_, counted_);
  print("\n== {}{}\n$ {}{}\n", number, title, typed(name, words), note);
  flush_printed();
}

Json Steps::execute(const char* name, const Words& words) const {
  CLI::App app;
  app.name(name);
  Common common = common_;
  common.config_files.clear();
  common.assignments.clear();
  common.json_out.clear();
  app.add_option("--set", common.assignments)->allow_extra_args(false);
  app.add_option("--seed", common.seed);
  app.add_option("--json", common.json_out);
  const Verb verb = command_named(name).add(app, common);
  app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes a vector back to front
  common.seed_given = app.count("--seed") > 0;
  // What the verb found out is read from a file, as a script would.
  const ResultFile own;
  if (common.json_out.empty()) common.json_out = own.path.string();
  verb();
  flush_printed();
  return fs::exists(common.json_out) ? read_json_file(common.json_out) : Json(nullptr);
}

Json Steps::run(std::string_view title, const char* name, const Words& words) {
  show(title, name, words, "");
  return execute(name, words);
}

bool Steps::run(const Step& step) {
  std::string marks = chain_ + typed(step.name, step.words);
  for (const fs::path& input : step.inputs) marks += "\n" + mark_of(input);
  chain_ = checksum_of(marks);
  Json& known = state_["steps"][step.title];
  const bool same = known.is_object() && known.value("chain", "") == chain_;
  if (same && known.value("done", false)) {
    show(step.title, step.name, step.words, "   (done before)");
    return false;
  }
  show(step.title, step.name, step.words, "");
  double before = 0;
  if (same) {
    before = known.value("seconds", 0.0);
  } else {
    for (const fs::path& output : step.outputs) fs::remove_all(output);
    known = {{"chain", chain_}, {"done", false}, {"seconds", 0.0}};
    write();
  }
  const Stopwatch watch;
  const auto note_time = [&](bool done) {
    known["seconds"] = before + watch.seconds();
    known["done"] = done;
    write();
  };
  try {
    execute(step.name, step.words);
  } catch (...) {
    note_time(false);
    throw;
  }
  note_time(true);
  return true;
}

double Steps::seconds() const {
  double sum = 0;
  for (const auto& [title, step] : state_["steps"].items()) sum += step.value("seconds", 0.0);
  return sum;
}

void Steps::write() const {
  if (!state_file_.empty()) write_file_atomically(state_file_, state_.dump(2) + "\n");
}

}  // namespace kgwalk::cli
