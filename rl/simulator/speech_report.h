// How well a simulated user speaks: perplexity of what people said, and of what it says itself the names and
// the questions. The judge of names reads finished utterances and shares no code with what keeps the model
// from wrong ones (capital_rule.h, dialogue/response/name_guard.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/json.h"
#include "rl/simulator/user_simulator.h"

namespace kgwalk::rl {

// How well utterances are predicted. The end of an utterance counts as a piece and as a word.
struct UtterancePerplexity {
  std::int64_t turns = 0, pieces = 0, words = 0;
  std::int64_t left_out = 0;               // longer than the model's limit
  double negative_log_prob = 0;            // of all pieces
  [[nodiscard]] double per_piece() const;  // perplexities
  [[nodiscard]] double per_word() const;
  [[nodiscard]] Json to_json() const;
};

// By teacher forcing, in evaluation mode. Names are predicted as they were written: whole where they stand in
// the situation's spelling, piece by piece otherwise.
[[nodiscard]] UtterancePerplexity perplexity_of(const SimulatedUser& user, std::span<const UserTurn> turns);

// Names in what was said: runs of words with capitals. The first word of a sentence is none by itself when
// the dialogues have it in small letters.
class SpokenNames {
 public:
  // The graph is borrowed; small words are those of the dialogues.
  SpokenNames(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues);
  [[nodiscard]] std::vector<std::string> of(std::string_view text) const;
  // Whether this is the name of an entity, whole or without "(...)", or stands in one of the texts.
  [[nodiscard]] bool right(const std::string& name, std::span<const std::string> texts) const;

 private:
  [[nodiscard]] bool is_small(const std::string& word) const;

  dialogue::NameIndex names_;
  std::unordered_set<std::string> small_;
};

struct SpeechCounts {
  std::int64_t utterances = 0, by_question = 0, by_wordings = 0;
  std::int64_t naming = 0, spelled = 0;  // utterances that name something; all of whose names are right
  std::int64_t asking = 0, fitting = 0;  // that ask what the bank has words for; that fit the vertex
  std::int64_t answered_by_graph = 0;    // of these, that the graph answers for the vertex itself
  std::vector<std::string> wrong = {};   // a few utterances with a wrong name
  std::vector<std::string> unfit = {};   // a few that do not fit
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string to_text() const;
};

// One utterance a situation.
[[nodiscard]] SpeechCounts measure_speech(const SimulatedUser& user, const SpokenNames& names,
                                          std::span<const UserTurn> turns, std::uint64_t seed);
// The same of what people said there: how the judges take it.
[[nodiscard]] SpeechCounts measure_people(const SimulatedUser& user, const SpokenNames& names,
                                          std::span<const UserTurn> turns);

}  // namespace kgwalk::rl
