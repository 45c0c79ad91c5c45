#include "planner/answering/answerer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dialogue/telling/why.h"
#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "listening/acts/act_replies.h"
#include "listening/candidates/utterance_cues.h"
#include "planner/answering/answering_turn.h"
#include "planner/answering/asked_again.h"
#include "planner/answering/descriptions.h"
#include "planner/answering/hear_turn.h"
#include "planner/answering/heard.h"
#include "planner/answering/recommend.h"
#include "planner/answering/said_names.h"
#include "planner/answering/said_sentences.h"
#include "planner/answering/said_years.h"
#include "planner/answering/side_by_side.h"
#include "planner/answering/turns_together.h"
#include "planner/remote/hearer.h"
#include "runtime/run_folder.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using listening::Act;
using listening::HeardForm;
using listening::HeardUtterance;
using listening::UtteranceCues;

constexpr const char* kListenerFolder = "listener";
// How sure both questions of a sentence must be, of how sure the whole is, where the second one refers to the
// first.
constexpr double kOfWhole = 0.3;
constexpr std::size_t kShortReply = 5;  // words of a reply to an offer

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

// What asks nothing and adds nothing: where the talk leads somewhere, it goes on.
bool goes_along(Act act) {
  return act == Act::kMore || act == Act::kAcknowledge || act == Act::kYes || act == Act::kUnsure;
}

// That there is a capital is not what was asked where nobody knows the name beside it.
bool asks_whether_there_is_one(const HeardForm& form) { return form.truth == true && asks_whether_any(form); }

// Whoever played a part was one of those that the form finds, as far as the graph says what they are.
bool tells_who_was_in_it(const HeardForm& form, const listening::Lexicon& lexicon) {
  if (!form.is_set()) return false;
  const listening::EndKind kind = lexicon.kind_of(form.answers.front());
  return kind == listening::EndKind::kPerson || kind == listening::EndKind::kUnknown;
}

}  // namespace

struct Answerer::Impl {
  Impl(const graph::KnowledgeGraph& all, const std::filesystem::path& run,
       std::shared_ptr<const dialogue::TextEncoder> encoder, const PhrasingOptions& hear,
       const std::filesystem::path& database)
      : graph(all),
        descriptions(database),
        listener(listening::Listener::open(graph, run, std::move(encoder))),
        tally(hear.tally) {
    if (!hear.url.empty())
      hearer.emplace(ModelEndpoint{hear.url, hear.model, hear.key, hear.timeout_s}, graph.engine());
  }

  [[nodiscard]] const graph::KnowledgeGraph& names() const { return graph.lexicon().graph(); }
  [[nodiscard]] std::vector<AnsweredTurn> sentence(std::string_view said, const Focus& before,
                                                   std::size_t turn, const dialogue::EntityLinker& linker,
                                                   std::span<const graph::Chat> earlier) const;
  [[nodiscard]] AnsweredTurn heard_as(const HeardUtterance& heard, const Focus& before, std::size_t turn,
                                      const dialogue::EntityLinker& linker,
                                      std::span<const graph::Chat> earlier) const;
  [[nodiscard]] std::optional<HeardForm> heard_by_model(const HeardUtterance& heard,
                                                        std::span<const graph::Chat> earlier) const;
  [[nodiscard]] std::optional<std::vector<AnsweredTurn>> both(const HeardUtterance& whole,
                                                              const Focus& before, std::size_t turn) const;
  [[nodiscard]] std::optional<std::vector<AnsweredTurn>> both_attributes(const HeardUtterance& whole,
                                                                         const Focus& before,
                                                                         std::size_t turn) const;
  [[nodiscard]] std::optional<EntityId> chosen(const HeardUtterance& heard, const Focus& before) const;
  [[nodiscard]] std::string why(const Focus& focus) const;
  [[nodiscard]] std::vector<std::string> with_corrections(std::vector<std::string> sentences,
                                                          const Focus& before) const;

  listening::ListenedGraph graph;
  Descriptions descriptions;
  listening::Listener listener;
  std::optional<Hearer> hearer;
  std::shared_ptr<PhrasingTally> tally;
};

