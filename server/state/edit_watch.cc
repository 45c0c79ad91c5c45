#include "server/state/edit_watch.h"

#include <algorithm>

#include "kgwalk/edits.h"

namespace kgwalk::server {
namespace {

constexpr std::chrono::seconds kLongestPause{30};

}  // namespace

bool EditWatch::is_behind(const Model& model) {
  const ModelSource& source = model.source();
  if (source.database.empty()) return false;
  const std::uint64_t notice = graph::last_edit_noticed(source.database);
  if (notice <= graph::last_edit(model.planner().graph())) return false;
  Awaited& awaited = awaited_[source.name];
  const Clock::time_point now = Clock::now();
  if (awaited.notice != notice) awaited = {.notice = notice};
  if (now < awaited.next) return false;
  awaited.next = now + awaited.pause;
  awaited.pause = std::min<Clock::duration>(2 * awaited.pause, kLongestPause);
  return model.is_behind();
}

void EditWatch::look() {
  std::string problem;
  try {
    for (const std::string& one : models_.renew([this](const Model& model) { return is_behind(model); }))
      problem += (problem.empty() ? "" : "; ") + one;
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (problem.empty() || problem == last_problem_) return;
  last_problem_ = problem;
  told_(problem);
}

}  // namespace kgwalk::server
