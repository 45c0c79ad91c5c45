#include "listening/network/form_scorer.h"

#include <algorithm>

#include "runtime/tensor/device.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

constexpr double kNever = 1e4;
constexpr double kFarBelow = 10;  // how far below the best a way of asking can be

Tensor unit_rows(const Tensor& x) { return x / x.norm(2, -1, true).clamp_min(1e-12); }

// x read at places of its elements; any shapes. One dimension, whose gradient is a plain sum.
Tensor pick(const Tensor& x, const Tensor& places) {
  return x.reshape({-1}).index_select(0, places.reshape({-1})).view(places.sizes());
}

// The greatest value of each group, [groups], and where it stands first, int64, 0 for a group without any;
// without a gradient. LibTorch 1.13 prints a warning for its scatter_reduce.
struct Greatest {
  Tensor values, places;
};
Greatest greatest(const Tensor& values, const Tensor& group, std::int64_t groups) {
  const Tensor from = on_processor(values.detach().to(torch::kFloat32)), to = on_processor(group);
  const Tensor most = torch::full({groups}, -1e9), places = torch::zeros({groups}, torch::kInt64);
  auto* out = most.data_ptr<float>();
  for (std::int64_t i = 0; i < from.numel(); ++i) {
    const std::int64_t at = to.data_ptr<std::int64_t>()[i];
    if (from.data_ptr<float>()[i] <= out[at]) continue;
    out[at] = from.data_ptr<float>()[i];
    places.data_ptr<std::int64_t>()[at] = i;
  }
  return {most.to(values.device(), values.scalar_type()), places.to(values.device())};
}

}  // namespace

std::span<const std::string_view> way_names() {
  static constexpr std::string_view kNames[] = {"set", "check",   "first",      "last", "after", "before",
                                                "at",  "which",   "least",      "more", "less",  "same",
                                                "sum", "average", "difference", "count"};
  static_assert(std::size(kNames) == kNumWays);
  return kNames;
}

struct FormScorerImpl::Sims {
  Tensor words, cosines;        // [B N, T]
  Tensor whole, whole_cosines;  // [B, N, M] learned part, cosine with the mean of the free words
  Tensor types;                 // [B Y, T]
};

FormScorerImpl::FormScorerImpl(FormScorerOptions options) : options_(std::move(options)) {
  if (options_.own) {
    options_.width = options_.own->width;
    words = register_module("words", HashedWords(*options_.own, options_.encoded_width));
  }
  const std::int64_t width = options_.width, rank = options_.rank;
  const auto num_features = static_cast<std::int64_t>(options_.features.size());
  query_ = register_module("query", seq2seq::Linear(width, rank, false));
  type_query_ = register_module("type_query", seq2seq::Linear(width, rank, false));
  keys_ = register_parameter("keys", torch::randn({kNumCodes, rank, width}) * 0.02);
  key_bias_ = register_parameter("key_bias", torch::zeros({kNumCodes, rank}));
  type_keys_ = register_parameter("type_keys", torch::randn({rank, width}) * 0.02);
  cosine_weights_ = register_parameter("cosine_weights", torch::full({kNumCodes + 1}, 4.0));
  importance_ = register_module("importance", seq2seq::Linear(width, 1));
  const std::int64_t numbers = num_features + kNumMatches;
  linear_ = register_module("linear", seq2seq::Linear(numbers, 1));
  hidden_ = register_module("hidden", seq2seq::Linear(numbers, options_.hidden));
  hidden_of_state_ = register_module("hidden_of_state", seq2seq::Linear(width, options_.hidden, false));
  output_ = register_module("output", seq2seq::Linear(options_.hidden, 1));
  way_of_state_ = register_module("way_of_state", seq2seq::Linear(width, kNumWays));
  way_of_cues_ = register_module("way_of_cues", seq2seq::Linear(options_.num_cues, kNumWays, false));
  way_of_numbers_ = register_module("way_of_numbers", seq2seq::Linear(numbers, 1, false));
  way_of_best_ = register_parameter("way_of_best", torch::zeros({kNumWays}));
  counted_ = register_module("counted", seq2seq::Linear(3, 1, false));
  keep_ = register_buffer("keep", torch::ones({num_features}));
  for (std::int64_t i = 0; i < num_features; ++i)
    for (const std::string& beginning : options_.without)
      if (options_.features[static_cast<std::size_t>(i)].starts_with(beginning)) keep_[i] = 0;
  const torch::NoGradGuard no_grad;
  query_->weight.normal_(0, 0.04);
  type_query_->weight.normal_(0, 0.04);
  linear_->weight.zero_();
  hidden_of_state_->weight.zero_();
  way_of_state_->weight.zero_();
  way_of_numbers_->weight.zero_();
}

FormKeys FormScorerImpl::keys(const Tensor& relations, const Tensor& types) {
  const Tensor all = torch::matmul(relations, keys_.view({-1, options_.width}).t());  // [R, kNumCodes d]
  FormKeys out;
  out.relation_units = unit_rows(relations);
  out.relation_keys = (all + key_bias_.view({1, -1})).view({-1, options_.rank});
  out.type_units = unit_rows(types);
  out.type_keys = torch::matmul(types, type_keys_.t());
  return out;
}

