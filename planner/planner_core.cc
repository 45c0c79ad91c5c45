#include "planner/planner_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"
#include "planner/hop_details.h"
#include "runtime/config.h"
#include "walker/search/search.h"

namespace kgwalk {
namespace {

using graph::Distance;
using graph::Edge;
using graph::EntityId;
using walker::CandidateScores;
using walker::PartialPath;
using walker::ScoredPath;

static_assert(kMaxPathHops == walker::kMaxHops);

void check(const SearchWidths& widths) {
  Problems problems;
  if (widths.beam < 1 || widths.beam > kMaxBeam)
    problems.add("beam", fmt::format("must be from 1 to {}", kMaxBeam));
  if (widths.k < 1 || widths.k > widths.beam) problems.add("k", "must be from 1 to beam");
  if (widths.max_hops < 1 || widths.max_hops > kMaxPathHops)
    problems.add("max_hops", fmt::format("must be from 1 to {}", kMaxPathHops));
  problems.throw_if_any("plan request");
}

// The prefixes that the answer shows, with the scores that the search got for them.
class Prefixes {
 public:
  Prefixes(const walker::WalkModel& model, const walker::Example& example,
           const std::vector<ScoredPath>& paths, int max_hops, walker::SearchTrace trace)
      : graph_(model.graph()), start_(example.start), scores_(std::move(trace.scores)) {
    std::map<Key, std::size_t> scored;
    for (std::size_t i = 0; i < trace.states.size(); ++i) scored.emplace(key(trace.states[i]), i);
    const auto add = [&](const PartialPath& state) {
      if (!places_.try_emplace(key(state), states_.size()).second) return;
      states_.push_back(state);
      segments_.push_back(scored.at(key(state)));
    };
    add(PartialPath{});
    for (const ScoredPath& path : paths)
      for (int hops = 1; hops <= path.num_hops && hops < max_hops; ++hops) add(cut(path, hops));
  }

  [[nodiscard]] const std::vector<PartialPath>& states() const { return states_; }
  [[nodiscard]] EntityId at(const PartialPath& state) const {
    return state.num_hops == 0 ? start_ : state.hops[static_cast<std::size_t>(state.num_hops - 1)].tail;
  }
  // Log-probabilities of the out-edges of state i's entity, then of stopping.
  [[nodiscard]] std::span<const float> segment(std::size_t i) const {
    const auto begin = static_cast<std::size_t>(scores_.offsets[segments_[i]]),
               end = static_cast<std::size_t>(scores_.offsets[segments_[i] + 1]);
    return std::span(scores_.log_probs).subspan(begin, end - begin);
  }
  // nullopt when the prefix was not scored (it has max_hops hops).
  [[nodiscard]] std::optional<std::size_t> find(const ScoredPath& path, int hops) const {
    const auto it = places_.find(key(cut(path, hops)));
    return it == places_.end() ? std::nullopt : std::optional(it->second);
  }
  [[nodiscard]] FoundHop hop(std::size_t state, std::size_t edge_index) const {
    const EntityId head = at(states_[state]);
    const Edge edge = graph_.out_edges(head)[edge_index];
    return {{head, edge.relation, edge.tail}, std::exp(static_cast<double>(segment(state)[edge_index]))};
  }
  [[nodiscard]] FoundHop hop(std::size_t state, Edge edge) const {
    const auto edges = graph_.out_edges(at(states_[state]));
    return hop(state,
               static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin()));
  }
  // The hops that lead to state i.
  [[nodiscard]] std::vector<FoundHop> hops_to(std::size_t i) const {
    const Key walked = key(states_[i]);
    std::vector<FoundHop> hops;
    for (auto here = walked.begin(); here != walked.end(); ++here)
      hops.push_back(hop(places_.at(Key(walked.begin(), here)), *here));
    return hops;
  }
  [[nodiscard]] double stop_probability(std::size_t state) const { return std::exp(segment(state).back()); }

 private:
  using Key = std::vector<Edge>;
  static Key key(const PartialPath& state) {
    return {state.hops.begin(), state.hops.begin() + state.num_hops};
  }
  static PartialPath cut(const ScoredPath& path, int hops) {
    PartialPath state;
    state.num_hops = hops;
    std::copy_n(path.hops.begin(), hops, state.hops.begin());
    return state;
  }

