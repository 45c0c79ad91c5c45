// Everything that decides what a listener is and how it is trained.
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::listening {

[[nodiscard]] TrainerConfig listening_trainer();  // the defaults of ListenConfig::trainer

struct ListenConfig {
  int rank = 48;    // d
  int hidden = 48;  // units over a candidate's numbers
  double dropout = 0.1;
  int most_candidates = 160;
  bool families = true;
  std::vector<std::string> without = {};  // beginnings of the names of features that are not read
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
    f("batch", batch, "Number of questions in a batch.").range(1, 4096);
    f("kept_back", kept_back, "Share of the questions that choose the best checkpoint and teach nothing.")
        .range(0, 0.9);
    f("trainer", trainer, "Training loop.");
  }
};

}  // namespace kgwalk::listening
