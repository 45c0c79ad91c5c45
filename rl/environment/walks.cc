#include "rl/environment/walks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>

#include "kgwalk/error.h"
#include "runtime/sharded_work.h"
#include "walker/features/candidates.h"

namespace kgwalk::rl {
namespace {

using graph::Edge;
using walker::CandidateScores;
using walker::Example;

// Streams of random numbers: one a batch for what users say, one a turn for what they ask.
constexpr std::uint64_t kSpeakingStream = 23, kAskingStream = 1000;
constexpr std::uint64_t kStreamsABatch = std::uint64_t{1} << 32;
constexpr std::uint64_t kShortestStream = 24;

std::vector<Example> without_goals(std::span<const Example* const> situations) {
  std::vector<Example> examples;
  for (const Example* s : situations) {
    examples.push_back(*s);
    examples.back().goal.reset();
  }
  return examples;
}

// A question that was answered is not heard again: it does not join what was said.
void take_answer(Walk& walk, const SideQuestion& question, const SideAnswer& answer,
                 const graph::ExactDistances& distances) {
  Episode& e = walk.episode;
  AskedOnTheWay asked{.question = question.said.back().text,
                      .stood = e.situation.start,
                      .about = question.about,
                      .heard = answer.heard,
                      .on_from = e.situation.start};
  if (answer.heard) {
    if (!answer.path.empty()) {
      asked.answered = answer.end();
      asked.right = std::binary_search(question.right.begin(), question.right.end(), answer.end());
      e.situation.walked.insert(e.situation.walked.end(), answer.path.begin(), answer.path.end());
      e.situation.path_ends.push_back(static_cast<std::uint32_t>(e.situation.walked.size()));
    }
    const graph::EntityId all[] = {e.situation.start, answer.about, answer.end()};
    e.situation.start = asked.on_from = nearest_to(e.pair.goal, all, distances);
    e.distance = distances.distance(e.situation.start, e.pair.goal);
    e.best = std::min(e.best, e.distance);
  }
  walk.asked.push_back(std::move(asked));
}

// The user asks in some of the walks, and what is heard as a question is answered; gives those that take a
// hop now. Each turn of each walk draws for itself, whatever walks beside it.
std::vector<Walk*> after_questions(const std::vector<Walk*>& open, const Walk* first, std::uint64_t seed,
                                   const Asking& asking, const graph::ExactDistances& distances) {
  std::vector<Walk*> going = open, asked;
  std::vector<Example> situations;
  std::vector<SideQuestion> questions;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Example& here = open[i]->episode.situation;
    const auto turn = static_cast<std::uint64_t>(open[i]->episode.hops) + open[i]->asked.size();
    Random random(seed + static_cast<std::uint64_t>(open[i] - first), kAskingStream + turn);
    std::optional<SideQuestion> question;
    if (random.uniform() < asking.share) question = asking.questions->ask(here, random);
    if (!question) continue;
    asked.push_back(open[i]);
    situations.push_back(here);
    situations.back().context.insert(situations.back().context.end(), question->said.begin(),
                                     question->said.end());
    questions.push_back(std::move(*question));
  }
  if (asked.empty()) return going;
  const std::vector<SideAnswer> answers =
      answer_side_questions(*asking.answers, std::move(situations), asking.max_hops);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    take_answer(*asked[i], questions[i], answers[i], distances);
    if (answers[i].heard) std::erase(going, asked[i]);
  }
  return going;
}

int hops_allowed(const Pair& pair, const WalkConfig& config) {
  return std::max(static_cast<int>(std::ceil(config.budget * pair.distance)) + config.extra,
                  pair.distance + config.slack);
}

// The likeliest edge that the rules allow; `log_probs` one an edge.
std::optional<Edge> likeliest(const Example& situation, std::span<const Edge> edges, const float* log_probs,
                              const RouteRules& rules) {
  for (const Strictness strictness : {Strictness::kAll, Strictness::kHubsToo}) {
    std::optional<std::size_t> best;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if ((!best || log_probs[e] > log_probs[*best]) && rules.allow(situation, edges[e].tail, strictness))
        best = e;
    if (best) return edges[*best];
  }
  return std::nullopt;
}

}  // namespace

