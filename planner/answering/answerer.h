// Answers what is said from the graph. What is said is heard once, as an act and as forms; a form is answered
// exactly, told in a sentence, and becomes what is spoken of next. What is no question of the graph is
// replied to, or left to whoever walks.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/forms.h"
#include "kgwalk/phrasing.h"
#include "kgwalk/query.h"
#include "listening/network/listener.h"
#include "planner/answering/focus.h"

namespace kgwalk {

enum class TurnKind {
  kAnswered,  // by the graph
  kUnsaid,    // the graph does not have what is asked for
  kUnknown,   // a name that the graph does not have
  kAsked,     // back: which is meant
  kReplied,   // nothing of the graph was asked for
  kWalk       // to be walked on, from `about` where it names something
};

struct AnsweredTurn {
  TurnKind kind = TurnKind::kWalk;
  std::string sentence = {};                  // by the assistant; empty of kWalk
  std::optional<graph::EntityId> about = {};  // what it was about
  double probability = 0;                     // of kAnswered: that the form was meant
  std::optional<forms::Query> query = {};     // kAnswered
  forms::Answer answer = {};                  // to it
  std::vector<graph::Triple> evidence = {};   // of its first answer
  Focus focus = {};                           // afterwards
};

class Answerer {
 public:
  // The run of a listener. `graph` is borrowed and must outlive it. `text`: its text encoder, where that
  // does not lie any more where it lay at training. `database`: that of the graph, whose texts describe its
  // things. Errors as Listener::open().
  [[nodiscard]] static std::shared_ptr<const Answerer> open(const graph::KnowledgeGraph& graph,
                                                            const std::filesystem::path& run,
                                                            const std::filesystem::path& text,
                                                            const PhrasingOptions& hear = {},
                                                            const std::filesystem::path& database = {});
  // The one of a walker's run: `listener`, else the folder "listener" in it; null where there is none.
  // ConfigError where a language model is to hear beside none.
  [[nodiscard]] static std::shared_ptr<const Answerer> open_for(const graph::KnowledgeGraph& graph,
                                                                const std::filesystem::path& walker,
                                                                const std::filesystem::path& listener,
                                                                const std::filesystem::path& text,
                                                                const PhrasingOptions& hear = {},
                                                                const std::filesystem::path& database = {});
  ~Answerer();

  // `turn`: its number, by which wordings vary. `linker` offers names near those that are unknown. `earlier`:
  // what was said before, for a language model. Thread-safe. ConfigError when the text is not valid UTF-8.
  [[nodiscard]] AnsweredTurn answer(std::string_view said, const Focus& before, std::size_t turn,
                                    const dialogue::EntityLinker& linker,
                                    std::span<const graph::Chat> earlier = {}) const;
  // With one of those that `before` offers in place of what was said.
  [[nodiscard]] AnsweredTurn answer_with(graph::EntityId chosen, const Focus& before, std::size_t turn,
                                         const dialogue::EntityLinker& linker) const;
  // How the last question of a focus was answered, in a sentence; empty where there was none.
  [[nodiscard]] std::string why(const Focus& focus) const;

  [[nodiscard]] const forms::Engine& engine() const;
  [[nodiscard]] const graph::TypedValues& values() const;

 private:
  struct Impl;
  explicit Answerer(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk
