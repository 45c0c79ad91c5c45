// The sample in the official formats of OpenDialKG, as text: tab-separated triples, name lists, csv
// with JSON inside.
#pragma once

#include <span>
#include <string>

#include "data/dialogue_writer.h"
#include "data/fact_graph.h"

namespace kgwalk::sample {

// "head TAB relation TAB tail", grouped by head, inverses included; a new line at the end of each line.
[[nodiscard]] std::string triples_text(const FactGraph& graph);
[[nodiscard]] std::string entities_text(const FactGraph& graph);
[[nodiscard]] std::string relations_text(const FactGraph& graph);
// Columns Messages, User Rating, Assistant Rating; Messages is a JSON list as Python's json.dumps prints it.
[[nodiscard]] std::string dialogues_csv(const FactGraph& graph, std::span<const Dialogue> dialogues);

}  // namespace kgwalk::sample
