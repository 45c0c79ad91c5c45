// Whether a form holds together, before it is evaluated or written.
#pragma once

#include <cstddef>

#include "kgwalk/forms.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::forms {

// ConfigError names what is missing or lies beyond the graph. `num_before`: answers of before that are bound.
void check_form(const Query& query, const graph::KnowledgeGraph& graph, std::size_t num_before);
void check_form(const Set& set, const graph::KnowledgeGraph& graph, std::size_t num_before);

}  // namespace kgwalk::forms
