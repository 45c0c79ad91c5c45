// A conversation with the planner, line by line: what is typed is linked against the graph, paths are planned
// from there, the assistant says where the talk goes or what is answered, the best path is walked, and the
// distance left to the goal is told. Where nothing was understood, or two entities bear a name, it asks back.
// Commands begin with '/': /goal NAME, /from NAME, /take N, /auto N, /why, /undo, /forget, /help and others.
//
// No input or output of its own: a terminal, a server or a test passes lines in and shows what comes back.
//
// Example:
//   auto conversation = kgwalk::Conversation::open("kg.db", "runs/agent", {.paths = 2});
//   std::cout << conversation.welcome();
//   for (std::string line; std::getline(std::cin, line);) {
//     const auto reply = conversation.answer(line);
//     if (reply.over) break;
//     std::cout << reply.text;
//   }
//   std::cout << conversation.transcript().dump(2) << '\n';
//
// One conversation belongs to one thread at a time. Conversations made by another() share the walker and may
// go on at once in different threads. Errors are the tree of kgwalk/error.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/json.h"
#include "kgwalk/phrasing.h"
#include "kgwalk/plan.h"

namespace kgwalk {

class Guide;
class Retriever;
class Talk;  // private

// Who speaks for the assistant: wordings of relations, a response model, or nobody.
enum class Speech { kTemplates, kModel, kNone };
constexpr auto choice_names(Speech) { return choices_in_order<Speech>("templates", "model", "none"); }

struct ConversationOptions {
  int paths = 3;           // shown a turn, 1 to beam
  int beam = 25;           // partial paths kept in the search, 1 to kMaxBeam (kgwalk/plan.h)
  int max_hops = 2;        // of a path, 1 to kMaxPathHops; a walker of stage 2 heads for a goal hop by hop
  std::uint64_t seed = 1;  // of what the simulated user says at /auto
  std::filesystem::path simulator = {};  // run of the user simulator; empty = it says nothing
  Choice<Speech> speak = Speech::kTemplates;
  std::filesystem::path responder = {};  // kModel: run of 'kgwalk respond train'
  std::filesystem::path text = {};       // folder of the text encoder when it has moved since training
  // Run of 'kgwalk listen train': what is said is heard by it and answered from the graph; empty = the folder
  // "listener" in the run, where there is one, else the walker itself hears.
  std::filesystem::path listener = {};
  bool other_graph = false;  // as in Planner::Options
  // Each turn shows below what is said what was planned and walked. Where it is false the sentence stands
  // alone, with what has to be known to go on (what to choose from, how far a goal is); /why and /paths tell
  // the rest.
  bool trace = true;
  PhrasingOptions phrase = {};  // a language model that puts what is said into other words
  // A language model that hears questions as forms, beside a listener: what it gives is checked, named in the
  // graph's names, and answered by the graph; where it gives none, the listener's is taken. `tally`: forms
  // taken, refused, and how often none came.
  PhrasingOptions hear = {};
};

// The commands that a line may begin with: "/goal", "/from" and so on.
[[nodiscard]] std::vector<std::string> conversation_commands();

// Where a conversation stands, for those that draw it rather than read it.
struct Standing {
  std::string at = {};  // entity stood on; empty: nowhere yet
  std::optional<std::string> goal = {};
  std::optional<int> distance = {};       // hops of a shortest path from `at` to the goal
  std::optional<Plan> plan = {};          // of the last turn: paths, and what was weighed
  std::optional<std::size_t> taken = {};  // which of its paths was walked
  // Of a question that was answered as a form: as to_json() of kgwalk/querier.h gives it. Null: none was.
  Json answered = nullptr;
  std::vector<std::string> offered = {};  // entities that a number picks from, beginning with 1
  std::size_t steps = 0;                  // that /undo can take back
};

class Conversation {
 public:
  // `database` is a folder made by ingestion, `run` a folder of a walker of either stage; one of stage 1
  // heads for no goal. Errors as Guide::open; ConfigError where a language model is named in a way that
  // cannot be (its address, a key in the clear), or while the assistant says nothing. Options out of range:
  // the first turn is answered with what is wrong.
  [[nodiscard]] static Conversation open(const std::filesystem::path& database,
                                         const std::filesystem::path& run,
                                         const ConversationOptions& options);
  [[nodiscard]] static Conversation open(const std::filesystem::path& database,
                                         const std::filesystem::path& run);
  // A conversation that begins anew with the same walker and options; nothing is read again.
  [[nodiscard]] Conversation another(std::uint64_t seed) const;

  Conversation(Conversation&&) noexcept;
  Conversation& operator=(Conversation&&) noexcept;
  ~Conversation();

  struct Reply {
    std::string text = {};   // whole lines, first what the assistant says; empty for an empty line
    std::string said = {};   // by the assistant alone, its last sentences; empty where it says nothing
    bool over = false;       // the conversation has ended (/quit)
    bool forgotten = false;  // and all that was said in it (/forget); what else keeps of it should go too
  };
  // `line` is UTF-8. A line that cannot be followed (a name that the graph does not have, a goal that no path
  // leads to, an unknown command) is answered with why and what to do instead; then nothing has changed.
  [[nodiscard]] Reply answer(std::string_view line);
  // What the graph holds and what the walker can do, for the beginning.
  [[nodiscard]] std::string welcome() const;
  // {"turns": [...], "goal": NAME or null}: what was said and walked, turn by turn
  // (docs/guides/responses.md).
  [[nodiscard]] Json transcript() const;

  [[nodiscard]] Standing standing() const;
  // Walks a hop that was weighed at the last turn in place of what was walked. A hop that was not is answered
  // with that.
  [[nodiscard]] Reply take(const NamedHop& hop);

  // All that it remembers, to be kept and given to another() of the same graph and walker, also in another
  // process: that one goes on where this one stands, /undo included. What was offered to choose from is not
  // kept.
  [[nodiscard]] Json memory() const;
  // FormatError when `memory` is none, or names what the graph does not have; then nothing has changed.
  void recall(const Json& memory);

  // What it shares with those that another() makes. Lives as long as one of them.
  [[nodiscard]] const Guide& guide() const;
  [[nodiscard]] Retriever retriever() const;  // kgwalk/retrieve.h

  // For kgwalk's own sources: what stands behind it.
  explicit Conversation(std::unique_ptr<Talk> talk);

 private:
  std::unique_ptr<Talk> talk_;
};

}  // namespace kgwalk