  const graph::KnowledgeGraph& graph_;
  EntityId start_;
  CandidateScores scores_;             // of all that the search expanded
  std::vector<PartialPath> states_;    // shown
  std::vector<std::size_t> segments_;  // place of each in scores_
  std::map<Key, std::size_t> places_;  // its index in states_
};

FoundPath found_path(const Prefixes& prefixes, const ScoredPath& path) {
  FoundPath out;
  out.log_prob = path.log_prob;
  for (int i = 0; i < path.num_hops; ++i)
    out.hops.push_back(prefixes.hop(*prefixes.find(path, i), path.hops[static_cast<std::size_t>(i)]));
  const auto end = prefixes.find(path, path.num_hops);
  out.stop_probability = end ? prefixes.stop_probability(*end) : 1.0;
  return out;
}

FoundBranch found_branch(const Prefixes& prefixes, std::size_t state, int beam) {
  FoundBranch branch;
  branch.prefix = prefixes.hops_to(state);
  branch.at = prefixes.at(prefixes.states()[state]);
  branch.stop_probability = prefixes.stop_probability(state);
  const auto segment = prefixes.segment(state);
  branch.num_candidates = segment.size() - 1;
  std::vector<std::size_t> order(branch.num_candidates);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t kept = std::min(order.size(), static_cast<std::size_t>(beam));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return segment[a] > segment[b] || (segment[a] == segment[b] && a < b);
                    });
  for (std::size_t i = 0; i < kept; ++i) branch.candidates.push_back(prefixes.hop(state, order[i]));
  return branch;
}

}  // namespace

PlannerCore::PlannerCore(std::unique_ptr<const walker::WalkModel> model, Planner::Stage stage,
                         std::unique_ptr<const graph::ExactDistances> distances)
    : model_(std::move(model)), stage_(stage), distances_(std::move(distances)) {
  if (!distances_) distances_ = std::make_unique<const graph::GoalRows>(graph());
}

void PlannerCore::add_distances(Findings& found) const {
  const EntityId goal = *found.goal;
  const auto known = [&](EntityId from) {
    const Distance hops = distances_->distance(from, goal);
    return hops == graph::kUnreachable ? std::nullopt : std::optional<int>(hops);
  };
  found.start_to_goal = known(found.start);
  found.goal_standing = goal == found.start               ? GoalStanding::kStart
                        : goal >= graph().num_connected() ? GoalStanding::kIsolated
                        : found.start_to_goal             ? GoalStanding::kReachable
                                                          : GoalStanding::kApart;
  for (FoundPath& path : found.paths) path.distance_to_goal = known(path.end());
}

namespace {

// The last utterance has no words: whatever was heard in it, nothing is asked.
bool says_nothing(const walker::Example& situation) {
  return situation.context.empty() || dialogue::words_of(situation.context.back().text).empty();
}

walker::Act likeliest(const walker::Hearing& heard) {
  return static_cast<walker::Act>(std::max_element(heard.acts.begin(), heard.acts.end()) -
                                  heard.acts.begin());
}

walker::Hearing nothing_asked(walker::Hearing heard) {
  heard.acts = {};
  heard.acts[static_cast<std::size_t>(walker::Act::kNothing)] = 1;
  return heard;
}

// Where a fact is asked for, the paths to what answers it come first.
void answers_first(const walker::Answer& answer, std::vector<ScoredPath>& paths) {
  if (answer.act == walker::Act::kNothing || answer.missing) return;
  std::unordered_map<EntityId, double> right;
  for (const walker::AnsweredEntity& entity : answer.entities)
    right.emplace(entity.entity, entity.probability);
  const auto of = [&](const ScoredPath& path) {
    const auto at = right.find(path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail);
    return at == right.end() ? 0.0 : at->second;
  };
  std::stable_sort(paths.begin(), paths.end(),
                   [&](const ScoredPath& a, const ScoredPath& b) { return of(a) > of(b); });
}

}  // namespace

Findings PlannerCore::survey(EntityId start, EntityId goal) const {
  Findings found{.start = start, .goal = goal};
  add_distances(found);
  return found;
}

// The goal goes where the walker cannot head for it; who speaks next is told by who spoke last.
void PlannerCore::prepare(walker::Example& example) const {
  const bool heads_for_it = stage_ == Planner::Stage::kTwo && example.goal &&
                            *example.goal < graph().num_connected() && *example.goal != example.start;
  if (!heads_for_it) example.goal.reset();
  const bool after_assistant =
      !example.context.empty() && example.context.back().speaker == graph::Speaker::kAssistant;
  example.speaker = after_assistant ? graph::Speaker::kUser : graph::Speaker::kAssistant;
}

