// Sentences by wordings: for every kind of message, with the names as the graph writes them. Torch-free.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dialogue/response/message.h"
#include "dialogue/response/voice.h"
#include "dialogue/response/wordings.h"

namespace kgwalk::dialogue {

// Which wording is taken of those that fit; counted anew where there are fewer.
struct WordingChoice {
  std::size_t frame = 0;      // of the sentence
  std::size_t statement = 0;  // of each fact
};
// One that depends on what was said and is to be said alone, so that a talk does not repeat itself.
[[nodiscard]] WordingChoice varied_choice(const Message& message);

// More names than these are counted, not named.
inline constexpr std::size_t kMostNamesSaid = 10;

// Immutable; borrows the wordings. Safe for concurrent use.
class TemplateSpeaker : public Voice {
 public:
  explicit TemplateSpeaker(const Wordings& wordings = builtin_wordings()) : wordings_(wordings) {}

  // One sentence or, with what the graph says instead, two. Names the entities of names_of(message), of a
  // long list the first ones. ConfigError where the message is none (check() in message.h).
  [[nodiscard]] std::string say(const Message& message, WordingChoice choice) const;
  [[nodiscard]] std::string say(const Message& message) const override {
    return say(message, varied_choice(message));
  }

  // Asks back: which of the entities of this name, whether one of these was meant by an unknown name, or what
  // is talked about at all.
  [[nodiscard]] std::string ask_which(const std::string& name, const std::vector<std::string>& entities,
                                      std::size_t frame) const;
  [[nodiscard]] std::string ask_nearest(const std::vector<std::string>& names, std::size_t frame) const;
  [[nodiscard]] std::string ask_anything(std::size_t frame) const;

  // How many statements there are for a relation, nouns counted.
  [[nodiscard]] std::size_t wordings_of(const std::string& relation) const;

 private:
  [[nodiscard]] Worded framed(std::string_view frame, std::size_t place, const Fillers& fillers) const;
  [[nodiscard]] Worded told(const std::vector<Way>& ways, std::size_t statement) const;
  [[nodiscard]] std::string noun(const std::string& start, const std::string& relation) const;
  [[nodiscard]] std::string not_said(const Message& message, WordingChoice choice) const;

  const Wordings& wordings_;
};

}  // namespace kgwalk::dialogue
