// The features of one candidate, group by group. Torch-free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "listening/candidates/feature_list.h"
#include "listening/candidates/utterance_cues.h"
#include "listening/candidates/word_match.h"

namespace kgwalk::listening {

struct CandidateFeatures {
  std::array<float, kNumFeatures> values{};
  std::array<float, kMaxSlots> centers{};
  std::vector<std::uint8_t> cover;  // [T] 1 where a mention or value of it stands
  [[nodiscard]] float operator[](Feature feature) const { return values[static_cast<std::size_t>(feature)]; }
  float& operator[](Feature feature) { return values[static_cast<std::size_t>(feature)]; }
  // What candidates are sifted by before the scorer sees them.
  [[nodiscard]] float plain_sum(bool begins_as_check) const;
};

// Whether a candidate asks by the relations of before, of whatever thing: "and Heat?". A value's relation
// counts both ways.
[[nodiscard]] bool asks_again(const Lexicon& lexicon, const Candidate& candidate,
                              const std::vector<graph::RelationId>& relations);

// Makes the features of one utterance; borrows all it is made of. Not thread-safe.
class FeatureMaker {
 public:
  FeatureMaker(const Lexicon& lexicon, const HeardParts& parts, const UtteranceCues& cues, WordMatch& match);
  [[nodiscard]] CandidateFeatures make(const Candidate& candidate);

 private:
  // Words that would be verbs with a mention as their subject or object, and whether it does what they say.
  struct Part {
    std::size_t word = 0;
    bool acts = false;
  };
  using Parts = std::vector<Part>;

  void cover_words(const Candidate& candidate, CandidateFeatures& out);
  void add_shape(const Candidate& candidate, CandidateFeatures& out) const;
  void add_answers(const Candidate& candidate, CandidateFeatures& out) const;
  void add_words(const Candidate& candidate, CandidateFeatures& out);
  void add_measure(const Candidate& candidate, CandidateFeatures& out);
  void add_types(const Candidate& candidate, CandidateFeatures& out);
  void add_head(const Candidate& candidate, CandidateFeatures& out);
  void add_links(const Candidate& candidate, CandidateFeatures& out) const;
  void add_unused(const Candidate& candidate, CandidateFeatures& out) const;
  void add_called(const Candidate& candidate);
  void add_kind_nouns(const Candidate& candidate);
  void find_prepositions();
  void add_prepositions(const Candidate& candidate, CandidateFeatures& out) const;
  void add_voice(const Candidate& candidate, CandidateFeatures& out);
  [[nodiscard]] const Parts& parts_played(std::uint32_t mention);
  void add_unexplained(CandidateFeatures& out) const;
  void add_places(const Candidate& candidate, CandidateFeatures& out) const;
  void add_kinds(const Candidate& candidate, CandidateFeatures& out) const;
  void add_left_out(const Candidate& candidate, CandidateFeatures& out) const;
  void add_crossed(const Candidate& candidate, CandidateFeatures& out) const;
  void add_focus(const Candidate& candidate, CandidateFeatures& out);
  void add_before(const Candidate& candidate, CandidateFeatures& out) const;

  void explain(std::span<const float> fits, float share);
  [[nodiscard]] EndKind kind_of(graph::EntityId entity);
  [[nodiscard]] bool is_called_as_said(graph::EntityId entity);
  [[nodiscard]] bool is_one_left() const;

  const Lexicon& lexicon_;
  const HeardParts& parts_;
  const UtteranceCues& cues_;
  WordMatch& match_;
  std::optional<graph::RelationId> type_relation_;  // one that leads to types
  std::vector<Prepositions> before_;                // by mention, those that stand before it
  Prepositions alone_ = 0;                          // those that stand before nothing: "where is she from"
  std::unordered_map<std::uint32_t, Parts> parts_played_;  // by mention
  std::vector<std::string> verb_stems_;                    // [T] empty of what is no verb
  // What concerns the candidate at hand.
  std::vector<std::uint8_t> free_;              // [T]
  std::vector<float> explained_, near_;         // [T] by words, and by what is near in meaning
  std::array<RelationMatch, kMaxSlots> slots_;  // how its relations are said
  float head_as_type_ = 0;  // how well a type that the answers are of fits the head (UtteranceCues::head)
  // What concerns entities in focus, found once.
  std::unordered_map<graph::EntityId, EndKind> kinds_;
  std::unordered_map<graph::EntityId, bool> called_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> calling_;  // by mention, words for what it is
};

}  // namespace kgwalk::listening
