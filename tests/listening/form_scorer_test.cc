#include "listening/network/form_scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "runtime/tensor/tensor_io.h"
#include "tests/listening/random_forms.h"

namespace kgwalk::listening {
namespace {

using testing::RandomForms;
using torch::Tensor;
using Vector = std::vector<double>;

constexpr std::int64_t kWidth = 10, kRank = 4;

Vector values(const Tensor& x) {
  const Tensor flat = x.detach().to(torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}
double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double cosine_of(const Vector& a, const Vector& b) {
  return dot(a, b) / std::max(1e-12, std::sqrt(dot(a, a))) / std::max(1e-12, std::sqrt(dot(b, b)));
}
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// The scorer as its header prints it, one candidate after the other, in double precision.
class Twin {
 public:
  Twin(FormScorer& scorer, const FormInput& input, const Tensor& states, const Tensor& relations,
       const Tensor& types)
      : input_(input), words_(input.words.size()), width_(static_cast<std::size_t>(states.size(1))) {
    for (const auto& [name, tensor] : state_of(*scorer)) weights_[name] = tensor;
    for (std::size_t t = 0; t < words_; ++t) states_.push_back(values(states[static_cast<std::int64_t>(t)]));
    for (std::int64_t r = 0; r < relations.size(0); ++r) relations_.push_back(values(relations[r]));
    for (std::int64_t y = 0; y < types.size(0); ++y) types_.push_back(values(types[y]));
  }

  // [C][2]; -1e4 for what is not counted.
  std::vector<std::array<double, 2>> log_probs() {
    const std::size_t count = input_.num_candidates();
    std::vector<std::array<double, 2>> z(count);
    std::map<std::int64_t, double> sums;  // by way of asking
    for (std::size_t c = 0; c < count; ++c) {
      const Vector x = numbers(c);
      Vector inner = times("hidden", x);
      const Vector said = times("hidden_of_state", mean_of(Vector(words_, 1)));
      for (std::size_t i = 0; i < inner.size(); ++i) inner[i] += said[i];
      Vector active;
      for (const double u : inner) active.push_back(gelu(u));
      z[c][0] = times("linear", x)[0] + times("output", active)[0];
      z[c][1] = z[c][0] + dot(row("counted.weight", 0), part(input_.sizes, c, 3));
      sums[input_.asked[c]] += std::exp(z[c][0]);
      if (is_counted(c)) sums[kNumAsked] += std::exp(z[c][1]);
    }
    Vector ways = ways_of_asking();
    std::map<std::int64_t, std::pair<double, std::size_t>> best;  // its score and its candidate
    double best_of_all = -1e9;
    const auto take = [&](std::int64_t way, double score, std::size_t c) {
      if (!best.contains(way) || score > best[way].first) best[way] = {score, c};
      best_of_all = std::max(best_of_all, score);
    };
    for (std::size_t c = 0; c < count; ++c) {
      take(input_.asked[c], z[c][0], c);
      if (is_counted(c)) take(kNumAsked, z[c][1], c);
    }
    for (const auto& [way, score] : best)
      ways[static_cast<std::size_t>(way)] +=
          weights_.at("way_of_best")[way].item<double>() * std::max(-10.0, score.first - best_of_all) +
          dot(row("way_of_numbers.weight", 0), numbers(score.second));
    double all = 0;
    for (const auto& [way, sum] : sums) all += std::exp(ways[static_cast<std::size_t>(way)]);
    const auto share = [&](std::int64_t way) {
      return ways[static_cast<std::size_t>(way)] - std::log(all) - std::log(sums[way]);
    };
    for (std::size_t c = 0; c < count; ++c) {
      z[c][0] += share(input_.asked[c]);
      z[c][1] = is_counted(c) ? z[c][1] + share(kNumAsked) : -1e4;
    }
    return z;
  }

 private:
  // Of nothing there is no number.
  [[nodiscard]] bool is_counted(std::size_t c) const { return input_.countable[c] > 0; }
  template <class T>
  static Vector part(const std::vector<T>& all, std::size_t i, std::size_t size) {
    return Vector(all.begin() + static_cast<std::ptrdiff_t>(i * size),
                  all.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
  }
  Vector row(const std::string& name, std::int64_t i) { return values(weights_.at(name)[i]); }
  Vector times(const std::string& name, const Vector& x) {
    Vector out;
    const Tensor weight = weights_.at(name + ".weight");
    for (std::int64_t i = 0; i < weight.size(0); ++i) out.push_back(dot(values(weight[i]), x));
    if (weights_.contains(name + ".bias"))
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += values(weights_.at(name + ".bias"))[i];
    return out;
  }
  Vector mean_of(const Vector& keep) const {
    Vector mean(width_, 0);
    double count = 0;
    for (std::size_t t = 0; t < words_; ++t) count += keep[t];
    for (std::size_t t = 0; t < words_; ++t)
      for (std::size_t i = 0; i < width_; ++i) mean[i] += keep[t] * states_[t][i] / std::max(1.0, count);
    return mean;
  }
  Vector ways_of_asking() {
    Vector ways = times("way_of_state", mean_of(Vector(words_, 1)));
    const Vector by_cues = times("way_of_cues", Vector(input_.cues.begin(), input_.cues.end()));
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] += by_cues[i];
    return ways;
  }

  // What is learned of a slot, and the cosine.
  std::pair<double, double> slot_fit(std::int64_t slot, const Vector& state) {
    const Vector& relation =
        relations_[static_cast<std::size_t>(input_.slot_relations[static_cast<std::size_t>(slot)])];
    const std::int64_t code = input_.slot_codes[static_cast<std::size_t>(slot)];
    Vector key;
    for (std::int64_t d = 0; d < kRank; ++d)
      key.push_back(dot(values(weights_.at("keys")[code][d]), relation) +
                    weights_.at("key_bias")[code][d].item<double>());
    return {dot(times("query", state), key), cosine_of(state, relation)};
  }
  double slot_sim(std::int64_t slot, const Vector& state) {
    const auto [learned, cosine] = slot_fit(slot, state);
    const std::int64_t code = input_.slot_codes[static_cast<std::size_t>(slot)];
    return weights_.at("cosine_weights")[code].item<double>() * cosine + learned;
  }
  double type_sim(std::int64_t type, const Vector& state) {
    const Vector& vector = types_[static_cast<std::size_t>(input_.type_rows[static_cast<std::size_t>(type)])];
    Vector key;
    for (std::int64_t d = 0; d < kRank; ++d) key.push_back(dot(row("type_keys", d), vector));
    return weights_.at("cosine_weights")[kNumCodes].item<double>() * cosine_of(state, vector) +
           dot(times("type_query", state), key);
  }

  struct Best {
    double sim = 0, cosine = 0, whole_cosine = 0, whole = 0, near = 0;
    double at = -1;
  };
  Best best_of(std::int64_t slot, const Vector& free, double center) {
    Best best;
    if (slot == 0) return best;
    double most = -1e9, most_cosine = -1e9;
    for (std::size_t t = 0; t < words_; ++t) {
      const double barred = (free[t] - 1) * 1e4, sim = slot_sim(slot, states_[t]);
      if (sim + barred > most) {
        most = sim + barred;
        best.sim = sim;
        best.at = static_cast<double>(t);
      }
      most_cosine = std::max(most_cosine, slot_fit(slot, states_[t]).second + barred);
    }
    const bool any = *std::max_element(free.begin(), free.end()) > 0;
    best.cosine = any ? most_cosine : 0;
    const Vector mean = mean_of(free);
    best.whole_cosine = slot_fit(slot, mean).second;
    best.whole = slot_fit(slot, mean).first;
    best.near = any ? std::min(8.0, std::abs(best.at - center)) / 8 : 0;
    if (!any) best.sim = 0;
    if (!any) best.at = -1;
    return best;
  }

  Vector numbers(std::size_t c) {
    const Vector free = part(input_.free, static_cast<std::size_t>(input_.covers[c]), words_);
    const Vector keep = values(weights_.at("keep"));
    Vector x = part(input_.features, c, keep.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= keep[i];
    std::array<Best, kMaxSlots> best;
    std::array<std::int64_t, kMaxSlots> slots{};
    double weakest = 1e9, sum = 0, filled = 0;
    for (std::size_t k = 0; k < kMaxSlots; ++k) {
      slots[k] = input_.slots[c * kMaxSlots + k];
      best[k] = best_of(slots[k], free, input_.centers[c * kMaxSlots + k]);
      if (slots[k] == 0) continue;
      weakest = std::min(weakest, best[k].sim);
      sum += best[k].sim;
      filled += 1;
    }
    for (const auto field : {&Best::sim, &Best::cosine, &Best::whole_cosine, &Best::whole, &Best::near})
      for (const Best& one : best) x.push_back(one.*field);
    for (std::size_t k = 1; k < kMaxSlots; ++k) x.push_back(best[k].at >= 0 && best[k].at == best[0].at);
    const auto [explained, left] = explained_of(c, slots, free);
    const double first = input_.centers[c * kMaxSlots];
    const double order = std::abs(best[1].at - first) - std::abs(best[0].at - first);
    x.insert(x.end(), {explained, left, best[1].at >= 0 ? std::clamp(order, -4.0, 4.0) / 4 : 0,
                       best_type(c, free), filled > 0 ? weakest : 0, sum / std::max(1.0, filled)});
    return x;
  }

  double best_type(std::size_t c, const Vector& free) {
    double most = -1e9;
    for (std::size_t t = 0; t < words_; ++t)
      if (free[t] > 0 && input_.types[c] > 0) most = std::max(most, type_sim(input_.types[c], states_[t]));
    return most > -1e9 ? most : 0;
  }

  std::pair<double, double> explained_of(std::size_t c, const std::array<std::int64_t, kMaxSlots>& slots,
                                         const Vector& free) {
    double weights = 0, sum = 0, left = 0;
    for (std::size_t t = 0; t < words_; ++t) {
      double most = -1e9;
      for (const std::int64_t slot : slots)
        if (slot > 0) most = std::max(most, slot_sim(slot, states_[t]));
      if (input_.types[c] > 0) most = std::max(most, type_sim(input_.types[c], states_[t]));
      const double weight = sigmoid(times("importance", states_[t])[0]) * input_.content[t] * free[t];
      weights += weight;
      sum += weight * most;
      left += weight * sigmoid(-most);
    }
    return {sum / std::max(0.1, weights), left / 4};
  }

  const FormInput& input_;
  std::size_t words_, width_;
  NamedTensors weights_;
  std::vector<Vector> states_, relations_, types_;
};

struct Scene {
  explicit Scene(std::uint64_t seed, int count = 3) {
    torch::manual_seed(seed);
    Random random(seed);
    scorer = testing::scorer_for(forms, kWidth, kRank, {"f3"});
    scorer->eval();
    for (int i = 0; i < count; ++i) {
      RandomForms each = forms;
      each.words = 3 + static_cast<std::int64_t>(random.below(5));
      each.candidates = 4 + static_cast<std::int64_t>(random.below(12));
      inputs.push_back(each.draw(random));
    }
    std::int64_t longest = 0;
    for (const FormInput& input : inputs) {
      pointers.push_back(&input);
      longest = std::max(longest, static_cast<std::int64_t>(input.words.size()));
    }
    states = torch::randn({count, longest, kWidth});
    for (int i = 0; i < count; ++i)
      states[i].slice(0, static_cast<std::int64_t>(inputs[static_cast<std::size_t>(i)].words.size())).zero_();
    relations = torch::randn({forms.relations, kWidth});
    types = torch::randn({forms.type_rows, kWidth});
    relations[0].zero_();
    types[0].zero_();
  }
  [[nodiscard]] Tensor score(TableRows rows) {
    const FormBatch batch = collate(pointers, rows);
    if (rows == TableRows::kAll) return scorer->forward(states, batch, scorer->keys(relations, types));
    return scorer->forward(
        states, batch,
        scorer->keys(relations.index_select(0, batch.relation_rows), types.index_select(0, batch.type_rows)));
  }
  RandomForms forms;
  FormScorer scorer{nullptr};
  std::vector<FormInput> inputs;
  std::vector<const FormInput*> pointers;
  Tensor states, relations, types;
};

TEST(FormScorer, EqualsAPlainTwinThatTakesOneCandidateAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Scene scene(seed);
    const torch::NoGradGuard no_grad;
    const Tensor found = scene.score(TableRows::kUsed);
    std::int64_t row = 0;
    for (std::size_t i = 0; i < scene.inputs.size(); ++i) {
      Twin twin(scene.scorer, scene.inputs[i], scene.states[static_cast<std::int64_t>(i)], scene.relations,
                scene.types);
      for (const auto& [told, counted] : twin.log_probs()) {
        EXPECT_NEAR(found[row][0].item<double>(), told, 2e-3) << "seed " << seed << " row " << row;
        EXPECT_NEAR(found[row][1].item<double>(), counted, 2e-3) << "seed " << seed << " row " << row;
        ++row;
      }
    }
    EXPECT_EQ(row, found.size(0));
  }
}

TEST(FormScorer, ScoresTheSameWithKeysOfAllRelationsAndOfThoseUsed) {
  Scene scene(11);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::allclose(scene.score(TableRows::kAll), scene.score(TableRows::kUsed), 1e-5, 1e-5));
}

TEST(FormScorer, AFeatureThatIsLeftOutChangesNothing) {
  Scene scene(12);
  const torch::NoGradGuard no_grad;
  const Tensor before = scene.score(TableRows::kAll);
  const auto set = [&](std::size_t column) {
    for (FormInput& input : scene.inputs)
      for (std::size_t c = 0; c < input.num_candidates(); ++c)
        input.features[c * static_cast<std::size_t>(scene.forms.features) + column] = static_cast<float>(c);
  };
  set(3);
  EXPECT_TRUE(torch::equal(scene.score(TableRows::kAll), before));
  set(2);
  EXPECT_FALSE(torch::allclose(scene.score(TableRows::kAll), before));
}

// Against differences of the loss: of every weight, of the states and of the vectors of relations. What the
// best candidate of a way adds to it is taken as given, so it must not count here.
TEST(FormScorer, GradientsAgreeWithDifferences) {
  Scene scene(5, 2);
  {
    const torch::NoGradGuard no_grad;
    for (const char* name : {"way_of_best", "way_of_numbers.weight"})
      state_of(*scene.scorer).at(name).zero_();
  }
  scene.scorer->to(torch::kFloat64);
  FormBatch batch = collate(scene.pointers, TableRows::kAll);
  for (Tensor* x : {&batch.free, &batch.content, &batch.is_word, &batch.cues, &batch.features,
                    &batch.has_slot, &batch.centers, &batch.has_type, &batch.sizes, &batch.targets})
    *x = x->to(torch::kFloat64);
  std::vector<Tensor> inputs = scene.scorer->parameters();
  for (Tensor* x : {&scene.states, &scene.relations, &scene.types}) {
    *x = x->to(torch::kFloat64).set_requires_grad(true);
    inputs.push_back(*x);
  }
  const auto loss = [&] {
    const FormKeys keys = scene.scorer->keys(scene.relations, scene.types);
    return marginal_loss(scene.scorer->forward(scene.states, batch, keys), batch);
  };
  loss().backward();
  const torch::NoGradGuard no_grad;
  constexpr double kStep = 1e-6;
  for (Tensor& x : inputs) {
    const Tensor direction = torch::randn(x.sizes(), x.options());
    ASSERT_TRUE(x.grad().defined());
    const double slope = (x.grad() * direction).sum().item<double>();
    x.add_(direction, kStep);
    const double above = loss().item<double>();
    x.add_(direction, -2 * kStep);
    const double below = loss().item<double>();
    x.add_(direction, kStep);
    EXPECT_NEAR(slope, (above - below) / (2 * kStep), 1e-5 + 1e-4 * std::abs(slope)) << x.sizes();
  }
}

TEST(FormScorer, NothingIsUndefinedWhereEveryWordIsCoveredOrAnUtteranceHasOneWord) {
  Scene scene(6, 1);
  for (float& free : scene.inputs[0].free) free = 0;
  EXPECT_TRUE(scene.score(TableRows::kUsed).isfinite().all().item<bool>());
  RandomForms one{.words = 1, .candidates = 1};
  Random random(9);
  scene.inputs[0] = one.draw(random);
  scene.states = scene.states.slice(1, 0, 1);
  const Tensor found = scene.score(TableRows::kUsed);
  EXPECT_NEAR(found.exp().sum().item<double>(), 1, 1e-5);
}

// Part of the format of checkpoints: what a word's parts hash to never changes.
TEST(HashedWords, PartsOfAWordAreTheSameForever) {
  // Numbers by a plain FNV-1a in Python.
  EXPECT_EQ(hashed_parts("a", 1000).size(), 1U);                 // "<a>" is the word itself
  EXPECT_EQ(hashed_parts("city", 1000).size(), 1U + 4 + 3 + 2);  // of "<city>"
  EXPECT_EQ(hashed_parts("\u00e9t\u00e9", 1000).size(), 1U + 3 + 2) << "characters, not bytes";
  EXPECT_EQ(hashed_parts("city", 16384),
            (std::vector<std::int64_t>{16155, 4491, 14518, 10194, 3561, 11164, 7475, 6794, 7317, 8296}));
}

TEST(HashedWords, AStateDependsOnItsTextAndNotOnWhatIsPaddedBesideIt) {
  torch::manual_seed(2);
  HashedWords words(OwnWordsConfig{.width = 8, .layers = 1, .heads = 2, .buckets = 128});
  words->eval();
  const torch::NoGradGuard no_grad;
  const Words one{"who", "wrote", "it"}, other{"of", "which", "river", "?", "and"}, none;
  const WordsOfText together[] = {{&one}, {&none}, {&other}};
  const WordsOfText alone[] = {{&one}};
  const Tensor states = words->states(together);  // [3, 5, E]
  EXPECT_TRUE(torch::allclose(states[0].slice(0, 0, 3), words->states(alone)[0], 1e-5, 1e-6));
  EXPECT_EQ(states[0].slice(0, 3).abs().max().item<float>(), 0);
  EXPECT_TRUE(torch::allclose(words->means(together)[2], states[2].mean(0), 1e-5, 1e-6));
  EXPECT_EQ(words->means(together)[1].abs().max().item<float>(), 0);
  EXPECT_TRUE(states.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace kgwalk::listening
