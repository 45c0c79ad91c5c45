// Everything that decides what a listener is and how it is trained.
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::listening {

// Options of the states of words, which are trained with the scorer (listening/network/hashed_words.h).
struct OwnWordsConfig {
  int width = 96;
  int layers = 1;
  int heads = 4;
  int buckets = 16384;
  double dropout = 0.1;
  template <class F>
  void fields(F& f) {
    f("width", width, "Width of the states of words.").range(4, 4096);
    f("layers", layers, "Number of layers over the words.").range(0, 64);
    f("heads", heads, "Attention heads of a layer.").range(1, 64);
    f("buckets", buckets, "Number of vectors that the parts of words share.").range(16, 1 << 24);
    f("dropout", dropout, "Dropout of each sub-layer's output.").range(0, 0.99);
  }
};

[[nodiscard]] TrainerConfig listening_trainer();  // the defaults of ListenConfig::trainer

struct ListenConfig {
  int rank = 48;     // d
  int hidden = 192;  // units over a candidate's numbers
  double dropout = 0.1;
  int most_candidates = 160;
  bool families = true;
  std::vector<std::string> without = {};  // beginnings of the names of features that are not read
  OwnWordsConfig own;
  int batch = 32;
  double kept_back = 0.05;
  TrainerConfig trainer = listening_trainer();
  template <class F>
  void fields(F& f) {
    f("rank", rank, "Rank of the comparison of words with relations.").range(1, 4096);
    f("hidden", hidden, "Number of hidden units over the numbers of a candidate form.").range(1, 4096);
    f("dropout", dropout, "Dropout of the hidden units and of the mean state of an utterance.")
        .range(0, 0.99);
    f("most_candidates", most_candidates, "Number of candidate forms of an utterance that are scored.")
        .range(1, 100000);
    f("families", families, "Everyday words of families of relations count.");
    f("without", without, "Beginnings of the names of features that are not read.");
    f("own", own, "States of words.");
    f("batch", batch, "Number of questions in a batch.").range(1, 4096);
    f("kept_back", kept_back, "Share of the questions that choose the best checkpoint and teach nothing.")
        .range(0, 0.9);
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const;
};

}  // namespace kgwalk::listening
