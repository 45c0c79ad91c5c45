// How well what was said asks for a relation, hop by hop: what makes a walker listen.
//
// A relation is its words. The words of the last utterances (names taken out) and those of every relation are
// read through one table of hashed character n-grams, so that a relation that no question of the training
// asked for can be asked for by its words, and with a text encoder by what it leads to. A relation's score at
// a hop has two terms: the product of its vector with what an attention of that hop's own gathers from the
// utterances (from the second hop on, knowing the relation just walked), and token by token the best likeness
// of each of its words with a word that was said (late interaction; Khattab and Zaharia, "ColBERT", SIGIR
// 2020). What is asked for at all, one thing, a list, a yes or no, or nothing, is a judgement of its own:
// where nothing is asked, habit decides. With a frozen text encoder the states of the last utterance are read
// beside its words, and the states of a relation's words beside them.
//
// What is given may lie on the processor and is moved to the weights; results lie with them, but for Rows.
//
// Shapes: B examples, N states, T words of an utterance, R relations, W words of all of them, D width, H
// hops.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <span>

#include "kgwalk/knowledge_graph.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/layers/encoder.h"
#include "walker/config.h"
#include "walker/hearing.h"
#include "walker/network/padded_bags.h"

namespace kgwalk::walker {

class ListenerImpl : public torch::nn::Module, public KeepsTensors {
 public:
  // `relations` of the graph that is walked.
  ListenerImpl(const ListenConfig& config, RelationBags relations, int max_hops);

  void move_kept(torch::Device device) override;

  // Relations read once an update; of the graph, or of questions that come without one.
  struct Relations {
    torch::Tensor mapped;   // [R + 1, D], stopping last
    torch::Tensor words;    // [W, D] of length one
    torch::Tensor weights;  // [M] share of each word in its relation
    torch::Tensor texts;  // [R, E] text vectors of length one; undefined without a text encoder, as the next
    torch::Tensor likes;  // [R, D] the same through what questions have taught about likeness
    torch::Tensor examples;  // [R, D] of what they lead to, likewise
    RelationBags bags;
  };
  Relations read(const RelationBags& relations);
  // Those of the graph. Without gradients they are kept until weights change. Thread-safe then.
  Relations graph_relations();
  [[nodiscard]] const RelationBags& graph_bags() const { return relations_; }

  // What was said, read once an example.
  struct Heard {
    torch::Tensor queries;  // [B, H, D] what hop h asks for
    torch::Tensor seen;     // [B, H, D] what it looked at
    torch::Tensor gist;     // [B, D] mean of all
    torch::Tensor alike;    // [B, H, R + 1] likeness of words; stopping has none
    torch::Tensor acts;     // [B, kNumActs] logits of what is done by saying it
  };
  Heard hear(const Said& said, const Relations& relations);

  // Scores of all relations and of stopping, [N, R + 1], for states after `hops` int64 [N] hops of examples
  // `owners` int64 [N] whose last relation is `before` int64 [N] (R where there is none).
  [[nodiscard]] torch::Tensor score(const Heard& heard, const Relations& relations,
                                    const torch::Tensor& owners, const torch::Tensor& hops,
                                    const torch::Tensor& before);

  // The same scores of states, three ways, each [N, R + 1], on the processor.
  struct Rows {
    torch::Tensor plain;
    torch::Tensor fitted;  // among all relations, whether the entity has them or not
    torch::Tensor
        words;  // by the likeness of words alone, which must do where no question has taught anything
  };
  // `fit` [N, R] tells how usual each is at an entity of its kind (RelationCompany::log_fit).
  [[nodiscard]] Rows rows(const Heard& heard, const Relations& relations, const torch::Tensor& owners,
                          const torch::Tensor& hops, const torch::Tensor& before, const torch::Tensor& fit);
  [[nodiscard]] torch::Tensor among_all(const torch::Tensor& scores, const torch::Tensor& fit);

