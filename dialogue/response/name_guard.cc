#include "dialogue/response/name_guard.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "seq2seq/tasks/pieces.h"

namespace kgwalk::dialogue {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();
constexpr std::string_view kWordMark = "\u2581";  // SentencePiece's space

// A piece as the text that it stands for.
void add_spaced(std::string_view piece, std::string& text) {
  while (!piece.empty()) {
    const bool space = piece.starts_with(kWordMark);
    text += space ? ' ' : piece.front();
    piece.remove_prefix(space ? kWordMark.size() : 1);
  }
}

// Whether a letter behind the piece would belong to its last word.
bool ends_in_word(const std::string& piece) {
  return !guarded_words(piece).empty() && guarded_words(piece + "x").size() == guarded_words(piece).size();
}

}  // namespace

PieceBounds::PieceBounds(const seq2seq::SentencePiece& vocabulary) {
  for (int id = 0; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    // A piece whose first character is no letter or digit has no word there.
    const bool opens = piece.starts_with(kWordMark);
    const std::vector<std::string> words = guarded_words("x" + piece);
    const bool goes_on = !words.empty() && words.front().size() > 1;
    if (opens || vocabulary.is_control(id) || !goes_on) closing_.push_back(id);
    open_.push_back(!vocabulary.is_control(id) && ends_in_word(piece));
  }
}

// The words of a hypothesis.
struct NameGuard::Said {
  std::vector<std::string> words;
  bool open = false;  // the last word may go on
  std::vector<bool> names;
};

NameGuard::Said NameGuard::said_by(const GuardedMessage& message,
                                   std::span<const std::int64_t> pieces) const {
  Said said;
  said.names.resize(message.pieces.size());
  std::string run;
  const auto flush = [&] {
    for (std::string& word : guarded_words(run)) said.words.push_back(std::move(word));
    run.clear();
  };
  for (const std::int64_t piece : pieces) {
    const auto name = std::find(message.pieces.begin(), message.pieces.end(), piece);
    if (name != message.pieces.end()) {
      flush();
      const auto place = static_cast<std::size_t>(name - message.pieces.begin());
      said.names[place] = true;
      said.words.insert(said.words.end(), message.names[place].begin(), message.names[place].end());
    } else {
      const auto extra = piece - vocabulary_.size();
      const std::string& text = extra >= 0 ? message.source->unknown.at(static_cast<std::size_t>(extra))
                                           : vocabulary_.piece(static_cast<int>(piece));
      add_spaced(text, run);
    }
  }
  flush();
  const auto extra = pieces.empty() ? 0 : pieces.back() - vocabulary_.size();
  said.open = !pieces.empty() &&
              (extra >= 0 ? ends_in_word(message.source->unknown.at(static_cast<std::size_t>(extra)))
                          : bounds_.leaves_open(pieces.back()));
  return said;
}

bool NameGuard::ends_wrong(const GuardedMessage& message, std::span<const std::string> words,
                           std::size_t own) const {
  for (const std::size_t length : forbidden_.ending(words))
    if (length > own && !message.allowed.contain(words.last(length))) return true;
  return false;
}

void NameGuard::forbid(std::int32_t group, std::span<const std::int64_t> pieces,
                       std::span<float> scores) const {
  const GuardedMessage& message = messages_[static_cast<std::size_t>(group)];
  const Said said = said_by(message, pieces);
  const bool all_said = std::all_of(message.needed.begin(), message.needed.end(),
                                    [&](std::size_t name) { return said.names[name]; });
  if (!all_said) scores[static_cast<std::size_t>(vocabulary_.id_of(seq2seq::kEndPiece))] = kForbidden;
  if (said.open && ends_wrong(message, said.words, 0))
    for (const std::int64_t piece : bounds_.closing()) scores[static_cast<std::size_t>(piece)] = kForbidden;
  if (said.words.empty()) return;
  const std::span<const std::string> last =
      std::span(said.words).last(std::min(said.words.size(), forbidden_.longest()));
  for (std::size_t i = 0; i < message.pieces.size(); ++i) {
    std::vector<std::string> words(last.begin(), last.end());
    for (std::size_t own = 1; own <= message.names[i].size(); ++own) {
      words.push_back(message.names[i][own - 1]);
      if (ends_wrong(message, words, own)) scores[static_cast<std::size_t>(message.pieces[i])] = kForbidden;
    }
  }
}

}  // namespace kgwalk::dialogue
