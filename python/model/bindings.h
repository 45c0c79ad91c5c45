// The sources of the module `kgwalk._model`: what needs LibTorch. Each function makes the classes of one of
// them.
#pragma once

#include <pybind11/pybind11.h>

namespace kgwalk::python {

namespace py = pybind11;

void bind_plans(py::module_& m);
void bind_planner(py::module_& m);
void bind_guide(py::module_& m);
void bind_conversation(py::module_& m);
void bind_queries(py::module_& m);
void bind_retrieval(py::module_& m);
void bind_packing(py::module_& m);
void bind_tasks(py::module_& m);
void bind_speech(py::module_& m);
void bind_training(py::module_& m);
void bind_evaluation(py::module_& m);
void bind_workflows(py::module_& m);

}  // namespace kgwalk::python
