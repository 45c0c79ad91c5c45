// The sources of the module `kgwalk._graph`: graph, forms and embeddings, without LibTorch. Each function
// makes the classes of one of them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::python {

namespace py = pybind11;

using GraphClass = py::class_<graph::KnowledgeGraph, std::shared_ptr<graph::KnowledgeGraph>>;

void bind_store(py::module_& m);
void bind_knowledge_graph(py::module_& m);
void bind_details(GraphClass& graph);  // called by the function above
void bind_literals(py::module_& m);
void bind_values(py::module_& m);
void bind_forms(py::module_& m);
void bind_distances(py::module_& m);
void bind_embeddings(py::module_& m);
void bind_link_prediction(py::module_& m);
void bind_ingest(py::module_& m);
void bind_edits(py::module_& m);
void bind_backup(py::module_& m);
void bind_entities(py::module_& m);

}  // namespace kgwalk::python
