#include "dialogue/questions/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <set>

#include "dialogue/linking/name_index.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/random.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMaxAnswers = 60;      // questions with more right answers are not asked
constexpr std::size_t kLongestName = 60;     // bytes of a name that people would type
constexpr int kAttempts = 40;                // to find an entity that fits
constexpr std::size_t kFewestRelations = 3;  // of an entity, where one right answer is wanted

double hash_share(std::string_view text) {
  return static_cast<double>(std::stoull(checksum_of(text).substr(0, 8), nullptr, 16)) / 4294967296.0;
}

std::string flipped(const std::string& relation) {
  return relation.starts_with('~') ? relation.substr(1) : std::string("~").append(relation);
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "film | movie" to its members.
std::vector<std::string> members_of(std::string_view line) {
  std::vector<std::string> members;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('|'), line.size());
    const std::string_view member = line.substr(0, end);
    const std::size_t first = member.find_first_not_of(' '), last = member.find_last_not_of(' ');
    if (first != member.npos) members.emplace_back(member.substr(first, last - first + 1));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return members;
}

// Where `words` stand in `text` as whole words; npos where they do not.
std::size_t word_at(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; (at = text.find(words, at)) != text.npos; ++at) {
    const std::size_t end = at + words.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return at;
  }
  return std::string::npos;
}

std::string plural_of(std::string noun) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOdd{{{"person", "people"},
                                                                                      {"child", "children"},
                                                                                      {"man", "men"},
                                                                                      {"woman", "women"},
                                                                                      {"wife", "wives"},
                                                                                      {"series", "series"}}};
  for (const auto& [one, many] : kOdd)
    if (noun == one) return std::string(many);
  const auto ends = [&](std::string_view end) { return noun.ends_with(end); };
  const char before = noun.size() > 1 ? noun[noun.size() - 2] : 'a';
  if (ends("y") && std::string_view("aeou").find(before) == std::string_view::npos)
    return noun.substr(0, noun.size() - 1) + "ies";
  if (ends("s") && !ends("ss")) return noun;
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return noun + "es";
  return noun + "s";
}

// "a film directed by {x}" to "films directed by {x}", "{x's} director" to "{x's} directors"; nothing where the
// phrase begins with neither an article nor the owner, or names one thing by its nature.
std::optional<std::string> plural_phrase(const std::string& phrase) {
  static constexpr std::array<std::string_view, 22> kAfterNoun{
      "of",    "in",   "by",       "that",    "who",  "which",  "where", "with",    "from",     "on",  "at",
      "about", "born", "directed", "written", "made", "played", "under", "created", "produced", "for", "to"};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', at), phrase.size());
    words.push_back(phrase.substr(at, end - at));
    at = end + 1;
  }
  const bool owned = !words.empty() && words.front() == "{x's}";
  if (words.size() < 2 || !(owned || words.front() == "a" || words.front() == "an" || words.front() == "the"))
    return std::nullopt;
  std::size_t noun = 1;
  const auto goes_on = [&](const std::string& word) {
    return std::find(kAfterNoun.begin(), kAfterNoun.end(), word) == kAfterNoun.end() &&
           !word.starts_with('{') && !word.ends_with("ed");
  };
  while (noun + 1 < words.size() && goes_on(words[noun + 1])) ++noun;
  words[noun] = plural_of(words[noun]);
  std::string plural;
  for (std::size_t i = owned ? 0 : 1; i < words.size(); ++i)
    plural.append(plural.empty() ? "" : " ").append(words[i]);
  return plural;
}

