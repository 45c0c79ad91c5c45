// What the statements of all files came to before terms have names: facts between terms, and texts of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/ingest/terms.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

struct TermFact {
  TermId subject, predicate, object;
  friend bool operator==(const TermFact&, const TermFact&) = default;
};

// What a statement of a fact says beside it. Those of one statement have one number.
struct TermQualifier {
  std::uint32_t fact, statement;
  TermId predicate, value;
};

// Weights and sources of a list of facts, as far as some were given.
class FactNotes {
 public:
  void add(std::size_t fact, std::optional<float> weight, std::uint32_t source) {
    if (weight) {
      weights_.resize(fact + 1, std::numeric_limits<float>::quiet_NaN());
      weights_[fact] = *weight;
    }
    if (source == 0) return;
    sources_.resize(fact + 1, 0);
    sources_[fact] = source;
  }
  [[nodiscard]] std::optional<float> weight(std::size_t fact) const noexcept {
    if (fact >= weights_.size() || std::isnan(weights_[fact])) return std::nullopt;
    return weights_[fact];
  }
  [[nodiscard]] std::uint32_t source(std::size_t fact) const noexcept {
    return fact < sources_.size() ? sources_[fact] : 0;
  }
  [[nodiscard]] bool empty() const noexcept { return weights_.empty() && sources_.empty(); }

 private:
  std::vector<float> weights_;          // NaN: none
  std::vector<std::uint32_t> sources_;  // words of Terms; 0: none
};

// A text of a term that is no fact.
struct KeptText {
  // As ValueRole has them, and one that is decided when all files are read.
  enum class Role : std::uint8_t { kValue, kDescription, kLabel, kAlias, kResource, kPerhapsName };
  TermId subject, predicate;  // predicate kNoName: a name that stood beside the term
  std::uint32_t language, datatype, source;
  Role role;
  std::uint8_t rank;   // of labels: 0 is best
  std::uint16_t file;  // of kPerhapsName: where it was read, and before which of the facts
  std::uint32_t before_fact;
  std::uint32_t bytes;
  std::uint64_t begin;
};

struct Gathered {
  Terms terms;
  std::vector<TermFact> facts;
  FactNotes notes;                        // of facts
  std::vector<TermQualifier> qualifiers;  // by fact, ascending
  std::uint32_t num_qualified = 0;        // statements with qualifiers
  std::vector<KeptText> kept;
  std::string texts;
  std::vector<bool> mentioned;                                // by term, as far as some are
  std::vector<std::pair<std::string, std::string>> prefixes;  // name and IRI, as files declare them
  std::vector<std::uint32_t> files_end;                       // by file: how many facts were there behind it

  [[nodiscard]] std::string_view text_of(const KeptText& kept_text) const {
    return std::string_view(texts).substr(kept_text.begin, kept_text.bytes);
  }
  [[nodiscard]] bool is_mentioned(TermId term) const { return term < mentioned.size() && mentioned[term]; }
  void mention(TermId term) {
    if (term >= mentioned.size()) mentioned.resize(std::max<std::size_t>(term + 1, mentioned.size() * 2));
    mentioned[term] = true;
  }
  [[nodiscard]] std::size_t file_of(std::size_t fact) const {
    const auto end = std::upper_bound(files_end.begin(), files_end.end(), fact);
    return static_cast<std::size_t>(end - files_end.begin());
  }
  // A fact as a text of its subject.
  void keep(const TermFact& fact, KeptText::Role role, std::uint32_t source) {
    const std::string_view text = terms.text(fact.object);
    const bool blank = terms.kind(fact.object) == TermKind::kBlank;
    const auto bytes = static_cast<std::uint32_t>(text.size() + (blank ? 2 : 0));
    kept.push_back({fact.subject, fact.predicate, terms.language(fact.object), terms.datatype(fact.object),
                    source, role, 0, 0, 0, bytes, texts.size()});
    if (blank) texts += "_:";
    texts += text;
  }
};

}  // namespace kgwalk::graph
