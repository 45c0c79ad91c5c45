#include "listening/acts/act_replies.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk::listening {

extern const std::string_view kActReplies;  // the file's text

namespace {

using Replies = std::array<std::vector<std::string>, kNumActs>;

Replies read_replies() {
  const std::string name = "data/responses/acts.txt";
  Replies replies;
  std::vector<std::string>* section = nullptr;
  std::size_t number = 0;
  for (std::size_t at = 0; at < kActReplies.size();) {
    const std::size_t end = std::min(kActReplies.find('\n', at), kActReplies.size());
    const std::string_view line = kActReplies.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      Choice<Act> act = Act::kQuestion;
      if (!act.assign(line.substr(1, line.size() - 2)))
        throw DataError(name, number, "'" + std::string(line) + "' is no act");
      section = &replies[static_cast<std::size_t>(static_cast<Act>(act))];
    } else if (section == nullptr) {
      throw DataError(name, number, "a phrase stands below an act");
    } else {
      section->emplace_back(line);
    }
  }
  return replies;
}

bool takes_examples(Act act) {
  return act == Act::kAbilities || act == Act::kGreeting || act == Act::kUnsure || act == Act::kOutside;
}

}  // namespace

std::string reply_to(Act act, std::size_t turn, std::span<const std::string> examples) {
  static const Replies replies = read_replies();
  const std::vector<std::string>& own = replies[static_cast<std::size_t>(act)];
  if (own.empty()) return {};
  std::string reply = own[turn % own.size()];
  if (!takes_examples(act) || examples.empty()) return reply;
  reply += " For example: ";
  for (std::size_t i = 0; i < examples.size(); ++i)
    reply += (i == 0 ? "\"" : i + 1 == examples.size() ? " or \"" : ", \"") + examples[i] + "\"";
  return reply;
}

}  // namespace kgwalk::listening
