#include "walker/network/network.h"

#include "kgwalk/error.h"
#include "walker/network/hitkg.h"
#include "walker/network/lstm.h"
#include "walker/network/word_scorer.h"

namespace kgwalk::walker {

using torch::Tensor;

WalkInputs WalkInputs::to(torch::Device device) const {
  return {on(device, text),   on(device, text_keep), on(device, words),  on(device, word_bags),
          said.to(device),    on(device, silent),    history.to(device), on(device, history_keep),
          on(device, starts), on(device, goals)};
}

WordBagsImpl::WordBagsImpl(std::int64_t num_words, const TextConfig& config) : config_(config) {
  weight = register_parameter("weight", torch::randn({num_words, config.word_width}) * 0.1);
}

Tensor WordBagsImpl::forward(const WalkInputs& inputs) {
  Tensor ids = inputs.words;
  if (is_training() && config_.word_dropout > 0) {
    const Tensor dropped = torch::rand({ids.size(0)}, weight.options()) < config_.word_dropout;
    ids = ids.masked_fill(dropped, 0);
  }
  const Tensor bags =
      std::get<0>(torch::embedding_bag(weight, ids, inputs.word_bags, false, 1));  // mode 1 = mean
  return bags.view({inputs.size(), width()});
}

std::shared_ptr<WalkNetworkImpl> make_network(const WalkerConfig& config, const MetaPathTables& tables,
                                              const InputSizes& sizes) {
  if (config.model == WalkerKind::kHitkg) return std::make_shared<HitkgImpl>(config, tables, sizes);
  if (config.model == WalkerKind::kLstm) return std::make_shared<LstmWalkerImpl>(config, tables, sizes);
  if (config.model == WalkerKind::kScorer) return std::make_shared<WordScorerImpl>(config, tables, sizes);
  throw ConfigError("model '" + std::string(config.model.name()) +
                    "' has no network; hitkg, lstm and scorer have one");
}

}  // namespace kgwalk::walker