bool PlannerCore::hears_question(const walker::Example& situation) const {
  if (says_nothing(situation)) return false;
  walker::Example example = situation;
  prepare(example);
  const std::unique_ptr<walker::Encoded> encoded = model_->encode({&example, 1});
  const std::vector<walker::Hearing> heard = model_->hear(*encoded);
  if (heard.empty()) return false;
  return likeliest(heard.front()) != walker::Act::kNothing;
}

std::vector<std::vector<float>> PlannerCore::weigh(std::vector<walker::Example> situations) const {
  std::vector<PartialPath> states(situations.size());
  for (std::size_t i = 0; i < situations.size(); ++i) {
    prepare(situations[i]);
    states[i].example = static_cast<std::int32_t>(i);
  }
  std::vector<std::vector<float>> out;
  if (situations.empty()) return out;
  const std::unique_ptr<walker::Encoded> encoded = model_->encode(situations);
  const CandidateScores scores = model_->score(*encoded, states);
  for (std::size_t i = 0; i < states.size(); ++i)
    out.emplace_back(scores.log_probs.begin() + scores.offsets[i],
                     scores.log_probs.begin() + scores.offsets[i + 1] - 1);
  return out;
}

Findings PlannerCore::plan(const walker::Example& situation, const SearchWidths& widths) const {
  check(widths);
  walker::Example example = situation;
  prepare(example);
  const std::unique_ptr<walker::Encoded> encoded = model_->encode({&example, 1});
  std::vector<walker::Hearing> heard = model_->hear(*encoded);
  if (!heard.empty() && (!widths.hears || says_nothing(situation)))
    heard.front() = nothing_asked(std::move(heard.front()));
  const bool asked = !heard.empty() && likeliest(heard.front()) != walker::Act::kNothing;
  walker::SearchTrace trace;
  // Where something is asked, all paths tell which of the right answers is likely; else only those shown
  // count.
  const walker::PathSearch search{.config = {.beam = widths.beam, .max_hops = widths.max_hops},
                                  .most = asked ? 0 : widths.k,
                                  .trace = &trace};
  std::vector<ScoredPath> paths = walker::beam_paths(*model_, {&example, 1}, *encoded, search).front();

  Findings found{.start = situation.start, .goal = situation.goal};
  if (asked) {
    // Looking for names costs as much as the rest of a plan; only what is to be verified needs a claim.
    if (likeliest(heard.front()) == walker::Act::kVerify)
      found.claim = walker::claim_among(model_->choose_start(situation), situation.start);
    const std::vector<walker::Way> ways = walker::ways_heard(
        graph(), situation.start, model_->relation_hearing(*encoded, 0), {.max_hops = widths.max_hops});
    found.answer = walker::answer_of(situation.start, heard.front(), paths, ways, found.claim,
                                     {.beam = widths.beam, .max_hops = widths.max_hops});
    answers_first(*found.answer, paths);
  } else if (!heard.empty()) {
    found.answer.emplace().hearing = std::move(heard.front());
  }
  paths.resize(std::min(paths.size(), static_cast<std::size_t>(widths.k)));
  const Prefixes prefixes(*model_, example, paths, widths.max_hops, std::move(trace));
  for (const ScoredPath& path : paths) found.paths.push_back(found_path(prefixes, path));
  for (std::size_t i = 0; i < prefixes.states().size(); ++i)
    found.branches.push_back(found_branch(prefixes, i, widths.beam));
  if (found.goal) add_distances(found);
  return found;
}

PlannedHop named(const graph::KnowledgeGraph& graph, const FoundHop& hop) {
  PlannedHop planned{std::string(graph.entity_name(hop.triple.head)),
                     std::string(graph.relation_name(hop.triple.relation)),
                     std::string(graph.entity_name(hop.triple.tail)), hop.probability};
  add_details(graph, hop.triple, planned);
  return planned;
}

std::vector<PlannedHop> named(const graph::KnowledgeGraph& graph, std::span<const FoundHop> hops) {
  std::vector<PlannedHop> out;
  for (const FoundHop& hop : hops) out.push_back(named(graph, hop));
  return out;
}

