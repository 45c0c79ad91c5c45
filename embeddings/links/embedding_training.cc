#include "embeddings/links/embedding_training.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "embeddings/vectors/matrix_io.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/safetensors.h"

namespace kgwalk::embeddings {
namespace {

// Streams of the run's generator, so that no two uses share numbers.
std::uint64_t stream(std::uint64_t use, int epoch, std::int64_t batch) {
  return (use << 56) | (static_cast<std::uint64_t>(epoch) << 28) | static_cast<std::uint64_t>(batch);
}
constexpr std::uint64_t kOrder = 1;
constexpr std::uint64_t kNegatives = 2;
constexpr std::uint64_t kDropout = 3;

std::vector<EntityId> sample_distinct(std::int64_t population, int count, Random random) {
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(population, count));
  std::vector<EntityId> out;
  if (2 * static_cast<std::int64_t>(wanted) > population) {  // a prefix of a shuffle
    out.resize(static_cast<std::size_t>(population));
    std::iota(out.begin(), out.end(), 0U);
    random.shuffle(std::span(out));
    out.resize(wanted);
    return out;
  }
  std::vector<bool> taken(static_cast<std::size_t>(population), false);
  while (out.size() < wanted) {
    const auto e = static_cast<EntityId>(random.below(static_cast<std::uint64_t>(population)));
    if (taken[e]) continue;
    taken[e] = true;
    out.push_back(e);
  }
  return out;
}

std::string checksum(std::span<const Triple> triples) {
  return checksum_of({reinterpret_cast<const char*>(triples.data()), triples.size_bytes()});
}

EmbeddingConfig checked(const EmbeddingConfig& config, std::int64_t num_entities) {
  validate(config);
  constexpr double kMostBytes = 8e9;
  const double bytes = sizeof(float) * static_cast<double>(config.batch) * static_cast<double>(num_entities);
  if (config.sampling == EmbeddingSampling::kAll && bytes > kMostBytes)
    throw ConfigError("a batch of " + std::to_string(config.batch) + " questions about all " +
                      std::to_string(num_entities) + " entities takes " +
                      std::to_string(static_cast<int>(bytes / 1e9)) +
                      " GB; lower embedding.batch or set embedding.sampling=shared");
  return config;
}

// Of relations 0 to R - 1 the rows R to 2 R - 1.
std::vector<RelationId> behind(std::int64_t num_relations) {
  std::vector<RelationId> rows(static_cast<std::size_t>(num_relations));
  std::iota(rows.begin(), rows.end(), static_cast<RelationId>(num_relations));
  return rows;
}

}  // namespace

EmbeddingTraining::EmbeddingTraining(const EmbeddingConfig& config, std::vector<Triple> triples,
                                     std::int64_t num_entities, std::int64_t num_relations,
                                     std::vector<float> triple_weights, std::vector<RelationId> reverse)
    : config_(checked(config, num_entities)),
      triples_(std::move(triples)),
      model_(EmbeddingModel::random(
          config, num_entities, config.reciprocal && reverse.empty() ? 2 * num_relations : num_relations)) {
  if (config_.reciprocal) model_.reverse = reverse.empty() ? behind(num_relations) : std::move(reverse);
  if (triples_.empty()) throw ConfigError("there are no triples to train on");
  if (!triple_weights.empty() && config_.sampling == EmbeddingSampling::kPerTriple)
    throw ConfigError("weights of facts need embedding.sampling shared or all");
  if (config_.sampling == EmbeddingSampling::kPerTriple) {
    singles_ = std::make_unique<TripleTrainer>(config_, model_, triples_);
    return;
  }
  index_ = AnswerIndex({triples_});
  weigh_answers(triple_weights);
  if (!config_.group_answers)
    for (std::size_t g = 0; g < index_.num_groups(); ++g)
      group_of_.insert(group_of_.end(), index_.answers(g).size(), static_cast<std::uint32_t>(g));
  questions_ = std::make_unique<QuestionTrainer>(config_, model_);
}

