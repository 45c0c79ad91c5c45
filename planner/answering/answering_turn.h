// One turn of the assistant in the making: what it says, and what is spoken of afterwards. Torch-free but for
// what was heard.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "listening/network/listener.h"
#include "planner/answering/alike.h"
#include "planner/answering/answerer.h"
#include "planner/answering/descriptions.h"
#include "planner/answering/said_names.h"

namespace kgwalk {

// Borrows all it is given. Each of these ends the turn.
class AnsweringTurn {
 public:
  AnsweringTurn(const listening::ListenedGraph& graph, const Descriptions& descriptions, const Focus& before,
                std::size_t turn);

  AnsweredTurn reply(listening::Act act);
  AnsweredTurn reply(std::string sentence);
  AnsweredTurn walk(std::optional<graph::EntityId> about);
  AnsweredTurn about(graph::EntityId entity);
  // `whether`: yes or no was asked, and what is told says yes.
  AnsweredTurn answer(const listening::HeardForm& form, bool whether = false);
  AnsweredTurn other_names(graph::EntityId entity);
  // Several things, one after the other.
  AnsweredTurn about(const std::vector<graph::EntityId>& entities);
  // Facts of `a` that hold of `b` too, the most telling first.
  AnsweredTurn in_common(graph::EntityId a, graph::EntityId b, const std::vector<graph::Triple>& facts);
  // Some of what a form finds: those that most is known of first.
  AnsweredTurn suggest(const listening::HeardForm& form);
  // What is like a thing, at least one, the most alike first, with what the first has in common with it.
  AnsweredTurn suggest(graph::EntityId liked, const std::vector<AlikeThing>& alike);
  // Of the likeliest form that leads to others, those that were neither told before nor named then or now:
  // "what else", "besides X". At least one form, the likeliest first.
  AnsweredTurn rest(std::span<const listening::HeardForm> forms, std::span<const graph::EntityId> named);
  AnsweredTurn rest_of_before();
  // The same of what a check is about: "did he write anything else".
  AnsweredTurn rest_of_checked(const listening::HeardForm& check);
  // What there is, where the question before was whether there is any or how many; nullopt where it was
  // another, or there is none.
  std::optional<AnsweredTurn> listed_of_before();
  // The rest of a list that was told in part.
  AnsweredTurn more(bool all);
  // `named`: what the utterance names most surely, which is spoken of from now on where the form tells
  // nothing; `name`, as it was said in `said`: another in its place corrects the question, or is added to one
  // that names nothing.
  AnsweredTurn unsaid(const listening::HeardForm& form, std::optional<graph::EntityId> named,
                      std::string name, std::string said);
  // `named`: what the utterance names beside it, which is spoken of from now on.
  AnsweredTurn unknown(const SaidName& name, std::optional<graph::EntityId> named, std::string said);
  // Who was in a work, where the part that was asked about is unknown.
  AnsweredTurn answer_beside(const SaidName& part, const listening::HeardForm& form);
  // What a form tells whether there is one of, where something unknown was asked about.
  AnsweredTurn deny(const SaidName& name, const listening::HeardForm& form);
  // Which of several things of one name is meant; `said` is heard again with the one that is chosen.
  AnsweredTurn ask_which(const std::vector<graph::EntityId>& entities, std::string name, std::string said);

  [[nodiscard]] std::optional<graph::EntityId> topic() const;  // spoken of last

 private:
  AnsweredTurn rest(const listening::HeardForm& form, std::span<const graph::EntityId> named);
  // Of its answers those that were told or named, ascending.
  [[nodiscard]] std::vector<graph::EntityId> known_of(const listening::HeardForm& form,
                                                      std::span<const graph::EntityId> named) const;
  [[nodiscard]] forms::Answer answered(const forms::Query& query) const;
  void say(TurnKind kind, std::string sentence);
  void offer(const std::vector<graph::EntityId>& entities);
  // Another name in place of this one is heard as the same question.
  void hear_again(std::string name, std::string said);
  void speak_of(graph::EntityId entity);
  [[nodiscard]] std::string told_about(graph::EntityId entity) const;
  void tell(const listening::HeardForm& form, const forms::Query& query);
  // What is spoken of from now on: of the answers in this order the first `told` were named.
  void keep(const listening::HeardForm& form, const forms::Query& query, std::vector<graph::EntityId> order,
            std::size_t told);
  AnsweredTurn done() { return std::move(out_); }

  const listening::ListenedGraph& graph_;
  const Descriptions& descriptions_;
  const graph::TypedValues& values_;
  const Focus& before_;
  std::size_t turn_;
  AnsweredTurn out_;
};

// Limits of a form that is answered in a conversation.
[[nodiscard]] forms::Limits answering_limits();

}  // namespace kgwalk
