#include "planner/conversation/spoken_start.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "dialogue/linking/name_index.h"

namespace kgwalk {
namespace {

constexpr auto kReferring =
    std::to_array<std::string_view>({"it", "its", "he", "him", "his", "she", "her", "they", "them", "their",
                                     "that", "this", "these", "those", "there", "one"});

bool refers_back(std::string_view text) {
  const std::vector<std::string> words = dialogue::words_of(text);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(kReferring.begin(), kReferring.end(), word) != kReferring.end();
  });
}

}  // namespace

graph::EntityId spoken_of(std::span<const walker::ChosenStart> starts, std::string_view text) {
  const auto named = std::find_if(starts.begin(), starts.end(),
                                  [](const walker::ChosenStart& start) { return start.named; });
  const bool names = named != starts.end() && !refers_back(text);
  return names ? named->entity : starts.front().entity;
}

}  // namespace kgwalk