// count^-subsampling (Sun et al., ICLR 2019, after word2vec) times the triple's own weight, scaled to mean 1.
void EmbeddingTraining::weigh_answers(std::span<const float> triple_weights) {
  weights_.assign(static_cast<std::size_t>(index_.num_answers()), 1.0F);
  if (config_.subsampling == 0 && triple_weights.empty()) return;
  std::vector<std::pair<Triple, float>> given;
  for (std::size_t i = 0; i < triple_weights.size(); ++i) given.emplace_back(triples_[i], triple_weights[i]);
  std::sort(given.begin(), given.end());
  const auto weight_of = [&](const AnswerIndex::Group& group, EntityId answer) -> double {
    if (given.empty()) return 1;
    const bool tail = group.side == Side::kTail;
    const Triple triple{tail ? group.entity : answer, group.relation, tail ? answer : group.entity};
    const auto found = std::lower_bound(given.begin(), given.end(), std::pair(triple, 0.0F));
    return found == given.end() || found->first != triple ? 1.0 : found->second;
  };
  double total = 0;
  for (std::size_t g = 0; g < index_.num_groups(); ++g) {
    const AnswerIndex::Group& group = index_.group(g);
    const Side back = group.side == Side::kTail ? Side::kHead : Side::kTail;
    const std::span<const EntityId> answers = index_.answers(g);
    for (std::size_t t = 0; t < answers.size(); ++t) {
      const std::size_t count = answers.size() + index_.lookup(answers[t], group.relation, back).size();
      const double weight =
          std::pow(static_cast<double>(count), -config_.subsampling) * weight_of(group, answers[t]);
      weights_[static_cast<std::size_t>(index_.offset(g)) + t] = static_cast<float>(weight);
      total += weight;
    }
  }
  if (total <= 0) throw ConfigError("the weights of all facts are 0");
  const auto scale = static_cast<float>(static_cast<double>(weights_.size()) / total);
  for (float& w : weights_) w *= scale;
}

std::int64_t EmbeddingTraining::epoch_size() const {
  if (singles_) return static_cast<std::int64_t>(triples_.size());
  return config_.group_answers ? static_cast<std::int64_t>(index_.num_groups()) : index_.num_answers();
}

float EmbeddingTraining::learning_rate(double epochs) const {
  const double progress = std::min(1.0, epochs / std::max(1, config_.epochs));
  double factor = 1;
  if (config_.schedule == EmbeddingSchedule::kLinear) factor = 1.0 - progress;
  if (config_.schedule == EmbeddingSchedule::kCosine)
    factor = 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
  return static_cast<float>(config_.learning_rate * factor);
}

std::vector<std::uint32_t> EmbeddingTraining::order(int epoch) const {
  std::vector<std::uint32_t> out(static_cast<std::size_t>(epoch_size()));
  std::iota(out.begin(), out.end(), 0U);
  Random(config_.seed, stream(kOrder, epoch, 0)).shuffle(std::span(out));
  return out;
}

Question EmbeddingTraining::question(std::uint32_t number) const {
  const std::size_t g = config_.group_answers ? number : group_of_[number];
  const AnswerIndex::Group& group = index_.group(g);
  const std::span<const EntityId> known = index_.answers(g);
  const std::span<const float> weights =
      std::span(weights_).subspan(static_cast<std::size_t>(index_.offset(g)), known.size());
  if (config_.group_answers) return {group.entity, group.relation, group.side, known, weights, known};
  const auto at = static_cast<std::size_t>(static_cast<std::int64_t>(number) - index_.offset(g));
  return {group.entity, group.relation, group.side, known.subspan(at, 1), weights.subspan(at, 1), known};
}

double EmbeddingTraining::run_batch(std::span<const std::uint32_t> order, std::int64_t batch, float rate) {
  const auto begin = static_cast<std::size_t>(batch * config_.batch);
  const std::size_t count =
      std::min<std::size_t>(static_cast<std::size_t>(config_.batch), order.size() - begin);
  std::vector<Question> batch_questions;
  batch_questions.reserve(count);
  for (const std::uint32_t number : order.subspan(begin, count)) batch_questions.push_back(question(number));
  std::vector<EntityId> negatives;
  if (config_.sampling == EmbeddingSampling::kShared)
    negatives = sample_distinct(model_.entities.rows(), config_.negatives,
                                Random(config_.seed, stream(kNegatives, epoch_, batch)));
  Random dropout(config_.seed, stream(kDropout, epoch_, batch));
  const double loss =
      questions_->step(batch_questions, negatives, rate, config_.dropout > 0 ? &dropout : nullptr);
  if (!std::isfinite(loss))
    throw NumericError("the loss is not finite in epoch " + std::to_string(epoch_ + 1) +
                       "; lower embedding.learning_rate or embedding.initial");
  return loss;
}

