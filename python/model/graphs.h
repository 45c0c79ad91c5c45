// Graphs of planners, shared with them.
#pragma once

#include <memory>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"

namespace kgwalk::python {

// Keeps the planner. Python's class has no other than const functions, so that const may go.
inline std::shared_ptr<graph::KnowledgeGraph> graph_of_planner(const std::shared_ptr<Planner>& planner) {
  return {planner, const_cast<graph::KnowledgeGraph*>(&planner->graph())};
}

}  // namespace kgwalk::python
