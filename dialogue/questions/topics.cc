#include "dialogue/questions/topics.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "runtime/checksum.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kLongestName = 60;  // bytes of a name that people would type
constexpr int kAttempts = 40;             // to find a topic that fits

double hash_share(std::string_view text) {
  return static_cast<double>(std::stoull(checksum_of(text).substr(0, 8), nullptr, 16)) / 4294967296.0;
}

std::string flipped(const std::string& relation) {
  return relation.starts_with('~') ? relation.substr(1) : std::string("~").append(relation);
}

std::string said_name(std::string_view name) {
  std::string said;
  for (const std::string& word : words_of(plain_name(name))) said.append(word).append(" ");
  return said;
}

}  // namespace

Topics::Topics(const graph::KnowledgeGraph& graph, const Bank& bank, const GenerateConfig& config)
    : graph_(graph), bank_(bank), config_(config) {
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    relations_of_[relation_key(graph.relation_name(r))].push_back(r);
  for (const std::string& name : held_back(bank, config.held_families)) held_.insert(name);
  for (const Family& family : bank.families) {
    add_topic(family, false, true);
    add_topic(family, true, true);
    for (const std::string& forward : family.relations)
      for (const std::string& name : {forward, flipped(forward)})
        for (const RelationId relation : relations_named(name)) known_.emplace(graph.relation_name(relation));
  }
  add_other_relations();
  count_names();
  fill_subjects();
  if (config.weights) weigh_subjects();
  weigh();
}

// By the bank's own spelling, else by its words: IRIs come as "directed by".
std::vector<RelationId> Topics::relations_named(const std::string& name) const {
  if (const auto relation = graph_.find_relation(name)) return {*relation};
  const auto found = relations_of_.find(relation_key(name));
  return found == relations_of_.end() ? std::vector<RelationId>{} : found->second;
}

