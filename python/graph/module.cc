// kgwalk._graph
#include "kgwalk/threads.h"
#include "python/binding/calls.h"
#include "python/binding/errors.h"
#include "python/binding/ids.h"
#include "python/binding/record.h"
#include "python/binding/reporting.h"
#include "python/graph/bindings.h"

namespace kgwalk::python {

PYBIND11_MODULE(_graph, m) {
  m.attr("__version__") = KGWALK_VERSION;
  m.attr("_shared_torch") =
      KGWALK_SHARED_TORCH;  // the LibTorch that a torch of the same process must be; "": any
  m.doc() = "Graph, forms and embeddings of kgwalk: what needs no LibTorch.";
  find_numpy();
  translate_errors();
  bind_calls(m);
  bind_reporting(m);
  bind_knowledge_graph(m);
  bind_store(m);
  bind_literals(m);
  bind_values(m);
  bind_forms(m);
  bind_distances(m);
  bind_embeddings(m);
  bind_link_prediction(m);
  bind_ingest(m);
  bind_edits(m);
  bind_backup(m);
  bind_entities(m);

  m.def("_set_num_threads", &set_num_threads, py::arg("count"));
  m.def("num_threads", &num_threads, "How many threads a loop or matrix product may use; 1 or more.");
  Record<BlasInfo>(m, "BlasInfo", "The BLAS that this process computes with.")
      .field("name", &BlasInfo::name, "'OpenBLAS 0.3.21 (openmp)'.")
      .field("kernels", &BlasInfo::kernels,
             "The processor that its kernels are made for; '': it does not tell.")
      .field("openmp", &BlasInfo::openmp, "Whether it shares OpenMP's pool with the engine.")
      .field("gflops_sgemm", &BlasInfo::gflops_sgemm,
             "10^9 operations a second, of a 768^3 product in single precision.");
  m.def(
      "probe_blas", [] { return released([] { return probe_blas(); }); },
      "Name the BLAS and measure it for about 0.2 s.");
}

}  // namespace kgwalk::python
