// What is to be said, before it has words: a path that was walked, or what is answered to a question, with
// the facts that it rests on. Names of entities and relations are those of the graph. Torch-free.
//
// As json, where whatever is empty is left out:
//   {"kind": "one", "start": "Inception", "ways": [[["Inception", "directed_by", "Christopher Nolan"]]],
//    "context": [{"speaker": "user", "text": "Who directed Inception?"}]}
#pragma once

#include <string>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

enum class MessageKind {
  kPath,     // nothing was asked: the first way is where the talk goes
  kOne,      // the first way ends at what was asked for
  kList,     // every way ends at one of the answers
  kYes,      // `claim` is so; the first way is the fact that says it, where there is one
  kNo,       // it is not
  kNotSaid,  // the graph does not say `asked` of the start; it says `instead`
  kNothing   // nothing leads on from the start
};
constexpr auto choice_names(MessageKind) {
  return choices_in_order<MessageKind>("path", "one", "list", "yes", "no", "not_said", "nothing");
}

// Each fact begins where the one before ended.
using Way = std::vector<graph::NamedTriple>;

struct Message {
  MessageKind kind = MessageKind::kPath;
  std::string start = {};                 // what is asked about, or walked from
  std::vector<Way> ways = {};             // none of them empty
  std::string claim = {};                 // kYes, kNo
  std::string asked = {};                 // kNotSaid: a relation, empty where none is known
  std::vector<std::string> instead = {};  // kNotSaid: relations of the start
  std::string goal = {};                  // entity that the talk heads for; empty = none
  std::vector<graph::Chat> context = {};  // what was said last, oldest first
};

// The entities that a sentence for it should name, each once: the start, what the ways lead through and to,
// the claim.
[[nodiscard]] std::vector<std::string> names_of(const Message& message);

// ConfigError that tells everything that is wrong: a kind without what it says, a way that is no chain from
// the start, an empty name, text that is not UTF-8.
void check(const Message& message);
// Also for names that the graph does not have, and facts that are none of it.
void check(const Message& message, const graph::KnowledgeGraph& graph);

// ConfigError where the object is no message.
[[nodiscard]] Message message_of(const Json& json);
[[nodiscard]] Json to_json(const Message& message);

}  // namespace kgwalk::dialogue
