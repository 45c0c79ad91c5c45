// What a user simulator is, how it is trained and how it speaks. Presets: rl/presets/simulator_*.json.
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/layers/options.h"
#include "walker/config.h"

namespace kgwalk::rl {

// How words are drawn. Of the pieces' probabilities at `temperature` the `top_k` largest are kept, of these
// the fewest that reach `top_p` together, and one is drawn.
struct SpeechConfig {
  double temperature = 0.8;  // 0 = always the likeliest piece
  int top_k = 40;            // 0 = all
  double top_p = 0.95;
  int max_pieces = 20;  // an utterance is cut there, after its last whole sentence if it has one
  template <class F>
  void fields(F& f) {
    f("temperature", temperature,
      "Temperature of the probabilities that pieces are drawn by; 0 takes the likeliest.")
        .range(0, 10);
    f("top_k", top_k, "Number of likeliest pieces that may be drawn; 0 means all.").range(0, 1e6);
    f("top_p", top_p, "Probability that the pieces that may be drawn reach together.").range(0.01, 1);
    f("max_pieces", max_pieces, "Longest utterance, in pieces.").range(1, 256);
  }
};

struct SimulatorConfig {
  seq2seq::StackOptions encoder;  // E_dial and E_kg
  seq2seq::StackOptions decoder;
  walker::MetaPathConfig metapath;
  int max_path_history = 24;  // MetaPaths of the history that are seen, newest last
  int utterances = 3;         // last utterances of the user that are heard; nobody else's (thesis 5.3.4)
  bool states = true;         // frozen text states of them; false: the user hears nothing
  bool vertex_name = true;    // the current vertex's name stands before its vector in the decoder's input
  int max_name_pieces = 12;
  int vocabulary = 4000;  // pieces of the vocabulary, trained on the training dialogues
  int max_pieces = 48;    // longest utterance that is learned; the rest of longer ones is left out
  bool openings = true;  // what is said before the first path is learned too, about the entity it starts from
  double smoothing = 0;
  SpeechConfig speech;
  std::vector<std::string> train_splits;  // empty: every split whose name begins with "train"
  std::string dev_split = "dev";
  int max_batch = 32;
  TrainerConfig trainer;

  template <class F>
  void fields(F& f) {
    f("encoder", encoder, "Text and path encoders.");
    f("decoder", decoder, "Decoder of words.");
    f("metapath", metapath, "MetaPath vectors.");
    f("max_path_history", max_path_history, "Number of hops of the path so far that the user sees.")
        .range(1, 1024);
    f("utterances", utterances, "Number of last utterances that the user reads.").range(1, 64);
    f("states", states, "Those utterances are read through the frozen text encoder.");
    f("vertex_name", vertex_name,
      "The name of the current vertex is read piece by piece, before its vector.");
    f("max_name_pieces", max_name_pieces, "Longest name of a vertex that is read, in pieces.").range(1, 256);
    f("vocabulary", vocabulary, "Number of pieces of the vocabulary that is trained.").range(16, 100000);
    f("max_pieces", max_pieces, "Longest utterance, in pieces.").range(1, 1024);
    f("openings", openings, "Utterances before the first path of a dialogue are learned too.");
    f("smoothing", smoothing, "Label smoothing of the training loss.").range(0, 0.99);
    f("speech", speech, "How words are drawn.");
    f("train_splits", train_splits,
      "Splits that are trained on; an empty list means all whose name begins with train.");
    f("dev_split", dev_split, "Split that chooses the best checkpoint.");
    f("max_batch", max_batch, "Number of situations in a batch.").range(1, 1e6);
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const;

  // What the parts shared with the walker need to know.
  [[nodiscard]] walker::WalkerConfig sources() const;
};

}  // namespace kgwalk::rl
