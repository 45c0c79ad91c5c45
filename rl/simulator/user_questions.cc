#include "rl/simulator/user_questions.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"

namespace kgwalk::rl {

using dialogue::Topic;
using graph::EntityId;

namespace {

constexpr std::size_t kMostAnswersAsked = 60;  // answers of a question for one thing
constexpr std::size_t kLongestName = 60;       // bytes of a name that people would type
constexpr int kWordingsTried = 12;
constexpr double kHalf = 0.5;

// All wordings, none kept back: nothing is measured by them here.
dialogue::GenerateConfig all_wordings() {
  dialogue::GenerateConfig config;
  config.held_families = 0;
  config.held_wordings = 0;
  config.by_name = 0;
  return config;
}

std::string filled(std::string text, const std::string& name) {
  dialogue::replace_all(text, "{x's}", name.ends_with('s') ? name + "'" : name + "'s");
  dialogue::replace_all(text, "{he}", name);
  dialogue::replace_all(text, "{x}", name);
  const bool orders = text.starts_with("name ") || text.starts_with("list ") || text.starts_with("tell ") ||
                      text.starts_with("give ") || text.starts_with("remind ");
  if (std::string_view(".!?").find(text.back()) == std::string_view::npos) text += orders ? '.' : '?';
  if (text[0] >= 'a' && text[0] <= 'z' && !text.starts_with(name))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  dialogue::replace_all(text, " i ", " I ");
  return text;
}

// Whether an entity of these topics is of the kind that `topic` is about, as most of them are: a film has a
// kind, which a graph may give by the relation that gives people their profession.
bool is_of_kind(std::span<const Topic* const> known, const Topic& topic) {
  const auto about = [&](dialogue::Kind kind) {
    return std::count_if(known.begin(), known.end(),
                         [&](const Topic* own) { return own->subject_kind() == kind; });
  };
  constexpr dialogue::Kind kKinds[] = {dialogue::Kind::kPerson, dialogue::Kind::kWork, dialogue::Kind::kPlace,
                                       dialogue::Kind::kOrg};
  const dialogue::Kind kind = topic.subject_kind();
  return kind == dialogue::Kind::kThing ||
         std::all_of(std::begin(kKinds), std::end(kKinds),
                     [&](dialogue::Kind other) { return about(kind) >= about(other); });
}

}  // namespace

bool was_said(std::string_view text, std::span<const graph::Chat> said) {
  return std::any_of(said.begin(), said.end(), [&](const graph::Chat& chat) {
    return chat.speaker == graph::Speaker::kUser && chat.text == text;
  });
}

UserQuestions::UserQuestions(const graph::KnowledgeGraph& graph)
    : graph_(graph),
      config_(all_wordings()),
      topics_(graph, dialogue::builtin_bank(), config_),
      reader_(topics_),
      together_(topics_.all().size() * topics_.all().size()) {
  const std::size_t topics = topics_.all().size();
  knows_words_ = std::any_of(topics_.all().begin(), topics_.all().end(),
                             [](const Topic& topic) { return topic.of_bank && !topic.subjects.empty(); });
  for (EntityId entity = 0; entity < graph.num_connected(); ++entity) {
    const std::vector<const Topic*> known = topics_.known_of(entity);
    for (const Topic* a : known)
      for (const Topic* b : known) ++together_[place_of(*a) * topics + place_of(*b)];
  }
}

// Whether the user has asked this of the entity before, in whatever words.
bool UserQuestions::was_asked(const Topic& topic, const std::string& name,
                              std::span<const graph::Chat> said) const {
  return std::any_of(said.begin(), said.end(), [&](const graph::Chat& chat) {
    return chat.speaker == graph::Speaker::kUser && chat.text.find(name) != std::string::npos &&
           asked(chat.text) == &topic;
  });
}

std::vector<const Topic*> UserQuestions::open_topics(EntityId about, const std::string& name,
                                                     std::span<const graph::Chat> said) const {
  std::vector<const Topic*> open;
  const std::vector<const Topic*> known = topics_.known_of(about);
  for (const Topic* topic : known) {
    if (topic->of(dialogue::Form::kOne).empty() || (knows_words_ && !topic->of_bank)) continue;
    if (!is_of_kind(known, *topic)) continue;
    const std::vector<EntityId> right = answers(about, *topic);
    if (!right.empty() && right.size() <= kMostAnswersAsked && !was_asked(*topic, name, said))
      open.push_back(topic);
  }
  return open;
}

std::optional<std::string> UserQuestions::ask(EntityId about, std::span<const graph::Chat> said,
                                              Random& random) const {
  const std::string name = dialogue::plain_name(graph_.entity_name(about));
  if (name.size() > kLongestName) return std::nullopt;
  const std::vector<const Topic*> open = open_topics(about, name, said);
  if (open.empty()) return std::nullopt;
  for (int i = 0; i < kWordingsTried; ++i) {
    std::string text = filled(topics_.wording(*any(open, random), dialogue::Form::kOne, random).text, name);
    if (!was_said(text, said)) return text;
  }
  return std::nullopt;
}

bool UserQuestions::fits(EntityId about, const Topic& topic) const {
  const std::vector<const Topic*> known = topics_.known_of(about);
  if (!is_of_kind(known, topic)) return false;
  if (std::find(known.begin(), known.end(), &topic) != known.end()) return true;
  const std::size_t topics = topics_.all().size(), asked = place_of(topic);
  double sum = 0;
  for (const Topic* own : known) {
    const std::size_t at = place_of(*own) * topics;
    sum += static_cast<double>(together_[at + asked]) / static_cast<double>(together_[at + place_of(*own)]);
  }
  return !known.empty() && sum >= kHalf * static_cast<double>(known.size());
}

}  // namespace kgwalk::rl
