// Word and character error rates: the least number of substitutions, deletions and insertions that make the
// reference of the hypothesis, and the alignment behind it. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

enum class Edit { kCorrect, kSubstitution, kDeletion, kInsertion };

struct EditCounts {
  std::int64_t correct = 0, substitutions = 0, deletions = 0, insertions = 0;
  [[nodiscard]] std::int64_t reference() const { return correct + substitutions + deletions; }
  [[nodiscard]] std::int64_t errors() const { return substitutions + deletions + insertions; }
  // Errors per token of the reference, in per cent; 0 when both sides are empty, 100 an insertion when only
  // the reference is.
  [[nodiscard]] double rate() const;
  EditCounts& operator+=(const EditCounts& other);
};

struct AlignedToken {
  Edit edit = Edit::kCorrect;
  std::string reference, hypothesis;  // empty for an insertion, a deletion
};

// A cheapest alignment, every edit costing one. Among equally cheap ones the first that, read from the end,
// prefers a pair to a deletion and a deletion to an insertion.
[[nodiscard]] std::vector<AlignedToken> align_tokens(std::span<const std::string> reference,
                                                     std::span<const std::string> hypothesis);
[[nodiscard]] EditCounts count_edits(std::span<const AlignedToken> alignment);
[[nodiscard]] EditCounts count_edits(std::span<const std::string> reference,
                                     std::span<const std::string> hypothesis);

// Characters for the character error rate: white space at the ends left out, inner runs of it one space,
// which counts as a character (as ESPnet scores; `spaces` false leaves it out).
[[nodiscard]] std::vector<std::string> error_characters(std::string_view text, bool spaces);

// Three lines, tokens under one another: REF, HYP (missing ones as asterisks) and the edits S, D, I.
[[nodiscard]] std::string alignment_text(std::span<const AlignedToken> alignment);

}  // namespace kgwalk::seq2seq
