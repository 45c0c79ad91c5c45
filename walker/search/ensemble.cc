#include "walker/search/ensemble.h"

#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

struct EnsembleBatch : Encoded {
  std::vector<std::unique_ptr<Encoded>> parts;
};

// log of the mean of the probabilities whose logs are given, added up one list after the other.
class LogMean {
 public:
  void add(const std::vector<float>& logs) {
    sums_.resize(logs.size(), 0.0);
    for (std::size_t i = 0; i < logs.size(); ++i) sums_[i] += std::exp(static_cast<double>(logs[i]));
    ++count_;
  }
  [[nodiscard]] std::vector<float> result() const {
    std::vector<float> logs;
    logs.reserve(sums_.size());
    for (const double s : sums_) logs.push_back(static_cast<float>(std::log(s / count_ + 1e-300)));
    return logs;
  }

 private:
  std::vector<double> sums_;
  int count_ = 0;
};

}  // namespace

EnsembleWalker::EnsembleWalker(std::vector<std::unique_ptr<WalkModel>> models) : models_(std::move(models)) {
  if (models_.empty()) throw ConfigError("an ensemble needs at least one walker");
  for (const auto& model : models_)
    if (model->graph().checksum() != models_.front()->graph().checksum())
      throw ConfigError("the walkers of an ensemble were trained on different graphs");
}

std::string EnsembleWalker::describe() const {
  return "ensemble of " + std::to_string(models_.size()) + ": " + models_.front()->describe();
}

std::unique_ptr<Encoded> EnsembleWalker::encode(std::span<const Example> examples) const {
  auto batch = std::make_unique<EnsembleBatch>();
  for (const auto& model : models_) batch->parts.push_back(model->encode(examples));
  return batch;
}

CandidateScores EnsembleWalker::score(Encoded& encoded, std::span<const PartialPath> states) const {
  auto& batch = static_cast<EnsembleBatch&>(encoded);
  LogMean mean;
  CandidateScores scores;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    scores = models_[m]->score(*batch.parts[m], states);
    mean.add(scores.log_probs);
  }
  scores.log_probs = mean.result();
  return scores;
}

std::vector<float> EnsembleWalker::length_log_probs(Encoded& encoded) const {
  auto& batch = static_cast<EnsembleBatch&>(encoded);
  LogMean mean;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const std::vector<float> lengths = models_[m]->length_log_probs(*batch.parts[m]);
    if (lengths.empty()) return {};
    mean.add(lengths);
  }
  return mean.result();
}

RelationHearing EnsembleWalker::relation_hearing(Encoded& encoded, std::size_t example) const {
  auto& batch = static_cast<EnsembleBatch&>(encoded);
  for (std::size_t m = 0; m < models_.size(); ++m)
    if (RelationHearing hearing = models_[m]->relation_hearing(*batch.parts[m], example)) return hearing;
  return {};
}

std::vector<Hearing> EnsembleWalker::hear(Encoded& encoded) const {
  auto& batch = static_cast<EnsembleBatch&>(encoded);
  for (std::size_t m = 0; m < models_.size(); ++m) {
    std::vector<Hearing> heard = models_[m]->hear(*batch.parts[m]);
    if (!heard.empty()) return heard;
  }
  return {};
}

std::vector<ChosenStart> EnsembleWalker::choose_start(const Example& example) const {
  for (const auto& model : models_) {
    std::vector<ChosenStart> starts = model->choose_start(example);
    if (!starts.empty()) return starts;
  }
  return {};
}

}  // namespace kgwalk::walker
