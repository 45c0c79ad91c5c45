// Everything that decides what a walker is and how it is trained in stage 1. Presets: walker/presets/*.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kgwalk/embedding_config.h"
#include "runtime/config.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/layers/options.h"
#include "walker/example.h"

namespace kgwalk::walker {

// Options of the beam search that makes paths (walker/search/search.h).
struct SearchConfig {
  int beam = 25;
  int max_hops = 2;
  double length_weight = 0;  // paths gain this times the length head's log-probability of their length
  template <class F>
  void fields(F& f) {
    f("beam", beam, "Number of hypotheses or partial paths that are kept.").range(1, 100000);
    f("max_hops", max_hops, "Longest path of a turn, in hops.").range(1, kMaxHops);
    f("length_weight", length_weight, "Weight of the length head's log-probability in the score of a path.")
        .range(0, 10);
  }
};

// Representation of MetaPaths (thesis 5.3.2).
struct MetaPathConfig {
  Choice<embeddings::EmbeddingKind> kg_model = embeddings::EmbeddingKind::kTransE;  // whose tables are read
  int kg_width = 384;           // their width; entities and relations alike
  bool head = false;            // 2EMP: [head; relation; tail]
  int distance_width = 0;       // stage 2: columns of the distance factors; 0 = [relation; tail]
  int trained_width = 0;        // columns of an entity table trained with the walker, beside the frozen ones
  bool train_relations = true;  // the relation table is a trained copy of the embedding's
  bool random_tables = false;   // frozen random vectors in place of the embedding's
  bool rescale = true;          // the embedding's and the factors' rows have mean length one
  bool projected = true;  // linear layers lead from MetaPaths to the network's width and back; the thesis has
                          // none, since 384 + 384 = 768
  template <class F>
  void fields(F& f) {
    f("kg_model", kg_model,
      "Embedding whose vectors of entities and relations are read, complex ones as real.");
    f("kg_width", kg_width, "Width of the embedding's vectors of entities and relations.").range(1, 4096);
    f("head", head, "MetaPaths hold the head entity too (the ablation 2EMP).");
    f("distance_width", distance_width,
      "Number of columns of the distance factors in MetaPaths (stage 2); 0 means none.")
        .range(0, 4096);
    f("trained_width", trained_width,
      "Number of columns of a trained table of entities beside the frozen vectors; 0 means "
      "none.")
        .range(0, 4096);
    f("train_relations", train_relations, "Relation vectors are trained, beginning with the embedding's.");
    f("random_tables", random_tables, "Frozen random vectors stand in place of the embedding's.");
    f("rescale", rescale,
      "Vectors of the graph are scaled to mean length one (without it: as training left them).");
    f("projected", projected,
      "Linear layers lead from MetaPaths to the network's width and back; without them MetaPaths are as wide "
      "as "
      "the network.");
  }
};

// Terms of a candidate's score beside state . MetaPath.
struct ScoringConfig {
  bool separate = false;       // SP: entity and relation distributions apart
  bool relation_bias = true;   // a learned bias of each relation and hop
  bool features = false;       // walker/features/features.h, linear and weighted by relation
  int feature_hidden = 0;      // hidden units of a small network over features, relation and state; 0 = none
  int relation_width = 16;     // relation vector of that network
  double feature_dropout = 0;  // whole features dropped in training
  bool goal = false;  // stage 2: what embeddings say of candidate and goal (walker/features/goal_features.h)
  int goal_hidden = 32;               // hidden units over them
  bool goal_exact = false;            // exact distances are among them: not comparable with the paper
  int goal_width = 0, goal_rank = 0;  // of tables that only this comparison reads; 0 = those of the MetaPaths
  bool scale = false;                 // MetaPath products divided by the root of their width
  template <class F>
  void fields(F& f) {
    f("separate", separate, "Entity and relation are predicted apart (the ablation SP).");
    f("relation_bias", relation_bias, "Each relation has a learned bias at each hop.");
    f("features", features, "Scores hold features of the candidates: counts, mentions, history, kinds.");
    f("feature_hidden", feature_hidden,
      "Number of hidden units over features, relation and state; 0 leaves features linear.")
        .range(0, 4096);
    f("relation_width", relation_width, "Width of the relation vectors of the network over features.")
        .range(1, 1024);
    f("feature_dropout", feature_dropout, "Probability that a feature is dropped in training.")
        .range(0, 0.99);
    f("goal", goal, "Candidates are compared with the goal (stage 2).");
    f("goal_hidden", goal_hidden, "Number of hidden units of the comparison with the goal.").range(1, 4096);
    f("goal_exact", goal_exact, "Exact distances enter the comparison with the goal; the paper has none.");
    f("goal_width", goal_width,
      "Width of the embedding's vectors that the comparison with the goal reads; 0 means those of the "
      "MetaPaths.")
        .range(0, 4096);
    f("goal_rank", goal_rank,
      "Columns of the distance factors that the comparison with the goal reads; 0 means those of the "
      "MetaPaths.")
        .range(0, 4096);
    f("scale", scale, "Products of states and MetaPaths are divided by the root of their width.");
  }
};

// What is heard of the dialogue.
struct TextConfig {
  int utterances = 3;          // window of the dialogue history
  bool user_only = false;      // W2: without the utterances of speaker 2
  bool states = true;          // frozen text states (the paper's ALBERT)
  bool pooled = false;         // the scorer reads their mean, which hears nothing but words otherwise
  int trained_layers = 0;      // top layers of the text encoder that are trained with the walker
  double trained_rate = 0.02;  // of their learning rate beside that of the rest
  int word_width = 0;          // trained vectors of words, mean of each utterance; 0 = none
  int word_utterances = 2;     // utterances they are taken from
  int word_min_messages = 3;   // rarer words share one vector
  double word_dropout = 0.3;
  template <class F>
  void fields(F& f) {
    f("utterances", utterances, "Number of last utterances that are read.").range(1, 64);
    f("user_only", user_only, "Utterances of speaker 2 are left out (the ablation W2).");
    f("states", states, "Utterances are read through the frozen text encoder.");
    f("pooled", pooled, "The scorer reads the mean of the text encoder's states beside words.");
    f("trained_layers", trained_layers,
      "Number of top layers of the text encoder that are trained with the walker; 0 leaves it frozen.")
        .range(0, 64);
    f("trained_rate", trained_rate, "Learning rate of these layers as a share of the walker's.").range(0, 1);
    f("word_width", word_width, "Width of trained word vectors, averaged over each utterance; 0 means none.")
        .range(0, 4096);
    f("word_utterances", word_utterances, "Number of utterances that word vectors are taken from.")
        .range(1, 16);
    f("word_min_messages", word_min_messages, "Words in fewer training messages share one vector.")
        .range(1, 1e9);
    f("word_dropout", word_dropout, "Share of words that is dropped in training.").range(0, 0.99);
  }
};

// How relations are asked for (walker/network/listener.h).
struct ListenConfig {
  bool on = false;
  int width = 96;
  int layers = 1;
  int buckets = 16384;
  int utterances = 2;
  int max_words = 40;
  double dropout = 0.1;
  double word_dropout = 0.1;
  double own_dropout = 0.5;
  double reworded = 0.5;       // of the relations asked for in a step, share read by other words for them
  double unheard = 0;          // added to the scores of relations that no question of the training asked for
  bool relation_words = true;  // false: a relation is its number, the ablation
  bool text = false;           // what was said and relations are read through the text encoder too
  double global_loss = 0.5;    // beside the choice among the relations that an entity has
  int batch = 64;
  template <class F>
  void fields(F& f) {
    f("on", on, "Candidates are scored by how well what was said asks for their relation.");
    f("width", width, "Width of the vectors of words and relations.").range(4, 4096);
    f("layers", layers, "Number of self-attention layers over the words of what was said.").range(0, 12);
    f("buckets", buckets, "Number of rows of the table of hashed character n-grams.").range(64, 1 << 22);
    f("utterances", utterances, "Number of last utterances that are read.").range(1, 8);
    f("max_words", max_words, "Number of words that are read of them, the newest utterance first.")
        .range(4, 512);
    f("dropout", dropout, "Dropout of the layers over words.").range(0, 0.99);
    f("word_dropout", word_dropout, "Share of words that is dropped in training.").range(0, 0.99);
    f("own_dropout", own_dropout,
      "Share of relations that lose what they mean beyond their words in a training step.")
        .range(0, 1);
    f("reworded", reworded,
      "Share of the relations asked for in a training step that are read by other words for them.")
        .range(0, 1);
    f("unheard", unheard,
      "Added to the score of a relation that no question of the training asked for: those asked for have "
      "learned to win.")
        .range(-100, 100);
    f("relation_words", relation_words, "A relation is read by its words (without: by its number alone).");
    f("text", text, "What was said and the words of relations are read through the frozen text encoder too.");
    f("global_loss", global_loss,
      "Weight of the choice among all relations, whether the entity has them or not.")
        .range(0, 100);
    f("batch", batch, "Number of questions in a batch.").range(1, 1e5);
  }
};

struct LossConfig {
  double length = 0.1;    // gamma of Eq. 5.8
  double path = 0.9;      // lambda of Eq. 5.8; epsilon is trainer.adam.l2
  bool parallel = false;  // any parallel edge to the gold tail counts as right
  double smoothing = 0;   // of the path loss, over the candidates
  template <class F>
  void fields(F& f) {
    f("length", length, "Weight gamma of the length loss (Eq. 5.8).").range(0, 100);
    f("path", path, "Weight lambda of the path loss (Eq. 5.8).").range(0, 100);
    f("parallel", parallel, "Every parallel edge to the gold entity counts as right.");
    f("smoothing", smoothing, "Label smoothing of the training loss.").range(0, 0.99);
  }
};

// The kinds of walker.
enum class WalkerKind { kHitkg, kLstm, kScorer, kPrior };
constexpr auto choice_names(WalkerKind) {
  return choices_in_order<WalkerKind>("hitkg", "lstm", "scorer", "prior");
}

struct WalkerConfig {
  Choice<WalkerKind> model = WalkerKind::kHitkg;
  seq2seq::StackOptions encoder;  // E_dial and E_kg
  seq2seq::StackOptions decoder;  // HAGD
  int max_path_history = 24;      // MetaPaths of the history that are seen, newest last
  bool dialogue_first = false;    // DK: dialogue attention before path attention
  bool length_head = true;        // false: WLH
  bool goal_visible = false;      // stage 2
  int max_hops = 2;
  MetaPathConfig metapath;
  ScoringConfig scoring;
  TextConfig text;
  ListenConfig listen;
  LossConfig loss;
  SearchConfig search;
  std::vector<std::string> train_splits;  // empty: every split whose name begins with "train"
  bool prior_weights = false;             // of the count prior: tails count by the weights of their facts
  std::string dev_split = "dev";
  int batch_tokens = 4096;  // text positions of a bucketed batch, padding included
  int max_batch = 256;      // examples of a batch
  TrainerConfig trainer;

