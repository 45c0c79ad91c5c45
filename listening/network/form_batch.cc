#include "listening/network/form_batch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

void add_slots(const Prepared& prepared, FormInput& input) {
  input.slot_relations = {0};
  input.slot_codes = {0};
  input.type_rows = {0};
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> slots;
  std::map<std::int64_t, std::int64_t> types;
  for (std::size_t i = 0; i < prepared.relations.size(); ++i) {
    const std::int64_t relation = prepared.relations[i], code = prepared.codes[i];
    std::int64_t place = 0;
    if (relation > 0) {
      const auto [at, is_new] =
          slots.try_emplace({relation, code}, static_cast<std::int64_t>(input.slot_relations.size()));
      if (is_new) {
        input.slot_relations.push_back(relation);
        input.slot_codes.push_back(code);
      }
      place = at->second;
    }
    input.slots.push_back(place);
  }
  for (const std::int32_t type : prepared.types) {
    const auto [at, is_new] = types.try_emplace(type, static_cast<std::int64_t>(input.type_rows.size()));
    if (type > 0 && is_new) input.type_rows.push_back(type);
    input.types.push_back(type > 0 ? at->second : 0);
  }
}

template <class T>
void put_row(const std::vector<T>& from, T* to) {
  std::copy(from.begin(), from.end(), to);
}

// Sizes of a batch and its empty tensors.
FormBatch sized(std::span<const FormInput* const> inputs, std::int64_t& candidates) {
  FormBatch b;
  b.utterances = static_cast<std::int64_t>(inputs.size());
  const auto grow = [](std::int64_t& most, std::size_t size) {
    most = std::max(most, static_cast<std::int64_t>(size));
  };
  for (const FormInput* input : inputs) {
    grow(b.words, input->words.size());
    grow(b.slots_each, input->slot_relations.size());
    grow(b.types_each, input->type_rows.size());
    grow(b.covers_each, input->free.size() / input->words.size());
    candidates += static_cast<std::int64_t>(input->num_candidates());
  }
  const auto ints = [](auto... sizes) { return torch::zeros({sizes...}, torch::kInt64); };
  b.slot_relations = ints(b.utterances * b.slots_each);
  b.slot_codes = ints(b.utterances * b.slots_each);
  b.slot_types = ints(b.utterances * b.types_each);
  b.free = torch::zeros({b.utterances, b.covers_each, b.words});
  b.content = torch::zeros({b.utterances, b.words});
  b.is_word = torch::zeros({b.utterances, b.words});
  b.cues = torch::zeros({b.utterances, static_cast<std::int64_t>(inputs[0]->cues.size())});
  b.question = ints(candidates);
  b.types = ints(candidates);
  b.covers = ints(candidates);
  b.asked = ints(candidates);
  b.slots = ints(candidates, std::int64_t{kMaxSlots});
  b.centers = torch::empty({candidates, kMaxSlots});
  b.sizes = torch::empty({candidates, 3});
  b.countable = torch::empty({candidates});
  const std::size_t first = inputs[0]->num_candidates();
  b.features = torch::empty(
      {candidates, static_cast<std::int64_t>(inputs[0]->features.size() / std::max<std::size_t>(1, first))});
  return b;
}

void put_utterance(const FormInput& input, std::int64_t at, FormBatch& b) {
  const auto words = static_cast<std::int64_t>(input.words.size());
  put_row(input.slot_relations, b.slot_relations.data_ptr<std::int64_t>() + at * b.slots_each);
  put_row(input.slot_codes, b.slot_codes.data_ptr<std::int64_t>() + at * b.slots_each);
  put_row(input.type_rows, b.slot_types.data_ptr<std::int64_t>() + at * b.types_each);
  put_row(input.content, b.content.data_ptr<float>() + at * b.words);
  put_row(input.cues, b.cues.data_ptr<float>() + at * b.cues.size(1));
  std::fill_n(b.is_word.data_ptr<float>() + at * b.words, words, 1.0F);
  float* free = b.free.data_ptr<float>() + at * b.covers_each * b.words;
  for (std::int64_t m = 0; m * words < static_cast<std::int64_t>(input.free.size()); ++m)
    std::copy_n(input.free.data() + m * words, words, free + m * b.words);
}

