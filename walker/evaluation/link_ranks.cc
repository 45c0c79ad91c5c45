#include "walker/evaluation/link_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "embeddings/links/ranking.h"

namespace kgwalk::walker {
namespace {

constexpr double kEqual = 1e-9;

// Rank of an end, which was found, among what is not right.
double rank_among(std::span<const FoundEnd> wrong, double score) {
  const double slack = kEqual * std::max(std::abs(score), 1e-300);
  double rank = 1;
  for (const FoundEnd& other : wrong)
    if (other.score > score + slack)
      rank += 1;
    else if (other.score >= score - slack)
      rank += 0.5;
  return rank;
}

}  // namespace

void to_json(Json& json, const LinkRank& rank) {
  json = Json::array({rank.head, rank.relation, rank.tail, rank.rank});
}

void from_json(const Json& json, LinkRank& rank) {
  json.at(0).get_to(rank.head);
  json.at(1).get_to(rank.relation);
  json.at(2).get_to(rank.tail);
  json.at(3).get_to(rank.rank);
}

std::vector<double> end_ranks(std::span<const FoundEnd> found, const std::set<graph::EntityId>& right,
                              std::size_t num_entities) {
  std::vector<FoundEnd> wrong;
  for (const FoundEnd& end : found)
    if (!right.contains(end.entity)) wrong.push_back(end);
  const auto candidates =
      static_cast<double>(num_entities - (right.size() - std::min<std::size_t>(1, right.size())));
  const double unfound = (static_cast<double>(wrong.size()) + 1 + candidates) / 2;
  std::vector<double> ranks;
  for (const graph::EntityId end : right) {
    const auto at =
        std::find_if(found.begin(), found.end(), [end](const FoundEnd& f) { return f.entity == end; });
    ranks.push_back(at == found.end() ? unfound : rank_among(wrong, at->score));
  }
  return ranks;
}

embeddings::RankMetrics summarize(std::span<const LinkRank> ranks) {
  std::vector<embeddings::TripleRanks> tails;
  tails.reserve(ranks.size());
  for (const LinkRank& rank : ranks) tails.push_back({.head = 1, .tail = rank.rank});
  return embeddings::summarize(tails).tail;
}

std::string table_of(std::span<const LinkRank> ranks) {
  std::string text = "head\trelation\ttail\thead_rank\ttail_rank\n";
  for (const LinkRank& rank : ranks)
    text += fmt::format("{}\t{}\t{}\t\t{}\n", rank.head, rank.relation, rank.tail, rank.rank);
  return text;
}

std::string to_text(std::span<const LinkRank> ranks) {
  const embeddings::RankMetrics m = summarize(ranks);
  return fmt::format(
      "link prediction: {} right ends among all entities, filtered: MRR {:.4f}, Hits@1 {:.4f}, Hits@3 "
      "{:.4f}, Hits@10 "
      "{:.4f}\n",
      m.count, m.mrr, m.hits1, m.hits3, m.hits10);
}

}  // namespace kgwalk::walker
