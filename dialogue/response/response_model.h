// A trained model that puts messages into words.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/config.h"
#include "dialogue/response/examples.h"
#include "dialogue/response/name_guard.h"
#include "dialogue/response/templates.h"
#include "dialogue/response/voice.h"
#include "kgwalk/store.h"
#include "seq2seq/models/pointer_generator.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/tasks/summary/task.h"

namespace kgwalk::dialogue {

struct SpokenMessage {
  std::string text;
  bool by_wordings =
      false;  // the search found no sentence that may be said, or none likely enough: the wordings said it
  double sure =
      0;  // geometric mean of the probabilities of the best sentence's pieces; 0 where none was found
};

// The ordinary names of a database: counted over its training dialogues.
[[nodiscard]] OrdinaryNames ordinary_names_of(const graph::Store& store, const graph::KnowledgeGraph& graph);

// Pairs in pieces of a vocabulary. In training the model is told the names that the sentence says, otherwise
// those that config.needed asks for.
[[nodiscard]] seq2seq::SummaryData encode_responses(const seq2seq::DialogueCoder& coder,
                                                    std::span<const ResponseExample> examples,
                                                    const ResponseConfig& config, bool training);

// Names are pieces of their own, so that a model speaks of any graph; `names` are those of the graph spoken
// of. Safe for concurrent say() calls.
class ResponseModel : public Voice {
 public:
  // `path` is a finished run of `kgwalk respond train` or its model's folder. Errors as read_model_files'.
  [[nodiscard]] static ResponseModel open(const std::filesystem::path& path,
                                          std::shared_ptr<const ForbiddenNames> names);
  ResponseModel(ResponseConfig config, seq2seq::PointerGenerator model, seq2seq::SentencePiece vocabulary,
                std::shared_ptr<const ForbiddenNames> names);

  [[nodiscard]] std::string say(const Message& message) const override;
  // One each, in order, up to `batch` decoded together.
  [[nodiscard]] std::vector<SpokenMessage> say(std::span<const Message> messages, int batch) const;
  // Perplexity a piece of what was said, as the model alone would have said it.
  [[nodiscard]] double perplexity(std::span<const ResponseExample> examples) const;

  // Whether other names are kept out, which have to be said, and how sure a sentence has to be
  // (ResponseConfig); ConfigError for impossible options.
  void set_search(const seq2seq::TokenSearchOptions& search, bool constrained, NeededNames needed,
                  double least_sure);
  [[nodiscard]] const ResponseConfig& config() const { return config_; }

 private:
  struct Source;
  void say_batch(std::span<const Source* const> sources, std::span<SpokenMessage* const> results) const;
  [[nodiscard]] GuardedMessage guarded(const Source& source) const;

  ResponseConfig config_;
  mutable seq2seq::PointerGenerator model_;
  std::shared_ptr<const seq2seq::SentencePiece> vocabulary_;
  std::shared_ptr<const ForbiddenNames> names_;
  seq2seq::DialogueCoder coder_;
  PieceBounds bounds_;
  TemplateSpeaker wordings_;
};

}  // namespace kgwalk::dialogue
