// The trained user (thesis 5.3.4, "User Simulation"): says something about the vertex that the walker has
// come to, given what both have said and the path so far. Unlike the thesis' it copies names whole and hears
// the assistant; see docs/guides/responses.md.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/forbidden_names.h"
#include "dialogue/response/name_guard.h"
#include "dialogue/response/ordinary_names.h"
#include "kgwalk/knowledge_graph.h"
#include "rl/environment/user_voice.h"
#include "rl/simulator/capital_rule.h"
#include "rl/simulator/piece_sampler.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/situation_source.h"
#include "rl/simulator/situations.h"
#include "rl/simulator/worded_user.h"
#include "runtime/run_folder.h"
#include "seq2seq/models/pointer_generator.h"
#include "seq2seq/tasks/summary/task.h"

namespace kgwalk::rl {

// What a simulator needs besides its weights.
struct SimulatorResources {
  std::shared_ptr<const graph::KnowledgeGraph> graph;
  dialogue::OrdinaryNames ordinary;
  std::shared_ptr<const seq2seq::SentencePiece> vocabulary;
};

// What was said, and how it came about.
struct Utterance {
  std::string text;
  enum class By {
    kModel,
    kQuestion,
    kFallback
  } by = By::kModel;  // kFallback: wordings, where nothing drawn may be said
};

class SimulatedUser : public UserVoice {
 public:
  // The simulator of a finished run of kind kSimulatorRun, for a graph of the same names. FormatError when it
  // is no simulator's run, an unfinished one, one of the form before version 2, or belongs to another graph.
  [[nodiscard]] static std::unique_ptr<SimulatedUser> open(const graph::Store& store,
                                                           const std::filesystem::path& run);
  SimulatedUser(SimulatorConfig config, SimulatorResources resources, seq2seq::PointerGenerator model);

  // Takes one number of `random` a situation, whatever is said: what is said in one situation does not depend
  // on the others of the call beyond rounding.
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override;
  [[nodiscard]] std::vector<Utterance> say(std::span<const walker::Example* const> situations,
                                           Random& random) const;
  // Checksum of weights, vocabulary, graph and how words are drawn.
  [[nodiscard]] std::string checksum() const override;

  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return *resources_.graph; }
  [[nodiscard]] const SimulatorConfig& config() const { return config_; }
  [[nodiscard]] const UserQuestions& questions() const { return wordings_.questions(); }
  [[nodiscard]] const SituationSource& source() const { return source_; }
  // Replaces how words are drawn. ConfigError when it is out of range. Not while others speak.
  void set_speech(const SpeechConfig& speech);

  // For training and evaluation: turns in pieces.
  [[nodiscard]] seq2seq::SummaryData encode(std::span<const UserTurn> turns) const;
  [[nodiscard]] seq2seq::PointerGenerator& model() const { return model_; }
  [[nodiscard]] const seq2seq::SentencePiece& vocabulary() const { return *resources_.vocabulary; }

 private:
  struct Row;  // an utterance in the making
  void draw(std::span<Row*> rows) const;
  void draw_pieces(const torch::Tensor& log_probs, std::span<Row*> rows,
                   const dialogue::NameGuard* guard) const;
  [[nodiscard]] std::string text_of(const Row& row) const;
  [[nodiscard]] bool may_be_said(const Row& row, const std::string& text) const;
  [[nodiscard]] dialogue::GuardedMessage guarded(const Row& row) const;
  [[nodiscard]] PieceSampler sampler() const;

  SimulatorConfig config_;
  SimulatorResources resources_;
  SituationSource source_;
  seq2seq::DialogueCoder coder_;
  dialogue::ForbiddenNames forbidden_;
  dialogue::PieceBounds bounds_;
  CapitalRule capitals_;
  WordedUser wordings_;
  PieceSampler sampler_;
  mutable seq2seq::PointerGenerator model_;  // forward() of LibTorch modules is not const
};

}  // namespace kgwalk::rl
