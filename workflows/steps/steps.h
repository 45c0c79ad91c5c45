// Steps one after the other, told to an observer; with a file of their state, those that are done are not
// done again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/workflows.h"
#include "workflows/steps/arguments.h"

namespace kgwalk {

struct Step {
  std::string title;
  std::string function;  // as WorkflowStep::function
  Arguments arguments;
  std::function<Report()> work;
  // Files and folders that it makes: removed before it is begun, left when it goes on where it was stopped.
  std::vector<std::filesystem::path> outputs = {};
  std::vector<std::filesystem::path> inputs = {};      // files; when one changes the step is done again
  std::string (*learned)(const Json& json) = nullptr;  // a sentence, from what the work gave
  std::filesystem::path json = {};                     // file for the json that the work gives; empty: none
};

class Steps {
 public:
  // Both are borrowed. `state`: a json file, empty: nothing is remembered. Steps that it names as done with
  // the same arguments, after the same steps, are passed over. FormatError when it holds something else.
  explicit Steps(const WorkflowObserver& observer, std::filesystem::path state = {});

  void run(const Step& step);
  // That many follow.
  void count(std::size_t steps) { counted_ = steps; }
  // Seconds of all steps, those of earlier calls counted.
  [[nodiscard]] double seconds() const;

 private:
  void begin(const Step& step, bool done);
  void work(const Step& step) const;
  void write() const;

  const WorkflowObserver& observer_;
  std::filesystem::path state_file_;
  Json state_;
  std::size_t counted_ = 0, begun_ = 0;
  std::string chain_;  // checksum of all steps so far
};

}  // namespace kgwalk
