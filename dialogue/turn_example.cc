#include "dialogue/turn_example.h"

#include <algorithm>

#include "graph/ingest/dialogue_reader.h"
#include "graph/ingest/problem_log.h"
#include "runtime/files.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kMaxRowBytes = 1 << 20;
constexpr std::size_t kMaxReported = 20;

// Walks through one dialogue and emits an example at each path.
class DialogueCutter {
 public:
  DialogueCutter(const graph::KnowledgeGraph& graph, std::string_view split, CorpusCounts& counts,
                 std::vector<TurnExample>& out)
      : graph_(graph), counts_(counts), out_(out) {
    so_far_.split = split;
  }

  void cut(const graph::Dialogue& dialogue, std::uint32_t index) {
    TurnExample fresh;
    fresh.split = std::move(so_far_.split);
    fresh.dialogue = index;
    so_far_ = std::move(fresh);
    for (const graph::DialogueEvent& event : dialogue.events) {
      if (const auto* chat = std::get_if<graph::Chat>(&event)) {
        so_far_.history.push_back(*chat);
        ++counts_.utterances;
      } else {
        emit(std::get<graph::WalkedPath>(event));
      }
    }
  }

 private:
  void emit(const graph::WalkedPath& path) {
    TurnExample& example = out_.emplace_back(so_far_);
    example.speaker = path.speaker;
    example.start = path.hops.front().head;
    example.gold = path.hops;
    example.annotation_only = std::any_of(path.hops.begin(), path.hops.end(), [&](const graph::Triple& hop) {
      return graph_.annotation_only(hop);
    });
    if (so_far_.turn == 0) example.candidate_starts = {example.start};
    count(example);
    advance(path);
  }

  // The path just emitted becomes history.
  void advance(const graph::WalkedPath& path) {
    so_far_.walked.insert(so_far_.walked.end(), path.hops.begin(), path.hops.end());
    so_far_.path_ends.push_back(static_cast<std::uint32_t>(so_far_.walked.size()));
    so_far_.candidate_starts.clear();
    for (const graph::Triple& hop : path.hops) {
      auto& starts = so_far_.candidate_starts;
      if (std::find(starts.begin(), starts.end(), hop.tail) == starts.end()) starts.push_back(hop.tail);
    }
    ++so_far_.turn;
  }

  void count(const TurnExample& example) {
    ++counts_.examples;
    ++(example.gold.size() == 1   ? counts_.one_hop
       : example.gold.size() == 2 ? counts_.two_hop
                                  : counts_.longer);
    counts_.annotation_only += example.annotation_only;
    counts_.without_context += example.history.empty();
    const auto& starts = example.candidate_starts;
    counts_.start_off_path += std::find(starts.begin(), starts.end(), example.start) == starts.end();
  }

  const graph::KnowledgeGraph& graph_;
  CorpusCounts& counts_;
  std::vector<TurnExample>& out_;
  TurnExample so_far_;  // what precedes the next path
};

}  // namespace

std::span<const graph::Chat> TurnExample::context(std::size_t count) const {
  const std::span<const graph::Chat> all(history);
  return all.last(std::min(count, all.size()));
}

Json CorpusCounts::to_json() const {
  return {{"dialogues", dialogues},
          {"utterances", utterances},
          {"examples", examples},
          {"one_hop", one_hop},
          {"two_hop", two_hop},
          {"longer", longer},
          {"annotation_only", annotation_only},
          {"without_context", without_context},
          {"start_off_path", start_off_path}};
}

std::vector<TurnExample> make_examples(std::span<const graph::Dialogue> dialogues,
                                       const graph::KnowledgeGraph& graph, std::string_view split,
                                       CorpusCounts* counts) {
  CorpusCounts ignored;
  CorpusCounts& into = counts != nullptr ? *counts : ignored;
  std::vector<TurnExample> examples;
  DialogueCutter cutter(graph, split, into, examples);
  for (std::size_t i = 0; i < dialogues.size(); ++i) cutter.cut(dialogues[i], static_cast<std::uint32_t>(i));
  into.dialogues += dialogues.size();
  return examples;
}

std::vector<TurnExample> load_examples(const graph::Store& store, const graph::KnowledgeGraph& graph,
                                       std::span<const std::string> splits, CorpusCounts* counts) {
  std::vector<TurnExample> all;
  for (const std::string& split : splits) {
    std::vector<TurnExample> part = make_examples(store.dialogues(split), graph, split, counts);
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<graph::Dialogue> read_dialogue_csv(const std::filesystem::path& file,
                                               const graph::KnowledgeGraph& graph, bool strict,
                                               Reporter& reporter) {
  const MappedFile map(file);
  graph::ProblemLog log(file.string(), strict, kMaxReported, reporter);
  std::vector<graph::Dialogue> dialogues;
  (void)graph::read_dialogues(map.bytes(), kMaxRowBytes, graph, log, dialogues);
  return dialogues;
}

std::vector<std::string> training_splits(const graph::Store& store) {
  std::vector<std::string> splits = store.splits();
  std::erase_if(splits, [](const std::string& name) { return !name.starts_with("train"); });
  return splits;
}

}  // namespace kgwalk::dialogue
