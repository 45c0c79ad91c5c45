// How a graph is read, as words of a command line: what ingest and quickstart have alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kgwalk/ingest.h"

namespace kgwalk::cli {

struct IngestWords {
  graph::IngestOptions ingest;
  std::string format, columns, id_columns, separator, quote, list_separator, literals;
  std::vector<std::string> labels, aliases, descriptions;
  std::vector<std::string> dialogues;  // NAME=FILE, or FILE with --split
  std::string opendialkg, split;
  std::string plan;  // file to write it to
  std::uint64_t split_seed = 1;
};

// Fills `ingest` in from the words beside it. CLI::ValidationError names the option that cannot be followed.
void apply_words(IngestWords& options);

}  // namespace kgwalk::cli