CandidateScores first_hop_scores(const walker::WalkModel& model, std::span<const Example> examples) {
  std::vector<walker::PartialPath> states;
  for (std::size_t i = 0; i < examples.size(); ++i)
    states.push_back({.example = static_cast<std::int32_t>(i)});
  const auto encoded = model.encode(examples);
  CandidateScores scores = model.score(*encoded, states);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto begin = static_cast<std::size_t>(scores.offsets[i]),
               stop = static_cast<std::size_t>(scores.offsets[i + 1]) - 1;
    const float going_on = std::log1p(-std::min(std::exp(scores.log_probs[stop]), 0.999999F));
    for (std::size_t k = begin; k < stop; ++k) scores.log_probs[k] -= going_on;
  }
  return scores;
}

Chooser greedy(const walker::WalkModel& model, const RouteConfig& route) {
  const auto rules = std::make_shared<const RouteRules>(model.graph(), route);
  return [&model, rules](std::span<const Example* const> situations) {
    std::vector<Example> examples;
    for (const Example* s : situations) examples.push_back(*s);
    const CandidateScores scores = first_hop_scores(model, examples);
    std::vector<std::optional<Edge>> hops;
    for (std::size_t i = 0; i < situations.size(); ++i)
      hops.push_back(likeliest(*situations[i], model.graph().out_edges(situations[i]->start),
                               scores.log_probs.data() + scores.offsets[i], *rules));
    return hops;
  };
}

Chooser shortest(const graph::KnowledgeGraph& graph, const graph::ExactDistances& distances,
                 std::uint64_t seed) {
  return [&graph, &distances, seed](std::span<const Example* const> situations) {
    std::vector<std::optional<Edge>> hops;
    for (const Example* s : situations) {
      const graph::Distance here = distances.distance(s->start, *s->goal);
      std::vector<Edge> nearer;
      for (const Edge& edge : graph.out_edges(s->start))
        if (distances.distance(edge.tail, *s->goal) < here) nearer.push_back(edge);
      if (nearer.empty()) throw Error("a goal cannot be reached from where the walk stands");
      Random random(seed + s->walked.size(), kShortestStream + kStreamsABatch * s->start + *s->goal);
      hops.push_back(nearer[random.below(nearer.size())]);
    }
    return hops;
  };
}

Chooser natural_shortest(const walker::WalkModel& model, const graph::ExactDistances& distances) {
  return [&model, &distances](std::span<const Example* const> situations) {
    const CandidateScores scores = first_hop_scores(model, without_goals(situations));
    std::vector<std::optional<Edge>> hops;
    for (std::size_t i = 0; i < situations.size(); ++i) {
      const Example& s = *situations[i];
      const graph::Distance here = distances.distance(s.start, *s.goal);
      const float* p = scores.log_probs.data() + scores.offsets[i];
      std::optional<std::size_t> best;
      const auto edges = model.graph().out_edges(s.start);
      for (std::size_t e = 0; e < edges.size(); ++e)
        if ((!best || p[e] > p[*best]) && distances.distance(edges[e].tail, *s.goal) < here) best = e;
      if (!best) throw Error("a goal cannot be reached from where the walk stands");
      hops.push_back(edges[*best]);
    }
    return hops;
  };
}

std::vector<float> hop_log_probs(const walker::WalkModel& model, std::span<const Example* const> situations,
                                 std::span<const Edge> hops) {
  const CandidateScores scores = first_hop_scores(model, without_goals(situations));
  std::vector<float> result;
  for (std::size_t i = 0; i < situations.size(); ++i) {
    const std::int64_t place = walker::place_of(model.graph(), situations[i]->start, hops[i]);
    if (place < 0) throw Error("a hop of a walk is no edge of the graph");
    result.push_back(scores.log_probs[static_cast<std::size_t>(scores.offsets[i] + place)]);
  }
  return result;
}

