#include "walker/network/inputs.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

using torch::Tensor;

Tensor int64_zeros(std::int64_t rows, std::int64_t columns) {
  return torch::zeros({rows, columns}, torch::kInt64);
}

Tensor int64_of(const std::vector<std::int64_t>& values) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64);
}

struct Hop {
  std::int64_t relation, tail, head;
};

}  // namespace

InputBuilder::InputBuilder(const WalkerConfig& config, const graph::KnowledgeGraph& graph,
                           const TextSource& text, const Vocabulary* vocabulary, const WordPieces* pieces,
                           const PhraseStates* phrases)
    : config_(config),
      graph_(graph),
      text_(text),
      vocabulary_(vocabulary),
      pieces_(pieces),
      phrases_(phrases) {
  if (config.text.word_width > 0 && vocabulary == nullptr)
    throw ConfigError("text.word_width needs the words of the training dialogues");
}

Context InputBuilder::heard(const Example& example) const {
  Context kept;
  const std::size_t n = example.context.size();
  const std::size_t window = std::min(n, static_cast<std::size_t>(config_.text.utterances));
  for (std::size_t i = n - window; i < n; ++i)
    if (!config_.text.user_only || example.context[i].speaker == graph::Speaker::kUser)
      kept.push_back(example.context[i]);
  return kept;
}

std::int64_t InputBuilder::text_length(const Example& example) const {
  return text_.num_tokens(heard(example));
}

void InputBuilder::fill_text(std::span<const Example* const> examples, WalkInputs& inputs) const {
  std::vector<Context> contexts;
  for (const Example* example : examples) contexts.push_back(heard(*example));
  TextSource::Batch batch = text_.batch(contexts);
  inputs.text = std::move(batch.states);
  inputs.text_keep = std::move(batch.keep);
}

void InputBuilder::fill_words(std::span<const Example* const> examples, WalkInputs& inputs) const {
  std::vector<std::int64_t> ids, bags;
  for (const Example* example : examples) {
    const Context chats = heard(*example);
    const std::vector<std::string> masked =
        dialogue::words_of(dialogue::plain_name(graph_.entity_name(example->start)));
    for (int u = 0; u < config_.text.word_utterances; ++u) {
      bags.push_back(static_cast<std::int64_t>(ids.size()));
      const auto back = static_cast<std::size_t>(u);
      const std::vector<std::int64_t> words =
          back < chats.size() ? vocabulary_->encode(chats[chats.size() - 1 - back].text, masked)
                              : std::vector<std::int64_t>{0};
      ids.insert(ids.end(), words.begin(), words.end());
    }
  }
  inputs.words = int64_of(ids);
  inputs.word_bags = int64_of(bags);
}

void InputBuilder::fill_said(std::span<const Example* const> examples, WalkInputs& inputs) const {
  std::vector<HeardText> texts;
  for (const Example* example : examples)
    texts.push_back(pieces_->read(example->context, graph_.entity_name(example->start),
                                  config_.listen.utterances, config_.listen.max_words, example->start));
  inputs.said = said_of(texts, phrases_);
  inputs.silent = torch::empty({static_cast<std::int64_t>(examples.size())}, torch::kBool);
  for (std::size_t i = 0; i < examples.size(); ++i)
    inputs.silent.data_ptr<bool>()[i] =
        examples[i]->context.empty() || dialogue::words_of(examples[i]->context.back().text).empty();
}

// bop, then the hops of the earlier paths; another bop where a path starts elsewhere than the last one ended.
void InputBuilder::fill_history(std::span<const Example* const> examples, WalkInputs& inputs) const {
  const std::int64_t bop = static_cast<std::int64_t>(graph_.num_relations()) + 1;
  std::vector<std::vector<Hop>> rows;
  std::size_t longest = 1;
  for (const Example* example : examples) {
    std::vector<Hop> row;
    for (const graph::Triple& hop : example->walked) {
      if (row.empty() || row.back().tail != hop.head) row.push_back({bop, hop.head, hop.head});
      row.push_back({hop.relation, hop.tail, hop.head});
    }
    const auto keep = static_cast<std::size_t>(config_.max_path_history);
    if (row.size() > keep) row.erase(row.begin(), row.end() - static_cast<std::ptrdiff_t>(keep));
    if (row.empty()) row.push_back({bop, example->start, example->start});
    longest = std::max(longest, row.size());
    rows.push_back(std::move(row));
  }
  const auto batch = static_cast<std::int64_t>(examples.size());
  const auto width = static_cast<std::int64_t>(longest);
  inputs.history = {int64_zeros(batch, width), int64_zeros(batch, width), int64_zeros(batch, width)};
  inputs.history_keep = torch::zeros({batch, width}, torch::kBool);
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::vector<Hop>& row = rows[static_cast<std::size_t>(b)];
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(row.size()); ++i) {
      const Hop& hop = row[static_cast<std::size_t>(i)];
      inputs.history.relations.data_ptr<std::int64_t>()[b * width + i] = hop.relation;
      inputs.history.tails.data_ptr<std::int64_t>()[b * width + i] = hop.tail;
      inputs.history.heads.data_ptr<std::int64_t>()[b * width + i] = hop.head;
      inputs.history_keep.data_ptr<bool>()[b * width + i] = true;
    }
  }
}

WalkInputs InputBuilder::build(std::span<const Example* const> examples) const {
  WalkInputs inputs;
  if (config_.model != WalkerKind::kScorer || config_.text.pooled) fill_text(examples, inputs);
  if (config_.text.word_width > 0) fill_words(examples, inputs);
  if (config_.listen.on) fill_said(examples, inputs);
  fill_history(examples, inputs);
  std::vector<std::int64_t> starts, goals;
  for (const Example* example : examples) {
    starts.push_back(example->start);
    goals.push_back(example->goal ? *example->goal : graph_.num_entities());
  }
  inputs.starts = int64_of(starts);
  inputs.goals = int64_of(goals);
  return inputs;
}

MetaPathIds InputBuilder::hops(std::span<const PartialPath> paths, std::span<const Example* const> examples,
                               int num_hops) {
  const auto n = static_cast<std::int64_t>(paths.size());
  MetaPathIds ids{int64_zeros(n, num_hops), int64_zeros(n, num_hops), int64_zeros(n, num_hops)};
  for (std::int64_t i = 0; i < n; ++i) {
    const PartialPath& path = paths[static_cast<std::size_t>(i)];
    std::int64_t head = examples[static_cast<std::size_t>(path.example)]->start;
    for (std::int64_t h = 0; h < std::min(num_hops, path.num_hops); ++h) {
      const graph::Edge& edge = path.hops[static_cast<std::size_t>(h)];
      ids.relations.data_ptr<std::int64_t>()[i * num_hops + h] = edge.relation;
      ids.tails.data_ptr<std::int64_t>()[i * num_hops + h] = edge.tail;
      ids.heads.data_ptr<std::int64_t>()[i * num_hops + h] = head;
      head = edge.tail;
    }
  }
  return ids;
}

}  // namespace kgwalk::walker
