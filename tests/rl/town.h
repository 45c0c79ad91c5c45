// A small world on disk for whole trainings: a ring of places with two bridges, dialogues that walk along it,
// tables of random numbers in place of TransE's and of the distance factors, and the exact index.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "rl/simulator/simulator_run.h"
#include "rl/training/run.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/random.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/dialogue/test_world.h"
#include "walker/training/run.h"

namespace kgwalk::rl::testing {

namespace fs = std::filesystem;

struct TownOptions {
  bool bridges = true;       // without them it is another graph with the same names
  std::uint64_t tables = 1;  // seed of the tables
  bool factors = true;       // distance factors are there
  bool index = true;         // the index of exact distances is there
  std::string factors_of;    // checksum of the graph that the factors are said to belong to; empty = this one
};

inline constexpr int kPlaces = 24;

inline std::string place(int i) { return "place " + std::to_string(i % kPlaces); }

inline Json chat(const std::string& sender, const std::string& text) {
  return {{"message", text}, {"type", "chat"}, {"sender", sender}};
}

inline Json step(int from) {
  const Json hop = Json::array({place(from), "next", place(from + 1)});
  return {{"metadata", {{"path", Json::array({0.0, Json::array({hop}), ""})}}},
          {"type", "action"},
          {"sender", "assistant"},
          {"action_id", "kgwalk/choose_path"}};
}

// One dialogue a place: two hops, a user's turn before and after each.
inline std::string town_dialogues() {
  std::string csv = "Messages,User Rating,Assistant Rating\n";
  for (int i = 0; i < kPlaces; i += 2) {
    const Json messages = Json::array({chat("user", "Where is " + place(i) + "?"), step(i),
                                       chat("assistant", "Beside " + place(i + 1) + "."),
                                       chat("user", "What do you know of " + place(i + 1) + "?"), step(i + 1),
                                       chat("assistant", "It is near " + place(i + 2) + "."),
                                       chat("user", "I like " + place(i + 2) + ". Thanks!")});
    std::string quoted = "\"";
    for (const char c : messages.dump()) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    csv += quoted + "\",{},{}\n";
  }
  return csv;
}

inline void put_random(graph::Store& store, const std::string& name, std::int64_t rows, std::int64_t columns,
                       std::uint64_t seed, const std::string& checksum) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (float& x : values) x = static_cast<float>(random.normal());
  store.put_table(name, values, columns, {{"graph_checksum", checksum}});
}

// Makes folder/name and gives its path.
inline fs::path make_town(const fs::path& folder, const std::string& name, const TownOptions& town = {}) {
  std::string triples;
  for (int i = 0; i < kPlaces; ++i) triples += place(i) + "\tnext\t" + place(i + 1) + "\n";
  if (town.bridges)
    triples += place(0) + "\tbridge\t" + place(9) + "\n" + place(5) + "\tbridge\t" + place(17) + "\n";
  write_file_atomically(folder / (name + ".txt"), triples);
  write_file_atomically(folder / (name + ".csv"), town_dialogues());
  graph::IngestOptions options;
  options.database = folder / name;
  options.triples = {folder / (name + ".txt")};
  options.dialogues = {{"train", folder / (name + ".csv")}, {"dev", folder / (name + ".csv")}};
  (void)graph::ingest(options);
  graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadWrite);
  const graph::KnowledgeGraph graph = store.load_graph();
  const std::int64_t places = graph.num_connected();
  put_random(store, "transe/16/entities", places, 16, town.tables, graph.checksum());
  put_random(store, "transe/16/relations", graph.num_relations(), 16, town.tables + 1, graph.checksum());
  if (town.factors) {
    const std::string owner = town.factors_of.empty() ? graph.checksum() : town.factors_of;
    put_random(store, "distance/16/left", places, 16, town.tables + 2, owner);
    put_random(store, "distance/16/right", places, 16, town.tables + 3, owner);
  }
  if (town.index) graph::DistanceIndex::build(graph).save(store);
  return options.database;
}