// A family asked in one direction, with its relations in the graph.
struct Topic {
  const Family* family = nullptr;
  bool backward = false, held = false, of_bank = true;
  std::vector<RelationId> relations;
  std::vector<std::string> names;                       // of these
  std::vector<EntityId> subjects;                       // entities that have one of them
  std::array<std::vector<const Wording*>, 4> wordings;  // by form, of the split that is asked with
  std::array<std::vector<const Wording*>, 4> composed;  // made of noun phrases
  std::array<std::vector<const Wording*>, 4> by_name;   // in the relations' own words
  [[nodiscard]] Kind subject_kind() const { return backward ? family->tail : family->head; }
  [[nodiscard]] Kind answer_kind() const { return backward ? family->head : family->tail; }
  [[nodiscard]] const auto& of(Form form) const { return wordings[static_cast<std::size_t>(form)]; }
};

struct Pronouns {
  std::string_view subject, object, owner;
};

class Generator {
 public:
  Generator(const graph::KnowledgeGraph& graph, const Bank& bank, const GenerateConfig& config,
            std::uint64_t seed)
      : graph_(graph), bank_(bank), config_(config), random_(seed, 31) {
    for (const std::string& line : phrases("same")) same_.push_back(members_of(line));
    for (const std::string& name : held_back(bank, config.held_families)) held_.insert(name);
    for (const Family& family : bank.families) {
      add_topic(family, false, true);
      add_topic(family, true, true);
      for (const std::string& relation : family.relations) known_.insert({relation, flipped(relation)});
    }
    add_other_relations();
    fill_subjects();
    weigh();
  }

  std::vector<QuestionTurn> make() {
    using Maker = std::optional<QuestionTurn> (Generator::*)();
    const std::array<std::pair<double, Maker>, 6> makers{{{config_.one, &Generator::one},
                                                          {config_.list, &Generator::list},
                                                          {config_.verify, &Generator::verify},
                                                          {config_.missing, &Generator::missing},
                                                          {config_.nothing, &Generator::nothing},
                                                          {config_.two_hops, &Generator::two_hops}}};
    double total = 0;
    for (const auto& maker : makers) total += maker.first;
    if (total <= 0) throw ConfigError("the shares of all kinds of questions are 0");
    std::vector<QuestionTurn> questions;
    std::size_t misses = 0;
    while (questions.size() < static_cast<std::size_t>(config_.count)) {
      double left = random_.uniform() * total;
      std::size_t kind = 0;
      while (kind + 1 < makers.size() && (left -= makers[kind].first) >= 0) ++kind;
      if (makers[kind].first <= 0) continue;
      std::optional<QuestionTurn> question = (this->*makers[kind].second)();
      if (!question) {
        if (++misses > 1000 + 100 * static_cast<std::size_t>(config_.count))
          throw ConfigError("the graph has too few facts to ask about in this split");
        continue;
      }
      question->split = config_.split.name();
      questions.push_back(std::move(*question));
    }
    return questions;
  }

 private:
  // --- what can be asked about
  void add_topic(const Family& family, bool backward, bool of_bank) {
    Topic topic{&family, backward, held_.contains(family.name), of_bank, {}, {}, {}, {}, {}, {}};
    const bool wants_held = config_.split == QuestionSplit::kTestRelation;
    if (topic.held != wants_held) return;
    for (const std::string& forward : family.relations) {
      const std::string name = backward ? flipped(forward) : forward;
      if (const auto relation = graph_.find_relation(name)) {
        topic.relations.push_back(*relation);
        topic.names.emplace_back(graph_.relation_name(*relation));
      }
    }
    if (topic.relations.empty()) return;
    bool any = false;
    for (const Wording& wording : family.wordings) {
      if (wording.backward != backward) continue;
      // Wordings of families kept back are all new.
      const bool kept = hash_share(wording.text) < config_.held_wordings;
      if (!wants_held && kept != (config_.split == QuestionSplit::kTestWording)) continue;
      topic.wordings[static_cast<std::size_t>(wording.form)].push_back(&wording);
      any = true;
    }
    if (!any) return;
    compose(topic);
    if (of_bank && config_.split == QuestionSplit::kTrain) add_names(topic);
    topics_.push_back(std::move(topic));
  }

