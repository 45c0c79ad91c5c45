#include "rl/training/imitation.h"

#include "kgwalk/error.h"
#include "runtime/tensor/int64_tensor.h"
#include "walker/features/candidates.h"
#include "walker/network/ragged.h"

namespace kgwalk::rl {
namespace {

std::vector<graph::Triple> hops_of(const graph::Dialogue& dialogue) {
  std::vector<graph::Triple> hops;
  for (const graph::DialogueEvent& event : dialogue.events)
    if (const auto* path = std::get_if<graph::WalkedPath>(&event))
      hops.insert(hops.end(), path->hops.begin(), path->hops.end());
  return hops;
}

}  // namespace

Imitation::Imitation(const walker::NeuralWalker& policy, const RouteRules& rules, int batch,
                     std::uint64_t seed)
    : policy_(policy), batch_(batch), random_(seed, 25) {
  for (const graph::Dialogue& dialogue : policy.resources().training) {
    routes_.push_back(hops_of(dialogue));
    const std::vector<graph::Triple>& hops = routes_.back();
    for (std::size_t h = 0; h < hops.size(); ++h) {
      const Lesson lesson{routes_.size() - 1, h};
      if (rules.allow(situation(lesson, policy.graph().num_entities()), hops[h].tail))
        lessons_.push_back(lesson);
    }
  }
  if (lessons_.empty())
    throw ConfigError(
        "there is nothing to imitate: no dialogue of the training has a path that a route may take");
}

walker::Example Imitation::situation(const Lesson& lesson, graph::EntityId goal) const {
  const std::vector<graph::Triple>& hops = routes_[lesson.route];
  walker::Example example;
  example.speaker = graph::Speaker::kAssistant;
  example.walked.assign(hops.begin(), hops.begin() + static_cast<std::ptrdiff_t>(lesson.hop));
  for (std::uint32_t h = 1; h <= lesson.hop; ++h) example.path_ends.push_back(h);
  example.start = hops[lesson.hop].head;
  example.goal = goal;
  return example;
}

graph::EntityId Imitation::draw_goal(const Lesson& lesson) {
  const std::vector<graph::Triple>& hops = routes_[lesson.route];
  std::vector<graph::EntityId> goals;
  for (std::size_t h = lesson.hop; h < hops.size(); ++h)
    if (hops[h].tail != hops[lesson.hop].head) goals.push_back(hops[h].tail);
  return goals.empty() ? hops[lesson.hop].tail : goals[random_.below(goals.size())];
}

torch::Tensor Imitation::loss() {
  std::vector<walker::Example> examples;
  std::vector<graph::Edge> right;
  for (int i = 0; i < batch_; ++i) {
    const Lesson& lesson = lessons_[random_.below(lessons_.size())];
    const graph::Triple& hop = routes_[lesson.route][lesson.hop];
    examples.push_back(situation(lesson, draw_goal(lesson)));
    right.push_back({hop.relation, hop.tail});
  }
  std::vector<const walker::Example*> pointers;
  for (const walker::Example& example : examples) pointers.push_back(&example);
  const walker::NeuralWalker::Situations situations = policy_.situations(pointers);
  const torch::Tensor& offsets = situations.candidates.offsets;
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < examples.size(); ++i)
    places.push_back(offsets.data_ptr<std::int64_t>()[i] +
                     walker::place_of(policy_.graph(), examples[i].start, right[i]));
  const torch::Tensor log_probs =
      walker::ragged_log_softmax(policy_.first_hop(situations).scores, offsets);  // [K]
  return -log_probs.index_select(0, int64_tensor(places, log_probs.device())).mean();
}

}  // namespace kgwalk::rl
