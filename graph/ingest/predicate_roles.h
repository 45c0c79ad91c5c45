// What a property's texts are of their subjects, as the options and the vocabularies say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/terms.h"
#include "graph/ingest/vocabulary.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

struct PredicateRole {
  enum class Kind : std::uint8_t { kUnknown, kFact, kLabel, kAlias, kDescription, kPerhapsName };
  Kind kind = Kind::kUnknown;
  std::uint8_t rank = 0;  // among labels: 0 is best
};

class PredicateRoles {
 public:
  // `options` and `prefixes` must outlive the object.
  PredicateRoles(const InputOptions& options, const Prefixes& prefixes);
  // Decided once for a term.
  [[nodiscard]] PredicateRole of(TermId id, std::string_view text);
  // How many ranks labels have; what is found to name things comes behind them.
  [[nodiscard]] std::size_t num_ranks() const noexcept { return labels_.size(); }
  // The words of the options that meant no property, each with the option's name.
  [[nodiscard]] std::vector<std::string> unmatched() const;

 private:
  struct Word {
    std::string text;
    bool by_user = false, matched = false;
  };
  [[nodiscard]] static std::vector<Word> words_of(const std::vector<std::string>& texts, bool by_user);
  [[nodiscard]] PredicateRole decide(std::string_view text);
  [[nodiscard]] Word* meant(std::vector<Word>& words, std::string_view text) const;

  const Prefixes& prefixes_;
  bool finds_names_;
  std::vector<Word> labels_, aliases_, descriptions_;
  std::vector<PredicateRole> known_;  // by term
};

}  // namespace kgwalk::graph
