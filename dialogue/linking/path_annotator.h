// Dialogues without annotation: which entities their messages name, and by which paths of the graph the talk
// came from one to the next.
//
// A message's entities are those that the linker finds, or that were given. From what was named in the
// messages before, and from where the last path ended, to each entity that is new, the paths of at most so
// many hops are weighed: a walk that takes any edge of an entity as readily as another, hubs therefore
// seldom, longer paths less readily than short ones, and relations of which the message has a word more
// readily. Of all paths to an entity the likeliest is taken, with its share among them as weight; below a
// least share it is left out. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

inline constexpr int kMostAnnotatedHops = 3;

struct AnnotateConfig {
  int max_hops = 2;    // 1 to kMostAnnotatedHops
  double least = 0.2;  // share of a path among all that lead to its end, below which it is left out
  int messages = 2;    // messages before whose entities a path may begin at
  // How readily a path of one hop, of two and of three is believed before it is looked at. Of the annotated
  // dialogues that are published some 70 in 100 paths have one hop.
  std::vector<double> length_shares = {0.7, 0.25, 0.05};
};

struct AnnotatedPath {
  std::vector<graph::Triple> hops;
  double weight = 0;  // its share among all paths to its end
};

struct AnnotationCounts {
  std::size_t dialogues = 0, messages = 0, with_entities = 0, paths = 0, given_paths = 0, unlikely = 0;
};

// Thread-safe; borrows both.
class PathAnnotator {
 public:
  // ConfigError when the configuration is out of range.
  PathAnnotator(const graph::KnowledgeGraph& graph, const EntityLinker& linker, const AnnotateConfig& config);

  // A dialogue of JSON Lines (docs/reference/formats/dialogues.md) with "entities" for every message that
  // names some, and "path" with "weight" where one was found; what was there is left as it is. ConfigError
  // when it is none.
  [[nodiscard]] Json annotate(const Json& dialogue, AnnotationCounts& counts) const;

  // The likeliest path from one of `from` to `to`, said with `text`; nullopt when there is none of so few
  // hops.
  [[nodiscard]] std::optional<AnnotatedPath> path_to(const std::vector<graph::EntityId>& from,
                                                     graph::EntityId to, const std::string& text) const;

 private:
  struct Search;
  struct Talk;
  void annotate_message(Json& message, Talk& talk, AnnotationCounts& counts) const;
  [[nodiscard]] std::optional<AnnotatedPath> new_path(const std::vector<graph::EntityId>& from,
                                                      const std::vector<graph::EntityId>& here,
                                                      const std::string& text) const;
  [[nodiscard]] std::vector<graph::EntityId> entities_of(const Json& message,
                                                         std::optional<graph::EntityId> near) const;

  const graph::KnowledgeGraph& graph_;
  const EntityLinker& linker_;
  AnnotateConfig config_;
};

}  // namespace kgwalk::dialogue
