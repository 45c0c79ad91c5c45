// kgwalk._model
#include "kgwalk/device.h"
#include "kgwalk/threads.h"
#include "python/binding/calls.h"
#include "python/binding/errors.h"
#include "python/binding/ids.h"
#include "python/model/bindings.h"

namespace kgwalk::python {

PYBIND11_MODULE(_model, m) {
  m.doc() = "Planners, conversations, sequence tasks and trainings of kgwalk: what needs LibTorch.";
  // Classes of the other module are arguments here.
  py::module_::import("kgwalk._graph");
  find_numpy();
  translate_errors();
  bind_calls(m);
  bind_plans(m);
  bind_planner(m);
  bind_guide(m);
  bind_queries(m);
  bind_retrieval(m);
  bind_conversation(m);
  bind_packing(m);
  bind_tasks(m);
  bind_speech(m);
  bind_training(m);
  bind_evaluation(m);
  bind_workflows(m);

  m.def("_set_num_threads", &set_num_threads, py::arg("count"));
  m.def("set_device", &set_device, py::arg("name"),
        "Where models compute that are opened from now on: 'cpu', 'cuda' or 'cuda:N'.");
}

}  // namespace kgwalk::python