namespace {

// The user speaks and a hop is taken in each; a walk with nowhere to go has ended.
void walk_on(const std::vector<Walk*>& going, const Chooser& choose, const UserVoice& user,
             const graph::ExactDistances& distances, const walker::WalkModel* stage1, Random& random) {
  std::vector<Episode*> episodes;
  std::vector<const Example*> situations;
  for (Walk* w : going) {
    episodes.push_back(&w->episode);
    situations.push_back(&w->episode.situation);
  }
  let_user_speak(episodes, user, random);
  const std::vector<std::optional<Edge>> chosen = choose(situations);
  std::vector<Walk*> moving;
  std::vector<const Example*> left;
  std::vector<Edge> hops;
  for (std::size_t i = 0; i < going.size(); ++i) {
    going[i]->stuck = !chosen[i];
    if (!chosen[i]) continue;
    moving.push_back(going[i]);
    left.push_back(situations[i]);
    hops.push_back(*chosen[i]);
  }
  if (stage1 != nullptr && !moving.empty()) {
    const std::vector<float> natural = hop_log_probs(*stage1, left, hops);
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i]->log_prob += natural[i];
  }
  for (std::size_t i = 0; i < moving.size(); ++i) take_hop(moving[i]->episode, hops[i], distances);
}

// All that is asked of a batch of walks beside what they share.
struct Walking {
  const Chooser& choose;
  const UserVoice& user;
  const graph::ExactDistances& distances;
  const walker::WalkModel* stage1;
  const WalkConfig& config;
  std::uint64_t seed;
  const StopFlag& stop;
};

// Walks walks[begin, end) to their ends.
void walk_batch(std::vector<Walk>& walks, std::size_t begin, std::size_t end, const Walking& by) {
  const WalkConfig& config = by.config;
  const std::uint64_t batch = begin / static_cast<std::size_t>(config.batch);
  Random random(by.seed, kSpeakingStream + kStreamsABatch * batch);
  std::vector<Walk*> open;
  std::vector<graph::EntityId> goals;
  for (std::size_t i = begin; i < end; ++i) {
    open.push_back(&walks[i]);
    goals.push_back(walks[i].episode.pair.goal);
  }
  by.distances.prepare(goals, by.stop);
  while (!open.empty()) {
    if (by.stop.requested()) throw Stopped("stopped while walking towards goals");
    std::vector<Walk*> going = open;
    if (config.asking.share > 0) {
      going = after_questions(open, walks.data(), by.seed, config.asking, by.distances);
      std::erase_if(going, [](const Walk* w) { return w->reached(); });
    }
    if (!going.empty()) walk_on(going, by.choose, by.user, by.distances, by.stage1, random);
    std::erase_if(open, [&](const Walk* w) {
      return w->reached() || w->stuck || w->episode.hops >= hops_allowed(w->episode.pair, config);
    });
  }
}

}  // namespace

std::vector<Walk> walk_pairs(std::span<const Pair> pairs, const Chooser& choose, const UserVoice& user,
                             const graph::ExactDistances& distances, const walker::WalkModel* stage1,
                             const WalkConfig& config, std::uint64_t seed, Reporter& reporter,
                             const StopFlag& stop) {
  ShardedWork alone;
  ShardedWork& work = config.work == nullptr ? alone : *config.work;
  const Walking by{choose, user, distances, stage1, config, seed, stop};
  std::vector<Walk> walks, walked;
  for (const Pair& pair : pairs) walks.push_back({begin_episode(pair), 0});
  const auto progress = reporter.start("walk", static_cast<std::int64_t>(pairs.size()), "walks");
  for (std::size_t begin = 0; begin < walks.size(); begin += static_cast<std::size_t>(config.batch)) {
    const std::size_t end = std::min(walks.size(), begin + static_cast<std::size_t>(config.batch));
    auto done = work.unit<std::vector<Walk>>([&] {
      walk_batch(walks, begin, end, by);
      const auto at = [&](std::size_t i) {
        return std::make_move_iterator(walks.begin()) + static_cast<std::ptrdiff_t>(i);
      };
      return std::vector<Walk>(at(begin), at(end));
    });
    if (done) std::move(done->begin(), done->end(), std::back_inserter(walked));
    progress->add(static_cast<std::int64_t>(end - begin));
  }
  return walked;
}

}  // namespace kgwalk::rl
