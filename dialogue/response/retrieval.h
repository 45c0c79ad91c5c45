// What trained people said for the likest message, with the names of this one: a baseline. Torch-free.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/examples.h"
#include "dialogue/response/templates.h"
#include "dialogue/response/voice.h"

namespace kgwalk::dialogue {

// Immutable; safe for concurrent use.
class RetrievalVoice : public Voice {
 public:
  explicit RetrievalVoice(std::span<const ResponseExample> examples);

  // The sentence of the example of the same kind, relations and number of names whose context and names share
  // most words with these, the earlier one among equals; the wordings where there is no such example.
  [[nodiscard]] std::string say(const Message& message) const override;

 private:
  struct Kept {
    std::vector<std::string> words;  // of context and names, ascending, each once
    std::vector<std::string> parts;  // text between names
    std::vector<int> names;          // which name follows part i; one fewer than parts
  };
  std::map<std::string, std::vector<Kept>> kept_;  // by kind, relations and number of names
  TemplateSpeaker wordings_;
};

}  // namespace kgwalk::dialogue