  // Logit of the asked relation being absent, from kNumAbsence features each, [N, F] (walker/hearing.h).
  [[nodiscard]] torch::Tensor missing(const torch::Tensor& features);
  // Probability from which on absence is to be said; fitted.
  [[nodiscard]] double missing_from() const { return refuse_from.item<double>(); }
  // Fits both to questions that were not learned from: features and 1 where the relation is absent, [N].
  void calibrate(const torch::Tensor& features, const torch::Tensor& is_absent);
  // Relations of the graph that no question of the training asks for: bool [R].
  void set_unheard(const torch::Tensor& is_unheard);
  // log-probabilities that something is asked and that nothing is, [B, 2].
  [[nodiscard]] static torch::Tensor asks(const Heard& heard);

 private:
  [[nodiscard]] torch::Tensor score_by_words(const Heard& heard, const torch::Tensor& at);
  torch::Tensor bag_vectors(const PaddedBags& bags);  // [B, T, D]
  torch::Tensor examples_of(const RelationBags& bags) const;
  torch::Tensor alike(const torch::Tensor& words, const torch::Tensor& gates, const PaddedBags& said,
                      const Relations& relations);
  [[nodiscard]] std::uint64_t version() const;

  ListenConfig config_;
  RelationBags relations_;
  std::mutex mutex_;
  std::optional<Relations> kept_;  // of the graph, for version kept_version_
  std::uint64_t kept_version_ = 0;

  torch::Tensor table;       // [buckets, D]
  torch::Tensor hop_query;   // [H, D]
  torch::Tensor directions;  // [2, D]
  torch::Tensor own;         // [R + 1, D] what a relation means beyond its words; stopping's is all it has
  torch::Tensor scale;       // [3] of the product, of the words' likeness, of how usual a relation is
  torch::Tensor text_scale;  // [2, H] of the likeness of text vectors, as they are and as taught; undefined
                             // without a text encoder
  torch::Tensor absent;      // [F + 1] weights and offset of the judgement that a relation is missing; fitted
  torch::Tensor refuse_from;  // scalar; fitted
  torch::Tensor unheard;      // [R] 1 for a relation that no question of the training asks for
  torch::Tensor positions;    // [max_words, D]
  seq2seq::TransformerEncoder encoder{nullptr};
  torch::Tensor text_positions;  // [kMostTextPositions, D]; undefined without a text encoder, as the next two
  seq2seq::Linear text_in{nullptr}, relation_text{nullptr}, text_like{nullptr}, relation_examples{nullptr},
      example_like{nullptr}, end_in{nullptr}, end_out{nullptr};
  seq2seq::Linear query{nullptr}, relation_in{nullptr}, relation_out{nullptr}, after{nullptr}, act{nullptr},
      gate{nullptr}, word_weight{nullptr};
};
TORCH_MODULE(Listener);

// Log-probabilities [K] of candidates where habit (scores before the softmax, [K]) and hearing meet. With the
// probability that something is asked the relation is drawn by `heard` [N, R + 1] among those that the state
// has, and the edge within it by habit; otherwise habit draws it. asks: [N, 2] as Listener::asks. groups
// int64 [G + 1] and group_states int64 [N + 1]: runs of candidates of one relation, and the runs of each
// state.
[[nodiscard]] torch::Tensor heard_log_probs(const torch::Tensor& habit, const torch::Tensor& heard,
                                            const torch::Tensor& asks,
                                            const struct CandidateTensors& candidates);

// One state's rows of ListenerImpl::Rows, contiguous, stopping left out.
struct RowSpans {
  std::span<const float> plain, fitted, words;
  RowSpans(const ListenerImpl::Rows& rows, std::int64_t state);
};

// Features of one state's rows: see walker/hearing.h. acts: [kNumActs] probabilities.
[[nodiscard]] std::array<float, kNumStanding> standing_features(const RowSpans& rows,
                                                                const graph::KnowledgeGraph& graph,
                                                                graph::EntityId start);
[[nodiscard]] std::array<float, kNumAbsence> absence_features(const RowSpans& rows,
                                                              const graph::KnowledgeGraph& graph,
                                                              graph::EntityId start,
                                                              std::span<const float> acts);

// Gives a checkpoint that judges by the standing of the start's relations alone a judgement with nothing of
// the rest.
void widen_absence(NamedTensors& weights);

}  // namespace kgwalk::walker
