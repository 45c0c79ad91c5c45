// Dialogue csv in the official OpenDialKG format: column `Messages`, a json list of chat, kgwalk/choose_path
// and side talk. Or JSON Lines, known by the brace they begin with: docs/reference/formats/dialogues.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "graph/ingest/problem_log.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// Where a dialogue goes.
struct DialogueShelf {
  DialogueCounts& counts;
  std::vector<Dialogue>& dialogues;
};
// Chosen by the text of its messages.
using ShelfOf = std::function<DialogueShelf(std::string_view messages)>;

// Appends the file's dialogues to their shelves. A row that cannot be read is skipped; a path whose triples
// are unknown or do not chain, or a message of an unknown kind, is skipped alone. DataError when there is no
// column `Messages`, and for the first problem when the log is strict. Stopped when asked to stop.
void read_dialogues(std::string_view bytes, std::size_t max_row_bytes, const KnowledgeGraph& graph,
                    ProblemLog& log, const ShelfOf& shelf_of, const StopFlag& stop = never_stop());

// The same with one shelf: appends to `out` and gives the counts.
DialogueCounts read_dialogues(std::string_view bytes, std::size_t max_row_bytes, const KnowledgeGraph& graph,
                              ProblemLog& log, std::vector<Dialogue>& out,
                              const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