// Which of those offered a short reply picks: by place, by name, by what it is called; "yes" the first.
std::optional<EntityId> Answerer::Impl::chosen(const HeardUtterance& heard, const Focus& before) const {
  const UtteranceCues cues(heard.parts);
  const auto& offered = before.offered;
  for (const std::uint32_t m : heard.parts.named)
    if (const auto found = std::find(offered.begin(), offered.end(), heard.parts.mentions[m].entity);
        found != offered.end())
      return *found;
  const auto& words = heard.parts.said.words;
  if (!heard.parts.named.empty() || std::count_if(words.begin(), words.end(), [](const auto& w) {
                                      return w.is_word;
                                    }) > static_cast<std::ptrdiff_t>(kShortReply))
    return std::nullopt;
  if (cues.place == listening::kLastPlace) return offered.back();
  if (cues.place > 0 && cues.place <= offered.size()) return offered[cues.place - 1];
  std::vector<int> called(offered.size(), 0);
  for (const auto& word : words) {
    if (!word.content) continue;
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const std::vector<std::string> name = listening::words_of_label(names().entity_name(offered[i]));
      called[i] += std::find(name.begin(), name.end(), word.folded) != name.end() ||
                           graph.lexicon().is_called(offered[i], word.folded)
                       ? 1
                       : 0;
    }
  }
  const auto most = std::max_element(called.begin(), called.end());
  if (*most > 0 && std::count(called.begin(), called.end(), *most) == 1)
    return offered[static_cast<std::size_t>(most - called.begin())];
  const Act act = act_of(heard, false);
  return act == Act::kYes ? std::optional(offered.front()) : std::nullopt;
}

// "Wait, not that. The other book": what corrects belongs to what it is corrected with.
std::vector<std::string> Answerer::Impl::with_corrections(std::vector<std::string> sentences,
                                                          const Focus& before) const {
  std::vector<std::string> out;
  std::string first;
  for (std::string& sentence : sentences) {
    const bool last = &sentence == &sentences.back();
    const HeardUtterance heard = last ? HeardUtterance() : listener.hear(sentence, before.before);
    const Act act = last ? Act::kQuestion : act_of(heard, !heard.parts.named.empty());
    std::string whole = first.empty() ? std::move(sentence) : first + ", " + sentence;
    const bool corrects = (act == Act::kCorrection || act == Act::kNo) && heard.parts.named.empty();
    if (corrects)
      first = whole.substr(0, whole.find_last_not_of(" .!?") + 1);
    else
      out.push_back(std::move(whole));
    if (!corrects) first.clear();
  }
  return out;
}

std::string Answerer::Impl::why(const Focus& focus) const {
  if (!focus.question) return "";
  const forms::Answer answer = graph.engine().answer(*focus.question, {}, answering_limits());
  return dialogue::why_sentence(*focus.question, answer, graph.engine());
}

// The form that a language model gives, where it gives one of the graph.
std::optional<HeardForm> Answerer::Impl::heard_by_model(const HeardUtterance& heard,
                                                        std::span<const graph::Chat> earlier) const {
  std::vector<EntityId> mentioned;
  for (const listening::HeardMention& mention : heard.parts.mentions)
    if (std::find(mentioned.begin(), mentioned.end(), mention.entity) == mentioned.end())
      mentioned.push_back(mention.entity);
  HeardQuestion question =
      hearer->hear({.text = heard.parts.said.text, .mentioned = mentioned, .earlier = earlier});
  if (tally && question.outcome != HearingOutcome::kNotAsked)
    ++(question.outcome == HearingOutcome::kHeard     ? tally->said
       : question.outcome == HearingOutcome::kRefused ? tally->refused
                                                      : tally->failed);
  if (question.outcome != HearingOutcome::kHeard) return std::nullopt;
  HeardForm form;
  form.probability = 1;
  form.query = std::move(question.query);
  form.counted = form.query.kind == forms::QueryKind::kCount;
  form.answers = question.answer.entities;
  std::sort(form.answers.begin(), form.answers.end());
  form.truth = question.answer.truth;
  if (question.answer.number && !form.counted) form.amount = question.answer.number->from;
  form.about = std::move(question.named);
  form.relations = std::move(question.relations);
  return form;
}

