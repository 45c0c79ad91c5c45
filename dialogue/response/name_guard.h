// Keeps a search over pieces from wrong names: a word may only end where no name of the graph ends with it
// that may not be said, and the sentence only where all names of the message were said. It follows the words
// of a hypothesis, piece by piece; a name of the message is one piece and may always be said.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/forbidden_names.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::dialogue {

// What a guard needs to know of a vocabulary: which pieces end the word before them, and behind which one is
// open.
class PieceBounds {
 public:
  explicit PieceBounds(const seq2seq::SentencePiece& vocabulary);
  [[nodiscard]] const std::vector<std::int64_t>& closing() const { return closing_; }
  [[nodiscard]] bool leaves_open(std::int64_t piece) const { return open_[static_cast<std::size_t>(piece)]; }

 private:
  std::vector<std::int64_t> closing_;
  std::vector<bool> open_;
};

// A message that is said, as the guard sees it.
struct GuardedMessage {
  AllowedNames allowed;
  std::vector<std::vector<std::string>> names;      // words of each name that has a piece
  std::vector<std::int64_t> pieces;                 // that say them
  std::vector<std::size_t> needed;                  // places of the names that have to be said
  const seq2seq::DialoguePieces* source = nullptr;  // borrowed
};

class NameGuard : public seq2seq::PieceGuard {
 public:
  // Borrows all but the messages, one a group of the search.
  NameGuard(const ForbiddenNames& forbidden, const seq2seq::SentencePiece& vocabulary,
            const PieceBounds& bounds, std::vector<GuardedMessage> messages)
      : forbidden_(forbidden), vocabulary_(vocabulary), bounds_(bounds), messages_(std::move(messages)) {}

  void forbid(std::int32_t group, std::span<const std::int64_t> pieces,
              std::span<float> scores) const override;

 private:
  struct Said;
  [[nodiscard]] Said said_by(const GuardedMessage& message, std::span<const std::int64_t> pieces) const;
  // Whether a name that may not be said ends with the last word and begins before the last `own` words.
  [[nodiscard]] bool ends_wrong(const GuardedMessage& message, std::span<const std::string> words,
                                std::size_t own) const;

  const ForbiddenNames& forbidden_;
  const seq2seq::SentencePiece& vocabulary_;
  const PieceBounds& bounds_;
  std::vector<GuardedMessage> messages_;
};

}  // namespace kgwalk::dialogue
