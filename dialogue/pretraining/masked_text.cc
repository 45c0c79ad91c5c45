#include "dialogue/pretraining/masked_text.h"

#include <algorithm>

#include "dialogue/text/name_states.h"
#include "dialogue/text/text_encoder.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::uint64_t kDevSeed = 20190415;  // which dev pieces are hidden never changes

}  // namespace

MaskedBatch mask_batch(std::span<const TokenSequence> sequences, std::span<const std::size_t> places,
                       const ContextTokenizer& tokens, double share, Random& random) {
  const PaddedTokens padded = pad_tokens(sequences, places, tokens.special().pad);
  return seq2seq::hide_pieces({padded.ids, padded.keep, {}}, tokens.tokenizer(), share, random);
}

std::vector<std::vector<graph::Chat>> dialogue_windows(const graph::Dialogue& dialogue, std::size_t window,
                                                       std::size_t offset) {
  std::vector<std::vector<graph::Chat>> windows;
  std::size_t room = offset;
  for (const graph::DialogueEvent& event : dialogue.events) {
    const auto* chat = std::get_if<graph::Chat>(&event);
    if (chat == nullptr) continue;
    if (windows.empty() || room == 0) {
      room = windows.empty() && offset > 0 ? offset : window;
      windows.emplace_back();
    }
    windows.back().push_back(*chat);
    --room;
  }
  return windows;
}

MaskedTextTask::MaskedTextTask(seq2seq::AlbertForMaskedLm model, const ContextTokenizer& tokens,
                               const MaskedTextData& data, const MaskedTextOptions& options)
    : model_(std::move(model)), tokens_(tokens), data_(data), options_(options) {
  for (const graph::Dialogue& dialogue : data_.dev) {
    for (const auto& window : dialogue_windows(dialogue, static_cast<std::size_t>(options_.window), 0)) {
      dev_.push_back(tokens_.context(window));
    }
  }
}

std::int64_t MaskedTextTask::num_dev_tokens() const {
  std::int64_t count = 0;
  for (const TokenSequence& sequence : dev_) count += static_cast<std::int64_t>(sequence.ids.size());
  return count;
}

// "Iron Man directed by Jon Favreau": a random edge read in the direction its relation is named for.
std::string MaskedTextTask::random_fact(Random& random) const {
  const graph::KnowledgeGraph& graph = *data_.graph;
  const std::uint64_t at = random.below(graph.num_edges());
  const auto offsets = graph.offsets();
  const auto head = static_cast<graph::EntityId>(std::upper_bound(offsets.begin(), offsets.end(), at) -
                                                 offsets.begin() - 1);
  const graph::Edge edge = graph.edges()[at];
  const RelationWords relation = relation_words(graph.relation_name(edge.relation));
  std::string first(graph.entity_name(head)), second(graph.entity_name(edge.tail));
  if (relation.inverse) std::swap(first, second);
  return first + " " + relation.words + " " + second;
}

std::int64_t MaskedTextTask::begin_epoch(int /*epoch*/, Random& random) {
  epoch_seed_ = random.next();
  sequences_.clear();
  const auto window = static_cast<std::size_t>(options_.window);
  for (const graph::Dialogue& dialogue : data_.train) {
    for (const auto& part : dialogue_windows(dialogue, window, random.below(window))) {
      sequences_.push_back(tokens_.context(part));
    }
  }
  if (data_.graph != nullptr && data_.graph->num_edges() > 0) {
    for (int i = 0; i < options_.facts_per_epoch; ++i)
      sequences_.push_back(tokens_.text(random_fact(random)));
  }
  random.shuffle(std::span(sequences_));
  batches_ = length_buckets(sequences_, static_cast<std::size_t>(options_.batch_tokens));
  random.shuffle(std::span(batches_));
  return static_cast<std::int64_t>(batches_.size());
}

StepResult MaskedTextTask::step(std::int64_t batch) {
  // Its own generator a batch, so that a resumed epoch hides what it would have hidden.
  Random random(epoch_seed_, static_cast<std::uint64_t>(batch) + 1);
  const MaskedBatch masked =
      mask_batch(sequences_, batches_[static_cast<std::size_t>(batch)], tokens_, options_.mask_share, random);
  StepResult result;
  result.loss = model_->loss(masked.input, masked.labels);
  result.weight = static_cast<double>(masked.masked);
  return result;
}

Json MaskedTextTask::evaluate() {
  seq2seq::MaskedScore score;
  std::uint64_t stream = 0;
  for (const std::vector<std::size_t>& places :
       length_buckets(dev_, static_cast<std::size_t>(options_.batch_tokens))) {
    Random random(kDevSeed, ++stream);
    score.add(model_, mask_batch(dev_, places, tokens_, options_.mask_share, random));
  }
  return score.to_json();
}

}  // namespace kgwalk::dialogue