AnsweredTurn Answerer::Impl::heard_as(const HeardUtterance& heard, const Focus& before, std::size_t turn,
                                      const dialogue::EntityLinker& linker,
                                      std::span<const graph::Chat> earlier) const {
  AnsweringTurn out(graph, descriptions, before, turn);
  const std::optional<EntityId> named = named_surely(heard);
  const Act act = act_of(heard, named.has_value());
  const listening::ActContext& context = before.before.context;
  if (context.goal && goes_along(act) && !(act == Act::kMore && context.cut)) return out.walk(std::nullopt);
  // "What is the weather in X": what it is about is known, and what is asked is not.
  if (act == Act::kOutside && named)
    return out.unsaid(HeardForm(), named, name_as_said(heard, named), heard.parts.said.text);
  if (act == Act::kOutside)
    if (auto unknown = unknown_name(heard.parts, linker, graph.lexicon());
        unknown && is_of_name_alone(heard.parts.said, unknown->text))
      return out.unknown(*unknown, {}, heard.parts.said.text);
  if (act == Act::kIdentity || act == Act::kAbilities)  // "who is Zorblatt"
    if (const auto unknown = unknown_name(heard.parts, linker, graph.lexicon()))
      return out.unknown(*unknown, {}, heard.parts.said.text);
  if (replies_alone(act)) return out.reply(act);
  switch (act) {
    case Act::kRepeat:
      return before.said.empty() ? out.reply(act) : out.reply(before.said);
    case Act::kWhy:
      if (std::string reason = why(before); !reason.empty()) return out.reply(std::move(reason));
      if (before.question) return out.reply("I looked for it in my graph, and nothing in it says so.");
      return out.reply(act);
    case Act::kMore:
    case Act::kAll:
      return out.more(act == Act::kAll);
    case Act::kYes:
    case Act::kNo:
      return out.reply(act);
    case Act::kStatement:
      if (named) return out.walk(named);
      break;
    default:
      break;
  }
  if (auto unknown = unknown_name(heard.parts, linker, graph.lexicon())) {
    // "Bayern Munich" of FC Bayern Munich
    const auto whole = only_holder(*unknown, names());
    if (whole && heard.parts.said.text.find(names().entity_name(*whole)) == std::string::npos)
      return heard_as(
          hear_turn(listener, with_name(heard.parts.said.text, unknown->text, names().entity_name(*whole)),
                    before.before),
          before, turn, linker, earlier);
    if (!heard.forms.empty() && asks_whether_there_is_one(best_of(heard)))
      return out.deny(*unknown, best_of(heard));
    if (unknown->part && !heard.forms.empty() && tells_who_was_in_it(best_of(heard), graph.lexicon()))
      return out.answer_beside(*unknown, best_of(heard));
    return out.unknown(*unknown, named, heard.parts.said.text);
  }
  if (act == Act::kRecommend) return recommended(out, heard, named, graph.lexicon());
  if (act == Act::kStatement) return context.goal ? out.walk(std::nullopt) : out.reply(act);
  if (act == Act::kTellAbout) {
    if (const auto about = named ? named : out.topic()) return out.about(*about);
  }
  if (hearer && (act == Act::kQuestion || act == Act::kCorrection))
    if (const auto form = heard_by_model(heard, earlier)) return out.answer(*form);
  // A relation that is called so answers it itself.
  if (asks_for_other_names(heard.parts.said) &&
      (heard.forms.empty() || !asks_for_a_name(best_of(heard), graph.lexicon())))
    if (const auto about = named ? named : out.topic()) return out.other_names(*about);
  if (asks_which_alone(heard.parts))
    if (auto listed = out.listed_of_before()) return std::move(*listed);
  if (heard.forms.empty()) {
    if (named) return out.about(*named);
    if (act != Act::kQuestion && act != Act::kTellAbout) return out.reply(act);
    if (auto unknown = unknown_words(heard.parts, linker, graph.lexicon()))
      return out.unknown(*unknown, std::nullopt, heard.parts.said.text);
    return out.reply("I do not know what that is about: nothing in it is a name that I know.");
  }
  const HeardForm& best = best_of(heard);
  if (auto cut = cut_name(heard.parts, best.about, linker, graph.lexicon()))
    return out.unknown(*cut, std::nullopt, heard.parts.said.text);
  // "And besides that one?" names nothing: it means the question of before.
  // "More" asks for the rest of a set, and compares elsewhere: "who made more albums, A or B".
  const bool rest = UtteranceCues(heard.parts).rest && !heard.parts.said.says("than") &&
                    (best.unsaid || best.query.kind == forms::QueryKind::kFind);
  const bool of_before = before.question && !before.order.empty() && !named;
  if (rest && of_before && (best.unsaid || says_no_more_than_rest(heard.parts.said)))
    return out.rest_of_before();
  if (const auto again = check_again(heard, before, graph)) return out.answer(*again);
  if (const auto again = order_again(heard, before, graph)) return out.answer(*again);
  // "And X?" behind "tell me about Y".
  if (const auto instead = named_instead(heard);
      best.unsaid && instead && context.answered && !before.question)
    return out.about(*instead);
  if (auto both = side_by_side(out, heard.parts, graph.lexicon())) return std::move(*both);
  if (best.unsaid && named && may_be(heard, Act::kTellAbout)) return out.about(*named);
  if (best.unsaid) return out.unsaid(best, named, name_as_said(heard, named), heard.parts.said.text);
  if (asks_whether_there_is_one(best))
    if (const auto unknown = unknown_words(heard.parts, linker, graph.lexicon()))
      return out.deny(*unknown, best);
  if (auto several = namesakes(heard, best))
    return out.ask_which(several->entities, std::move(several->name), heard.parts.said.text);
  if (auto other = year_not_told(graph.lexicon().graph(), best, heard.parts))
    return out.reply(std::move(*other));
  if (asks_for_others(best, heard.parts)) return out.rest_of_checked(best);
  if (!rest) return out.answer(best, asks_whether_there_are(best, heard.parts) || says_so(best, heard.parts));
  return out.rest(std::span(heard.forms).subspan(static_cast<std::size_t>(&best - heard.forms.data())),
                  entities_named(heard.parts));
}