void Topics::add_topic(const Family& family, bool backward, bool of_bank) {
  Topic topic{&family, backward, held_.contains(family.name), of_bank, {}, {}, {}, {}, {}, {}};
  const bool wants_held = config_.split == QuestionSplit::kTestRelation;
  if (topic.held != wants_held) return;
  for (const std::string& forward : family.relations) {
    for (const RelationId relation : relations_named(backward ? flipped(forward) : forward)) {
      topic.relations.push_back(relation);
      topic.names.emplace_back(graph_.relation_name(relation));
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

// Questions made of the topic's noun phrases. New ones are those whose phrase or whose frame is.
void Topics::compose(Topic& topic) {
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
        const bool kept =
            hash_share(phrase.text) < config_.held_wordings || hash_share(frames[i]) < config_.held_wordings;
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

void Topics::add_names(Topic& topic) {
  for (const std::string& relation : topic.family->relations) {
    const bool reads_back = relation.starts_with('~');
    const Family named = family_of_relation(reads_back ? relation.substr(1) : relation);
    for (const Wording& wording : named.wordings) {
      if (wording.backward != (topic.backward != reads_back)) continue;
      topic.by_name[static_cast<std::size_t>(wording.form)].push_back(keep(wording));
    }
  }
}

const Wording& Topics::wording(const Topic& topic, Form form, Random& random) const {
  const auto& composed = topic.composed[static_cast<std::size_t>(form)];
  const auto& by_name = topic.by_name[static_cast<std::size_t>(form)];
  const double draw = random.uniform();
  if (draw < config_.composed && !composed.empty()) return *any(composed, random);
  if (draw > 1 - config_.by_name && !by_name.empty()) return *any(by_name, random);
  return *any(topic.of(form), random);
}

std::vector<std::string> Topics::said_as(const Topic& topic, std::size_t count, Random& random) {
  const auto& questions = topic.of(Form::kOne);
  const auto& nouns = topic.of(Form::kPhrase);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& from = !nouns.empty() && (questions.empty() || random.uniform() < 0.4) ? nouns : questions;
    if (from.empty()) return words;
    if (std::string bare = bare_words(any(from, random)->text); !bare.empty())
      words.push_back(std::move(bare));
  }
  return words;
}

void Topics::add_other_relations() {
  if (config_.split == QuestionSplit::kTestRelation || config_.other_relations == 0) return;
  std::set<std::string> seen;
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const std::string name(graph_.relation_name(r));
    if (name.starts_with('~') || known_.contains(name)) continue;
    others_.push_back(family_of_relation(name));
  }
  for (const Family& family : others_) {
    add_topic(family, false, false);
    add_topic(family, true, false);
  }
}

void Topics::fill_subjects() {
  topics_of_.resize(graph_.num_relations());
  for (std::uint32_t t = 0; t < topics_.size(); ++t)
    for (const RelationId r : topics_[t].relations) topics_of_[r].push_back(t);
  for (EntityId e = 0; e < graph_.num_connected(); ++e) {
    if (!speakable(e)) continue;
    for (const graph::Edge& edge : graph_.out_edges(e))
      for (const std::uint32_t t : topics_of_[edge.relation])
        if (topics_[t].subjects.empty() || topics_[t].subjects.back() != e) topics_[t].subjects.push_back(e);
  }
}

// An entity counts by the heaviest of its facts, so that one with many light ones is not asked about all the
// time.
void Topics::weigh_subjects() {
  const graph::GraphDetails& details = graph::details(graph_);
  if (!details.has_weights())
    throw ConfigError("the graph has no weights; ingest them, or make questions without `weights`");
  for (Topic& topic : topics_) {
    double sum = 0;
    for (const EntityId e : topic.subjects) {
      float heaviest = 0;
      for (const graph::Edge& edge : graph_.out_edges(e))
        if (std::find(topic.relations.begin(), topic.relations.end(), edge.relation) != topic.relations.end())
          heaviest = std::max(heaviest, details.weight(graph_.number_of(edge)));
      topic.summed.push_back(sum += heaviest);
    }
    if (sum <= 0) topic.summed.clear();
  }
}

EntityId Topics::subject(const Topic& topic, Random& random) const {
  if (topic.summed.empty()) return any(topic.subjects, random);
  const double at = random.uniform() * topic.summed.back();
  const auto place = std::upper_bound(topic.summed.begin(), topic.summed.end(), at) - topic.summed.begin();
  return topic.subjects[std::min(static_cast<std::size_t>(place), topic.subjects.size() - 1)];
}

// Frequent families are asked for more often, but not as often as they are frequent.
void Topics::weigh() {
  double bank = 0, other = 0;
  for (const Topic& topic : topics_)
    (topic.of_bank ? bank : other) += std::sqrt(static_cast<double>(topic.subjects.size()));
  if (bank + other == 0) throw ConfigError("the graph has no relation that could be asked for in this split");
  const double share =
      other > 0 && bank > 0 ? config_.other_relations / (1 - config_.other_relations) * bank / other : 1;
  double sum = 0;
  for (const Topic& topic : topics_) {
    sum += std::sqrt(static_cast<double>(topic.subjects.size())) * (topic.of_bank ? 1 : share);
    weights_.push_back(sum);
  }
}

const Topic* Topics::with_phrase(RelationId relation) const {
  for (const Topic& topic : topics_)
    if (!topic.of(Form::kPhrase).empty() &&
        std::find(topic.relations.begin(), topic.relations.end(), relation) != topic.relations.end())
      return &topic;
  return nullptr;
}

bool Topics::speakable(EntityId e) const {
  const std::string_view name = graph_.entity_name(e);
  if (name.size() > kLongestName) return false;
  const auto found = named_.find(said_name(name));
  return found != named_.end() && found->second == 1;
}

void Topics::count_names() {
  for (EntityId e = 0; e < graph_.num_connected(); ++e)
    if (std::string said = said_name(graph_.entity_name(e)); !said.empty()) ++named_[std::move(said)];
}

const Topic* Topics::draw(Form form, Random& random) const {
  for (int i = 0; i < kAttempts; ++i) {
    const double at = random.uniform() * weights_.back();
    const auto place = std::upper_bound(weights_.begin(), weights_.end(), at) - weights_.begin();
    const Topic& topic = topics_[std::min(static_cast<std::size_t>(place), topics_.size() - 1)];
    if (!topic.of(form).empty() && !topic.subjects.empty()) return &topic;
  }
  return nullptr;
}

const std::vector<std::string>& Topics::phrases(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = bank_.phrases.find(name);
  return found == bank_.phrases.end() ? none : found->second;
}

std::vector<EntityId> Topics::tails(EntityId from, const std::vector<RelationId>& relations) const {
  std::vector<EntityId> found;
  for (const graph::Edge& edge : graph_.out_edges(from))
    if (std::find(relations.begin(), relations.end(), edge.relation) != relations.end() && edge.tail != from)
      found.push_back(edge.tail);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<const Topic*> Topics::known_of(EntityId entity) const {
  std::set<std::uint32_t> places;
  std::optional<RelationId> before;  // edges come relation by relation
  for (const graph::Edge& edge : graph_.out_edges(entity)) {
    if (edge.relation == before) continue;
    before = edge.relation;
    places.insert(topics_of_[edge.relation].begin(), topics_of_[edge.relation].end());
  }
  std::vector<const Topic*> known;
  for (const std::uint32_t place : places) known.push_back(&topics_[place]);
  return known;
}

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

}  // namespace kgwalk::dialogue
