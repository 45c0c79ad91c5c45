// Dialogues cut into turn examples: one annotated path (a choose_path action) is one example, with everything
// that was said and walked before it. Torch-free.
//
// Conventions of OpenDialKG: a path precedes the message it grounds and has the same speaker; after the first
// path of a dialogue the start entity is a tail of the preceding path. A walker starts from the gold start,
// or from each of the candidate starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/config.h"

namespace kgwalk::dialogue {

// Utterances that count as context, the newest ones before the path.
inline constexpr std::size_t kContextUtterances = 3;

struct TurnExample {
  std::string split;
  std::uint32_t dialogue = 0;                      // index in its split
  std::uint32_t turn = 0;                          // how many paths of the dialogue come before
  graph::Speaker speaker = graph::Speaker::kUser;  // who chose the path and says the next message
  std::vector<graph::Chat> history;                // all utterances before the path, oldest first
  std::vector<graph::Triple>
      walked;  // hops of all paths before it, oldest first; the first head is where it began
  std::vector<std::uint32_t> path_ends;  // walked[0, path_ends[i]) are the hops of the first i + 1 paths
  graph::EntityId start = 0;             // head of the gold path
  std::vector<graph::EntityId> candidate_starts;  // distinct tails of the preceding path in walking order;
                                                  // for the first path of a dialogue the gold start alone
  std::vector<graph::Triple> gold;                // one hop or more
  bool annotation_only = false;                   // a gold hop is known only from an annotation

  // The last `count` utterances, fewer when there are fewer.
  [[nodiscard]] std::span<const graph::Chat> context(std::size_t count = kContextUtterances) const;
};

// What a corpus holds, for reports and checks.
struct CorpusCounts {
  std::uint64_t dialogues = 0, utterances = 0, examples = 0, one_hop = 0, two_hop = 0, longer = 0;
  std::uint64_t annotation_only = 0;  // examples
  std::uint64_t without_context = 0;  // nothing was said before the path
  std::uint64_t start_off_path = 0;   // a later path that does not start at a tail of the preceding one; kept
  [[nodiscard]] Json to_json() const;
};

// Examples in file order. `counts` may be null.
[[nodiscard]] std::vector<TurnExample> make_examples(std::span<const graph::Dialogue> dialogues,
                                                     const graph::KnowledgeGraph& graph,
                                                     std::string_view split, CorpusCounts* counts = nullptr);

// Examples of splits of the database, one split after the other. StoreError for an unknown split.
[[nodiscard]] std::vector<TurnExample> load_examples(const graph::Store& store,
                                                     const graph::KnowledgeGraph& graph,
                                                     std::span<const std::string> splits,
                                                     CorpusCounts* counts = nullptr);

// Dialogues of a csv file in the official format, against a graph. Bad rows and paths are reported through
// `reporter` as file:line: why and skipped, or thrown as DataError when `strict`.
[[nodiscard]] std::vector<graph::Dialogue> read_dialogue_csv(const std::filesystem::path& file,
                                                             const graph::KnowledgeGraph& graph,
                                                             bool strict = false,
                                                             Reporter& reporter = silent_reporter());

// Splits of the database that hold training dialogues: those whose name begins with "train", in
// the store's order.
[[nodiscard]] std::vector<std::string> training_splits(const graph::Store& store);

}  // namespace kgwalk::dialogue
