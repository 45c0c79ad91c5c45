// What a user simulator is, how it is trained and how it speaks. Presets: rl/presets/simulator_*.json.
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "seq2seq/tasks/summary/config.h"

namespace kgwalk::rl {

// How words are drawn. Of the pieces' probabilities at `temperature` the `top_k` largest are kept, of these
// the fewest that reach `top_p` together, and one is drawn.
struct SpeechConfig {
  double temperature = 0.7;  // 0 = always the likeliest piece
  int top_k = 40;            // 0 = all
  double top_p = 0.9;
  int max_pieces = 32;  // an utterance is cut there, after its last whole sentence if it has one
  double ask = 0.3;     // share of turns with a question of the bank
  int attempts = 4;     // utterances drawn before wordings speak; 0: they always do
  bool checked = true;  // no other names are said than those of the situation, no questions that the vertex
                        // is not fit for
  template <class F>
  void fields(F& f) {
    f("temperature", temperature,
      "Temperature of the probabilities that pieces are drawn by; 0 takes the likeliest.")
        .range(0, 10);
    f("top_k", top_k, "Number of likeliest pieces that may be drawn; 0 means all.").range(0, 1e6);
    f("top_p", top_p, "Probability that the pieces that may be drawn reach together.").range(0.01, 1);
    f("max_pieces", max_pieces, "Longest utterance, in pieces.").range(1, 256);
    f("ask", ask, "Share of turns in which the user asks a question of the bank about the vertex.")
        .range(0, 1);
    f("attempts", attempts,
      "Number of utterances that are drawn before wordings speak; 0 means that they always do.")
        .range(0, 100);
    f("checked", checked,
      "No other names are said than those of the situation, and no questions asked that entities like the "
      "vertex "
      "have no answer to.");
  }
};

// The model is the summarizer's pointer-generator, whose speakers are the names of the situation. It is never
// searched: its utterances are drawn.
struct SimulatorConfig : seq2seq::SummaryConfig {
  int utterances = 3;    // last utterances that are heard, of both
  int paths = 2;         // last paths that are seen
  int relations = 6;     // of the vertex that are told
  bool both = true;      // turns of the assistant are learned from too
  bool openings = true;  // what is said before the first path is learned too, about the entity it starts from
  double deaf = 0.1;     // share of the training situations in which the assistant has said nothing
  int enough = 5000;     // training turns; with fewer, wordings speak
  SpeechConfig speech;
  std::vector<std::string> train_splits;  // empty: every split whose name begins with "train"
  std::string dev_split = "dev";

  template <class F>
  void fields(F& f) {
    f("model", model, "Encoder, decoder and copying.");
    f("vocabulary", vocabulary, "Pieces.");
    f("utterances", utterances, "Number of last utterances that the user hears.").range(1, 64);
    f("paths", paths, "Number of last paths that the user sees.").range(1, 64);
    f("relations", relations, "Number of relations of the current vertex that the user knows of.")
        .range(0, 64);
    f("both", both, "Utterances of the assistant are learned from too, as if the user said them.");
    f("openings", openings, "Utterances before the first path of a dialogue are learned too.");
    f("deaf", deaf, "Share of the training situations in which the assistant is not heard.").range(0, 1);
    f("enough", enough,
      "Number of training turns that speech can be learned from; with fewer the simulator speaks by "
      "wordings.")
        .range(0, 1e9);
    f("speech", speech, "How words are drawn.");
    f("train_splits", train_splits,
      "Splits that are trained on; an empty list means all whose name begins with train.");
    f("dev_split", dev_split, "Split that chooses the best checkpoint.");
    f("max_tokens", max_tokens, "Number of tokens in a batch, padding counted.").range(1, 1 << 24);
    f("smoothing", smoothing, "Label smoothing of the training loss.").range(0, 0.99);
    f("average", average, "Number of last evaluations whose weights are averaged at the end.").range(1, 1000);
    f("keep", keep, "Weights of the finished model: that average, or those of the best evaluation.");
    f("trainer", trainer, "Training loop.");
  }
};

}  // namespace kgwalk::rl