  template <class F>
  void fields(F& f) {
    f("model", model, "Kind of walker: HiTKG, a recurrent one, the small scorer, or the count prior.");
    f("encoder", encoder, "Text and path encoders.");
    f("decoder", decoder, "Graph decoder.");
    f("max_path_history", max_path_history, "Number of hops of earlier paths that are seen.").range(1, 1024);
    f("dialogue_first", dialogue_first,
      "The decoder attends to the dialogue before the path history (the ablation DK).");
    f("length_head", length_head, "The length of the path is predicted too (without it: the ablation WLH).");
    f("goal_visible", goal_visible, "The decoder sees the goal entity (stage 2).");
    f("max_hops", max_hops, "Longest path of a turn, in hops.").range(1, kMaxHops);
    f("metapath", metapath, "MetaPath vectors.");
    f("scoring", scoring, "Scores of candidates.");
    f("text", text, "Dialogue history.");
    f("listen", listen, "How questions are heard.");
    f("loss", loss, "Training loss.");
    f("search", search, "Beam search of evaluations.");
    f("train_splits", train_splits,
      "Splits that are trained on; an empty list means all whose name begins with train.");
    f("prior_weights", prior_weights,
      "The count prior counts tails by the weights that the graph's source gave their facts.");
    f("dev_split", dev_split, "Split that chooses the best checkpoint.");
    f("batch_tokens", batch_tokens, "Number of text positions in a batch, padding counted.").range(1, 1e9);
    f("max_batch", max_batch, "Number of examples in a batch.").range(1, 1e6);
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const;
};

// A preset by name ("hitkg_paper", "default", "tiny", "best"), compiled into the library; ConfigError names
// those there are.
[[nodiscard]] Json preset(std::string_view name);
[[nodiscard]] std::vector<std::string> preset_names();

}  // namespace kgwalk::walker