// The utterance as two questions, where these are heard more surely than the whole.
std::optional<std::vector<AnsweredTurn>> Answerer::Impl::both(const HeardUtterance& whole,
                                                              const Focus& before, std::size_t turn) const {
  const auto parts = two_questions(whole.parts);
  if (!parts) return std::nullopt;
  const HeardUtterance first = listener.hear(parts->first, before.before);
  if (first.forms.empty() || best_of(first).unsaid) return std::nullopt;
  std::vector<AnsweredTurn> turns = {AnsweringTurn(graph, descriptions, before, turn).answer(best_of(first))};
  const HeardUtterance second = listener.hear(parts->second, turns.front().focus.before);
  if (second.forms.empty() || best_of(second).unsaid) return std::nullopt;
  const double sure = std::sqrt(best_of(first).probability * best_of(second).probability);
  const double needed = parts->refers ? kOfWhole : 1;
  if (!whole.forms.empty() && !best_of(whole).unsaid && sure < needed * best_of(whole).probability)
    return std::nullopt;
  turns.push_back(AnsweringTurn(graph, descriptions, turns.front().focus, turn).answer(best_of(second)));
  return turns;
}

// Two attributes of one thing, where each is heard as one relation of it and both are not the same.
std::optional<std::vector<AnsweredTurn>> Answerer::Impl::both_attributes(const HeardUtterance& whole,
                                                                         const Focus& before,
                                                                         std::size_t turn) const {
  const auto parts = two_attributes(whole.parts);
  if (!parts) return std::nullopt;
  const HeardUtterance first = listener.hear(parts->first, before.before),
                       second = listener.hear(parts->second, before.before);
  if (first.forms.empty() || second.forms.empty()) return std::nullopt;
  const HeardForm &one = best_of(first), &other = best_of(second);
  const auto is_attribute = [](const HeardForm& form) {
    return !form.unsaid && !form.truth && !form.amount && form.relations.size() == 1 &&
           form.about.size() == 1;
  };
  if (!is_attribute(one) || !is_attribute(other) || one.about != other.about ||
      one.relations == other.relations)
    return std::nullopt;
  const double sure = std::sqrt(one.probability * other.probability);
  if (!whole.forms.empty() && sure < kOfWhole * best_of(whole).probability) return std::nullopt;
  std::vector<AnsweredTurn> turns = {AnsweringTurn(graph, descriptions, before, turn).answer(one)};
  turns.push_back(AnsweringTurn(graph, descriptions, turns.front().focus, turn).answer(other));
  return turns;
}

std::vector<AnsweredTurn> Answerer::Impl::sentence(std::string_view said, const Focus& before,
                                                   std::size_t turn, const dialogue::EntityLinker& linker,
                                                   std::span<const graph::Chat> earlier) const {
  const HeardUtterance heard = hear_turn(listener, said, before.before);
  const Act act = act_of(heard, named_surely(heard).has_value());
  std::optional<std::vector<AnsweredTurn>> turns;
  if (act == Act::kQuestion || act == Act::kTellAbout || act == Act::kCorrection) {
    turns = both(heard, before, turn);
    if (!turns) turns = both_attributes(heard, before, turn);
  }
  if (!turns) turns.emplace().push_back(heard_as(heard, before, turn, linker, earlier));
  for (AnsweredTurn& each : *turns) each.focus.before.capitals = heard.parts.before.capitals;
  return std::move(*turns);
}

