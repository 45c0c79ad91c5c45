#include "planner/spoken_start.h"

#include <algorithm>

#include "walker/data/starts.h"

namespace kgwalk {

std::vector<walker::ChosenStart> named_first(std::vector<walker::ChosenStart> starts, std::string_view text) {
  const auto named = std::find_if(starts.begin(), starts.end(),
                                  [](const walker::ChosenStart& start) { return start.named; });
  if (named != starts.end() && !walker::has_pronoun(text)) std::rotate(starts.begin(), named, named + 1);
  return starts;
}

}  // namespace kgwalk
