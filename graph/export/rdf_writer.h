// All that a graph says as statements of RDF: entities and relations under the IRIs of their source. What a
// format does with a statement is left to those that derive from it.
#pragma once

#include <string>
#include <vector>

#include "graph/export/rdf_terms.h"
#include "graph/export/writer.h"

namespace kgwalk::graph {

class RdfWriter : public GraphWriter {
 public:
  // `has_graphs`: statements have the graph that they came from.
  RdfWriter(const ExportJob& job, bool has_graphs);

  void node(EntityId id) override;
  void relations() override;
  void fact(EntityId head, std::uint64_t number) override;
  [[nodiscard]] bool says_all() const override { return true; }

 protected:
  // Terms as N-Triples writes them; `graph` likewise, or empty. Those of one subject come mostly together.
  virtual void statement(const std::string& subject, const std::string& predicate, const std::string& object,
                         const std::string& graph) = 0;

 private:
  void say(const std::string& subject, const std::string& predicate, const std::string& object,
           std::string_view source);
  void write_fact(EntityId head, std::uint64_t number);
  bool write_spellings(EntityId head, const Edge& edge);
  void qualify(EntityId head, std::uint64_t number, std::span<const Qualifier> said);
  void text(const std::string& subject, const Value& value);
  [[nodiscard]] std::string predicate_iri(const Value& value) const;
  [[nodiscard]] std::string graph_term(std::string_view source) const;

  bool has_graphs_;
  RdfTerms terms_;
  std::string default_graph_;  // where there are graphs; empty: none
  std::uint64_t num_qualified_ = 0;
};

}  // namespace kgwalk::graph
