#include "dialogue/text/context_tokenizer.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kMaxUtterances = 254;
constexpr std::size_t kFewestTokens = 8;

std::vector<std::int32_t> to_ids(const seq2seq::Encoding& encoding) {
  return {encoding.ids.begin(), encoding.ids.end()};
}

std::vector<std::int32_t> mark_ids(const seq2seq::Tokenizer& tokenizer, std::string_view mark) {
  if (const auto id = tokenizer.find(mark)) return {*id};
  return to_ids(tokenizer.encode(mark));
}

void append(TokenSequence& out, const std::vector<std::int32_t>& ids, std::uint8_t age) {
  out.ids.insert(out.ids.end(), ids.begin(), ids.end());
  out.age.resize(out.ids.size(), age);
}

}  // namespace

ContextTokenizer::ContextTokenizer(std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
                                   std::size_t max_tokens)
    : tokenizer_(std::move(tokenizer)), max_tokens_(max_tokens), special_(tokenizer_->special()) {
  if (special_.cls < 0 || special_.sep < 0 || special_.pad < 0) {
    throw FormatError(
        "the encoder's vocabulary lacks [CLS], [SEP] or <pad>; it is not one of ALBERT or BERT");
  }
  if (max_tokens_ < kFewestTokens) {
    throw FormatError("the encoder takes " + std::to_string(max_tokens_) + " positions; at least " +
                      std::to_string(kFewestTokens) + " are needed");
  }
  user_mark_ = mark_ids(*tokenizer_, kUserMark);
  assistant_mark_ = mark_ids(*tokenizer_, kAssistantMark);
}

TokenSequence ContextTokenizer::context(std::span<const graph::Chat> utterances) const {
  struct Part {
    const std::vector<std::int32_t>* mark;
    std::vector<std::int32_t> ids;
  };
  TokenSequence out;
  std::vector<Part> parts;  // newest first
  std::size_t room = max_tokens_ - 2;
  utterances = utterances.last(std::min(utterances.size(), kMaxUtterances));
  for (std::size_t i = utterances.size(); i-- > 0;) {
    Part part{utterances[i].speaker == graph::Speaker::kUser ? &user_mark_ : &assistant_mark_,
              to_ids(tokenizer_->encode(utterances[i].text))};
    const std::size_t fits = room > part.mark->size() ? room - part.mark->size() : 0;
    const std::size_t kept = std::min(fits, part.ids.size());
    out.cut += static_cast<std::uint32_t>(part.ids.size() - kept);
    part.ids.erase(part.ids.begin(), part.ids.end() - static_cast<std::ptrdiff_t>(kept));
    if (fits > 0) parts.push_back(std::move(part));
    room = fits - kept;  // none once an utterance was cut: older ones would leave a gap
  }
  append(out, {special_.cls}, kNoUtterance);
  for (std::size_t age = parts.size(); age-- > 0;) {
    append(out, *parts[age].mark, static_cast<std::uint8_t>(age));
    append(out, parts[age].ids, static_cast<std::uint8_t>(age));
  }
  append(out, {special_.sep}, kNoUtterance);
  return out;
}

TokenSequence ContextTokenizer::text(std::string_view text) const {
  TokenSequence out;
  std::vector<std::int32_t> ids = to_ids(tokenizer_->encode(text));
  const std::size_t kept = std::min(ids.size(), max_tokens_ - 2);
  out.cut = static_cast<std::uint32_t>(ids.size() - kept);
  ids.resize(kept);
  append(out, {special_.cls}, kNoUtterance);
  append(out, ids, kNoUtterance);
  append(out, {special_.sep}, kNoUtterance);
  return out;
}

// Products of fewer sequences cost more than the padding of some.
constexpr std::size_t kFewest = 4;

std::vector<std::vector<std::size_t>> length_buckets(std::span<const TokenSequence> sequences,
                                                     std::size_t max_tokens) {
  std::vector<std::size_t> order(sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sequences[a].ids.size() < sequences[b].ids.size();
  });
  std::vector<std::vector<std::size_t>> buckets;
  std::size_t tokens = 0;  // of the last bucket, without padding
  for (const std::size_t i : order) {
    // Lengths ascend, so the new sequence is the longest of its bucket.
    const std::size_t length = sequences[i].ids.size();
    const std::size_t padded = buckets.empty() ? 0 : (buckets.back().size() + 1) * length;
    const bool wasteful =
        padded > 0 && buckets.back().size() >= kFewest && 4 * padded > 5 * (tokens + length);
    if (buckets.empty() || padded > max_tokens || wasteful) {
      buckets.emplace_back();
      tokens = 0;
    }
    buckets.back().push_back(i);
    tokens += length;
  }
  return buckets;
}

}  // namespace kgwalk::dialogue
