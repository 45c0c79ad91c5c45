#include "walker/features/goal_features.h"

#include <algorithm>
#include <cmath>

#include "embeddings/models/score_model.h"
#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

using enum GoalFeature::Index;

constexpr std::size_t kMaxLinks = 8;  // a goal of many relations is a hub, which needs no link to be found

constexpr float kSketchDeviations = 16;  // root of the sketch's width: a cosine in its standard deviations
static_assert(kSketchDeviations * kSketchDeviations == embeddings::NeighborSketch::kWidth);
constexpr float kLeastScale = 1e-4F;  // of entities without neighbors

// What of a sketch's cosine chance does not explain: of a thousand candidates that share nothing the greatest
// lies about four deviations above zero, and far from the goal there is nothing but chance.
float above_chance(float cosine) { return std::max(0.0F, kSketchDeviations * cosine - 4); }

float dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float distance(std::span<const float> a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// How far each of the `count` entries of a column lies above the least (or below the greatest) goes
// into another column.
void rank_column(float* rows, std::size_t count, GoalFeature::Index from, GoalFeature::Index to,
                 bool greatest = false) {
  float best = rows[from];
  for (std::size_t j = 0; j < count; ++j) {
    const float x = rows[j * kNumGoalFeatures + from];
    best = greatest ? std::max(best, x) : std::min(best, x);
  }
  for (std::size_t j = 0; j < count; ++j)
    rows[j * kNumGoalFeatures + to] = std::abs(rows[j * kNumGoalFeatures + from] - best);
}

}  // namespace

GoalFeatures::GoalFeatures(const graph::KnowledgeGraph& graph, const GoalTables& tables,
                           std::shared_ptr<const graph::ExactDistances> distances)
    : graph_(graph), tables_(tables), distances_(std::move(distances)), sketch_(graph) {}

GoalContext GoalFeatures::context(const Example& example) const {
  GoalContext c;
  c.goal = example.goal;
  if (!c.goal) return c;
  ++c.visits[example.walked.empty() ? example.start : example.walked.front().head];
  for (const graph::Triple& hop : example.walked) ++c.visits[hop.tail];
  if (!example.walked.empty()) c.came_from = example.walked.back().head;

  std::vector<std::pair<int, graph::RelationId>> relations;  // commonest at the goal first
  for (const graph::Edge& edge : graph_.out_edges(*c.goal)) {
    if (relations.empty() || relations.back().second != edge.relation)
      relations.emplace_back(0, edge.relation);
    --relations.back().first;
  }
  std::stable_sort(relations.begin(), relations.end());
  relations.resize(std::min(relations.size(), kMaxLinks));
  const std::span<const float> goal = tables_.kg.row(*c.goal);
  const embeddings::ScoreModel& score = embeddings::score_model(tables_.kg_model);
  std::vector<float> scaled(goal.size());
  for (const auto& [count, relation] : relations) {
    for (std::size_t i = 0; i < goal.size(); ++i)
      scaled[i] = tables_.relation_scale * tables_.relations.row(relation)[i];
    const std::size_t begin = c.links.size();
    c.links.resize(begin + goal.size());
    score.ask(goal, scaled, embeddings::Side::kTail, std::span(c.links).subspan(begin));
  }
  return c;
}

float GoalFeatures::estimate(graph::EntityId a, graph::EntityId b) const {
  // The factors put half of all entities two hops or more from themselves, one in twenty four or more.
  return a == b ? 0 : dot(tables_.left.row(a), tables_.right.row(b));
}

void GoalFeatures::extract_state(const GoalContext& context, const Candidates& candidates, std::int64_t state,
                                 float* rows) const {
  const auto s = static_cast<std::size_t>(state);
  const auto begin = static_cast<std::size_t>(candidates.offsets[s]),
             count = static_cast<std::size_t>(candidates.offsets[s + 1]) - begin;
  std::fill_n(rows, count * kNumGoalFeatures, 0.0F);
  if (!context.goal) return;
  const graph::EntityId goal = *context.goal, here = static_cast<graph::EntityId>(candidates.entities[s]);
  const std::size_t width = static_cast<std::size_t>(tables_.kg.width);
  const float here_estimate = estimate(here, goal);
  const std::span<const float> sketched = sketch_.direction(goal);
  const int here_exact = distances_ ? distances_->distance(here, goal) : 0;
  for (std::size_t j = 0; j < count; ++j) {
    float* row = rows + j * kNumGoalFeatures;
    const bool stop = j + 1 == count;
    const graph::EntityId tail = stop ? here : static_cast<graph::EntityId>(candidates.tails[begin + j]);
    const std::span<const float> kg = tables_.kg.row(tail);
    row[kIsGoal] = tail == goal;
    row[kEstimate] = estimate(tail, goal);
    row[kNearer] = here_estimate - row[kEstimate];
    row[kRowDistance] = 10 * distance(tables_.left.row(tail), tables_.left.row(goal).data());
    row[kKgDistance] = distance(kg, tables_.kg.row(goal).data());
    float link = row[kKgDistance] + 1;
    for (std::size_t l = 0; l + width <= context.links.size(); l += width)
      link = std::min(link, distance(kg, context.links.data() + l));
    row[kLink] = link;
    row[kTailDegree] = std::log1p(static_cast<float>(graph_.out_edges(tail).size()));
    const auto visits = context.visits.find(tail);
    row[kVisited] = visits == context.visits.end() ? 0 : std::log1p(static_cast<float>(visits->second));
    row[kVisitedAny] = visits != context.visits.end();
    row[kCameFrom] = context.came_from == static_cast<std::int64_t>(tail);
    row[kHereEstimate] = here_estimate;
    row[kCommon] = above_chance(dot(sketch_.direction(tail), sketched));
    row[kCommonScale] = std::log(sketch_.norm(tail) * sketch_.norm(goal) / kSketchDeviations + kLeastScale);
    row[kAdjacent] = above_chance(sketch_.adjacency(tail, goal));
    row[kAdjacentBack] = above_chance(sketch_.adjacency(goal, tail));
    if (!distances_) continue;
    const int exact = distances_->distance(tail, goal);
    row[kExactNearer] = static_cast<float>(here_exact - exact);
    row[kExact] = static_cast<float>(exact) / 4;
  }
  rank_column(rows, count, kEstimate, kEstimateRank);
  rank_column(rows, count, kLink, kLinkRank);
  rank_column(rows, count, kCommon, kCommonRank, true);
  rank_column(rows, count, kAdjacent, kAdjacentRank, true);
  rank_column(rows, count, kAdjacentBack, kAdjacentBackRank, true);
}

void GoalFeatures::extract(std::span<const GoalContext* const> contexts, const Candidates& candidates,
                           std::span<float> out) const {
  const std::int64_t n = candidates.num_states();
  if (contexts.size() != static_cast<std::size_t>(n) ||
      out.size() != static_cast<std::size_t>(candidates.size() * kNumGoalFeatures))
    throw ShapeError("goal features: one context a state and rows for all candidates are needed");
  if (distances_) {
    std::vector<graph::EntityId> goals;
    for (const GoalContext* context : contexts)
      if (context->goal) goals.push_back(*context->goal);
    distances_->prepare(goals);
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t i = 0; i < n; ++i)
    extract_state(*contexts[static_cast<std::size_t>(i)], candidates, i,
                  out.data() + candidates.offsets[static_cast<std::size_t>(i)] * kNumGoalFeatures);
}

}  // namespace kgwalk::walker
