// What an utterance says of the kind of question it is, whatever its candidates. Torch-free.
#pragma once

#include <vector>

#include "listening/candidates/candidates.h"
#include "listening/candidates/feature_list.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {

inline constexpr std::size_t kLastPlace = 1000;

enum class Asks : unsigned char { kWho, kWhere, kWhen, kHow, kWhat };

struct UtteranceCues {
  explicit UtteranceCues(const HeardParts& parts);
  [[nodiscard]] std::vector<float> values() const;  // [kNumCues]

  const HeardParts& parts;
  Asks asks = Asks::kWhat;
  bool begins_as_check = false, how_many = false, plural = false, negated = false, says_or = false;
  bool says_and = false, common = false, whose = false, other = false, person_pronoun = false,
       thing_pronoun = false, those = false;
  bool other_one = false, rest = false;  // "the other one"; "what else", "any more"
  std::size_t place = 0;                 // "the second one": 2; kLastPlace; 0: none
  int times_of = 0;
  std::vector<const OrderWord*> orders;
  // The word that says what is asked for, "origin" in "list the origin of the rivers that ...": the first
  // content word that names nothing, leads in nothing and orders nothing; the number of words where there is
  // none.
  std::size_t head = 0;
};

}  // namespace kgwalk::listening
