// The words of all messages of dialogues, split and numbered once for all that counts them. Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/dialogue.h"

namespace kgwalk::dialogue {

using SaidWord = std::uint32_t;  // a different spelling, in the order in which they are met

class SaidWords {
 public:
  explicit SaidWords(std::span<const graph::Dialogue> dialogues);

  // Messages of all dialogues, one after the other.
  [[nodiscard]] std::size_t num_messages() const { return dialogues_.size(); }
  [[nodiscard]] std::size_t dialogue_of(std::size_t message) const { return dialogues_[message]; }
  [[nodiscard]] std::size_t num_dialogues() const { return num_dialogues_; }
  // The words of a message, and where they begin in words().
  [[nodiscard]] std::span<const SaidWord> message(std::size_t message) const {
    return std::span(words_).subspan(begin(message), begin(message + 1) - begin(message));
  }
  [[nodiscard]] std::size_t begin(std::size_t message) const { return begins_[message]; }
  [[nodiscard]] std::span<const SaidWord> words() const { return words_; }

  // By word: as words_of() gives it.
  [[nodiscard]] const std::vector<std::string>& spellings() const { return spellings_; }

 private:
  std::size_t num_dialogues_;
  std::vector<std::size_t> dialogues_, begins_;  // by message; of begins_ one more
  std::vector<SaidWord> words_;
  std::vector<std::string> spellings_;
};

}  // namespace kgwalk::dialogue
