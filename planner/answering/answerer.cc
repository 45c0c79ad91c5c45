#include "planner/answering/answerer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dialogue/telling/about.h"
#include "dialogue/telling/tell.h"
#include "dialogue/telling/why.h"
#include "dialogue/text/text_encoder.h"
#include "kgwalk/knowledge_graph.h"
#include "listening/acts/act_replies.h"
#include "listening/candidates/utterance_cues.h"
#include "planner/answering/said_names.h"
#include "runtime/run_folder.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using listening::Act;
using listening::HeardForm;
using listening::HeardUtterance;

constexpr double kBudgetSeconds = 2;
constexpr std::size_t kMostRows = 100'000;
constexpr double kFew = 0.02;  // an act less likely than this is none
constexpr std::size_t kOffered = 5;

bool replies_alone(Act act) {
  switch (act) {
    case Act::kGreeting:
    case Act::kThanks:
    case Act::kGoodbye:
    case Act::kAcknowledge:
    case Act::kAbilities:
    case Act::kIdentity:
    case Act::kUnsure:
    case Act::kInsult:
    case Act::kOutside:
    case Act::kForeign:
      return true;
    default:
      return false;
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace

struct Answerer::Impl {
  Impl(const graph::KnowledgeGraph& all, const std::filesystem::path& run,
       std::shared_ptr<const dialogue::TextEncoder> encoder)
      : graph(all), listener(listening::Listener::open(graph, run, std::move(encoder))) {}

  listening::ListenedGraph graph;
  listening::Listener listener;

  [[nodiscard]] const graph::KnowledgeGraph& names() const { return graph.lexicon().graph(); }
  [[nodiscard]] std::string name(EntityId entity) const { return graph.lexicon().values().shown(entity); }
};

namespace {

// One turn; keeps what it was heard as.
class Turn {
 public:
  Turn(const listening::ListenedGraph& graph, const Focus& before, std::size_t turn)
      : graph_(graph), values_(graph.lexicon().values()), before_(before), turn_(turn) {
    out_.focus = before;
    out_.focus.offered.clear();
    out_.focus.offered_for.clear();
    out_.focus.before.context.offered = false;
  }

  AnsweredTurn reply(Act act) {
    say(TurnKind::kReplied, listening::reply_to(act, turn_));
    return done();
  }
  AnsweredTurn reply(std::string sentence) {
    say(TurnKind::kReplied, std::move(sentence));
    return done();
  }
  AnsweredTurn walk(std::optional<EntityId> about) {
    out_.kind = TurnKind::kWalk;
    out_.about = about;
    if (about) {
      const EntityId named[] = {*about};
      listening::remember({.named = named}, out_.focus.before);
    }
    return done();
  }

  AnsweredTurn unknown(const SaidName& name) {
    std::string sentence = fmt::format("I do not know {}.", name.text);
    if (!name.nearest.empty()) {
      std::vector<std::string> shown;
      for (const EntityId entity : name.nearest) shown.push_back(values_.shown(entity));
      sentence += " Did you mean " + joined(shown) + "?";
      offer(name.nearest);
    }
    say(TurnKind::kUnknown, std::move(sentence));
    return done();
  }

  AnsweredTurn unsaid(const HeardForm& form) {
    out_.about = form.about.empty() ? topic() : std::optional(form.about.front());
    if (out_.about) {
      const EntityId named[] = {*out_.about};
      listening::remember({.named = named}, out_.focus.before);
      say(TurnKind::kUnsaid, fmt::format("I do not know that about {}.", values_.shown(*out_.about)));
    } else {
      say(TurnKind::kUnsaid, "I do not know that.");
    }
    return done();
  }

  AnsweredTurn about(EntityId entity) {
    const EntityId named[] = {entity};
    listening::remember({.named = named}, out_.focus.before);
    out_.about = entity;
    out_.focus.question.reset();
    out_.focus.order.clear();
    say(TurnKind::kAnswered, dialogue::tell_about(values_, entity));
    out_.focus.before.context.answered = true;
    return done();
  }

  AnsweredTurn answer(const HeardForm& form) {
    out_.probability = form.probability;
    out_.query = form.query;
    out_.answer = graph_.engine().answer(form.query, {}, {.max_rows = kMostRows, .budget_s = kBudgetSeconds});
    const dialogue::Told told = dialogue::tell(form.query, out_.answer, graph_.engine(),
                                               dialogue::builtin_wordings(), {.variety = turn_});
    if (!out_.answer.entities.empty())
      out_.evidence = graph_.engine().evidence(form.query, out_.answer.entities.front());
    if (!form.about.empty()) out_.about = form.about.front();
    std::vector<EntityId> named = form.about;
    std::erase_if(named, [&](EntityId e) { return values_.kind(e) != graph::ValueKind::kThing; });
    const bool values =
        !form.answers.empty() && values_.kind(form.answers.front()) != graph::ValueKind::kThing;
    listening::remember({named, form.answers, form.relations, form.counted, values}, out_.focus.before);
    out_.focus.question = form.query;
    out_.focus.order = told.order;
    out_.focus.told = told.named;
    out_.focus.before.context.answered = true;
    out_.focus.before.context.cut = !form.counted && told.named < told.order.size();
    say(TurnKind::kAnswered, told.sentence);
    return done();
  }

  // The rest of a list that was told in part.
  AnsweredTurn more(bool all) {
    if (!before_.question || before_.told >= before_.order.size()) return reply(all ? Act::kAll : Act::kMore);
    const forms::Answer answer =
        graph_.engine().answer(*before_.question, {}, {.max_rows = kMostRows, .budget_s = kBudgetSeconds});
    const dialogue::Told told =
        dialogue::tell(*before_.question, answer, graph_.engine(), dialogue::builtin_wordings(),
                       {.skip = before_.told, .all = all, .variety = turn_});
    out_.query = before_.question;
    out_.answer = answer;
    out_.focus.told = before_.told + told.named;
    out_.focus.before.context.cut = out_.focus.told < before_.order.size();
    say(TurnKind::kAnswered, told.sentence);
    return done();
  }

  [[nodiscard]] std::optional<EntityId> topic() const {
    std::optional<EntityId> found;
    int ago = 1000;
    for (const auto& [entity, note] : before_.before.focus)
      if (note.topic && note.turns_ago <= ago) {
        found = entity;
        ago = note.turns_ago;
      }
    return found;
  }

 private:
  void say(TurnKind kind, std::string sentence) {
    out_.kind = kind;
    out_.sentence = std::move(sentence);
    out_.focus.said = out_.sentence;
  }
  void offer(const std::vector<EntityId>& entities) {
    out_.focus.offered.assign(entities.begin(), entities.begin() + static_cast<std::ptrdiff_t>(
                                                                       std::min(kOffered, entities.size())));
    out_.focus.before.context.offered = true;
  }
  AnsweredTurn done() { return std::move(out_); }

  const listening::ListenedGraph& graph_;
  const graph::TypedValues& values_;
  const Focus& before_;
  std::size_t turn_;
  AnsweredTurn out_;
};

// What is named most surely, and last of these.
std::optional<EntityId> named_surely(const HeardUtterance& heard) {
  std::optional<EntityId> found;
  std::size_t at = 0;
  for (const std::uint32_t m : listening::UtteranceCues(heard.parts).strong)
    if (!found || heard.parts.mentions[m].first >= at) {
      found = heard.parts.mentions[m].entity;
      at = heard.parts.mentions[m].first;
    }
  return found;
}

}  // namespace

Answerer::Answerer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Answerer::~Answerer() = default;

std::shared_ptr<const Answerer> Answerer::open(const graph::KnowledgeGraph& graph,
                                               const std::filesystem::path& run,
                                               const std::filesystem::path& text) {
  const std::filesystem::path folder =
      text.empty() ? RunFolder::open(run, listening::kListenerRun).manifest().text : text;
  auto encoder = folder.empty() ? nullptr : dialogue::TextEncoder::load(folder);
  return std::shared_ptr<const Answerer>(
      new Answerer(std::make_unique<const Impl>(graph, run, std::move(encoder))));
}

AnsweredTurn Answerer::answer(std::string_view said, const Focus& before, std::size_t turn,
                              const dialogue::EntityLinker& linker) const {
  const HeardUtterance heard = impl_->listener.hear(said, before.before);
  Turn out(impl_->graph, before, turn);
  const Act act = heard.acts.front().probability < kFew ? Act::kQuestion : heard.acts.front().act;
  if (replies_alone(act)) return out.reply(act);
  const std::optional<EntityId> named = named_surely(heard);
  switch (act) {
    case Act::kRepeat:
      return before.said.empty() ? out.reply(act) : out.reply(before.said);
    case Act::kWhy:
      if (const std::string reason = why(before); !reason.empty()) return out.reply(reason);
      return out.reply(act);
    case Act::kMore:
    case Act::kAll:
      return out.more(act == Act::kAll);
    case Act::kYes:
      if (!before.offered.empty()) return out.about(before.offered.front());
      return out.reply(act);
    case Act::kNo:
      return out.reply(act);
    default:
      break;
  }
  if (const auto unknown = unknown_name(heard.parts, linker, impl_->names())) return out.unknown(*unknown);
  if (act == Act::kStatement) return named ? out.walk(named) : out.reply(act);
  if (act == Act::kTellAbout) {
    if (const auto about = named ? named : out.topic()) return out.about(*about);
  }
  if (heard.forms.empty())
    return named ? out.about(*named) : out.reply(act == Act::kQuestion ? Act::kOutside : act);
  const HeardForm& best = heard.forms.front();
  return best.unsaid ? out.unsaid(best) : out.answer(best);
}

std::string Answerer::why(const Focus& focus) const {
  if (!focus.question) return "";
  const forms::Answer answer =
      impl_->graph.engine().answer(*focus.question, {}, {.max_rows = kMostRows, .budget_s = kBudgetSeconds});
  return dialogue::why_sentence(*focus.question, answer, impl_->graph.engine());
}

const forms::Engine& Answerer::engine() const { return impl_->graph.engine(); }
const graph::TypedValues& Answerer::values() const { return impl_->graph.lexicon().values(); }

}  // namespace kgwalk
