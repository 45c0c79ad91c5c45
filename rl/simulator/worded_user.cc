#include "rl/simulator/worded_user.h"

#include <utility>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"
#include "runtime/checksum.h"

namespace kgwalk::rl {
namespace {

constexpr int kRemarksTried = 8;
constexpr double kReacts = 0.5;  // share of remarks that begin with a word on what was said

}  // namespace

WordedUser::WordedUser(std::shared_ptr<const graph::KnowledgeGraph> graph, double ask)
    : graph_(std::move(graph)), ask_(ask), questions_(*graph_) {}

std::string WordedUser::remark(graph::EntityId about, const walker::Example& situation,
                               Random& random) const {
  const std::vector<std::string>& remarks = questions_.phrases("mention");
  std::string text;
  for (int i = 0; i < kRemarksTried && !remarks.empty(); ++i) {
    text = dialogue::any(remarks, random);
    dialogue::replace_all(text, "{x}", dialogue::plain_name(graph_->entity_name(about)));
    if (!was_said(text, situation.context)) break;
  }
  return text;
}

std::string WordedUser::chat(const walker::Example& situation, Random& random) const {
  std::string text = remark(situation.start, situation, random);
  const bool answered =
      !situation.context.empty() && situation.context.back().speaker == graph::Speaker::kAssistant;
  if (!answered || random.uniform() >= kReacts) return text;
  std::vector<std::string> reactions = questions_.phrases("filler");
  std::erase_if(reactions, [](const std::string& reaction) { return reaction.ends_with('?'); });
  if (!reactions.empty()) text.insert(0, dialogue::any(reactions, random) + " ");
  return text;
}

std::vector<std::string> WordedUser::speak(std::span<const walker::Example* const> situations,
                                           Random& random) const {
  std::vector<std::string> said;
  for (const walker::Example* situation : situations) {
    Random own(random.next());
    std::optional<std::string> question;
    if (own.uniform() < ask_) question = questions_.ask(situation->start, situation->context, own);
    said.push_back(question ? std::move(*question) : chat(*situation, own));
  }
  return said;
}

std::string WordedUser::checksum() const {
  return checksum_of("worded user 1\n" + graph_->checksum() + "\n" + std::to_string(ask_));
}

}  // namespace kgwalk::rl
