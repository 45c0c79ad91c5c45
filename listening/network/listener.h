// A listener: hears what was said as forms over a graph. Trained on questions into a run folder, opened on
// any graph: relations and types are known by their words alone.
//
// A run folder of kind "listener" holds the scorer's weights and in acts.bin what hears acts; its manifest
// remembers the text encoder, where there was one, and the names of the features, which must be those of the
// program.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dialogue/linking/mention_finder.h"
#include "kgwalk/progress.h"
#include "kgwalk/query.h"
#include "listening/acts/act.h"
#include "listening/candidates/question.h"
#include "listening/candidates/said_parts.h"
#include "listening/network/config.h"
#include "runtime/run_folder.h"

namespace kgwalk::dialogue {
class TextEncoder;
}

namespace kgwalk::listening {

inline constexpr RunKind kListenerRun{
    .name = "listener", .command = "listen", .parts = {"listening"}, .sources = {"from"}};

// What may have been asked, by its answer: all forms that give it count together, the likeliest stands for
// them.
struct HeardForm {
  double probability =
      0;  // that this is the answer asked for, in [0, 1]; those of an utterance sum to at most one
  forms::Query query = {};
  bool unsaid = false;                        // the graph does not have what is asked for; `query` is none
  bool counted = false;                       // how many there are is asked
  std::vector<graph::EntityId> answers = {};  // ascending; the set that is told or counted
  std::optional<bool> truth = {};
  std::optional<double> amount = {};  // a sum or an average, of `answers`; a difference
  // What the form is about, named or spoken of before, and its relations, for what is said next.
  std::vector<graph::EntityId> about = {};
  std::vector<graph::RelationId> relations = {};
  // Whether `answers` are what is told.
  [[nodiscard]] bool is_set() const noexcept {
    return !unsaid && !truth && !counted && !amount && !answers.empty();
  }
};

struct HeardUtterance {
  HeardParts parts;
  std::vector<HeardAct> acts;    // all, likeliest first
  std::vector<HeardForm> forms;  // likeliest first; empty where nothing of the graph is named
};

// What a graph is to a listener. Borrows the graph; immutable and thread-safe.
class ListenedGraph {
 public:
  explicit ListenedGraph(const graph::KnowledgeGraph& graph);
  [[nodiscard]] const Lexicon& lexicon() const { return lexicon_; }
  [[nodiscard]] const forms::Engine& engine() const { return engine_; }
  [[nodiscard]] const dialogue::MentionFinder& finder() const { return finder_; }

 private:
  graph::TypedValues values_;
  forms::Engine engine_;
  Lexicon lexicon_;
  dialogue::MentionFinder finder_;
};

class Listener {
 public:
  // FormatError when the run is none, or was trained with another text encoder or other features. `encoder`
  // is not looked at, and may be null, where the run was trained without one.
  [[nodiscard]] static Listener open(const ListenedGraph& graph, const std::filesystem::path& run,
                                     std::shared_ptr<const dialogue::TextEncoder> encoder);
  Listener(Listener&&) noexcept;
  Listener& operator=(Listener&&) noexcept;
  ~Listener();

  // The k likeliest answers. ConfigError when the text is not valid UTF-8. Thread-safe.
  [[nodiscard]] HeardUtterance hear(std::string_view text, const SaidBefore& before = {},
                                    std::size_t k = 5) const;

 private:
  struct Impl;
  explicit Listener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Questions and the graph that answers them.
struct Lesson {
  const ListenedGraph& graph;
  std::span<const FormQuestion> questions;
};

// Where the weights come from that came with the program (listening/network/start_weights.h).
inline constexpr std::string_view kFromSchool = "schooled";

struct ListenTraining {
  std::filesystem::path run, database, text;  // database and text encoder as the run remembers them
  // Whose weights are begun with: kFromSchool, the run of another listener, a file of write_weights(), or
  // empty for nothing.
  std::filesystem::path from = {};
  ListenConfig config = {};
  std::uint64_t seed = 1;
};
// Learns from all lessons together. The first is of the graph that the listener is made for: its questions
// choose the best checkpoint too and teach the acts. Questions without a right candidate teach nothing and
// count as wrong where they choose. Resumes as every training. ConfigError without a lesson.
TrainReport train_listener(const ListenTraining& training, std::span<const Lesson> lessons,
                           std::shared_ptr<const dialogue::TextEncoder> encoder, Reporter& reporter,
                           const StopFlag& stop);

// The weights of a run for another program to begin with (listening/network/start_weights.h).
void write_weights(const std::filesystem::path& run, const std::filesystem::path& file);

// Share of questions whose likeliest answer is right, in percent: {"score", "right KIND": ..., "among": share
// with a right candidate}. `right`, unless null, takes for each whether it is.
[[nodiscard]] Json measure_listener(const ListenedGraph& graph, const std::filesystem::path& run,
                                    std::shared_ptr<const dialogue::TextEncoder> encoder,
                                    std::span<const FormQuestion> questions, Reporter& reporter,
                                    const StopFlag& stop, std::vector<bool>* right = nullptr);

}  // namespace kgwalk::listening
