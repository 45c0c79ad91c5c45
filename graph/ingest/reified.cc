#include "graph/ingest/reified.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

#include "graph/names.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

// A node with the facts that it is the subject of, as far as they are known.
struct Node {
  TermFact about{kNoName, kNoName, kNoName};
  bool is_statement = false, is_plain = true;
  std::vector<std::uint32_t> frame, said;  // places of facts: what it is about, and what it says
};

auto as_tuple(const TermFact& fact) { return std::tuple(fact.subject, fact.predicate, fact.object); }

class Reified {
 public:
  Reified(Gathered& gathered, IngestReport& report) : g_(gathered), report_(report) {
    const auto iri = [&](std::string_view name) { return g_.terms.find_iri(std::string(kRdf).append(name)); };
    type_ = iri("type"), statement_ = iri("Statement");
    subject_ = iri("subject"), predicate_ = iri("predicate"), object_ = iri("object");
  }

  void run() {
    for (const TermId term : {type_, statement_, subject_, predicate_, object_})
      if (term == kNoName) return;
    for (const TermFact& fact : g_.facts)
      if (fact.predicate == predicate_ && g_.terms.kind(fact.subject) == TermKind::kBlank)
        nodes_[fact.subject];
    if (nodes_.empty()) return;
    for (std::uint32_t i = 0; i < g_.facts.size(); ++i) look_at(i);
    for (const KeptText& kept : g_.kept)
      if (const auto found = nodes_.find(kept.subject); found != nodes_.end()) found->second.is_plain = false;
    find_facts();
    // By the first fact of each node, so that the order is that of the files.
    std::vector<const Node*> all;
    for (const auto& [term, node] : nodes_)
      if (is_whole(node)) all.push_back(&node);
    std::sort(all.begin(), all.end(), [](const Node* a, const Node* b) { return a->frame < b->frame; });
    for (const Node* node : all) take(*node);
    std::stable_sort(g_.qualifiers.begin(), g_.qualifiers.end(),
                     [](const TermQualifier& a, const TermQualifier& b) { return a.fact < b.fact; });
  }

 private:
  void look_at(std::uint32_t place) {
    const TermFact& fact = g_.facts[place];
    if (const auto object = nodes_.find(fact.object); object != nodes_.end()) object->second.is_plain = false;
    const auto found = nodes_.find(fact.subject);
    if (found == nodes_.end() || fact.predicate == kNoName) return;
    Node& node = found->second;
    const auto set = [&](TermId& end) {
      node.is_plain = node.is_plain && end == kNoName;
      end = fact.object;
      node.frame.push_back(place);
    };
    if (fact.predicate == subject_) return set(node.about.subject);
    if (fact.predicate == predicate_) return set(node.about.predicate);
    if (fact.predicate == object_) return set(node.about.object);
    if (fact.predicate != type_) return node.said.push_back(place);
    node.is_plain = node.is_plain && fact.object == statement_ && !node.is_statement;
    node.is_statement = true;
    node.frame.push_back(place);
  }

  // Where the facts stand that are spoken of.
  void find_facts() {
    for (const auto& [term, node] : nodes_) places_.emplace_back(node.about, std::vector<std::uint32_t>());
    const auto before = [](const auto& a, const auto& b) { return as_tuple(a.first) < as_tuple(b.first); };
    std::sort(places_.begin(), places_.end(), before);
    for (std::uint32_t i = 0; i < g_.facts.size(); ++i)
      if (const auto at = place_of(g_.facts[i]); at != places_.end()) at->second.push_back(i);
  }

  using Places = std::vector<std::pair<TermFact, std::vector<std::uint32_t>>>;
  [[nodiscard]] Places::iterator place_of(const TermFact& fact) {
    const auto at =
        std::lower_bound(places_.begin(), places_.end(), fact,
                         [](const auto& a, const TermFact& b) { return as_tuple(a.first) < as_tuple(b); });
    return at != places_.end() && at->first == fact ? at : places_.end();
  }

  // Whether it says something of one fact, all in the graph that states it.
  [[nodiscard]] bool is_whole(const Node& node) {
    if (!node.is_plain || !node.is_statement || node.frame.size() != 4 || node.said.empty()) return false;
    const auto at = place_of(node.about);
    if (at == places_.end() || at->second.size() != 1) return false;
    const std::uint32_t source = g_.notes.source(at->second.front());
    const auto same = [&](std::uint32_t place) { return g_.notes.source(place) == source; };
    return std::all_of(node.frame.begin(), node.frame.end(), same) &&
           std::all_of(node.said.begin(), node.said.end(), same);
  }

  void take(const Node& node) {
    const std::uint32_t fact = place_of(node.about)->second.front();
    for (const std::uint32_t place : node.said)
      g_.qualifiers.push_back({fact, g_.num_qualified, g_.facts[place].predicate, g_.facts[place].object});
    ++g_.num_qualified;
    for (const auto* places : {&node.frame, &node.said})
      for (const std::uint32_t place : *places) drop(place);
    if (FileReport* counts = counts_of(fact)) counts->qualifiers += node.said.size();
  }

  void drop(std::uint32_t place) {
    g_.facts[place].predicate = kNoName;
    FileReport* counts = counts_of(place);
    if (counts == nullptr || counts->kind != FileKind::kTriples) return;
    --counts->triples;
    --report_.triple_lines;
  }

  [[nodiscard]] FileReport* counts_of(std::uint32_t fact) {
    const std::size_t file = g_.file_of(fact);
    return file < report_.files.size() ? &report_.files[file].second : nullptr;
  }

  Gathered& g_;
  IngestReport& report_;
  TermId type_, statement_, subject_, predicate_, object_;
  std::unordered_map<TermId, Node> nodes_;  // what is done in an order is done in that of the facts
  Places places_;                           // by fact
};

}  // namespace

void take_reified(Gathered& gathered, IngestReport& report) { Reified(gathered, report).run(); }

}  // namespace kgwalk::graph
