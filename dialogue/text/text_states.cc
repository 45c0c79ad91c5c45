#include "dialogue/text/text_states.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "runtime/checksum.h"
#include "runtime/stopwatch.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

std::string_view bytes_of(const std::vector<std::int32_t>& ids) {
  return {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(std::int32_t)};
}

}  // namespace

Json TextStatesReport::to_json() const {
  return {{"contexts", contexts},     {"distinct", distinct},
          {"tokens", tokens},         {"cut_contexts", cut_contexts},
          {"cut_pieces", cut_pieces}, {"from_cache", from_cache},
          {"seconds", seconds}};
}

void TextStates::tokenize(std::span<const std::span<const graph::Chat>> contexts) {
  std::unordered_map<std::string, std::uint32_t> known;
  begins_.push_back(0);
  for (const std::span<const graph::Chat> context : contexts) {
    TokenSequence sequence = encoder_->tokens().context(context);
    const auto [it, fresh] =
        known.emplace(bytes_of(sequence.ids), static_cast<std::uint32_t>(sequences_.size()));
    rows_.push_back(it->second);
    if (!fresh) continue;
    begins_.push_back(begins_.back() + static_cast<std::int64_t>(sequence.ids.size()));
    report_.cut_contexts += sequence.cut > 0;
    report_.cut_pieces += sequence.cut;
    sequences_.push_back(std::move(sequence));
  }
  report_.contexts = contexts.size();
  report_.distinct = sequences_.size();
  report_.tokens = static_cast<std::size_t>(begins_.back());
}

std::string TextStates::texts_checksum() const {
  Checksum sum;
  for (const TokenSequence& sequence : sequences_) {
    sum.add(std::to_string(sequence.ids.size()) + ":");
    sum.add(bytes_of(sequence.ids));
  }
  return sum.hex();
}

void TextStates::compute(Reporter& reporter, const StopFlag& stop) {
  encoder_->encode(
      sequences_,
      [&](std::span<const std::size_t> places, const torch::Tensor& states, const torch::Tensor&) {
        const torch::Tensor half = states.to(torch::kCPU, torch::kHalf);  // [B, T, D]
        for (std::size_t row = 0; row < places.size(); ++row) {
          const auto length = static_cast<std::int64_t>(sequences_[places[row]].ids.size());
          states_.narrow(0, begins_[places[row]], length)
              .copy_(half[static_cast<std::int64_t>(row)].narrow(0, 0, length));
        }
      },
      reporter, stop);
}

TextStates TextStates::load(std::shared_ptr<const TextEncoder> encoder,
                            std::span<const std::span<const graph::Chat>> contexts, const StateCache& cache,
                            Reporter& reporter, const StopFlag& stop) {
  const Stopwatch watch;
  TextStates out(std::move(encoder));
  out.tokenize(contexts);
  const std::int64_t rows = out.begins_.back();
  out.states_ = torch::zeros({rows + 1, out.width()}, torch::kHalf);
  const torch::Tensor filled = out.states_.narrow(0, 0, rows);
  const StateKey key{out.encoder_->states_checksum(), out.texts_checksum(), rows, out.width()};
  if (const auto cached = read_states(cache, key, reporter)) {
    filled.copy_(*cached);
    out.report_.from_cache = true;
  } else {
    out.compute(reporter, stop);
    write_states(cache, key, filled);
  }
  if (out.report_.cut_contexts > 0) {
    reporter.warn(with_commas(static_cast<long long>(out.report_.cut_contexts)) + " of " +
                  with_commas(static_cast<long long>(out.report_.distinct)) +
                  " contexts are longer than the " + std::to_string(out.encoder_->tokens().max_tokens()) +
                  " pieces the text encoder takes; their oldest " +
                  with_commas(static_cast<long long>(out.report_.cut_pieces)) + " pieces were left out");
  }
  out.report_.seconds = watch.seconds();
  return out;
}

TextBatch TextStates::batch(std::span<const std::size_t> contexts) const {
  std::vector<std::size_t> chosen;
  for (const std::size_t context : contexts) chosen.push_back(rows_[context]);
  PaddedTokens tokens = pad_tokens(sequences_, chosen, encoder_->tokens().special().pad);
  const std::int64_t rows = tokens.ids.size(0), columns = tokens.ids.size(1);
  const std::int64_t padding = states_.size(0) - 1;
  torch::Tensor place = torch::full({rows, columns}, padding, torch::kInt64);                   // [B, T]
  torch::Tensor age = torch::full({rows, columns}, std::int64_t{kNoUtterance}, torch::kInt64);  // [B, T]
  for (std::int64_t row = 0; row < rows; ++row) {
    const TokenSequence& sequence = sequences_[chosen[static_cast<std::size_t>(row)]];
    auto* to = place.data_ptr<std::int64_t>() + row * columns;
    auto* ages = age.data_ptr<std::int64_t>() + row * columns;
    for (std::size_t i = 0; i < sequence.ids.size(); ++i) {
      to[i] = begins_[chosen[static_cast<std::size_t>(row)]] + static_cast<std::int64_t>(i);
      ages[i] = sequence.age[i];
    }
  }
  const torch::Device device = states_.device();
  torch::Tensor states =
      states_.index_select(0, place.view(-1).to(device)).to(torch::kFloat32);  // [B * T, D]
  return {states.view({rows, columns, width()}), tokens.keep.to(device), tokens.ids.to(device),
          age.to(device)};
}

}  // namespace kgwalk::dialogue