template <class Config>
void make_small(Config& config) {
  config.encoder.layers = config.decoder.layers = 1;
  config.encoder.width = config.decoder.width = 32;
  config.encoder.heads = config.decoder.heads = 2;
  config.encoder.ffn_width = config.decoder.ffn_width = 64;
  config.encoder.dropout = config.decoder.dropout = 0.1;  // so that LibTorch's generator matters
  config.metapath.kg_width = 16;
  config.train_splits = {"train"};
}

// A walker that compares candidates with a goal, trained for one epoch.
inline walker::TrainOptions stage1_options(const fs::path& database, const fs::path& run) {
  walker::TrainOptions o;
  o.database = database;
  o.run = run;
  make_small(o.config);
  o.config.metapath.distance_width = 16;
  o.config.goal_visible = true;
  o.config.scoring.goal = true;
  o.config.scoring.features = true;
  o.config.text.states = false;
  o.config.text.word_width = 8;
  o.config.text.word_min_messages = 1;
  o.config.max_batch = 7;
  o.config.trainer.max_epochs = 1;
  return o;
}

inline Stage2Options stage2_options(const fs::path& database, const fs::path& run, const fs::path& from) {
  Stage2Options o;
  o.database = database;
  o.run = run;
  o.from = from;
  o.config.a2c.steps = 2;
  o.config.a2c.updates_per_epoch = 6;
  o.config.environment.episodes = 8;
  o.config.environment.distances = {1, 2, 3};
  o.config.evaluate.distances = {2};
  o.config.evaluate.episodes = 4;
  o.config.trainer.max_epochs = 2;
  o.config.trainer.log_every = 1;
  o.config.trainer.adam.lr = 0.01;
  o.config.trainer.restore_best = false;
  return o;
}

inline SimulatorTrainOptions simulator_options(const fs::path& database, const fs::path& run) {
  SimulatorTrainOptions o;
  o.database = database;
  o.run = run;
  for (seq2seq::StackOptions* stack :
       {&o.config.model.transformer.encoder, &o.config.model.transformer.decoder}) {
    stack->layers = 1;
    stack->width = 32;
    stack->heads = 2;
    stack->ffn_width = 64;
    stack->dropout = 0.1;
  }
  o.config.model.speakers = 6;
  o.config.vocabulary.size = 70;
  o.config.vocabulary.lower = false;
  o.config.max_tokens = 400;
  o.config.train_splits = {"train"};
  o.config.enough = 0;
  o.config.trainer.max_epochs = 2;
  o.config.trainer.log_every = 1;
  o.config.trainer.restore_best = false;
  return o;
}

// A text encoder with weights as they are drawn, in a folder of its own.
inline fs::path make_encoder(const fs::path& folder) {
  fs::create_directories(folder);
  const auto tokenizer = dialogue::test::make_tokenizer();
  seed_torch(9);
  seq2seq::save_albert(seq2seq::Albert(dialogue::test::small_albert(tokenizer->size())), folder);
  tokenizer->save(folder);
  return folder;
}

// Asks a training to stop after some updates.
class StopAfter : public Reporter {
 public:
  explicit StopAfter(int updates) : left_(updates) {}
  void info(std::string_view /*line*/) override {}
  void warn(std::string_view /*line*/) override {}
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t /*total*/,
                                  std::string_view /*unit*/) override {
    return std::make_unique<Count>(*this, what.starts_with("epoch"));
  }
  StopFlag flag;

 private:
  class Count : public Progress {
   public:
    Count(StopAfter& owner, bool epoch) : owner_(owner), epoch_(epoch) {}
    void add(std::int64_t /*done*/, std::string_view note) override {
      if (epoch_ && !note.empty() && --owner_.left_ == 0) owner_.flag.request();
    }

   private:
    StopAfter& owner_;
    bool epoch_;
  };
  int left_;
};

}  // namespace kgwalk::rl::testing
