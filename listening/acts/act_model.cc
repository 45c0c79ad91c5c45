#include "listening/acts/act_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "kgwalk/error.h"
#include "listening/acts/act_features.h"
#include "runtime/random.h"

namespace kgwalk::listening {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::string_view kMagic = "KGWACTS1";
constexpr std::size_t kFewestActs = 20;  // of models of earlier versions
constexpr int kPasses = 12;
constexpr double kDropped = 0.3;  // of the hashed rows of a lesson, so that none is relied on alone
constexpr float kRate = 0.3F, kDecay = 1e-5F;
using Scores = std::array<float, kNumActs>;

struct Lesson {
  std::vector<std::uint32_t> rows;
  std::size_t act = 0;
  float weight = 1;
};

// Rows count less the more there are, so that long texts are heard no more surely than short ones.
float value_of(std::size_t rows) { return 3.0F / std::sqrt(static_cast<float>(rows)); }

// Acts behind the first `num_acts` are none of the model's.
Scores probabilities(std::span<const float> weights, std::span<const std::uint32_t> rows,
                     std::size_t num_acts = kNumActs) {
  Scores scores{};
  for (const std::uint32_t row : rows)
    for (std::size_t a = 0; a < num_acts; ++a) scores[a] += weights[row * kNumActs + a];
  const float value = value_of(rows.size());
  const auto end = scores.begin() + static_cast<std::ptrdiff_t>(num_acts);
  const float most = *std::max_element(scores.begin(), end);
  float sum = 0;
  std::for_each(scores.begin(), end, [&](float& score) { sum += score = std::exp((score - most) * value); });
  for (float& score : scores) score /= sum;
  return scores;
}

std::vector<Lesson> lessons_of(std::span<const ActExample> examples) {
  std::vector<Lesson> lessons;
  lessons.reserve(examples.size());
  std::array<std::size_t, kNumActs> counts{};
  for (const ActExample& example : examples) {
    lessons.push_back({act_rows(read_said(example.text), example.names, example.context),
                       static_cast<std::size_t>(example.act), 1});
    ++counts[lessons.back().act];
  }
  const float mean = static_cast<float>(examples.size()) / kNumActs;
  for (Lesson& lesson : lessons) lesson.weight = std::sqrt(mean / static_cast<float>(counts[lesson.act]));
  return lessons;
}

Lesson thinned(const Lesson& lesson, Random& random) {
  Lesson less{{}, lesson.act, lesson.weight};
  for (const std::uint32_t row : lesson.rows)
    if (row < kNamedActRows || random.uniform() >= kDropped) less.rows.push_back(row);
  return less;
}

void learn(const Lesson& lesson, std::span<float> weights, std::span<float> squares) {
  Scores slope = probabilities(weights, lesson.rows);
  slope[lesson.act] -= 1;
  for (float& s : slope) s *= lesson.weight * value_of(lesson.rows.size());
  for (const std::uint32_t row : lesson.rows)
    for (std::size_t a = 0; a < kNumActs; ++a) {
      float& weight = weights[row * kNumActs + a];
      float& square = squares[row * kNumActs + a];
      const float gradient = slope[a] + kDecay * weight;
      square += gradient * gradient;
      weight -= kRate * gradient / std::sqrt(square);
    }
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put_u32(std::string& bytes, std::uint32_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

ActModel::ActModel() : weights_(std::size_t{kActRows} * kNumActs) {}

// AdaGrad, an example at a time: rows that are seen seldom learn by larger steps. The weights are the mean of
// those after each pass of the second half.
ActModel ActModel::train(std::span<const ActExample> examples, std::uint64_t seed) {
  if (examples.empty()) throw ConfigError("acts are learned from examples, and there are none");
  ActModel model;
  std::vector<float> weights(model.weights_.size()), squares(weights.size(), 1e-3F);
  const std::vector<Lesson> lessons = lessons_of(examples);
  std::vector<std::uint32_t> order(lessons.size());
  std::iota(order.begin(), order.end(), 0U);
  Random random(seed);
  for (int pass = 0; pass < kPasses; ++pass) {
    random.shuffle(std::span(order));
    for (const std::uint32_t i : order) learn(thinned(lessons[i], random), weights, squares);
    if (pass < kPasses / 2) continue;
    for (std::size_t w = 0; w < weights.size(); ++w)
      model.weights_[w] += weights[w] / (kPasses - kPasses / 2);
  }
  return model;
}

std::vector<HeardAct> ActModel::hear(const SaidText& said, std::span<const NamedWords> names,
                                     const ActContext& context) const {
  const Scores scores = probabilities(weights_, act_rows(said, names, context), num_acts_);
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
  std::vector<HeardAct> heard;
  for (std::size_t a = 0; a < kNumActs; ++a)
    heard.push_back({static_cast<Act>(a), static_cast<double>(scores[a]) / sum});
  std::stable_sort(heard.begin(), heard.end(),
                   [](const HeardAct& a, const HeardAct& b) { return a.probability > b.probability; });
  return heard;
}

std::string ActModel::to_bytes() const {
  std::string bytes(kMagic);
  put_u32(bytes, static_cast<std::uint32_t>(num_acts_));
  put_u32(bytes, kActRows);
  for (std::uint32_t row = 0; row < kActRows; ++row) {
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(row * kNumActs);
    if (std::all_of(begin, begin + kNumActs, [](float w) { return w == 0; })) continue;
    put_u32(bytes, row);
    bytes.append(reinterpret_cast<const char*>(&*begin), num_acts_ * sizeof(float));
  }
  return bytes;
}

ActModel ActModel::of_bytes(std::string_view bytes, const std::string& name) {
  constexpr std::size_t kHead = kMagic.size() + 8;
  if (!bytes.starts_with(kMagic)) throw FormatError(name + ": is no model of acts of this version");
  if (bytes.size() < kHead) throw FormatError(name + ": is cut");
  ActModel model;
  model.num_acts_ = read_u32(bytes, kMagic.size());
  if (model.num_acts_ < kFewestActs || model.num_acts_ > kNumActs ||
      read_u32(bytes, kMagic.size() + 4) != kActRows)
    throw FormatError(name + ": is of other acts or of another number of rows");
  const std::size_t row_bytes = 4 + model.num_acts_ * sizeof(float);
  if ((bytes.size() - kHead) % row_bytes != 0) throw FormatError(name + ": is cut");
  std::int64_t last = -1;
  for (std::size_t at = kHead; at < bytes.size(); at += row_bytes) {
    const std::uint32_t row = read_u32(bytes, at);
    if (row >= kActRows || std::int64_t{row} <= last) throw FormatError(name + ": its rows do not ascend");
    last = row;
    float* weights = model.weights_.data() + std::size_t{row} * kNumActs;
    std::memcpy(weights, bytes.data() + at + 4, model.num_acts_ * sizeof(float));
    if (!std::all_of(weights, weights + model.num_acts_, [](float w) { return std::isfinite(w); }))
      throw FormatError(name + ": a weight is not finite");
  }
  return model;
}

}  // namespace kgwalk::listening
