#include "dialogue/response/templates.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/checksum.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kMostInstead = 3;  // relations offered where the graph does not say what was asked for

// Facts that one statement tells: they share head and wordings.
struct ToldFact {
  WordedRelation relation;
  std::string head;
  std::vector<std::string> tails;
  [[nodiscard]] Fillers fillers() const { return relation.fillers({head}, tails); }
};

// What the ways lead through, each fact once; those near the start first.
std::vector<ToldFact> facts_of(const std::vector<Way>& ways, const Wordings& wordings) {
  std::vector<ToldFact> facts;
  const std::size_t shown = std::min(ways.size(), kMostNamesSaid);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < shown; ++i) longest = std::max(longest, ways[i].size());
  for (std::size_t hop = 0; hop < longest; ++hop)
    for (std::size_t i = 0; i < shown; ++i) {
      if (hop >= ways[i].size()) continue;
      const graph::NamedTriple& fact = ways[i][hop];
      const WordedRelation relation = wordings.of(fact);
      const auto same = std::find_if(facts.begin(), facts.end(), [&](const ToldFact& told) {
        return told.head == fact.head && told.relation.wordings == relation.wordings &&
               told.relation.flipped == relation.flipped && told.relation.words == relation.words;
      });
      ToldFact& told = same != facts.end() ? *same : facts.emplace_back(ToldFact{relation, fact.head, {}});
      if (std::find(told.tails.begin(), told.tails.end(), fact.tail) == told.tails.end())
        told.tails.push_back(fact.tail);
    }
  if (ways.size() > shown && !facts.empty())
    facts.back().tails.push_back(std::to_string(ways.size() - shown) + " more");
  return facts;
}

std::string capitalized(Worded worded) {
  std::string& text = worded.text;
  if (!worded.begins_with_name && !text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return std::move(text);
}

const Template& at_place(const std::vector<Template>& templates, std::size_t place) {
  return templates[place % templates.size()];
}

}  // namespace

WordingChoice varied_choice(const Message& message) {
  Checksum sum;
  for (const graph::Chat& said : message.context) sum.add(said.text + '\n');
  for (const std::string& name : names_of(message)) sum.add(name + '\n');
  const std::string hex = sum.hex();
  return {std::stoul(hex.substr(0, 4), nullptr, 16), std::stoul(hex.substr(4, 4), nullptr, 16)};
}

std::size_t TemplateSpeaker::wordings_of(const std::string& relation) const {
  const StatementWordings& wordings = *wordings_.of(relation).wordings;
  return wordings.statements.size() +
         (wordings.tails_tell ? wordings.tails.size() * wordings_.frame("is_noun").size() : 0);
}

Worded TemplateSpeaker::framed(std::string_view frame, std::size_t place, const Fillers& fillers) const {
  return at_place(wordings_.frame(frame), place).fill(fillers);
}

// Statements in the order of the wordings, then those made of nouns.
Worded TemplateSpeaker::told(const std::vector<Way>& ways, std::size_t statement) const {
  const std::vector<ToldFact> facts = facts_of(ways, wordings_);
  Worded all;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const StatementWordings& wordings = *facts[i].relation.wordings;
    const std::size_t statements = wordings.statements.size(),
                      nouns =
                          wordings.tails_tell ? wordings.tails.size() * wordings_.frame("is_noun").size() : 0;
    const std::size_t place = statement % (statements + nouns);
    Fillers fillers = facts[i].fillers();
    Worded one;
    if (place < statements) {
      one = wordings.statements[place].fill(fillers);
    } else {
      fillers.phrase = at_place(wordings.tails, place - statements).fill(fillers).text;
      one = framed("is_noun", (place - statements) / wordings.tails.size(), fillers);
    }
    if (i == 0) all.begins_with_name = one.begins_with_name;
    all.text += (i == 0 ? "" : i + 1 < facts.size() ? ", " : ", and ") + one.text;
  }
  return all;
}

// What a question for a relation asks for, as a noun.
std::string TemplateSpeaker::noun(const std::string& start, const std::string& relation) const {
  const WordedRelation worded = wordings_.of(relation);
  const Fillers fillers = worded.fillers({start}, {});
  return (worded.flipped ? worded.wordings->heads : worded.wordings->tails).front().fill(fillers).text;
}

std::string TemplateSpeaker::not_said(const Message& message, WordingChoice choice) const {
  Fillers fillers{.x = {message.start}};
  if (!message.asked.empty()) fillers.phrase = noun(message.start, message.asked);
  std::string text =
      capitalized(framed(message.asked.empty() ? "not_said_alone" : "not_said", choice.frame, fillers));
  Fillers offer;
  std::vector<std::string> nouns;
  for (const std::string& relation : message.instead) {
    std::string one = noun(message.start, relation);
    const bool asked = relation == message.asked || one == fillers.phrase;
    if (asked || std::find(nouns.begin(), nouns.end(), one) != nouns.end()) continue;
    nouns.push_back(std::move(one));
    if (nouns.size() == kMostInstead) break;
  }
  for (std::size_t i = 0; i < nouns.size(); ++i)
    offer.phrase += (i == 0 ? "" : i + 1 < nouns.size() ? ", " : " or ") + nouns[i];
  if (!nouns.empty()) text += " " + capitalized(framed("instead", choice.statement, offer));
  return text;
}

std::string TemplateSpeaker::say(const Message& message, WordingChoice choice) const {
  check(message);
  Fillers fillers{.x = {message.start}, .y = {message.claim}};
  if (message.kind == MessageKind::kNotSaid) return not_said(message, choice);
  if (message.kind == MessageKind::kNothing) return capitalized(framed("none", choice.frame, fillers));
  const bool yes = message.kind == MessageKind::kYes, no = message.kind == MessageKind::kNo;
  if (message.ways.empty()) return capitalized(framed(yes ? "yes_alone" : "no_alone", choice.frame, fillers));
  const Worded facts = told(message.ways, choice.statement);
  fillers.statement = facts.text;
  const bool arrives = message.kind == MessageKind::kPath && message.ways.front().back().tail == message.goal;
  if (arrives) fillers.y = {message.goal};
  const char* frame = yes                                  ? "yes"
                      : no                                 ? "no"
                      : arrives                            ? "goal"
                      : message.kind == MessageKind::kPath ? "path"
                                                           : "answer";
  Worded sentence = framed(frame, choice.frame, fillers);
  if (sentence.text.starts_with(facts.text)) sentence.begins_with_name = facts.begins_with_name;
  return capitalized(std::move(sentence));
}

std::string TemplateSpeaker::ask_which(const std::string& name, const std::vector<std::string>& entities,
                                       std::size_t frame) const {
  return capitalized(framed("which", frame, {.x = {name}, .y = entities, .join = "or"}));
}

std::string TemplateSpeaker::ask_nearest(const std::vector<std::string>& names, std::size_t frame) const {
  return capitalized(framed("unknown", frame, {.y = names, .join = "or"}));
}

std::string TemplateSpeaker::ask_anything(std::size_t frame) const {
  return capitalized(framed("lost", frame, {}));
}

}  // namespace kgwalk::dialogue