  const Wording* keep(Wording wording) { return &made_.emplace_back(std::move(wording)); }

  // Questions made of the topic's noun phrases. New ones are those whose phrase or whose frame is.
  void compose(Topic& topic) {
    static constexpr std::array<std::pair<Form, const char*>, 3> kFrames{
        {{Form::kOne, "phrase_one"}, {Form::kList, "phrase_list"}, {Form::kVerify, "phrase_verify"}}};
    const bool wants_held = config_.split == QuestionSplit::kTestRelation;
    const char* who = topic.answer_kind() == Kind::kPerson ? "who" : "what";
    for (const Wording& phrase : topic.family->wordings) {
      if (phrase.backward != topic.backward || phrase.form != Form::kPhrase) continue;
      for (const auto& [form, section] : kFrames) {
        const std::optional<std::string> words =
            form == Form::kList ? plural_phrase(phrase.text) : std::optional(phrase.text);
        if (!words) continue;
        const std::vector<std::string>& frames = phrases(section);
        for (std::size_t i = 0; i < frames.size(); ++i) {
          const bool kept = hash_share(phrase.text) < config_.held_wordings ||
                            hash_share(frames[i]) < config_.held_wordings;
          if (!wants_held && kept != (config_.split == QuestionSplit::kTestWording)) continue;
          Wording made{frames[i], form, topic.backward, section};
          made.name.append("/").append(std::to_string(i + 1)).append("+").append(phrase.name);
          replace_all(made.text, "the {p}", words->starts_with("{") ? "{p}" : "the {p}");
          replace_all(made.text, "{p}", *words);
          replace_all(made.text, "{who}", who);
          topic.composed[static_cast<std::size_t>(form)].push_back(keep(std::move(made)));
        }
      }
    }
  }

  void add_names(Topic& topic) {
    for (const std::string& relation : topic.family->relations) {
      const bool reads_back = relation.starts_with('~');
      const Family named = family_of_relation(reads_back ? relation.substr(1) : relation);
      for (const Wording& wording : named.wordings) {
        if (wording.backward != (topic.backward != reads_back)) continue;
        topic.by_name[static_cast<std::size_t>(wording.form)].push_back(keep(wording));
      }
    }
  }

  const Wording& draw_wording(const Topic& topic, Form form) {
    const auto& composed = topic.composed[static_cast<std::size_t>(form)];
    const auto& by_name = topic.by_name[static_cast<std::size_t>(form)];
    const double draw = random_.uniform();
    if (draw < config_.composed && !composed.empty()) return *any(composed);
    if (draw > 1 - config_.by_name && !by_name.empty()) return *any(by_name);
    return *any(topic.of(form));
  }

  // One of the words or turns of phrase that the bank knows others for gives way to one of them.
  void reword(std::string& text) {
    if (config_.split != QuestionSplit::kTrain || random_.uniform() >= config_.reworded) return;
    std::vector<std::array<std::size_t, 3>> places;  // of the text, of the list, of its member
    for (std::size_t s = 0; s < same_.size(); ++s)
      for (std::size_t m = 0; m < same_[s].size(); ++m)
        if (const std::size_t at = word_at(text, same_[s][m]); at != std::string::npos)
          places.push_back({at, s, m});
    if (places.empty()) return;
    const auto [at, list, member] = any(places);
    const std::size_t other = random_.below(same_[list].size());
    text.replace(at, same_[list][member].size(), same_[list][other]);
  }

  void add_other_relations() {
    if (config_.split == QuestionSplit::kTestRelation || config_.other_relations == 0) return;
    std::set<std::string> seen;
    for (RelationId r = 0; r < graph_.num_relations(); ++r) {
      const std::string name(graph_.relation_name(r));
      if (name.starts_with('~') || known_.contains(name)) continue;
      others_.push_back(family_of_relation(name));
    }
    first_other_ = topics_.size();
    for (const Family& family : others_) {
      add_topic(family, false, false);
      add_topic(family, true, false);
    }
  }

