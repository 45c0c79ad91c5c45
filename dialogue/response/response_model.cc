#include "dialogue/response/response_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dialogue/response/source.h"
#include "dialogue/response/spelling.h"
#include "dialogue/turn_example.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/tasks/decoding.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/summary/search.h"

namespace kgwalk::dialogue {

using seq2seq::DialogueCoder;
using seq2seq::DialoguePieces;

OrdinaryNames ordinary_names_of(const graph::Store& store, const graph::KnowledgeGraph& graph) {
  std::vector<graph::Dialogue> all;
  for (const std::string& split : training_splits(store)) {
    std::vector<graph::Dialogue> part = store.dialogues(split);
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return {graph, all};
}

seq2seq::SummaryData encode_responses(const DialogueCoder& coder, std::span<const ResponseExample> examples,
                                      const ResponseConfig& config, bool training) {
  seq2seq::SummaryData data;
  const auto limit = static_cast<std::size_t>(config.model.transformer.max_length),
             speakers = static_cast<std::size_t>(config.model.speakers);
  for (const ResponseExample& example : examples) {
    const std::vector<std::string> names = names_of(example.message);
    const std::string text = spelled(example.text, names);
    std::vector<std::string> told;
    if (training) {
      for (const seq2seq::TextPart& part : seq2seq::parts_of(text, names))
        if (part.speaker > 0) told.push_back(names[static_cast<std::size_t>(part.speaker) - 1]);
    } else {
      told = needed_names(example.message, config.needed);
    }
    seq2seq::add_pair(coder, source_of(example.message, speakers, told, config.facts), text, limit, data);
  }
  return data;
}

struct ResponseModel::Source {
  const Message* message = nullptr;
  seq2seq::Dialogue dialogue;
  DialoguePieces pieces;
  std::vector<std::string> needed;
};

ResponseModel ResponseModel::open(const std::filesystem::path& path,
                                  std::shared_ptr<const ForbiddenNames> names) {
  seq2seq::ModelFiles files = seq2seq::read_model_files(path, kResponseRun, "sentencepiece.model");
  ResponseConfig config;
  apply_json(config, files.config, path.string());
  seq2seq::SentencePiece vocabulary(std::move(files.vocabulary), path.string() + "/sentencepiece.model");
  seq2seq::PointerGenerator model(config.model, vocabulary.size(), vocabulary.special().unk);
  load_state(*model, files.weights, path.string());
  move_to(*model, compute_device());
  return {std::move(config), std::move(model), std::move(vocabulary), std::move(names)};
}

ResponseModel::ResponseModel(ResponseConfig config, seq2seq::PointerGenerator model,
                             seq2seq::SentencePiece vocabulary, std::shared_ptr<const ForbiddenNames> names)
    : config_(std::move(config)),
      model_(std::move(model)),
      vocabulary_(std::make_shared<const seq2seq::SentencePiece>(std::move(vocabulary))),
      names_(std::move(names)),
      coder_(*vocabulary_, config_.vocabulary, config_.model.speakers),
      bounds_(*vocabulary_) {
  seq2seq::check_vocabulary(*vocabulary_, model_->transformer->vocabulary());
  model_->eval();
}

void ResponseModel::set_search(const seq2seq::TokenSearchOptions& search, bool constrained,
                               NeededNames needed, double least_sure) {
  ResponseConfig changed = config_;
  changed.search = search;
  changed.constrained = constrained;
  changed.needed = needed;
  changed.least_sure = least_sure;
  validate(changed, "response configuration");
  config_ = std::move(changed);
}

std::string ResponseModel::say(const Message& message) const { return say({&message, 1}, 1).front().text; }

std::vector<SpokenMessage> ResponseModel::say(std::span<const Message> messages, int batch) const {
  const torch::NoGradGuard no_grad;
  std::vector<SpokenMessage> results(messages.size());
  std::vector<Source> sources;
  std::vector<std::size_t> lengths;
  for (const Message& message : messages) {
    check(message);
    std::vector<std::string> needed = needed_names(message, config_.needed);
    Source source{&message,
                  source_of(message, static_cast<std::size_t>(config_.model.speakers), needed, config_.facts),
                  {},
                  {}};
    source.needed = std::move(needed);
    source.pieces =
        coder_.encode(source.dialogue, static_cast<std::size_t>(config_.model.transformer.max_length));
    lengths.push_back(source.pieces.ids.size());
    sources.push_back(std::move(source));
  }
  for (const std::vector<std::size_t>& chosen : seq2seq::batches_by_length(lengths, batch)) {
    std::vector<const Source*> part;
    std::vector<SpokenMessage*> to;
    for (const std::size_t i : chosen) {
      part.push_back(&sources[i]);
      to.push_back(&results[i]);
    }
    say_batch(part, to);
  }
  return results;
}

GuardedMessage ResponseModel::guarded(const Source& source) const {
  GuardedMessage message{AllowedNames(*source.message), {}, {}, {}, &source.pieces};
  for (std::size_t i = 0; i < source.dialogue.speakers.size(); ++i) {
    message.names.push_back(guarded_words(source.dialogue.speakers[i]));
    message.pieces.push_back(coder_.name(static_cast<int>(i) + 1));
    const bool needed = std::find(source.needed.begin(), source.needed.end(), source.dialogue.speakers[i]) !=
                        source.needed.end();
    // A source that was cut lacks names, which cannot be copied.
    if (needed && !source.pieces.cut) message.needed.push_back(i);
  }
  return message;
}

void ResponseModel::say_batch(std::span<const Source* const> sources,
                              std::span<SpokenMessage* const> results) const {
  std::vector<const DialoguePieces*> rows;
  std::vector<GuardedMessage> messages;
  for (const Source* source : sources) {
    rows.push_back(&source->pieces);
    if (config_.constrained) messages.push_back(guarded(*source));
  }
  const NameGuard guard(*names_, *vocabulary_, bounds_, std::move(messages));
  const auto found = seq2seq::search_dialogues(model_, *vocabulary_, config_.search, rows,
                                               config_.constrained ? &guard : nullptr)
                         .found;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    bool spoken = !found[i].empty() && (found[i].front().ended || !config_.constrained) &&
                  std::isfinite(found[i].front().log_prob);
    if (spoken) {
      const std::vector<int> ids(found[i].front().pieces.begin(), found[i].front().pieces.end());
      results[i]->sure = std::exp(found[i].front().log_prob / static_cast<double>(ids.size() + 1));
      results[i]->text = coder_.decode(ids, sources[i]->dialogue, sources[i]->pieces);
      spoken = !results[i]->text.empty() && (results[i]->sure >= config_.least_sure || !config_.constrained);
    }
    if (spoken) continue;
    results[i]->text = wordings_.say(*sources[i]->message);
    results[i]->by_wordings = true;
  }
}

double ResponseModel::perplexity(std::span<const ResponseExample> examples) const {
  constexpr std::size_t kRows = 32;
  const torch::NoGradGuard no_grad;
  const seq2seq::SummaryData data = encode_responses(coder_, examples, config_, false);
  double nll = 0;
  std::int64_t pieces = 0;
  for (std::size_t begin = 0; begin < data.pairs.size(); begin += kRows) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = begin; i < std::min(begin + kRows, data.pairs.size()); ++i) chosen.push_back(i);
    const seq2seq::SummaryBatch batch =
        seq2seq::make_batch(data, chosen, vocabulary_->id_of(seq2seq::kStartPiece));
    nll += model_->loss(model_->encode(batch.source), batch.target, 0, 0).nll;
    pieces += batch.target.gold.size(0);
  }
  return pieces > 0 ? std::exp(nll / static_cast<double>(pieces)) : 0;
}

}  // namespace kgwalk::dialogue
