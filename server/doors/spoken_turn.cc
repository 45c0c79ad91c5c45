#include "server/doors/spoken_turn.h"

#include <algorithm>
#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "server/doors/answer_parts.h"
#include "server/doors/shaped_answer.h"
#include "server/state/standing.h"

namespace kgwalk::server {
namespace {

// False where nothing is known, or the graph is another one since.
bool remembers(Conversation& conversation, const std::optional<Json>& state) {
  if (!state) return false;
  try {
    conversation.recall(*state);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

IsRelation relations_of(const graph::KnowledgeGraph& graph) {
  return [&graph](std::string_view plain) {
    for (graph::RelationId relation = 0; relation < graph.num_relations(); ++relation)
      if (plain_name_of(graph.relation_name(relation)) == plain) return true;
    return false;
  };
}

// Ends before the first of the texts that it is to stop at, and where the tokens end.
void cut(SpokenTurn& turn, const ChatWish& wish) {
  std::size_t end = std::string::npos;
  for (const std::string& stop : wish.stop) end = std::min(end, turn.content.find(stop));
  if (end != std::string::npos) turn.content.resize(end);
  if (wish.most_tokens == 0) return;
  const std::size_t fits = within_tokens(turn.content, wish.most_tokens).size();
  turn.cut = fits < turn.content.size();
  turn.content.resize(fits);
}

std::size_t turns_of(const Conversation& conversation) { return conversation.transcript()["turns"].size(); }

}  // namespace

SpokenTurn spoken_turn(const Model& model, const TurnAsked& asked, const ChatWish& wish) {
  Conversation conversation = model.conversation(wish.seed);
  const bool remembered = remembers(conversation, asked.memory);
  for (const std::string& line : remembered ? asked.since : asked.all) (void)conversation.answer(line);
  const std::size_t before = turns_of(conversation);
  const Conversation::Reply reply = conversation.answer(asked.last);
  const Standing standing = conversation.standing();
  const std::string sentence = said(reply);
  const Json parts = answer_parts(standing, turns_of(conversation) != before, sentence, asked.last);
  ShapedAnswer shaped = shaped_answer(wish.form, parts, relations_of(model.planner().graph()));
  SpokenTurn turn{.content = std::move(shaped.text), .refusal = std::move(shaped.refusal)};
  cut(turn, wish);
  turn.beside = {{"said", sentence}, {"reply", shown(reply)}};
  turn.beside.update(standing_as_json(standing));
  turn.memory = conversation.memory();
  return turn;
}

}  // namespace kgwalk::server
