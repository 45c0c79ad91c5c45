// From examples to the tensors of a batch.
#pragma once

#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "walker/data/vocabulary.h"
#include "walker/example.h"
#include "walker/network/network.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker {

class InputBuilder {
 public:
  // References are borrowed and must outlive this object; `vocabulary` may be null when word_width is 0,
  // `pieces` when nothing listens.
  InputBuilder(const WalkerConfig& config, const graph::KnowledgeGraph& graph, const TextSource& text,
               const Vocabulary* vocabulary, const WordPieces* pieces = nullptr,
               const PhraseStates* phrases = nullptr);

  [[nodiscard]] WalkInputs build(std::span<const Example* const> examples) const;
  // The utterances that are heard, oldest first: the last few, without speaker 2's for W2.
  [[nodiscard]] Context heard(const Example& example) const;
  // Text positions that the example takes: what batches are bucketed by.
  [[nodiscard]] std::int64_t text_length(const Example& example) const;
  // Hops of partial paths as MetaPath ids: [N, h], all of `num_hops` hops.
  [[nodiscard]] static MetaPathIds hops(std::span<const PartialPath> paths,
                                        std::span<const Example* const> examples, int num_hops);

 private:
  void fill_text(std::span<const Example* const> examples, WalkInputs& inputs) const;
  void fill_words(std::span<const Example* const> examples, WalkInputs& inputs) const;
  void fill_said(std::span<const Example* const> examples, WalkInputs& inputs) const;
  void fill_history(std::span<const Example* const> examples, WalkInputs& inputs) const;

  const WalkerConfig config_;
  const graph::KnowledgeGraph& graph_;
  const TextSource& text_;
  const Vocabulary* vocabulary_;
  const WordPieces* pieces_;
  const PhraseStates* phrases_;
};

}  // namespace kgwalk::walker
