// Verbs run one after the other in this process, each shown as the command that a user would type; with a
// file of their state, those that are done are not done again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "kgwalk/json.h"

namespace kgwalk::cli {

using Words = std::vector<std::string>;

struct Step {
  std::string title;
  const char* name;  // of the verb
  Words words;       // its arguments
  // Files and folders that it makes: removed before it is begun, left when it goes on where it was stopped.
  std::vector<std::filesystem::path> outputs = {};
  std::vector<std::filesystem::path> inputs = {};  // files; when one changes the step is done again
};

class Steps {
 public:
  explicit Steps(const Common& common) : common_(common) {}
  // `state`: a json file. Steps that it names as done with the same words, after the same steps, are left
  // out.
  Steps(const Common& common, std::filesystem::path state);

  // Whether it was run, not found done.
  bool run(const Step& step);
  // What the verb gives to --json; null where it gives nothing.
  Json run(std::string_view title, const char* name, const Words& words);
  // That many steps follow: each is shown as "step 3 of 18".
  void count(std::size_t steps) { counted_ = steps; }
  // Seconds of all steps, those of earlier calls counted.
  [[nodiscard]] double seconds() const;

 private:
  void show(std::string_view title, const char* name, const Words& words, std::string_view note);
  Json execute(const char* name, const Words& words) const;
  void write() const;

  const Common& common_;
  std::filesystem::path state_file_;  // empty: nothing is remembered
  Json state_ = Json::object();
  std::size_t counted_ = 0, shown_ = 0;
  std::string chain_;  // checksum of all steps so far
};

// The words of a command line as one types them.
[[nodiscard]] std::string typed(const char* name, const Words& words);

}  // namespace kgwalk::cli
