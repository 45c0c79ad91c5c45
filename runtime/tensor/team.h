// What the training loop shares with the other processes that train the same model (runtime/tensor/
// communicator.h): each takes some of the batches of an update, and all make the same update. Alone it does
// nothing.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/communicator.h"
#include "runtime/tensor/training_state.h"

namespace kgwalk {

class FlatAdam;

// What the batches of one update told, of this process and then of all.
class UpdateNotes {
 public:
  void add(std::int64_t batch, const std::string& name, double value, double weight);
  // Of the batches' weights, in their order, so that the sum does not depend on who computed them.
  [[nodiscard]] double weight() const;
  void add_to(RunningMeans& means) const;  // likewise

 private:
  friend class Team;
  struct Row {
    std::int64_t batch = 0;
    std::string name;
    double value = 0, weight = 0;
  };
  [[nodiscard]] std::string written(bool stop, const std::string& failure) const;
  void read(const Json& rows);
  std::vector<Row> rows_;
};

class Team {
 public:
  explicit Team(Communicator& all) : all_(all) {}

  [[nodiscard]] bool alone() const { return all_.size() == 1; }
  // The one process that evaluates, reports, and writes checkpoints and metrics.
  [[nodiscard]] bool leads() const { return all_.rank() == 0; }
  // Whether batch `i` of an update (from 0) is this process's.
  [[nodiscard]] bool takes(std::int64_t i) const { return i % all_.size() == all_.rank(); }

  // ConfigError in every process where updates have fewer batches than there are processes, or the processes
  // were not started with the same manifest.
  void check(int batches_an_update, const RunManifest& manifest);
  // The leader's run.json, config.json and checkpoint `last`, where there is one, into the folders of the
  // others.
  void share_checkpoint(RunFolder& folder);
  // The leader's weights and buffers.
  void share_weights(torch::nn::Module& module);
  // The leader's state of the optimizer, weights included.
  void share_state(FlatAdam& optimizer);

  // Calls `compute`, which adds this process's notes, and gives `notes` those of all. What `compute` throws
  // is thrown here, and in the other processes an Error that tells of it. True where any was asked to stop.
  [[nodiscard]] bool exchange(UpdateNotes& notes, bool stop, const std::function<void()>& compute);
  // What `lead` gives in the leader; what it throws is told to the others likewise.
  [[nodiscard]] Json from_leader(const std::function<Json()>& lead);
  // The sum of the gradients of all.
  void sum_gradients(FlatAdam& optimizer);

 private:
  Communicator& all_;
};

}  // namespace kgwalk
