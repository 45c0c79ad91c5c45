// What stands behind a Conversation (kgwalk/conversation.h): where the walk stands, what was planned, and all
// that a line may do to it. Every function returns what is to be shown. Torch-free.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "dialogue/response/message.h"
#include "kgwalk/conversation.h"
#include "kgwalk/guide.h"
#include "kgwalk/querier.h"
#include "kgwalk/responder.h"
#include "kgwalk/retrieve.h"
#include "planner/answering/answerer.h"
#include "planner/guide_core.h"
#include "runtime/random.h"
#include "walker/example.h"

namespace kgwalk {

class Stopwatch;

class Talk {
 public:
  // `responder`: who speaks for the assistant; null = nobody. `answerer`: hears and answers what is asked;
  // null = the walker does.
  Talk(std::shared_ptr<const Guide> guide, std::shared_ptr<const dialogue::EntityLinker> linker,
       ConversationOptions options, std::shared_ptr<const Responder> responder = nullptr,
       std::shared_ptr<const Answerer> answerer = nullptr);
  [[nodiscard]] Talk another(std::uint64_t seed) const;

  // What an entity is named for.
  enum class Use { kGoal, kPlace, kMention };

  std::string hear(std::string_view text);
  std::string name_for(Use use, std::string_view name);
  std::string drop_goal();
  std::string take(std::string_view number);
  std::string undo();
  std::string forget();
  std::string let_talk(std::string_view turns);
  [[nodiscard]] std::string paths() const;
  [[nodiscard]] std::string why() const;
  [[nodiscard]] std::string where() const;

  // Entities to choose from by a number, as the last answer offered them.
  [[nodiscard]] bool offers() const { return !choice_.entities.empty(); }
  std::string choose(std::size_t place);
  void offer_nothing() { choice_ = {}; }

  [[nodiscard]] std::string welcome() const;
  [[nodiscard]] Json transcript() const;
  // What the assistant said last, since this was asked for.
  [[nodiscard]] std::string take_said() { return std::exchange(said_, {}); }

  // talk_standing.cc: for those that draw.
  [[nodiscard]] Standing standing() const;
  std::string take_weighed(const NamedHop& hop);

  // talk_memory.cc: as Conversation has them.
  [[nodiscard]] Json memory() const;
  void recall(const Json& memory);

  // self_play.cc: stands on `start` and heads for `goal`, which a path joins. What the assistant said last of
  // the graph, as what it was to say.
  void begin(graph::EntityId start, graph::EntityId goal);
  [[nodiscard]] const walker::Example& situation() const { return now_.situation; }
  [[nodiscard]] std::optional<dialogue::Message> take_message() { return std::exchange(message_, {}); }

  [[nodiscard]] const Guide& guide() const { return *guide_; }
  [[nodiscard]] Retriever retriever() const { return {guide_, linker_}; }

 private:
  struct State {                           // what a line changes; earlier ones are kept for /undo
    walker::Example situation;             // start = the entity stood on
    bool placed = false;                   // `start` means something
    std::optional<Findings> found;         // of the last turn
    std::size_t taken = 0;                 // which of its paths was walked
    std::optional<graph::EntityId> stood;  // before the last turn, if anywhere
    Json turns = Json::array();
    Focus focus;               // with an answerer
    Json answered = nullptr;   // the last turn's form
    Json unplanned = nullptr;  // recalled, and not planned again yet: what /undo may come back to
  };
  static constexpr std::size_t kNoPath =
      static_cast<std::size_t>(-1);  // State::taken when nothing was walked
  struct Choice {                    // entities that a number picks from
    std::vector<graph::EntityId> entities = {};
    Use use = Use::kPlace;
    bool replaces = false;  // one was taken already: take that back
    std::string said = {};  // of a mention: say it again
  };

  // What the dialogue has been about: said, walked, stood on.
  [[nodiscard]] dialogue::LinkContext context() const;
  bool listen(const dialogue::LinkedText& linked, State& next) const;
  std::string hear_by_answerer(std::string_view text);
  std::string choose_by_answerer(graph::EntityId chosen);
  std::string take_up_answered(std::string_view text, AnsweredTurn answered, const Stopwatch& watch);
  [[nodiscard]] std::string put_in_words(std::string_view asked, const AnsweredTurn& answered) const;
  void lead_on(State& next, std::string& sentence, std::string& shown) const;
  void take_evidence(const AnsweredForm& form, State& next) const;
  [[nodiscard]] bool led(const State& state) const;
  [[nodiscard]] Findings find(const State& state) const;
  void leave_out_answered(State& next) const;
  std::string notes_on(const dialogue::LinkedText& linked, std::string_view text, const State& next);
  [[nodiscard]] std::string heard_text(const Findings& found) const;
  void stay_near_goal(State& state) const;
  std::string take_up(const dialogue::LinkedText& linked, std::string_view text, State& next);
  // `notes` are shown behind what the assistant says.
  std::string turn(State next, const std::string& notes = "");
  std::string walk(State& state, std::size_t taken) const;
  std::string walk_instead(std::size_t taken, const FoundPath* more = nullptr);
  [[nodiscard]] Json state_as_json(const State& state) const;
  [[nodiscard]] State state_of(const Json& given) const;
  [[nodiscard]] Focus recalled_focus(const Json& json) const;
  void plan_again(State& state) const;
  [[nodiscard]] std::optional<FoundPath> weighed_path(const Findings& found, const graph::Edge& edge) const;
  // Lines of what the assistant says, which the state takes up.
  std::string speak(State& state, const Plan& plan, std::size_t path);
  std::string ask_back();
  void ask_which(const std::string& mention, const std::vector<graph::EntityId>& entities);
  std::string use_entity(Use use, graph::EntityId entity);
  std::string set_goal(graph::EntityId goal);
  std::string stand_at(graph::EntityId place);
  std::string offer(Choice choice);
  std::string offer(const std::vector<std::string>& names, Choice choice);
  void remember(State next);
  static constexpr std::size_t kOffered = 8;  // entities to choose from

  [[nodiscard]] SearchWidths widths(const State& state) const;
  [[nodiscard]] std::string name(graph::EntityId entity) const;
  [[nodiscard]] std::string distance_text(const State& state) const;
  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return planning().graph(); }
  [[nodiscard]] const PlannerCore& planning() const { return guide_->core().planning(); }
  [[nodiscard]] const graph::ExactDistances& distances() const { return guide_->core().distances(); }

  std::shared_ptr<const Guide> guide_;
  std::shared_ptr<const dialogue::EntityLinker> linker_;
  ConversationOptions options_;
  Random random_;
  State now_;
  std::vector<State> earlier_;
  Choice choice_;
  std::shared_ptr<const Responder> responder_;  // null = the assistant says nothing
  std::shared_ptr<const Answerer> answerer_;    // null = the walker listens
  std::string said_;                            // by the assistant, last
  std::optional<dialogue::Message> message_;    // that it said
  std::string question_;                        // that it asks back in this turn
};

// Who speaks for the assistant; null = nobody. Errors as Responder::open(); ConfigError where a response
// model is asked for and none is given, and where a language model is to phrase what nobody says.
[[nodiscard]] std::shared_ptr<const Responder> responder_of(const std::filesystem::path& database,
                                                            const ConversationOptions& options,
                                                            const std::shared_ptr<const Guide>& guide);

}  // namespace kgwalk