PlanBranch named(const graph::KnowledgeGraph& graph, const FoundBranch& branch) {
  return {.prefix = named(graph, branch.prefix),
          .at = std::string(graph.entity_name(branch.at)),
          .stop_probability = branch.stop_probability,
          .candidates = named(graph, branch.candidates),
          .num_candidates = branch.num_candidates};
}

namespace {

constexpr std::size_t kHeardShown = 5, kHasShown = 8;

AnswerKind kind_of(const walker::Answer& answer) {
  switch (answer.act) {
    case walker::Act::kNothing:
      return AnswerKind::kNothingAsked;
    case walker::Act::kVerify:
      return answer.verified >= walker::AnswerConfig{}.verified ? AnswerKind::kYes : AnswerKind::kNo;
    case walker::Act::kOne:
    case walker::Act::kList:
      break;
  }
  if (answer.missing || answer.entities.empty()) return AnswerKind::kNotSaid;
  return answer.act == walker::Act::kList ? AnswerKind::kList : AnswerKind::kOne;
}

NamedHop hop_named(const graph::KnowledgeGraph& graph, EntityId head, const Edge& edge) {
  NamedHop hop{std::string(graph.entity_name(head)), std::string(graph.relation_name(edge.relation)),
               std::string(graph.entity_name(edge.tail))};
  add_details(graph, {head, edge.relation, edge.tail}, hop);
  return hop;
}

AnsweredEntity entity_named(const graph::KnowledgeGraph& graph, EntityId start,
                            const walker::AnsweredEntity& entity) {
  AnsweredEntity result{std::string(graph.entity_name(entity.entity)), entity.probability, {}};
  for (int h = 0; h < entity.path.num_hops; ++h) {
    const Edge& edge = entity.path.hops[static_cast<std::size_t>(h)];
    result.hops.push_back(hop_named(graph, start, edge));
    start = edge.tail;
  }
  return result;
}

void add_heard(const graph::KnowledgeGraph& graph, const walker::Hearing& hearing, PlanAnswer& answer) {
  const bool absent = answer.kind == AnswerKind::kNotSaid;
  for (const walker::HeardRelation& heard : absent ? hearing.asked : hearing.present)
    if (answer.heard.size() < kHeardShown)
      answer.heard.push_back({std::string(graph.relation_name(heard.relation)), heard.probability});
  for (const walker::HeardRelation& has : hearing.present)
    if (absent && answer.has.size() < kHasShown) answer.has.emplace_back(graph.relation_name(has.relation));
}

PlanAnswer answer_named(const graph::KnowledgeGraph& graph, const walker::Answer& answer,
                        const Findings& found) {
  PlanAnswer result;
  result.kind = kind_of(answer);
  result.asked = answer.hearing.asks();
  result.missing = answer.hearing.missing;
  add_heard(graph, answer.hearing, result);
  const bool answers = result.kind == AnswerKind::kOne || result.kind == AnswerKind::kList;
  const std::size_t shown = result.kind == AnswerKind::kList ? answer.right : answer.entities.size();
  for (std::size_t i = 0; answers && i < std::min(shown, answer.entities.size()); ++i)
    result.entities.push_back(entity_named(graph, found.start, answer.entities[i]));
  if (answer.act == walker::Act::kVerify && found.claim) {
    result.claim = graph.entity_name(*found.claim);
    if (answer.fact) result.fact = hop_named(graph, found.start, *answer.fact);
  }
  return result;
}

}  // namespace

Plan named(const graph::KnowledgeGraph& graph, const Findings& found) {
  Plan plan;
  plan.request.start = graph.entity_name(found.start);
  if (found.goal) plan.request.goal = graph.entity_name(*found.goal);
  plan.goal_standing = found.goal_standing;
  plan.start_to_goal = found.start_to_goal;
  for (const FoundPath& path : found.paths)
    plan.paths.push_back(
        {named(graph, path.hops), path.log_prob, path.stop_probability, path.distance_to_goal});
  for (const FoundBranch& branch : found.branches) plan.branches.push_back(named(graph, branch));
  if (found.answer) plan.answer = answer_named(graph, *found.answer, found);
  for (const walker::ChosenStart& start : found.starts)
    plan.starts.push_back({std::string(graph.entity_name(start.entity)), std::exp(start.log_prob)});
  return plan;
}

}  // namespace kgwalk
