// Dialogues and summaries in pieces: speakers are pieces of their own, <name1>, <name2>, ... by the order in
// which they first speak, wherever their names stand; a turn begins with <turnK> of its speaker, or <turn0>.
// Speakers beyond the vocabulary's last number keep their names as text. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "seq2seq/tasks/pieces.h"
#include "seq2seq/tasks/summary/dialogue.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Rows of equal length, the end piece last. Of V pieces; V + k is the k-th entry of `unknown`.
struct DialoguePieces {
  std::vector<int> ids;              // what is read
  std::vector<int> copies;           // what copying a position says: <turnK> says <nameK>; -1 = nothing
  std::vector<int> speakers;         // who speaks, 0 = nobody
  std::vector<std::string> unknown;  // surfaces that are in no vocabulary, each once
  bool cut = false;                  // the dialogue was longer; its end was left out
  [[nodiscard]] bool empty() const { return ids.size() < 2; }
};

class DialogueCoder {
 public:
  // Control pieces of a vocabulary for `speakers` speakers.
  [[nodiscard]] static std::vector<std::string> control_pieces(int speakers);
  // Borrows the vocabulary. ConfigError when it lacks a control piece.
  DialogueCoder(const SentencePiece& vocabulary, const PieceOptions& options, int speakers);

  // At most `limit` pieces.
  [[nodiscard]] DialoguePieces encode(const Dialogue& dialogue, std::size_t limit) const;
  // With the end piece; unknown surfaces that `source` holds are said as copies of them.
  [[nodiscard]] std::vector<int> encode_summary(const std::string& text, const Dialogue& dialogue,
                                                const DialoguePieces& source) const;
  // Readable text of pieces without the end: names as the dialogue writes them.
  [[nodiscard]] std::string decode(const std::vector<int>& ids, const Dialogue& dialogue,
                                   const DialoguePieces& source) const;
  // Everything but the mentions of speakers, as a vocabulary should see it.
  [[nodiscard]] static std::vector<std::string> plain_parts(const std::string& text,
                                                            const Dialogue& dialogue);
  // The piece <nameK>.
  [[nodiscard]] int name(int speaker) const { return names_.at(static_cast<std::size_t>(speaker)); }

 private:
  [[nodiscard]] std::vector<std::string> numbered(const Dialogue& dialogue) const;

  const SentencePiece& vocabulary_;
  PieceOptions options_;
  std::vector<int> turns_, names_;  // ids of <turn0> ..., and of <name1> ... with -1 before them
  int end_;
};

}  // namespace kgwalk::seq2seq
