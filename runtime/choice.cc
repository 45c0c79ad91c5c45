#include "kgwalk/choice.h"

#include "runtime/text.h"

namespace kgwalk {

std::string choice_advice(std::string_view name, const std::vector<std::string>& choices) {
  std::string text = "must be one of ";
  for (const std::string& each : choices) text += (&each == &choices.front() ? "" : ", ") + each;
  return text + did_you_mean(name, choices);
}

}  // namespace kgwalk
