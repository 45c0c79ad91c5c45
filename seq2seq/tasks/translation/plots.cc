#include "seq2seq/tasks/translation/plots.h"

#include "kgwalk/error.h"
#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {
namespace {

std::vector<std::string> names_of(const SentencePiece& vocabulary, const std::vector<int>& ids) {
  std::vector<std::string> names;
  for (const int id : ids) names.push_back(vocabulary.piece(id));
  return names;
}

}  // namespace

std::vector<NamedPlot> translation_plots(const Translator& translator, const std::string& source,
                                         const std::string& target) {
  const SentencePiece& vocabulary = translator.vocabulary();
  const TranslationConfig& config = translator.config();
  PiecePair pair{encode_line(vocabulary, source, config.vocabulary),
                 encode_line(vocabulary, target, config.vocabulary)};
  const auto limit = static_cast<std::size_t>(config.model.max_length);
  for (std::vector<int>* side : {&pair.source, &pair.target}) {
    if (side->size() < 2)
      throw ConfigError("attention maps need a line and its translation; one of them is empty");
    if (side->size() > limit) side->resize(limit);
  }
  const std::vector<const PiecePair*> pairs{&pair};
  const TranslationBatch batch = make_batch(pairs, vocabulary.id_of(kStartPiece));
  const std::vector<std::string> read = names_of(vocabulary, pair.source);
  std::vector<std::string> written = names_of(vocabulary, pair.target);
  written.insert(written.begin(), kStartPiece);
  written.pop_back();
  const torch::NoGradGuard no_grad;
  EncoderDecoder model = translator.model();
  const AttentionMaps maps(*model);
  (void)model->teach(model->encode(batch.source.ids, batch.source.keep), batch.target.previous,
                     batch.target.keep);
  return maps.plots(0, [&](const std::string& name) {
    if (name.starts_with("encoder")) return MapLabels{read, read};
    return name.find("memory") == std::string::npos ? MapLabels{written, written} : MapLabels{written, read};
  });
}

}  // namespace kgwalk::seq2seq