Answerer::Answerer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Answerer::~Answerer() = default;

std::shared_ptr<const Answerer> Answerer::open(const graph::KnowledgeGraph& graph,
                                               const std::filesystem::path& run,
                                               const std::filesystem::path& text, const PhrasingOptions& hear,
                                               const std::filesystem::path& database) {
  std::filesystem::path folder = RunFolder::open(run, listening::kListenerRun).manifest().text;
  std::error_code ignored;
  if (!folder.empty() && !text.empty() && !std::filesystem::exists(folder, ignored)) folder = text;
  auto encoder = folder.empty() ? nullptr : dialogue::TextEncoder::load(folder);
  return std::shared_ptr<const Answerer>(
      new Answerer(std::make_unique<const Impl>(graph, run, std::move(encoder), hear, database)));
}

std::shared_ptr<const Answerer> Answerer::open_for(const graph::KnowledgeGraph& graph,
                                                   const std::filesystem::path& walker,
                                                   const std::filesystem::path& listener,
                                                   const std::filesystem::path& text,
                                                   const PhrasingOptions& hear,
                                                   const std::filesystem::path& database) {
  const std::filesystem::path inside = walker / kListenerFolder;
  if (!listener.empty()) return open(graph, listener, text, hear, database);
  if (RunFolder::is_run(inside)) return open(graph, inside, text, hear, database);
  if (!hear.url.empty())
    throw ConfigError("a language model hears beside a listener, and this model has none",
                      Remedy{Remedy::kTrain, std::string(listening::kListenerRun.command)});
  return nullptr;
}

AnsweredTurn Answerer::answer(std::string_view said, const Focus& before, std::size_t turn,
                              const dialogue::EntityLinker& linker,
                              std::span<const graph::Chat> earlier) const {
  if (!before.offered_for.empty()) {
    const HeardUtterance reply = impl_->listener.hear(said, before.before);
    auto entity = before.offered.empty() ? std::nullopt : impl_->chosen(reply, before);
    if (!entity) entity = before.offered_name.empty() ? named_instead(reply) : named_alone(reply);
    if (entity) {
      AnsweredTurn again = answer_with(*entity, before, turn, linker);
      // A bare name may ask for something else than a question that the graph cannot answer.
      if (!before.offered_name.empty() || again.kind != TurnKind::kUnsaid || !named_alone(reply))
        return again;
    }
  }
  std::vector<std::string> sentences = {std::string(said)};
  if (const std::size_t mark = said.find_first_of("?!."); mark != said.npos && mark + 1 < said.size())
    sentences = sentences_of(
        listening::heard_parts(impl_->graph.lexicon(), impl_->graph.finder(), said, before.before));
  sentences = impl_->with_corrections(std::move(sentences), before);
  const bool listed = sentences.size() > 1 && asks_which(sentences.back());
  if (listed) sentences.pop_back();
  std::vector<AnsweredTurn> turns;
  for (const std::string& sentence : sentences) {
    const Focus& focus = turns.empty() ? before : turns.back().focus;
    for (AnsweredTurn& each : impl_->sentence(sentence, focus, turn, linker, earlier))
      turns.push_back(std::move(each));
  }
  if (listed)
    if (auto list =
            AnsweringTurn(impl_->graph, impl_->descriptions, turns.back().focus, turn).listed_of_before())
      turns.push_back(std::move(*list));
  return together(std::move(turns));
}

AnsweredTurn Answerer::answer_with(EntityId chosen, const Focus& before, std::size_t turn,
                                   const dialogue::EntityLinker& linker) const {
  Focus focus = before;
  focus.offered.clear();
  focus.offered_for.clear();
  focus.offered_name.clear();
  focus.before.context.offered = false;
  const std::string text =
      with_name(before.offered_for, before.offered_name, impl_->names().entity_name(chosen));
  return together(impl_->sentence(text, focus, turn, linker, {}));
}

std::string Answerer::why(const Focus& focus) const { return impl_->why(focus); }

const forms::Engine& Answerer::engine() const { return impl_->graph.engine(); }
const graph::TypedValues& Answerer::values() const { return impl_->graph.lexicon().values(); }

}  // namespace kgwalk
