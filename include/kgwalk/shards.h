// A batch of work cut into shards, so that machines that share nothing but files do it together: a job array
// of Slurm, GNU parallel, or a loop over hosts. Distances, evaluations, questions, self-play, ranks of links
// and plans take it.
//
// Example:
//   #include "kgwalk/evaluation.h"
//
//   kgwalk::EvaluatePathsOptions options{.of = {.runs = {"runs/walker"}}, .split = "test"};
//   options.shards = {.shard = 2, .of = 3, .part = "part2"};  // on each machine another one
//   kgwalk::evaluate_paths(options);
//
//   options.shards = {.parts = {"part1", "part2", "part3"}};  // afterwards, on one
//   std::cout << kgwalk::evaluate_paths(options).text;        // what one run would have told
//
// The work is a row of units that do not depend on each other (a batch of examples, a dialogue, a block of
// sources); shard i of n does the units i - 1, i - 1 + n, i - 1 + 2 n, ... With the parts of all shards in
// place of computing them, the rest of the work is done as ever, so that results equal those of one run bit
// for bit (times apart), if each ran on the same kind of processor and with as many threads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kgwalk {

struct Shards {
  int shard = 1, of = 1;            // from 1; shard 1 of 1 is all of the work
  std::filesystem::path part = {};  // file for what this shard found; needed where `of` is more than 1. A
                                    // shard writes nothing else, and its report only says what it did
  std::vector<std::filesystem::path> parts = {};  // of all shards, in any order, in place of computing
  std::vector<std::string> command = {};          // noted in the part: what the work was asked for by
};

// Whether this is not all of the work, done here and kept nowhere.
[[nodiscard]] bool is_sharded(const Shards& shards);

// "2/8": shard 2 of 8. ConfigError for other than two numbers, the first from 1 to the second.
void read_shard(const std::string& text, Shards& shards);

// The command that a part notes. FormatError where the file is no part, IoError where it cannot be read.
[[nodiscard]] std::vector<std::string> command_of_part(const std::filesystem::path& part);

}  // namespace kgwalk
