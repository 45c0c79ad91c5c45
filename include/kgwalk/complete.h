// Facts with one part missing: the likeliest head, relation or tail by embeddings.
//
// Example:
//   const auto completer = kgwalk::Completer::open("kg.db");
//   const auto answers = completer.complete({.head = "Iron Man", .relation = "has_genre", .k = 5});
//   for (const auto& answer : answers)
//     std::cout << answer.fact.tail << ' ' << answer.probability.value_or(0)
//               << (answer.known ? "  known\n" : "\n");
//
// A completer owns all that it opened; it is immutable and thread-safe. Errors are the tree of
// kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk {

namespace graph {
class KnowledgeGraph;
class Store;
}  // namespace graph

// Exactly one of head, relation and tail is left empty: the one that is asked for.
struct CompleteRequest {
  std::string head = {}, relation = {}, tail = {};
  int k = 10;         // answers wanted, 1 to 10,000
  bool known = true;  // false: what the graph holds already is left out
  // Only entities with an out-edge of this relation ("~has_genre" for genres), and to this entity where it is
  // given ("has_genre", "Crime" for crime films). Not for a missing relation.
  std::string having_relation = {}, having_entity = {};
};

struct Completion {
  NamedHop fact;        // whole
  double distance = 0;  // as of embeddings::EmbeddingTables::distance(): the smaller, the likelier
  bool known = false;   // the graph holds it
  // How likely it is the right one, had one fact been left out of the graph here: a share of all that may be
  // answered and that the graph does not hold. Of 100 that are told with 30 % some 30 are right
  // (docs/results/embeddings.md). Nothing for what is known, and where the tables were made without held-out
  // facts or by an earlier version.
  std::optional<double> probability = {};
};

class Completer {
 public:
  // The best tables that the database has (embeddings::stored_embeddings()); of this width where it is not 0,
  // and of this model ("complex") where it is not empty. StoreError: no database, or no such tables.
  [[nodiscard]] static Completer open(const std::filesystem::path& database, int dim = 0,
                                      const std::string& model = {});
  // The same with a graph that is loaded already and is shared.
  [[nodiscard]] static Completer open(const graph::Store& store,
                                      std::shared_ptr<const graph::KnowledgeGraph> graph, int dim = 0,
                                      const std::string& model = {});

  Completer(Completer&&) noexcept;
  Completer& operator=(Completer&&) noexcept;
  ~Completer();

  // Likeliest first, at most k; fewer when there are fewer. Of a missing relation those that are no inverses
  // ("~") are weighed. ConfigError: not one part missing, unknown names (with the nearest), k out of range,
  // an entity without edges, which has no vector.
  [[nodiscard]] std::vector<Completion> complete(const CompleteRequest& request) const;

 private:
  struct Impl;
  explicit Completer(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk
