// Link prediction over three splits, with filtered ranks.
#include "kgwalk/link_prediction.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "python/binding/calls.h"
#include "python/binding/options.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"

namespace kgwalk::python {
namespace {

using embeddings::LinkDataset;
using embeddings::LinkPredictionReport;
using embeddings::RankMetrics;
using embeddings::RankReport;
using Facts = std::vector<std::tuple<graph::EntityId, graph::RelationId, graph::EntityId>>;

auto facts(std::vector<graph::Triple> LinkDataset::*split) {
  return [split](const LinkDataset& self) {
    Facts facts;
    for (const graph::Triple& fact : self.*split) facts.emplace_back(fact.head, fact.relation, fact.tail);
    return facts;
  };
}

}  // namespace

void bind_link_prediction(py::module_& m) {
  Record<RankMetrics>(m, "RankMetrics", "Means over filtered ranks; ties count half.")
      .field("mean_rank", &RankMetrics::mean_rank, "From 1, the best.")
      .field("mrr", &RankMetrics::mrr, "Mean of 1 / rank.")
      .field("hits1", &RankMetrics::hits1, "Share of ranks up to 1, 0 to 1.")
      .field("hits3", &RankMetrics::hits3, "Share of ranks up to 3.")
      .field("hits10", &RankMetrics::hits10, "Share of ranks up to 10.")
      .field("count", &RankMetrics::count, "How many ranks.");
  Record<RankReport>(m, "RankReport", "Ranks of a split.")
      .field("both", &RankReport::both, "Heads and tails together.")
      .field("head", &RankReport::head, "Of the head in (?, r, t).")
      .field("tail", &RankReport::tail, "Of the tail in (h, r, ?).");
  Record<LinkPredictionReport>(m, "LinkPredictionReport", "What came of a training.")
      .field("valid", &LinkPredictionReport::valid, "Ranks of the whole split.")
      .field("test", &LinkPredictionReport::test, "Ranks of the whole split.")
      .field("history", &LinkPredictionReport::history, "A row of json a validation.")
      .field("train_seconds", &LinkPredictionReport::train_seconds, "Wall time, validation not counted.")
      .field("rank_seconds", &LinkPredictionReport::rank_seconds, "Wall time of ranking both splits.")
      .field("seconds", &LinkPredictionReport::seconds, "Wall time of everything.");

  py::class_<LinkDataset>(m, "LinkDataset", "Train, valid and test over one vocabulary.")
      .def_static(
          "load",
          [](const std::filesystem::path& train, const std::filesystem::path& valid,
             const std::filesystem::path& test) {
            return released([&] { return LinkDataset::load(train, valid, test); });
          },
          py::arg("train"), py::arg("valid"), py::arg("test"),
          "Read lines of head TAB relation TAB tail; plain or packed.")
      .def_readonly("entities", &LinkDataset::entities, "Names by id.")
      .def_readonly("relations", &LinkDataset::relations, "Names by id; no inverses.")
      .def_property_readonly("train", facts(&LinkDataset::train), "Facts (head, relation, tail) by id.")
      .def_property_readonly("valid", facts(&LinkDataset::valid), "Facts by id.")
      .def_property_readonly("test", facts(&LinkDataset::test), "Facts by id.")
      .def("remarks", &LinkDataset::remarks, "What may not be meant, a sentence each.")
      .def("__repr__", [](const LinkDataset& self) {
        return "LinkDataset(" + std::to_string(self.entities.size()) + " entities, " +
               std::to_string(self.train.size()) + " + " + std::to_string(self.valid.size()) + " + " +
               std::to_string(self.test.size()) + " facts)";
      });

  m.def(
      "run_link_prediction",
      [](const LinkDataset& data, const std::filesystem::path& run, const py::object& progress,
         const StopHandle& stop, const py::kwargs& given) {
        auto config = options_of<embeddings::LinkPredictionConfig>(given);
        embeddings::LinkPredictionConfig suited;  // what is not set is what suits the model
        suited.embedding = embeddings::default_embedding(config.embedding.model);
        set_options(suited, given, "");
        config = suited;
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return embeddings::run_link_prediction(config, data, run, reporter, flag);
        });
      },
      py::arg("data").none(false), py::kw_only(), py::arg("run") = "", py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      "Train on data.train and rank data.valid and data.test. `run`: a folder for checkpoints and results. "
      "Options: embedding (a dictionary), validate_every, validation_sample, checkpoint_every_s.");
}

}  // namespace kgwalk::python
