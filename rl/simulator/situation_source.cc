#include "rl/simulator/situation_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dialogue/response/source.h"

namespace kgwalk::rl {

using dialogue::plain_name;
using dialogue::relation_text;
using dialogue::speaker_named;
using graph::EntityId;

namespace {

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(std::move(name));
}

}  // namespace

SituationSource::SituationSource(const SimulatorConfig& config, const graph::KnowledgeGraph& graph,
                                 const dialogue::OrdinaryNames& ordinary)
    : graph_(graph),
      utterances_(static_cast<std::size_t>(config.utterances)),
      paths_(static_cast<std::size_t>(config.paths)),
      relations_(static_cast<std::size_t>(config.relations)),
      most_names_(static_cast<std::size_t>(config.model.speakers)),
      index_(graph),
      ordinary_(ordinary),
      common_(static_cast<std::size_t>(index_.num_words())) {
  for (const std::string& words : ordinary.list())
    if (const auto ids = index_.encode(words); ids.size() == 1 && ids.front() != dialogue::kUnknownWord)
      common_[static_cast<std::size_t>(ids.front())] = 1;
}

std::span<const graph::Chat> SituationSource::heard(const walker::Example& situation) const {
  return std::span(situation.context).last(std::min(utterances_, situation.context.size()));
}

std::span<const graph::Triple> SituationSource::seen(const walker::Example& situation) const {
  const auto& ends = situation.path_ends;
  const std::size_t from = ends.size() > paths_ ? ends[ends.size() - paths_ - 1] : 0;
  return std::span(situation.walked).subspan(from);
}

std::string SituationSource::plain(EntityId entity) const { return plain_name(graph_.entity_name(entity)); }

// Names of the graph in what was said, as the graph writes them.
void SituationSource::add_mentions(std::string_view text, std::vector<std::string>& names) const {
  for (const EntityId entity : index_.longest_mentions(index_.encode(text), common_)) {
    std::string name = plain(entity), words;
    for (const std::string& word : dialogue::words_of(name))
      words.append(words.empty() ? "" : " ").append(word);
    const bool one_word = words.find(' ') == std::string::npos;
    if (ordinary_.contains(words) || (one_word && text.find(name) == std::string_view::npos)) continue;
    add_name(std::move(name), names);
  }
}

// The vertex, what was walked last, what was named last: nearest first.
std::vector<std::string> SituationSource::names_of(const walker::Example& situation) const {
  std::vector<std::string> names{plain(situation.start)};
  const std::span<const graph::Triple> hops = seen(situation);
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    add_name(plain(hop->tail), names);
    add_name(plain(hop->head), names);
  }
  const std::span<const graph::Chat> said = heard(situation);
  for (auto chat = said.rbegin(); chat != said.rend(); ++chat) add_mentions(chat->text, names);
  return names;
}

std::vector<std::string> SituationSource::allowed(const walker::Example& situation) const {
  std::vector<std::string> texts = names_of(situation);
  for (const graph::Chat& chat : heard(situation)) texts.push_back(chat.text);
  return texts;
}

// The commonest first: what kind of thing the vertex is.
std::string SituationSource::relations_of(EntityId vertex) const {
  std::map<graph::RelationId, std::size_t> counts;
  for (const graph::Edge& edge : graph_.out_edges(vertex)) ++counts[edge.relation];
  std::vector<std::pair<graph::RelationId, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(relations_, order.size()); ++i)
    text += (i == 0 ? "has " : ", ") + relation_text(graph_.relation_name(order[i].first));
  return text;
}

seq2seq::Dialogue SituationSource::read(const walker::Example& situation, Moment moment) const {
  seq2seq::Dialogue dialogue;
  dialogue.speakers = names_of(situation);
  dialogue.speakers.resize(std::min(dialogue.speakers.size(), most_names_));
  for (const graph::Chat& chat : heard(situation))
    dialogue.turns.push_back({0, (chat.speaker == graph::Speaker::kUser ? "U: " : "A: ") + chat.text});
  for (const graph::Triple& hop : seen(situation))
    dialogue.turns.push_back({speaker_named(dialogue, plain(hop.head)),
                              relation_text(graph_.relation_name(hop.relation)) + " " + plain(hop.tail)});
  // In lower case a name is read and copied piece by piece.
  for (std::size_t i = 0; i < dialogue.speakers.size(); ++i)
    dialogue.turns.push_back({static_cast<int>(i) + 1, "is " + in_lower_case(dialogue.speakers[i])});
  if (relations_ > 0) dialogue.turns.push_back({1, relations_of(situation.start)});
  std::string act = moment.unspoken ? "turn to" : "say";
  if (moment.swapped) act += " as assistant";
  dialogue.turns.push_back({1, std::move(act)});
  return dialogue;
}

}  // namespace kgwalk::rl
