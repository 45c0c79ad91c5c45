#include "rl/simulator/situations.h"

#include <cctype>
#include <iterator>
#include <string_view>

namespace kgwalk::rl {
namespace {

void walk(walker::Example& situation, const graph::WalkedPath& path) {
  situation.walked.insert(situation.walked.end(), path.hops.begin(), path.hops.end());
  situation.path_ends.push_back(static_cast<std::uint32_t>(situation.walked.size()));
  situation.start = path.hops.back().tail;
}

// The first path of a dialogue, or null.
const graph::WalkedPath* first_path(const graph::Dialogue& dialogue) {
  for (const graph::DialogueEvent& event : dialogue.events)
    if (const auto* path = std::get_if<graph::WalkedPath>(&event)) return path;
  return nullptr;
}

walker::Example with_sides_changed(walker::Example situation) {
  for (graph::Chat& chat : situation.context)
    chat.speaker = chat.speaker == graph::Speaker::kUser ? graph::Speaker::kAssistant : graph::Speaker::kUser;
  return situation;
}

}  // namespace

std::vector<UserTurn> user_turns(std::span<const graph::Dialogue> dialogues, bool openings, Whose whose) {
  std::vector<UserTurn> turns;
  for (std::size_t d = 0; d < dialogues.size(); ++d) {
    const graph::WalkedPath* first = first_path(dialogues[d]);
    if (first == nullptr) continue;
    walker::Example so_far;
    so_far.start = first->hops.front().head;
    so_far.speaker = graph::Speaker::kUser;
    so_far.dialogue = static_cast<std::uint32_t>(d);
    bool unspoken = false;
    for (const graph::DialogueEvent& event : dialogues[d].events) {
      if (const auto* path = std::get_if<graph::WalkedPath>(&event)) {
        walk(so_far, *path);
        unspoken = true;
        continue;
      }
      const auto& chat = std::get<graph::Chat>(event);
      if (count_words(chat.text) == 0) continue;
      const bool opening = so_far.walked.empty(), own = chat.speaker == graph::Speaker::kUser;
      if ((own || whose == Whose::kBoth) && (openings || !opening))
        turns.push_back({own ? so_far : with_sides_changed(so_far), chat.text, opening, unspoken, !own});
      so_far.context.push_back(chat);
      unspoken = false;
    }
  }
  return turns;
}

std::vector<graph::Dialogue> dialogues_of(const graph::Store& store, std::span<const std::string> splits) {
  std::vector<graph::Dialogue> all;
  for (const std::string& split : splits) {
    std::vector<graph::Dialogue> part = store.dialogues(split);
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

std::int64_t count_words(std::string_view text) {
  std::int64_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

}  // namespace kgwalk::rl
