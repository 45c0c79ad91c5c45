// The trained user (thesis 5.3.4, "User Simulation"): says something about the vertex that the walker has
// come to, given what the user said before and the path so far.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "rl/environment/user_voice.h"
#include "rl/simulator/piece_sampler.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/simulator_network.h"
#include "runtime/run_folder.h"
#include "seq2seq/text/sentencepiece.h"
#include "walker/network/inputs.h"
#include "walker/network/text_source.h"

namespace kgwalk::rl {

// What a simulator needs besides its weights; shared and immutable.
struct SimulatorResources {
  std::shared_ptr<const graph::KnowledgeGraph> graph;
  walker::GraphTables tables;
  std::shared_ptr<walker::TextSource> text;
  std::shared_ptr<const seq2seq::SentencePiece> vocabulary;  // with the control piece kEndPiece
};

inline constexpr const char* kEndPiece = "</s>";  // ends an utterance

class SimulatedUser : public UserVoice {
 public:
  // The simulator of a run of kind kSimulatorRun, with the weights of a checkpoint. `text` overrides the folder
  // of the text encoder that the run remembers. FormatError when it is no simulator's run, has no such
  // checkpoint, or belongs to another graph, tables, text encoder or training data.
  [[nodiscard]] static std::unique_ptr<SimulatedUser> open(const graph::Store& store, const RunFolder& run,
                                                           const std::filesystem::path& text = {},
                                                           const std::string& checkpoint = "best");
  [[nodiscard]] static std::unique_ptr<SimulatedUser> open(const graph::Store& store,
                                                           const std::filesystem::path& run,
                                                           const std::filesystem::path& text = {},
                                                           const std::string& checkpoint = "best");
  // With weights as LibTorch's generator gives them. FormatError for a vocabulary without kEndPiece.
  SimulatedUser(const SimulatorConfig& config, SimulatorResources resources);

  // Only utterances of the user in a situation's `context` are heard. Takes one number of `random` a
  // situation, whatever is said: what is said in one situation does not depend on the others of the call.
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override;
  // Of weights, vocabulary, text encoder and how words are drawn.
  [[nodiscard]] std::string checksum() const override;

  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return *resources_.graph; }
  // Text states; a walker that hears the same utterances can share them (rl/environment/recent_text.h).
  [[nodiscard]] const std::shared_ptr<walker::TextSource>& text() const { return resources_.text; }
  [[nodiscard]] const SimulatorConfig& config() const { return config_; }
  // Replaces how words are drawn. ConfigError when it is out of range. Not while others speak.
  void set_speech(const SpeechConfig& speech);

  // For training and evaluation.
  [[nodiscard]] SimulatorNetImpl& net() const { return *net_; }
  [[nodiscard]] const seq2seq::SentencePiece& vocabulary() const { return *resources_.vocabulary; }
  [[nodiscard]] int end_piece() const { return end_; }
  [[nodiscard]] SpeechInputs inputs(std::span<const walker::Example* const> situations) const;
  // The utterances that are heard, oldest first.
  [[nodiscard]] walker::Context heard(const walker::Example& situation) const;

 private:
  struct Row;  // an utterance in the making
  void say(std::span<Row> rows) const;
  void draw(const torch::Tensor& logits, std::span<Row*> rows) const;
  [[nodiscard]] std::string text_of(const Row& row) const;
  [[nodiscard]] PieceSampler sampler() const;

  SimulatorConfig config_;
  SimulatorResources resources_;
  int end_;
  walker::InputBuilder inputs_;
  PieceSampler sampler_;
  mutable SimulatorNet net_;  // forward() of LibTorch modules is not const
};

}  // namespace kgwalk::rl
