#include "walker/search/answers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "walker/search/search.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
constexpr std::size_t kMostAnswers = 2000;
// Six of the questions learned from ask for one thing where one asks for all. Whoever asks for either as
// often is meant to be given a list from this share on.
constexpr double kListFrom = 1.0 / 7;

EntityId end_of(const ScoredPath& path) {
  return path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
}

std::vector<AnsweredEntity> by_entity(const std::vector<ScoredPath>& paths, EntityId start) {
  std::vector<AnsweredEntity> entities;
  std::unordered_map<EntityId, std::size_t> places;
  for (const ScoredPath& path : paths) {
    const EntityId end = end_of(path);
    if (end == start) continue;
    const auto [place, added] = places.emplace(end, entities.size());
    if (added) entities.push_back({end, 0, path});
    entities[place->second].probability += std::exp(path.log_prob);
  }
  std::stable_sort(entities.begin(), entities.end(), [](const AnsweredEntity& a, const AnsweredEntity& b) {
    return a.probability > b.probability;
  });
  return entities;
}

// How well an end stands: as a right answer, by habit where equally right, by the share of walks where habit
// knows neither.
struct Standing {
  double right = 0, habit = 0, share = 0;
  double best_way = 0;
  const ScoredPath* path = nullptr;
};

// How many entities to list, in the order of their probabilities of being right: as many as promise the
// highest F1, 2 E[right ones listed] / (listed + E[right ones]).
std::size_t list_length(const std::vector<AnsweredEntity>& entities) {
  double all = 0, listed = 0, best = -1;
  for (const AnsweredEntity& entity : entities) all += entity.probability;
  std::size_t length = 0;
  for (std::size_t n = 1; n <= entities.size(); ++n) {
    listed += entities[n - 1].probability;
    const double f1 = 2 * listed / (static_cast<double>(n) + all);
    if (f1 < best) continue;  // of equally good ones the longer
    best = f1;
    length = n;
  }
  return length;
}

Act act_of(const Hearing& heard) {
  const auto likeliest =
      static_cast<Act>(std::max_element(heard.acts.begin(), heard.acts.end()) - heard.acts.begin());
  if (likeliest != Act::kOne) return likeliest;
  const double one = heard.acts[static_cast<std::size_t>(Act::kOne)],
               list = heard.acts[static_cast<std::size_t>(Act::kList)];
  return list >= kListFrom * (one + list) ? Act::kList : Act::kOne;
}

// The ways by which the claim is reached; a fact decides where it is one hop away.
void verify(const std::vector<Way>& ways, EntityId claim, Answer& answer) {
  double best = 0;
  for (const Way& way : ways) {
    const auto end = std::lower_bound(way.ends.begin(), way.ends.end(), claim,
                                      [](const WayEnd& e, EntityId entity) { return e.entity < entity; });
    if (end == way.ends.end() || end->entity != claim) continue;
    answer.verified += way.probability * (1 - answer.hearing.missing);
    if (way.relations.size() == 1 && way.probability > best) {
      best = way.probability;
      answer.fact = end->path.hops.front();
    }
  }
}

}  // namespace

std::vector<AnsweredEntity> right_answers(const std::vector<Way>& ways,
                                          const std::vector<ScoredPath>& paths) {
  std::map<EntityId, Standing> standings;
  for (const Way& way : ways)
    for (const WayEnd& end : way.ends) {
      Standing& standing = standings[end.entity];
      standing.right += way.probability;
      standing.share += way.probability * end.share;
      if (standing.path == nullptr || way.probability > standing.best_way) {
        standing.best_way = way.probability;
        standing.path = &end.path;
      }
    }
  for (const ScoredPath& path : paths)
    if (const auto at = standings.find(end_of(path)); at != standings.end())
      at->second.habit += std::exp(path.log_prob);
  std::vector<std::pair<EntityId, Standing>> order(standings.begin(), standings.end());
  const std::size_t kept = std::min(order.size(), kMostAnswers);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [](const auto& a, const auto& b) {
                      const Standing &x = a.second, &y = b.second;
                      return std::tie(y.right, y.habit, y.share, a.first) <
                             std::tie(x.right, x.habit, x.share, b.first);
                    });
  std::vector<AnsweredEntity> entities;
  for (std::size_t i = 0; i < kept; ++i)
    entities.push_back({order[i].first, order[i].second.right, *order[i].second.path});
  return entities;
}

std::optional<EntityId> claim_among(std::span<const ChosenStart> starts, EntityId start) {
  std::optional<EntityId> claim;
  for (const ChosenStart& other : starts) {
    if (other.entity == start) continue;
    if (other.named) return other.entity;
    if (!claim) claim = other.entity;
  }
  return claim;
}

Answer answer_of(EntityId start, const Hearing& heard, const std::vector<ScoredPath>& paths,
                 const std::vector<Way>& ways, std::optional<EntityId> claim, const AnswerConfig& config) {
  Answer answer;
  answer.hearing = heard;
  answer.act = act_of(heard);
  const bool asked = answer.act != Act::kNothing;
  answer.missing = asked && heard.missing >= (config.missing > 0 ? config.missing : heard.missing_from);
  answer.entities = asked ? right_answers(ways, paths) : by_entity(paths, start);
  answer.right = answer.act == Act::kList ? list_length(answer.entities)
                                          : std::min<std::size_t>(1, answer.entities.size());
  if (claim) verify(ways, *claim, answer);
  return answer;
}

std::vector<Answer> answer(const WalkModel& model, std::span<const Example> examples,
                           std::span<const std::optional<EntityId>> claims, const AnswerConfig& config) {
  const std::unique_ptr<Encoded> encoded = model.encode(examples);
  const std::vector<Hearing> heard = model.hear(*encoded);
  std::vector<Answer> answers;
  if (heard.empty()) return answers;
  const auto paths =
      beam_paths(model, examples, *encoded, {.config = {.beam = config.beam, .max_hops = config.max_hops}});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::vector<Way> ways = ways_heard(
        model.graph(), examples[i].start, model.relation_hearing(*encoded, i), {.max_hops = config.max_hops});
    answers.push_back(answer_of(examples[i].start, heard[i], paths[i], ways,
                                i < claims.size() ? claims[i] : std::nullopt, config));
  }
  return answers;
}

}  // namespace kgwalk::walker