void put_candidates(const FormInput& input, std::int64_t at, std::int64_t begin, FormBatch& b) {
  const auto count = static_cast<std::int64_t>(input.num_candidates());
  const auto put_ids = [&](const std::vector<std::int64_t>& from, std::int64_t first, Tensor& to) {
    std::int64_t* out = to.data_ptr<std::int64_t>() + begin * (to.dim() == 2 ? to.size(1) : 1);
    for (std::size_t i = 0; i < from.size(); ++i) out[i] = from[i] + first;
  };
  std::fill_n(b.question.data_ptr<std::int64_t>() + begin, count, at);
  put_ids(input.slots, at * b.slots_each, b.slots);
  put_ids(input.types, at * b.types_each, b.types);
  put_ids(input.covers, at * b.covers_each, b.covers);
  put_ids(input.asked, 0, b.asked);
  put_row(input.centers, b.centers.data_ptr<float>() + begin * kMaxSlots);
  put_row(input.sizes, b.sizes.data_ptr<float>() + begin * 3);
  put_row(input.countable, b.countable.data_ptr<float>() + begin);
  const std::int64_t width = b.features.size(1);
  float* features = b.features.data_ptr<float>() + begin * width;
  for (std::size_t i = 0; i < input.features.size(); ++i) features[i] = input.features[i];
}

// The distinct rows that are named, which are then named by their place.
Tensor used_rows(Tensor& named) {
  std::int64_t* rows = named.data_ptr<std::int64_t>();
  std::vector<std::int64_t> distinct(rows, rows + named.numel());
  distinct.push_back(0);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (std::int64_t i = 0; i < named.numel(); ++i)
    rows[i] = std::lower_bound(distinct.begin(), distinct.end(), rows[i]) - distinct.begin();
  return int64_tensor(distinct);
}

void move_batch(FormBatch& b, torch::Device device) {
  for (Tensor* x :
       {&b.relation_rows, &b.type_rows, &b.slot_relations, &b.slot_codes, &b.slot_types, &b.free,
        &b.content,       &b.is_word,   &b.cues,           &b.features,   &b.question,   &b.types,
        &b.covers,        &b.asked,     &b.slots,          &b.has_slot,   &b.centers,    &b.has_type,
        &b.sizes,         &b.countable, &b.targets})
    if (x->defined()) *x = x->to(device);
}

}  // namespace

FormInput form_input(const Prepared& prepared) {
  FormInput input;
  for (const SaidWord& word : prepared.parts.said.words) {
    input.words.push_back(word.folded);
    input.content.push_back(word.content ? 1.0F : 0.0F);
  }
  for (const std::vector<std::uint8_t>& cover : prepared.distinct_covers)
    for (std::size_t t = 0; t < input.words.size(); ++t)
      input.free.push_back(cover[t] == 0 && prepared.parts.said.words[t].is_word ? 1.0F : 0.0F);
  input.cues = prepared.cues;
  input.features.assign(prepared.features.begin(), prepared.features.end());
  input.centers = prepared.centers;
  input.covers.assign(prepared.covers.begin(), prepared.covers.end());
  add_slots(prepared, input);
  for (const Candidate& candidate : prepared.candidates) {
    input.asked.push_back(static_cast<std::int64_t>(candidate.asked));
    input.countable.push_back(candidate.countable ? 1.0F : 0.0F);
    const auto size = static_cast<float>(candidate.answers.size());
    input.sizes.insert(input.sizes.end(),
                       {std::log1p(size), size == 1 ? 1.0F : 0.0F, size > 10 ? 1.0F : 0.0F});
  }
  return input;
}

FormBatch collate(std::span<const FormInput* const> inputs, TableRows rows, torch::Device device) {
  std::int64_t candidates = 0;
  FormBatch b = sized(inputs, candidates);
  std::vector<float> targets;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    put_utterance(*inputs[i], at, b);
    put_candidates(*inputs[i], at, begin, b);
    begin += static_cast<std::int64_t>(inputs[i]->num_candidates());
    targets.insert(targets.end(), inputs[i]->targets.begin(), inputs[i]->targets.end());
  }
  b.has_slot = b.slot_relations.gt(0).to(torch::kFloat32).index_select(0, b.slots.view({-1}));
  b.has_slot = b.has_slot.view({candidates, kMaxSlots});
  b.has_type = b.slot_types.gt(0).to(torch::kFloat32).index_select(0, b.types);
  if (targets.size() == static_cast<std::size_t>(2 * candidates))
    b.targets = torch::tensor(at::ArrayRef<float>(targets)).view({candidates, 2});
  if (rows == TableRows::kUsed) {
    b.relation_rows = used_rows(b.slot_relations);
    b.type_rows = used_rows(b.slot_types);
  }
  if (!device.is_cpu()) move_batch(b, device);
  return b;
}

}  // namespace kgwalk::listening