std::optional<double> EmbeddingTraining::run_questions(Reporter& reporter, const StopFlag& stop) {
  const std::vector<std::uint32_t> numbers = order(epoch_);
  const auto size = static_cast<std::int64_t>(numbers.size());
  const std::int64_t batches = (size + config_.batch - 1) / config_.batch;
  const auto progress =
      reporter.start("epoch " + std::to_string(epoch_ + 1) + " of " + std::to_string(config_.epochs),
                     size - batch_ * config_.batch, "questions");
  for (; batch_ < batches; ++batch_) {
    if (stop.requested()) return std::nullopt;
    share_.update();
    const double part = static_cast<double>(batch_) / static_cast<double>(batches);
    epoch_loss_ += run_batch(numbers, batch_, learning_rate(epoch_ + part));
    progress->add(std::min<std::int64_t>(config_.batch, size - batch_ * config_.batch));
  }
  return epoch_loss_ / static_cast<double>(index_.num_answers());
}

std::optional<double> EmbeddingTraining::run_epoch(Reporter& reporter, const StopFlag& stop) {
  std::optional<double> loss;
  if (singles_) {
    if (stop.requested()) return std::nullopt;
    loss = singles_->epoch(epoch_, learning_rate(epoch_)) / static_cast<double>(triples_.size());
    if (!std::isfinite(*loss)) throw NumericError("the loss is not finite; lower embedding.learning_rate");
  } else {
    loss = run_questions(reporter, stop);
    if (!loss) return std::nullopt;
  }
  ++epoch_;
  batch_ = 0;
  epoch_loss_ = 0;
  return loss;
}

void EmbeddingTraining::save(const std::filesystem::path& file) {
  MatrixWriter writer;
  writer.add("entities", model_.entities);
  writer.add("relations", model_.relations);
  writer.add("relation_parameters", model_.parameters);
  if (questions_) {
    writer.add("entity_optimizer.first", questions_->entity_optimizer().first());
    writer.add("entity_optimizer.second", questions_->entity_optimizer().second());
    writer.add("relation_optimizer.first", questions_->relation_optimizer().first());
    writer.add("relation_optimizer.second", questions_->relation_optimizer().second());
  }
  const Json state = {{"config", to_json_of(config_)},
                      {"triples", checksum(triples_)},
                      {"epoch", epoch_},
                      {"batch", batch_},
                      {"epoch_loss", epoch_loss_},
                      {"step", questions_ ? questions_->entity_optimizer().step() : 0}};
  writer.write(file, {{"embedding_training", state.dump()}});
}

void EmbeddingTraining::load(const std::filesystem::path& file) {
  const SafetensorsFile in(file);
  const auto it = in.metadata().find("embedding_training");
  if (it == in.metadata().end()) throw FormatError(file.string() + ": holds no training of embeddings");
  const Json state = Json::parse(it->second);
  if (state.at("config") != to_json_of(config_))
    throw FormatError(file.string() +
                      ": was trained with another configuration; resume with its own or start a new run");
  if (state.at("triples") != checksum(triples_))
    throw FormatError(file.string() + ": was trained on other triples; start a new run");
  read_matrix(in, "entities", model_.entities);
  read_matrix(in, "relations", model_.relations);
  read_matrix(in, "relation_parameters", model_.parameters);
  if (questions_) {
    read_matrix(in, "entity_optimizer.first", questions_->entity_optimizer().first());
    read_matrix(in, "entity_optimizer.second", questions_->entity_optimizer().second());
    read_matrix(in, "relation_optimizer.first", questions_->relation_optimizer().first());
    read_matrix(in, "relation_optimizer.second", questions_->relation_optimizer().second());
    questions_->entity_optimizer().set_step(state.at("step"));
    questions_->relation_optimizer().set_step(state.at("step"));
  }
  epoch_ = state.at("epoch");
  batch_ = state.at("batch");
  epoch_loss_ = state.at("epoch_loss");
}

}  // namespace kgwalk::embeddings
