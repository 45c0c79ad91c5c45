#include "embeddings/links/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "embeddings/vectors/score_kernels.h"

namespace kgwalk::embeddings {
namespace {

// Every n-th fact, so that a sample covers all of them.
std::vector<Triple> some_of(std::span<const Triple> facts, std::size_t most) {
  const std::size_t count = std::min(most, facts.size());
  std::vector<Triple> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(facts[i * facts.size() / count]);
  return out;
}

HeldQuestion ask_entity(const EmbeddingModel& model, const graph::KnowledgeGraph& graph, const Triple& fact,
                        Side side) {
  Matrix point(1, model.entities.dim());
  const bool tails = side == Side::kTail;
  const EntityId answer = tails ? fact.tail : fact.head;
  model.question(tails ? fact.head : fact.tail, fact.relation, side, point.row(0));
  std::vector<float> all(static_cast<std::size_t>(model.entities.rows()));
  distances_to_range(model.measure, point.row(0), model.entities, 0, model.entities.rows(), all.data());
  HeldQuestion question;
  for (EntityId e = 0; e < all.size(); ++e) {
    const Triple other = tails ? Triple{fact.head, fact.relation, e} : Triple{e, fact.relation, fact.tail};
    if (e != answer && graph.has_edge(other)) continue;
    if (e == answer) question.right = question.distances.size();
    question.distances.push_back(all[e]);
  }
  return question;
}

HeldQuestion ask_relation(const EmbeddingModel& model, const graph::KnowledgeGraph& graph,
                          std::span<const RelationId> relations, const Triple& fact) {
  HeldQuestion question;
  for (const RelationId relation : relations) {
    const Triple other{fact.head, relation, fact.tail};
    if (relation != fact.relation && graph.has_edge(other)) continue;
    if (relation == fact.relation) question.right = question.distances.size();
    question.distances.push_back(model.distance(other));
  }
  return question;
}

// Mean of -log p of the right answers.
double surprise(std::span<const HeldQuestion> questions, double scale) {
  double sum = 0;
  for (const HeldQuestion& question : questions) {
    const float nearest = *std::min_element(question.distances.begin(), question.distances.end());
    double total = 0;
    for (const float distance : question.distances) total += std::exp(-scale * (distance - nearest));
    sum += std::log(total) + scale * (question.distances[question.right] - nearest);
  }
  return sum / static_cast<double>(questions.size());
}

struct Bin {
  double from = 0, told = 0;
  std::int64_t right = 0, count = 0;
};

// Candidates told with less than a percent are left out: there are too many of them to say anything.
class Reliability {
 public:
  Reliability() {
    for (const double from : kFrom) bins_.push_back({.from = from});
  }

  void add(const HeldQuestion& question, double scale) {
    const std::vector<double> told = probabilities(question.distances, scale);
    for (std::size_t i = 0; i < told.size(); ++i) {
      const auto above = std::upper_bound(kFrom.begin(), kFrom.end(), told[i]);
      if (above == kFrom.begin()) continue;
      Bin& bin = bins_[static_cast<std::size_t>(above - kFrom.begin()) - 1];
      bin.told += told[i];
      bin.right += i == question.right ? 1 : 0;
      ++bin.count;
    }
  }

  void tell(Json& json) const {
    double error = 0;
    std::int64_t all = 0;
    json["reliability"] = Json::array();
    for (const Bin& bin : bins_) {
      if (bin.count == 0) continue;
      const auto count = static_cast<double>(bin.count);
      const double right = static_cast<double>(bin.right) / count;
      json["reliability"].push_back(
          {{"from", bin.from}, {"told", bin.told / count}, {"right", right}, {"count", bin.count}});
      error += count * std::abs(bin.told / count - right);
      all += bin.count;
    }
    json["error"] = all == 0 ? 0.0 : error / static_cast<double>(all);
  }

 private:
  static constexpr std::array kFrom = {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  std::vector<Bin> bins_;
};

// Every second fact is fitted, as many as their distances fit into memory; the others are measured one by
// one.
template <class Ask>
Json fit_and_measure(std::span<const Triple> facts, std::size_t candidates, const Ask& ask) {
  constexpr std::size_t kMostDistances = 40'000'000;
  const std::size_t kept = std::max<std::size_t>(50, kMostDistances / std::max<std::size_t>(1, candidates));
  std::vector<HeldQuestion> fitted;
  for (std::size_t i = 0; i < facts.size() && fitted.size() < kept; i += 2) fitted.push_back(ask(facts[i]));
  const double scale = fit_scale(fitted);
  Reliability reliability;
  for (std::size_t i = 1; i < facts.size(); i += 2) reliability.add(ask(facts[i]), scale);
  Json json = {{"scale", scale}, {"questions", facts.size()}};
  reliability.tell(json);
  return json;
}

}  // namespace

std::vector<double> probabilities(std::span<const float> distances, double scale) {
  std::vector<double> out;
  if (distances.empty()) return out;
  const float nearest = *std::min_element(distances.begin(), distances.end());
  for (const float distance : distances) out.push_back(std::exp(-scale * (distance - nearest)));
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& p : out) p /= sum;
  return out;
}

double fit_scale(std::span<const HeldQuestion> questions) {
  if (questions.empty()) return 0;
  // The loss is convex in the scale: the golden section finds its lowest point, here on a logarithmic axis.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(1e-3), high = std::log(1e3);
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = surprise(questions, std::exp(a)), at_b = surprise(questions, std::exp(b));
  while (high - low > 0.01) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      at_a = surprise(questions, std::exp(a = high - ratio * (high - low)));
    } else {
      low = a, a = b, at_a = at_b;
      at_b = surprise(questions, std::exp(b = low + ratio * (high - low)));
    }
  }
  return std::exp((low + high) / 2);
}

Json calibrate(const EmbeddingModel& model, const graph::KnowledgeGraph& graph,
               std::span<const RelationId> relations, std::span<const Triple> held, std::size_t most) {
  const std::vector<Triple> facts = some_of(held, most);
  const auto entities = static_cast<std::size_t>(model.entities.rows());
  const auto by = [&](Side side) {
    return fit_and_measure(facts, entities,
                           [&](const Triple& fact) { return ask_entity(model, graph, fact, side); });
  };
  return {{"tail", by(Side::kTail)},
          {"head", by(Side::kHead)},
          {"relation", fit_and_measure(facts, relations.size(), [&](const Triple& fact) {
             return ask_relation(model, graph, relations, fact);
           })}};
}

}  // namespace kgwalk::embeddings
