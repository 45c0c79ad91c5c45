// Pages that a workflow leaves to look at: a plan or a walk to a goal, and dialogues of the simulated user.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/settings.h"

namespace kgwalk {

struct PlanPageOptions {
  std::filesystem::path database = {}, run = {};
  std::string start = {}, goal = {};
  int turns = 0;                         // of a walk to the goal; 0: paths of one turn
  std::filesystem::path simulator = {};  // who speaks for the user on a walk
  std::string say = {};                  // by the user, before a plan
  std::string format = "text";           // of kgwalk/plan_formats.h
  bool speak = false;                    // the assistant says what was planned, by wordings
  std::filesystem::path out = {};
  std::uint64_t seed = 1;
};

// Writes the file; the report is its json.
Report write_plan(const PlanPageOptions& options);

struct DialoguesPageOptions {
  std::filesystem::path database = {}, run = {}, listener = {}, simulator = {};
  int dialogues = 100;
  std::vector<int> distances = {2, 3, 4, 5};  // of start and goal, by turns
  std::filesystem::path out = {}, html = {};  // dialogues as a json object each; a page
  std::uint64_t seed = 1;
};

// Throws Stopped where `stop` was requested.
Report write_dialogues(const DialoguesPageOptions& options, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk
