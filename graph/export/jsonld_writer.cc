// JSON-LD in expanded form: an array with an object a line for what is said of a subject in a graph.
#include <string>
#include <string_view>

#include "graph/export/rdf_writer.h"
#include "graph/ingest/statement.h"
#include "graph/values/literal.h"
#include "kgwalk/json.h"

namespace kgwalk::graph {
namespace {

// An IRI without its angles, or a blank node.
std::string_view reference(std::string_view term) {
  return term.starts_with('<') ? term.substr(1, term.size() - 2) : term;
}

Json value_of(const std::string& term) {
  const auto literal = split_literal(term);
  if (!literal) return {{"@id", reference(term)}};
  Json value = {{"@value", literal->text}};
  if (!literal->language.empty())
    value["@language"] = literal->language;
  else if (!literal->datatype.empty())
    value["@type"] = literal->datatype;
  return value;
}

class JsonLdWriter final : public RdfWriter {
 public:
  explicit JsonLdWriter(const ExportJob& job) : RdfWriter(job, job.details.has_sources()) {}

  void begin() override { job_.file.write("["); }
  void end() override {
    write();
    job_.file.write("\n]\n");
  }

 private:
  void statement(const std::string& subject, const std::string& predicate, const std::string& object,
                 const std::string& graph) override {
    if (subject != subject_ || graph != graph_) {
      write();
      subject_ = subject;
      graph_ = graph;
      node_ = {{"@id", reference(subject)}};
    }
    const std::string_view key = reference(predicate);
    const bool is_type = key == kRdfType && !object.starts_with('"');
    node_[is_type ? "@type" : key].push_back(is_type ? Json(reference(object)) : value_of(object));
  }

  void write() {
    if (subject_.empty()) return;
    const Json object =
        graph_.empty() ? node_ : Json{{"@id", reference(graph_)}, {"@graph", Json::array({node_})}};
    job_.file.write((is_first_ ? "\n" : ",\n") + object.dump());
    is_first_ = false;
  }

  std::string subject_, graph_;
  Json node_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<GraphWriter> make_jsonld_writer(const ExportJob& job) {
  return std::make_unique<JsonLdWriter>(job);
}

}  // namespace kgwalk::graph
