// The terms of statements, each once, by numbers in the order in which they were met.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/ingest/statement.h"
#include "graph/names.h"

namespace kgwalk::graph {

using TermId = std::uint32_t;  // kNoName: none

class Terms {
 public:
  Terms() { words_.insert(""); }
  // kNoName for a term that was not met. Names are met under any spelling of their key.
  [[nodiscard]] TermId find(const Term& term);
  [[nodiscard]] TermId find_iri(std::string_view iri) { return find({TermKind::kIri, iri, {}, {}}); }
  // Adds the term that find() was asked for last, and did not find.
  TermId insert_asked() { return keys_.insert(key_); }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  [[nodiscard]] TermKind kind(TermId id) const noexcept;
  [[nodiscard]] bool is_literal(TermId id) const noexcept { return kind(id) == TermKind::kLiteral; }
  // The term's text; of names the key.
  [[nodiscard]] std::string_view text(TermId id) const noexcept;
  [[nodiscard]] std::uint32_t language(TermId id) const noexcept { return word_at(id, 1); }
  [[nodiscard]] std::uint32_t datatype(TermId id) const noexcept { return word_at(id, 5); }

  // Languages, datatypes and sources by numbers; 0 is the empty one.
  [[nodiscard]] std::uint32_t word(std::string_view text);
  [[nodiscard]] std::string_view word_text(std::uint32_t word) const noexcept {
    return words_.strings()[word];
  }

 private:
  [[nodiscard]] std::uint32_t word_at(TermId id, std::size_t position) const noexcept;
  StringSet keys_;  // a letter for the kind; of literals language and datatype; the text
  StringSet words_;
  std::string key_;
};

}  // namespace kgwalk::graph