  void fill_subjects() {
    std::vector<std::vector<std::uint32_t>> topics_of(graph_.num_relations());
    for (std::uint32_t t = 0; t < topics_.size(); ++t)
      for (const RelationId r : topics_[t].relations) topics_of[r].push_back(t);
    for (EntityId e = 0; e < graph_.num_connected(); ++e) {
      if (!speakable(e)) continue;
      for (const graph::Edge& edge : graph_.out_edges(e))
        for (const std::uint32_t t : topics_of[edge.relation])
          if (topics_[t].subjects.empty() || topics_[t].subjects.back() != e)
            topics_[t].subjects.push_back(e);
    }
  }

  // Frequent families are asked for more often, but not as often as they are frequent.
  void weigh() {
    double bank = 0, other = 0;
    for (const Topic& topic : topics_)
      (topic.of_bank ? bank : other) += std::sqrt(static_cast<double>(topic.subjects.size()));
    if (bank + other == 0)
      throw ConfigError("the graph has no relation that could be asked for in this split");
    const double share =
        other > 0 && bank > 0 ? config_.other_relations / (1 - config_.other_relations) * bank / other : 1;
    double sum = 0;
    for (const Topic& topic : topics_) {
      sum += std::sqrt(static_cast<double>(topic.subjects.size())) * (topic.of_bank ? 1 : share);
      weights_.push_back(sum);
    }
  }

  bool speakable(EntityId e) const {
    const std::string_view name = graph_.entity_name(e);
    return name.size() <= kLongestName && !words_of(plain_name(name)).empty();
  }

