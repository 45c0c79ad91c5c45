// Questions that a walker learns to hear from: batches of them and their loss. A source asks about the
// walker's own graph, or about relations of its own without a graph (SimpleQuestions).
#pragma once

#include <string>
#include <vector>

#include "dialogue/questions/question.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "walker/network/listener.h"
#include "walker/network/relation_aliases.h"
#include "walker/network/resources.h"
#include "walker/question.h"

namespace kgwalk::walker {

// A question with its names resolved.
struct HeardQuestion {
  HeardText said;
  Act act = Act::kNothing;
  bool missing = false;             // the start lacks what is asked for
  std::vector<graph::EntityId> at;  // entity stood on before each hop; empty without a graph
  std::vector<std::vector<graph::RelationId>>
      asked;                             // right relations of each hop; empty where they are not known
  std::vector<std::int64_t> said_as;     // aliases of the first hop's relations
  std::vector<graph::EntityId> answers;  // where only these are known: right ends, sorted
};

// How well questions are heard, over those kept back for choosing.
struct QuestionScore {
  std::int64_t count = 0;
  double first = 0;  // share whose first hop's likeliest relation is right
  double act = 0;    // share whose act is right
};

class QuestionSource {
 public:
  // Kept back for choosing: all questions of every twentieth wording; where wordings have no names, every
  // twentieth. `weight`: share of a batch, relative to other sources'. Questions with a start must name
  // entities and relations of the graph: ConfigError otherwise. Of one whose path is not known all paths to
  // its answers count. Resources are borrowed.
  QuestionSource(std::string name, double weight, const std::vector<dialogue::QuestionTurn>& questions,
                 const Resources& resources, const WalkerConfig& config);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] std::size_t size() const { return train_.size(); }
  // Questions with answers alone whose start the graph does not have.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  // Some of those learned from, as examples with their start.
  [[nodiscard]] const std::vector<Example>& started() const { return started_; }

  // bool [R + 1], of the walker's graph: relations that nothing is learned of. Undefined without a graph.
  [[nodiscard]] const torch::Tensor& never_asked() const { return never_asked_; }

  // Mean loss of `count` questions drawn with `random`.
  [[nodiscard]] torch::Tensor loss(ListenerImpl& listener, std::int64_t count, Random& random) const;
  // On those kept back. Of a source that asks about the graph, fits the judgement that a relation is missing
  // too.
  [[nodiscard]] QuestionScore evaluate(ListenerImpl& listener) const;

 private:
  struct States;
  struct Tally;
  void judge_acts(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                  const ListenerImpl::Relations& relations, const std::vector<const HeardQuestion*>& batch,
                  Tally& tally) const;
  void judge_relations(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                       const ListenerImpl::Relations& relations,
                       const std::vector<const HeardQuestion*>& batch, Tally& tally) const;
  [[nodiscard]] bool on_graph() const { return own_.begins.numel() == 0; }
  [[nodiscard]] torch::Tensor answers_loss(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                           const ListenerImpl::Relations& relations,
                                           const std::vector<const HeardQuestion*>& batch) const;
  [[nodiscard]] bool reaches_answer(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                    const ListenerImpl::Relations& relations, std::int64_t row,
                                    const HeardQuestion& question) const;
  [[nodiscard]] ListenerImpl::Relations relations(ListenerImpl& listener) const;
  [[nodiscard]] std::optional<RelationBags> reworded(const ListenerImpl& listener,
                                                     const std::vector<const HeardQuestion*>& batch,
                                                     Random& random) const;
  [[nodiscard]] torch::Tensor fits(std::span<const graph::EntityId> entities) const;  // [N, R]
  [[nodiscard]] States collect(const std::vector<const HeardQuestion*>& batch, std::int64_t stop) const;
  void add(const dialogue::QuestionTurn& question, std::vector<HeardQuestion>& list);
  void resolve(const dialogue::QuestionTurn& question, HeardQuestion& heard, std::uint64_t place) const;

  std::string name_;
  double weight_;
  const Resources& resources_;
  const WalkerConfig config_;
  RelationBags own_;  // relations of a source without a graph
  std::unordered_map<std::string, graph::RelationId> own_ids_;
  torch::Tensor
      never_asked_;  // bool [R + 1]; relations that nothing is learned of, so that they lose nothing either
  RelationAliases aliases_;
  std::size_t kept_answers_ = 0, left_out_ = 0;
  std::vector<HeardQuestion> train_, kept_;
  std::vector<Example> started_;
};

}  // namespace kgwalk::walker
