// A file of a graph as its reader gets it, and what every reader needs to know of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "graph/ingest/problem_log.h"
#include "graph/ingest/statement.h"
#include "graph/ingest/tables/object_plan.h"
#include "kgwalk/ingest.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

class IdMap;

struct InputText {
  std::string_view bytes;
  std::string file_name;              // without folders; "stdin"
  std::filesystem::path folder = {};  // that the file lies in; empty: the current one
  std::string blank_prefix;           // of blank nodes, so that those of two files differ
  const InputOptions& options;
  std::size_t max_line_bytes = 1 << 20;
  // What the numbers of triples and tables stand for; both or none.
  const IdMap* entity_ids = nullptr;
  const IdMap* relation_ids = nullptr;
  const ObjectPlan* objects = nullptr;  // of JSON; null: none
  bool names_are_ids = false;           // triples and tables name entities by the ids of a table of entities
  ProblemLog& log;
  FileReport& counts;  // its lines and format are the reader's to set

  // IRI that relative ones begin with.
  [[nodiscard]] std::string base() const {
    return options.base.empty() ? "file:///" + file_name : options.base;
  }
};

// Gives every statement of the text. Throws DataError where the text is not of its format at all.
using ReadText = void (*)(const InputText& text, StatementSink& sink);

// The number of lines of a text whose last one may have no end.
[[nodiscard]] std::uint64_t lines_of(std::string_view bytes);

}  // namespace kgwalk::graph
