// Facts for a language model's prompt.
#include "kgwalk/retrieve.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>

#include "kgwalk/packed_model.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/history.h"

namespace kgwalk::python {

namespace fs = std::filesystem;

void bind_retrieval(py::module_& m) {
  Record<RetrievedFact>(m, "RetrievedFact", "A fact for a prompt.")
      .field("fact", &RetrievedFact::fact, "Read forward.")
      .field("weight", &RetrievedFact::weight, "Probability of the likeliest path with it, 0 to 1.")
      .field("source", &RetrievedFact::source, "The path that it is a hop of.");
  Record<Retrieved> retrieved(m, "Retrieved", "Facts for a question.");
  retrieved.field("entities", &Retrieved::entities, "Named in the question, in its order.")
      .field("facts", &Retrieved::facts, "The weightiest first.")
      .field("text", &Retrieved::text, "A line a fact: 'HEAD | RELATION | TAIL'.")
      .field("tokens", &Retrieved::tokens, "Of the text, estimated.")
      .field("cut", &Retrieved::cut, "Whether facts were left out for want of tokens.");
  retrieved.def("__str__", [](const Retrieved& self) { return self.text; });

  py::class_<Retriever, std::shared_ptr<Retriever>>(m, "Retriever",
                                                    "Finds the facts that a question is about.")
      .def_static(
          "open",
          [](const fs::path& database, const std::optional<fs::path>& run) {
            return released([&] {
              if (run) return std::make_shared<Retriever>(Retriever::open(database, *run));
              const PackedModel model = PackedModel::open(database);
              return std::make_shared<Retriever>(Retriever::open(model.database, model.run));
            });
          },
          py::arg("database"), py::arg("run") = py::none(),
          "A database and the run of a walker, or a packed model alone.")
      .def(
          "retrieve",
          [](const Retriever& self, const std::string& question, const History& history, int tokens, int k,
             int max_hops) {
            const RetrieveRequest request{.question = question,
                                          .history = history.utterances,
                                          .tokens = tokens,
                                          .k = k,
                                          .max_hops = max_hops};
            return released([&] { return self.retrieve(request); });
          },
          py::arg("question"), py::kw_only(), py::arg("history") = py::tuple(), py::arg("tokens") = 400,
          py::arg("k") = 8, py::arg("max_hops") = 2,
          "Facts worth `tokens` at most; none for a question that names no entity of the graph.");
  m.def("estimated_tokens", &estimated_tokens, py::arg("text"),
        "What a text costs, by Retrieved.tokens' estimate.");
}

}  // namespace kgwalk::python
