// Writes the dialogues of the sample: walks the graph by the patterns of the phrase book and speaks of
// what it walks.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/fact_graph.h"
#include "data/phrase_book.h"
#include "runtime/random.h"

namespace kgwalk::sample {

// vertices[0] -relations[0]-> vertices[1] ...
struct Path {
  std::vector<int> vertices, relations;
};

struct Message {
  enum class Type { kChat, kPath, kSideTalk };
  Type type = Type::kChat;
  bool from_user = true;
  std::string text;  // of chat and side talk
  Path path;         // of an action that chooses a path
};

struct Dialogue {
  std::vector<Message> messages;
  // Stars from 1 to 5, [rater: user, assistant][rated: dialogue, partner]; 0: not rated.
  int ratings[2][2] = {{0, 0}, {0, 0}};

  [[nodiscard]] std::vector<Path> paths() const;
};

class DialogueWriter {
 public:
  DialogueWriter(const FactGraph& graph, const PhraseBook& book, std::uint64_t seed);

  // `count` dialogues, none of which has the same paths as any written before. Those of the training set walk
  // past no entity that is held out; of the others, `unseen_percent` start at one.
  [[nodiscard]] std::vector<Dialogue> write(int count, bool training, int unseen_percent);
  [[nodiscard]] const std::set<int>& held_out() const noexcept { return held_out_; }

 private:
  struct Step {
    const Pattern* pattern;
    Path path;
    std::string question, short_question;  // naming the start; with a pronoun for it where that reads well
  };
  void hold_out();
  [[nodiscard]] int start(bool unseen);
  [[nodiscard]] std::optional<Step> step(int from, const std::set<int>& visited, bool training);
  [[nodiscard]] std::optional<Path> walk(const Pattern& pattern, int from, const std::set<int>& visited,
                                         bool training);
  void ask(Step& step);
  [[nodiscard]] std::vector<Step> plan(bool training, bool unseen);
  [[nodiscard]] Dialogue speak(const std::vector<Step>& steps);
  void open(Dialogue& dialogue, const Step& first, bool& vague);
  void close(Dialogue& dialogue, const Step& last, bool speaker);
  void rate(Dialogue& dialogue);

  [[nodiscard]] bool chance(int percent) { return static_cast<int>(random_.below(100)) < percent; }
  [[nodiscard]] std::size_t pick(const std::vector<int>& weights);
  [[nodiscard]] const std::string& any(const std::vector<std::string>& lines) {
    return lines[random_.below(lines.size())];
  }
  // A line of the list, filled for a single entity.
  [[nodiscard]] std::string say(const std::string& list, int entity);
  // One of the lines, filled for the path.
  [[nodiscard]] std::string say(const std::vector<std::string>& lines, const Path& path);

  const FactGraph* graph_;
  const PhraseBook* book_;
  Random random_;
  std::vector<int> fame_;  // per entity: integer root of the number of edges, the weight of choosing it
  std::set<int> held_out_;
  std::set<std::vector<int>> written_;
};

}  // namespace kgwalk::sample