FormScorerImpl::Sims FormScorerImpl::compare(const Tensor& states, const FormBatch& b, const FormKeys& keys) {
  const std::int64_t utterances = b.utterances, width = options_.width, rank = options_.rank;
  const Tensor turned = unit_rows(states).transpose(1, 2);  // [B, E, T]
  const Tensor queries = query_->forward(states);           // [B, T, d]
  const Tensor units = keys.relation_units.index_select(0, b.slot_relations).view({utterances, -1, width});
  const Tensor slot_keys = keys.relation_keys.index_select(0, b.slot_relations * kNumCodes + b.slot_codes)
                               .view({utterances, -1, rank});  // [B, N, d]
  const Tensor weights = cosine_weights_.index_select(0, b.slot_codes).view({utterances, -1, 1});
  Sims sims;
  const Tensor cosines = torch::bmm(units, turned);  // [B, N, T]
  sims.words = (weights * cosines + torch::bmm(slot_keys, queries.transpose(1, 2))).view({-1, b.words});
  sims.cosines = cosines.view({-1, b.words});
  const Tensor means = b.free / b.free.sum(2, true).clamp_min(1);  // [B, M, T]
  sims.whole_cosines = torch::bmm(units, unit_rows(torch::bmm(means, states)).transpose(1, 2));
  sims.whole = torch::bmm(slot_keys, torch::bmm(means, queries).transpose(1, 2));
  const Tensor type_units = keys.type_units.index_select(0, b.slot_types).view({utterances, -1, width});
  const Tensor type_keys = keys.type_keys.index_select(0, b.slot_types).view({utterances, -1, rank});
  const Tensor type_queries = type_query_->forward(states).transpose(1, 2);  // [B, d, T]
  sims.types =
      (cosine_weights_[kNumCodes] * torch::bmm(type_units, turned) + torch::bmm(type_keys, type_queries))
          .view({-1, b.words});
  return sims;
}

// [C, kNumMatches]. Where the best words stand is told without a gradient; what they are worth with one.
Tensor FormScorerImpl::matches(const Tensor& states, const FormBatch& b, const Sims& sims) {
  const std::int64_t length = b.words;
  const Tensor free = b.free.view({-1, length}).index_select(0, b.covers);  // [C, T]
  const Tensor barred = (free - 1) * kNever, any_free = free.amax(1);       // [C]
  const auto best_words = [&](const Tensor& x) {                            // [B N, T] -> [C, kMaxSlots]
    const Tensor rows = x.detach().index_select(0, b.slots.view({-1})).view({-1, kMaxSlots, length});
    return (rows + barred.unsqueeze(1)).argmax(2);
  };
  const Tensor at = best_words(sims.words), at_cosine = best_words(sims.cosines);
  const Tensor first_word = b.slots * length, present = b.has_slot * any_free.unsqueeze(1);
  const Tensor best = pick(sims.words, first_word + at) * present;  // [C, kMaxSlots]
  const Tensor cosine = pick(sims.cosines, first_word + at_cosine) * present;
  const Tensor cover = b.slots * b.covers_each + (b.covers - b.question * b.covers_each).unsqueeze(1);
  const Tensor whole_cosine = pick(sims.whole_cosines, cover) * b.has_slot;
  const Tensor whole = pick(sims.whole, cover) * b.has_slot;
  const Tensor place = at.to(torch::kFloat32);
  const Tensor near = (place - b.centers).abs().clamp_max(8) / 8 * present;
  const Tensor far =
      (place.slice(1, 0, 2) - b.centers.slice(1, 0, 1)).abs();  // [C, 2] from the first mention
  const Tensor second = present.select(1, 1);
  const Tensor order = (far.select(1, 1) - far.select(1, 0)).clamp(-4, 4) / 4 * second;
  const Tensor same = at.slice(1, 1, 3).eq(at.slice(1, 0, 1)) * present.slice(1, 1, 3);      // [C, 2]
  const Tensor type_at = (sims.types.detach().index_select(0, b.types) + barred).argmax(1);  // [C]
  const Tensor type = pick(sims.types, b.types * length + type_at) * b.has_type * any_free;
  const Tensor some = b.has_slot.amax(1);
  const Tensor weakest = (best + (1 - b.has_slot) * kNever).amin(1).clamp_max(kNever / 2) * some;
  const Tensor mean = best.sum(1) / b.has_slot.sum(1).clamp_min(1);
  std::vector<Tensor> columns = explained(states, b, sims, free);
  columns.insert(columns.end(), {order, type, weakest, mean});
  return torch::cat({best, cosine, whole_cosine, whole, near, same, torch::stack(columns, 1)}, 1);
}