  const Topic* draw_topic(Form form) {
    for (int i = 0; i < kAttempts; ++i) {
      const double at = random_.uniform() * weights_.back();
      const auto place = std::upper_bound(weights_.begin(), weights_.end(), at) - weights_.begin();
      const Topic& topic = topics_[std::min(static_cast<std::size_t>(place), topics_.size() - 1)];
      if (!topic.of(form).empty() && !topic.subjects.empty()) return &topic;
    }
    return nullptr;
  }

  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[random_.below(list.size())];
  }
  const std::vector<std::string>& phrases(const std::string& name) const {
    static const std::vector<std::string> none;
    const auto found = bank_.phrases.find(name);
    return found == bank_.phrases.end() ? none : found->second;
  }

  std::vector<EntityId> tails(EntityId from, const std::vector<RelationId>& relations) const {
    std::vector<EntityId> found;
    for (const graph::Edge& edge : graph_.out_edges(from))
      if (std::find(relations.begin(), relations.end(), edge.relation) != relations.end() &&
          edge.tail != from)
        found.push_back(edge.tail);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::size_t num_relations_at(EntityId e) const {
    std::size_t count = 0;
    std::optional<RelationId> last;
    for (const graph::Edge& edge : graph_.out_edges(e)) {
      count += last != edge.relation ? 1 : 0;
      last = edge.relation;
    }
    return count;
  }

  // --- kinds of questions
  std::optional<QuestionTurn> about(const Topic& topic, Form form, Asks asks) {
    for (int i = 0; i < kAttempts; ++i) {
      const EntityId start = any(topic.subjects);
      const std::vector<EntityId> right = tails(start, topic.relations);
      if (right.empty() || right.size() > kMaxAnswers) continue;
      if (asks == Asks::kOne && config_.single_answer &&
          (right.size() != 1 || num_relations_at(start) < kFewestRelations))
        continue;
      if (asks == Asks::kList && right.size() < 2) continue;
      QuestionTurn question;
      question.asks = asks;
      question.relations = {topic.names};
      set_answers(right, question);
      const Wording& wording = draw_wording(topic, form);
      question.wording = wording.name;
      say(wording.text, start, topic.subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  std::optional<QuestionTurn> one() {
    const Topic* topic = draw_topic(Form::kOne);
    return topic == nullptr ? std::nullopt : about(*topic, Form::kOne, Asks::kOne);
  }

  std::optional<QuestionTurn> list() {
    const Topic* topic = draw_topic(Form::kList);
    return topic == nullptr ? std::nullopt : about(*topic, Form::kList, Asks::kList);
  }

  std::optional<QuestionTurn> verify() {
    const Topic* topic = draw_topic(Form::kVerify);
    if (topic == nullptr) return std::nullopt;
    for (int i = 0; i < kAttempts; ++i) {
      const EntityId start = any(topic->subjects);
      const std::vector<EntityId> right = tails(start, topic->relations);
      if (right.empty()) continue;
      const bool holds = random_.uniform() < 0.5;
      const std::vector<EntityId> elsewhere = tails(any(topic->subjects), topic->relations);
      if (elsewhere.empty()) continue;
      const EntityId claim = any(holds ? right : elsewhere);
      if (!speakable(claim) || claim == start ||
          std::binary_search(right.begin(), right.end(), claim) != holds)
        continue;
      QuestionTurn question;
      question.asks = Asks::kVerify;
      question.relations = {topic->names};
      question.claim = graph_.entity_name(claim);
      question.holds = holds;
      set_answers(right, question);
      const Wording& wording = draw_wording(*topic, Form::kVerify);
      question.wording = wording.name;
      say(wording.text, start, topic->subject_kind(), question, plain_name(graph_.entity_name(claim)));
      return question;
    }
    return std::nullopt;
  }

  // An entity that is like those that have the relation, and does not have it.
  std::optional<QuestionTurn> missing() {
    const Topic* topic = draw_topic(Form::kOne);
    if (topic == nullptr) return std::nullopt;
    for (int i = 0; i < kAttempts; ++i) {
      const auto edges = graph_.out_edges(any(topic->subjects));
      const graph::Edge& shared = edges[random_.below(edges.size())];
      if (std::find(topic->relations.begin(), topic->relations.end(), shared.relation) !=
          topic->relations.end())
        continue;
      const auto back = graph_.out_edges(shared.tail);
      const EntityId start = back[random_.below(back.size())].tail;
      const RelationId same = shared.relation;
      const auto has = [&](EntityId e) {
        return std::any_of(graph_.out_edges(e).begin(), graph_.out_edges(e).end(),
                           [&](const graph::Edge& edge) { return edge.relation == same; });
      };
      if (!speakable(start) || !has(start) || !tails(start, topic->relations).empty()) continue;
      QuestionTurn question;
      question.asks = Asks::kMissing;
      question.relations = {topic->names};
      const Wording& wording = draw_wording(*topic, Form::kOne);
      question.wording = wording.name;
      say(wording.text, start, topic->subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  std::optional<QuestionTurn> nothing() {
    const Topic* topic = draw_topic(Form::kOne);
    const auto& about = phrases("nothing");
    const auto& idle = phrases("idle");
    const auto& mention = phrases("mention");
    if (topic == nullptr || about.empty()) return std::nullopt;
    const EntityId start = any(topic->subjects);
    QuestionTurn question;
    question.asks = Asks::kNothing;
    question.start = graph_.entity_name(start);
    const std::string name = plain_name(graph_.entity_name(start));
    std::string text = any(about);
    if (!idle.empty() && !mention.empty() && random_.uniform() < 0.3) {
      std::string before = any(mention);
      replace_all(before, "{x}", name);
      question.turns.push_back(std::move(before));
      text = any(idle);
      question.mention = "pronoun";
    }
    replace_all(text, "{x}", name);
    question.turns.push_back(finished(std::move(text), name));
    add_chat(question);
    return question;
  }

  // What is asked about is itself a phrase: "the director of Inception".
  std::optional<QuestionTurn> two_hops() {
    const Topic* first = draw_topic(Form::kPhrase);
    if (first == nullptr) return std::nullopt;
    for (int i = 0; i < kAttempts; ++i) {
      const bool lists = random_.uniform() < 0.2;
      const Topic* second = draw_topic(lists ? Form::kList : Form::kOne);
      if (second == nullptr || second->subject_kind() != first->answer_kind() ||
          second->family == first->family)
        continue;
      const EntityId start = any(first->subjects);
      const std::vector<EntityId> middles = tails(start, first->relations);
      std::vector<EntityId> right;
      for (const EntityId middle : middles)
        for (const EntityId end : tails(middle, second->relations))
          if (end != start) right.push_back(end);
      std::sort(right.begin(), right.end());
      right.erase(std::unique(right.begin(), right.end()), right.end());
      if (right.empty() || right.size() > kMaxAnswers || middles.size() > 10) continue;
      QuestionTurn question;
      question.asks = lists ? Asks::kList : Asks::kOne;
      question.relations = {first->names, second->names};
      question.hops = 2;
      set_answers(right, question);
      const Wording &inner = *any(first->of(Form::kPhrase)),
                    &outer = *any(second->of(lists ? Form::kList : Form::kOne));
      question.wording = outer.name;
      question.wording.append("+").append(inner.name);
      std::string text = outer.text;
      replace_all(text, "{x's}", inner.text + "'s");
      replace_all(text, "{x}", inner.text);
      replace_all(text, "{he}", inner.text);
      say(text, start, first->subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  // --- wording
  Pronouns pronouns(EntityId e, Kind kind) const {
    if (kind != Kind::kPerson) return {"it", "it", "its"};
    if (const auto gender = graph_.find_relation("Gender"))
      for (const EntityId tail : tails(e, {*gender})) {
        const std::string_view name = graph_.entity_name(tail);
        if (name == "Male" || name == "male") return {"he", "him", "his"};
        if (name == "Female" || name == "female") return {"she", "her", "her"};
      }
    return {"they", "them", "their"};
  }

  void set_answers(const std::vector<EntityId>& right, QuestionTurn& question) const {
    for (const EntityId e : right) question.answers.emplace_back(graph_.entity_name(e));
  }

  // Turns up to the question: `text` about `start`, whose name stands in it or in a turn before.
  void say(std::string text, EntityId start, Kind kind, QuestionTurn& question,
           const std::string& claim = "") {
    question.start = graph_.entity_name(start);
    const std::string name = plain_name(graph_.entity_name(start));
    const auto& mention = phrases("mention");
    const bool pronoun = !mention.empty() && random_.uniform() < config_.pronouns;
    reword(text);
    if (random_.uniform() < config_.typos) mistype(text);
    if (pronoun) {
      question.mention = "pronoun";
      std::string before = any(mention);
      replace_all(before, "{x}", name);
      question.turns.push_back(std::move(before));
      if (!phrases("filler").empty() && random_.uniform() < config_.fillers)
        question.turns.push_back(any(phrases("filler")));
      const Pronouns words = pronouns(start, kind);
      replace_all(text, "{x's}", words.owner);
      replace_all(text, "{he}", words.subject);
      // "who is {x} married to": what stands after a verb of being or doing is a subject.
      for (const std::string_view verb :
           {"is ", "was ", "did ", "does ", "has ", "are ", "do ", "can ", "that ", "where ", "which "}) {
        std::string from(verb), to(verb);
        replace_all(text, from.append("{x}"), to.append(words.subject));
      }
      if (text.starts_with("{x}")) text.replace(0, 3, words.subject);
      replace_all(text, "{x}", words.object);
      if (words.subject == "they")
        for (const auto& [one, many] : {std::pair{"is they", "are they"},
                                        {"was they", "were they"},
                                        {"does they", "do they"},
                                        {"has they", "have they"}})
          replace_all(text, one, many);
    } else {
      replace_all(text, "{x's}", name.ends_with('s') && random_.uniform() < 0.5 ? name + "'" : name + "'s");
      replace_all(text, "{he}", name);
      replace_all(text, "{x}", name);
    }
    replace_all(text, "{y}", claim);
    if (random_.uniform() < 0.2) {
      const auto& prefixes = phrases(config_.split == QuestionSplit::kTrain ? "prefix" : "test_prefix");
      if (!prefixes.empty()) text.insert(0, any(prefixes));
    }
    question.turns.push_back(finished(std::move(text), name));
    add_chat(question);
  }

  void add_chat(QuestionTurn& question) {
    if (phrases("chat").empty() || random_.uniform() >= config_.chat) return;
    question.turns.insert(question.turns.begin(), any(phrases("chat")));
  }

  // Capitals and the mark at the end, as people type them or not.
  std::string finished(std::string text, const std::string& name) {
    if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos &&
        random_.uniform() < 0.75) {
      const bool orders = text.starts_with("name ") || text.starts_with("list ") ||
                          text.starts_with("tell ") || text.starts_with("give ") ||
                          text.find(": name ") != text.npos || text.find(", list ") != text.npos;
      text.push_back(orders ? '.' : '?');
    }
    if (random_.uniform() < config_.lower_case) {
      for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    } else if (!text.empty() && text[0] >= 'a' && text[0] <= 'z' && !text.starts_with(name) &&
               random_.uniform() < 0.8) {
      text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
  }

  // One letter is dropped, doubled or swapped with the next, inside a word of the wording.
  void mistype(std::string& text) {
    std::vector<std::size_t> places;
    bool name = false;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      name = text[i - 1] == '{' || (name && text[i - 1] != '}');
      if (!name && is_letter(text[i - 1]) && is_letter(text[i]) && is_letter(text[i + 1]))
        places.push_back(i);
    }
    if (places.empty()) return;
    const std::size_t at = any(places);
    const std::uint64_t way = random_.below(3);
    if (way == 0) text.erase(at, 1);
    if (way == 1) text.insert(at, 1, text[at]);
    if (way == 2) std::swap(text[at], text[at + 1]);
  }

  const graph::KnowledgeGraph& graph_;
  const Bank& bank_;
  const GenerateConfig config_;
  Random random_;
  std::set<std::string> held_, known_;
  std::vector<Family> others_;
  std::deque<Wording> made_;  // wordings that no family holds; they stay where they are
  std::vector<std::vector<std::string>> same_;
  std::vector<Topic> topics_;
  std::size_t first_other_ = 0;
  std::vector<double> weights_;  // of topics, summed up
};

}  // namespace

std::vector<std::string> held_back(const Bank& bank, int families) {
  std::vector<std::pair<double, const Family*>> order;
  for (const Family& family : bank.families) order.emplace_back(hash_share("family " + family.name), &family);
  std::sort(order.begin(), order.end());
  std::vector<std::string> held;
  std::set<std::string> relations;
  for (const auto& [share, family] : order) {
    if (static_cast<int>(held.size()) == families) break;
    held.push_back(family->name);
    for (const std::string& relation : family->relations) relations.insert({relation, flipped(relation)});
  }
  // What shares a relation with one of them is kept back too, and what shares one with that.
  for (bool grown = true; grown;) {
    grown = false;
    for (const Family& family : bank.families) {
      const bool shares =
          std::any_of(family.relations.begin(), family.relations.end(),
                      [&](const std::string& relation) { return relations.contains(relation); });
      if (!shares || std::find(held.begin(), held.end(), family.name) != held.end()) continue;
      held.push_back(family.name);
      for (const std::string& relation : family.relations) relations.insert({relation, flipped(relation)});
      grown = true;
    }
  }
  return held;
}

std::vector<QuestionTurn> generate_questions(const graph::KnowledgeGraph& graph, const Bank& bank,
                                             const GenerateConfig& config, std::uint64_t seed) {
  return Generator(graph, bank, config, seed).make();
}

}  // namespace kgwalk::dialogue
