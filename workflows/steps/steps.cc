#include "workflows/steps/steps.h"

#include <utility>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/stopwatch.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStepsFormat = "kgwalk-steps";

// What tells that a file is another one: its content, which a copied folder has too.
std::string mark_of(const fs::path& file) {
  if (!fs::is_regular_file(file)) return file.string() + " is no file\n";
  return file.string() + " " + checksum_of_file(file) + "\n";
}

// What tells that a step is another one.
std::string marks_of(const Step& step) {
  std::string marks = step.function;
  for (const auto& [name, value] : step.arguments) marks.append("\n").append(name).append("=").append(value);
  for (const fs::path& input : step.inputs) marks.append("\n").append(mark_of(input));
  return marks;
}

Json read_state(const fs::path& file) {
  Json state = read_json_file(file.string());
  if (!state.is_object() || state.value("format", "") != kStepsFormat || !state.contains("steps") ||
      !state["steps"].is_object())
    throw FormatError(file.string() + ": does not hold the state of steps; remove it to begin anew");
  return state;
}

}  // namespace

Steps::Steps(const WorkflowObserver& observer, fs::path state)
    : observer_(observer), state_file_(std::move(state)) {
  if (fs::exists(state_file_)) {
    state_ = read_state(state_file_);
    return;
  }
  state_ = {{"format", kStepsFormat},
            {"what", "which steps of a workflow of kgwalk are done; the same call goes on behind them"},
            {"steps", Json::object()}};
}

void Steps::begin(const Step& step, bool done) {
  ++begun_;
  if (observer_.begins) observer_.begins({step.title, step.function, step.arguments, begun_, counted_, done});
}

void Steps::work(const Step& step) const {
  WorkflowResult result{step.work()};
  if (!step.json.empty())
    write_file_atomically(step.json, result.json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (step.learned != nullptr) result.learned = step.learned(result.json);
  if (observer_.ends)
    observer_.ends({step.title, step.function, step.arguments, begun_, counted_, false}, result);
}

void Steps::run(const Step& step) {
  chain_ = checksum_of(chain_ + marks_of(step));
  Json& known = state_["steps"][step.title];
  const bool same = known.is_object() && known.value("chain", "") == chain_;
  const bool done = same && known.value("done", false);
  begin(step, done);
  if (done) return;
  double before = 0;
  if (same) {
    before = known.value("seconds", 0.0);
  } else {
    for (const fs::path& output : step.outputs) fs::remove_all(output);
    known = {{"chain", chain_}, {"done", false}, {"seconds", 0.0}};
    write();
  }
  const Stopwatch watch;
  const auto note_time = [&](bool is_done) {
    known["seconds"] = before + watch.seconds();
    known["done"] = is_done;
    write();
  };
  try {
    work(step);
  } catch (...) {
    note_time(false);
    throw;
  }
  note_time(true);
}

double Steps::seconds() const {
  double sum = 0;
  for (const auto& [title, step] : state_["steps"].items()) sum += step.value("seconds", 0.0);
  return sum;
}

void Steps::write() const {
  if (!state_file_.empty()) write_file_atomically(state_file_, state_.dump(2) + "\n");
}

}  // namespace kgwalk