// Two of [C]: how well the words that nothing covers are explained, and how many are not.
std::vector<Tensor> FormScorerImpl::explained(const Tensor& states, const FormBatch& b, const Sims& sims,
                                              const Tensor& free) {
  const Tensor word = torch::arange(b.words, b.slots.options()).unsqueeze(0);  // [1, T]
  Tensor places;  // [C, T] of the slot or type that explains best
  {
    const torch::NoGradGuard no_grad;
    const Tensor rows = sims.words.index_select(0, b.slots.view({-1})).view({-1, kMaxSlots, b.words});
    const Tensor types = sims.types.index_select(0, b.types).unsqueeze(1);
    const Tensor has = torch::cat({b.has_slot, b.has_type.unsqueeze(1)}, 1).unsqueeze(2);
    const Tensor at = (torch::cat({rows, types}, 1) + (has - 1) * kNever).argmax(1);  // [C, T]
    const Tensor from = torch::cat({b.slots, b.types.unsqueeze(1) + sims.words.size(0)}, 1);
    places = from.gather(1, at) * b.words + word;
  }
  const Tensor full = pick(torch::cat({sims.words, sims.types}, 0), places);                  // [C, T]
  const Tensor heard = torch::sigmoid(importance_->forward(states).squeeze(-1)) * b.content;  // [B, T]
  const Tensor weights = pick(heard, b.question.unsqueeze(1) * b.words + word) * free;
  return {(weights * full).sum(1) / weights.sum(1).clamp_min(0.1),
          (torch::sigmoid(-full) * weights).sum(1) / 4};
}

// scores [C, 2], ways [B, kNumWays] -> log-probabilities [C, 2].
Tensor FormScorerImpl::normalized(const Tensor& scores, const Tensor& ways, const Tensor& x,
                                  const FormBatch& b) {
  const Tensor counted = b.countable.gt(0);  // bool [C]
  const Tensor on = torch::stack({torch::ones_like(counted), counted}, 1).view({-1});
  const Tensor way = torch::stack({b.asked, torch::full_like(b.asked, kNumAsked)}, 1);
  const Tensor group = (b.question.unsqueeze(1) * kNumWays + way).view({-1});  // [2 C]
  const Tensor z = torch::where(on, scores.view({-1}), torch::full_like(scores, -kNever).view({-1}));
  const auto [highest, places] = greatest(z, group, b.utterances * kNumWays);
  const Tensor above = z - highest.index_select(0, group);
  const Tensor sums = torch::zeros_like(highest).index_add(0, group, above.exp() * on);
  const Tensor there = sums.detach().gt(0).view_as(ways);
  const Tensor best = torch::where(there, highest.view_as(ways), torch::full_like(ways, -kNever));
  const Tensor below = (best - best.amax(1, true)).clamp_min(-kFarBelow);  // without a gradient
  // What speaks for a way is its best candidate: "longest" for the last one, since its order fits.
  const Tensor numbers = x.detach().index_select(0, torch::div(places, 2, "floor"));  // [B kNumWays, ...]
  const Tensor fits = ways + way_of_best_ * below + way_of_numbers_->forward(numbers).view_as(ways);
  const Tensor asked = torch::log_softmax(torch::where(there, fits, torch::full_like(ways, -kNever)), 1);
  const Tensor logs = above - sums.clamp_min(1e-30).log().index_select(0, group) + pick(asked, group);
  return torch::where(on, logs, torch::full_like(logs, -kNever)).view({-1, 2});
}

Tensor FormScorerImpl::forward(const Tensor& states, const FormBatch& b, const FormKeys& keys) {
  const Sims sims = compare(states, b, keys);
  const Tensor x = torch::cat({b.features * keep_, matches(states, b, sims)}, 1);  // [C, F + kNumMatches]
  const double p = is_training() ? options_.dropout : 0;
  const Tensor mean = seq2seq::dropout_add(states.sum(1) / b.is_word.sum(1, true).clamp_min(1), {}, p);
  const Tensor ways = way_of_state_->forward(mean) + way_of_cues_->forward(b.cues);  // [B, kNumWays]
  const Tensor unit = torch::arange(options_.hidden, b.question.options());
  const Tensor said = pick(hidden_of_state_->forward(mean), b.question.unsqueeze(1) * options_.hidden + unit);
  const Tensor inner =
      seq2seq::dropout_add(seq2seq::activate(hidden_->forward(x) + said, seq2seq::Activation::kGelu), {}, p);
  const Tensor score = linear_->forward(x) + output_->forward(inner);  // [C, 1]
  return normalized(torch::cat({score, score + counted_->forward(b.sizes)}, 1), ways, x, b);
}

Tensor marginal_loss(const Tensor& log_probs, const FormBatch& b) {
  const Tensor zeros = torch::zeros({b.utterances}, log_probs.options());
  const Tensor right = zeros.index_add(0, b.question, (log_probs.exp() * b.targets).sum(1));
  const Tensor has = zeros.index_add(0, b.question, b.targets.sum(1)).gt(0).to(log_probs.scalar_type());
  return -(right.clamp_min(1e-12).log() * has).sum() / has.sum().clamp_min(1);
}

}  // namespace kgwalk::listening
