#include "data/dialogue_writer.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::sample {
namespace {

constexpr int kHeldOutPercent = 10;
constexpr int kTwoHopPercent = 42;  // of the attempts; some starts have no two-hop pattern

// How often a dialogue starts with an entity of a kind.
constexpr std::array<std::pair<std::string_view, int>, 14> kStartWeights = {{{"film", 320},
                                                                             {"person", 300},
                                                                             {"book", 150},
                                                                             {"band", 45},
                                                                             {"song", 50},
                                                                             {"album", 25},
                                                                             {"team", 40},
                                                                             {"sport", 20},
                                                                             {"genre", 20},
                                                                             {"music_genre", 10},
                                                                             {"topic", 10},
                                                                             {"country", 10},
                                                                             {"award", 5},
                                                                             {"language", 5}}};
constexpr std::array<std::string_view, 7> kHeldOutKinds = {"film", "person", "book", "band",
                                                           "song", "album",  "team"};

int integer_root(std::size_t value) {
  int root = 0;
  while (static_cast<std::size_t>(root + 1) * static_cast<std::size_t>(root + 1) <= value) ++root;
  return root;
}

void append_sentence(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += ' ';
  text += sentence;
}

std::vector<int> key_of(const std::vector<Path>& paths) {
  std::vector<int> key;
  for (const Path& path : paths) {
    key.insert(key.end(), path.vertices.begin(), path.vertices.end());
    key.insert(key.end(), path.relations.begin(), path.relations.end());
    key.push_back(-1);
  }
  return key;
}

}  // namespace

std::vector<Path> Dialogue::paths() const {
  std::vector<Path> result;
  for (const Message& message : messages) {
    if (message.type == Message::Type::kPath) result.push_back(message.path);
  }
  return result;
}

DialogueWriter::DialogueWriter(const FactGraph& graph, const PhraseBook& book, std::uint64_t seed)
    : graph_(&graph), book_(&book), random_(seed) {
  for (int entity = 0; entity < graph.num_entities(); ++entity) {
    fame_.push_back(integer_root(graph.edges(entity).size()));
  }
  hold_out();
}

void DialogueWriter::hold_out() {
  for (int entity = 0; entity < graph_->num_entities(); ++entity) {
    const bool eligible =
        std::find(kHeldOutKinds.begin(), kHeldOutKinds.end(), graph_->kind(entity)) != kHeldOutKinds.end();
    if (eligible && chance(kHeldOutPercent)) held_out_.insert(entity);
  }
}

std::size_t DialogueWriter::pick(const std::vector<int>& weights) {
  const int total = std::accumulate(weights.begin(), weights.end(), 0);
  int rest = static_cast<int>(random_.below(static_cast<std::uint64_t>(total)));
  std::size_t i = 0;
  while (rest >= weights[i]) rest -= weights[i++];
  return i;
}

std::string DialogueWriter::say(const std::string& list, int entity) {
  return book_->fill(any(book_->lines(list, graph_->kind(entity))), {entity}).value();
}

std::string DialogueWriter::say(const std::vector<std::string>& lines, const Path& path) {
  for (int attempt = 0; attempt < 50; ++attempt) {
    if (std::optional<std::string> text = book_->fill(any(lines), path.vertices)) return *text;
  }
  throw ConfigError("phrases.txt: no line of a pattern can be filled; give each a line without {t:relation}");
}

int DialogueWriter::start(bool unseen) {
  std::vector<int> kind_weights;
  kind_weights.reserve(kStartWeights.size());
  for (const auto& [kind, weight] : kStartWeights) kind_weights.push_back(weight);
  while (true) {
    const std::string_view kind = kStartWeights[pick(kind_weights)].first;
    std::vector<int> entities, weights;
    for (int entity = 0; entity < graph_->num_entities(); ++entity) {
      if (graph_->kind(entity) != kind || held_out_.contains(entity) != unseen) continue;
      entities.push_back(entity);
      weights.push_back(fame_[entity]);
    }
    if (!entities.empty()) return entities[pick(weights)];
  }
}

std::optional<Path> DialogueWriter::walk(const Pattern& pattern, int from, const std::set<int>& visited,
                                         bool training) {
  Path path{{from}, {}};
  for (const Pattern::Hop& hop : pattern.hops) {
    std::vector<int> tails, weights;
    for (const int tail : graph_->tails(path.vertices.back(), hop.relation)) {
      const bool fits = hop.kind == "*" || graph_->kind(tail) == hop.kind;
      const bool repeated =
          visited.contains(tail) || std::count(path.vertices.begin(), path.vertices.end(), tail) > 0;
      if (!fits || repeated || (training && held_out_.contains(tail))) continue;
      tails.push_back(tail);
      weights.push_back(fame_[tail]);
    }
    if (tails.empty()) return std::nullopt;
    path.vertices.push_back(tails[pick(weights)]);
    path.relations.push_back(hop.relation);
  }
  return path;
}

std::optional<DialogueWriter::Step> DialogueWriter::step(int from, const std::set<int>& visited,
                                                         bool training) {
  for (int attempt = 0; attempt < 12; ++attempt) {
    const std::size_t hops = chance(kTwoHopPercent) ? 2 : 1;
    std::vector<const Pattern*> patterns;
    std::vector<int> weights;
    for (const Pattern& pattern : book_->patterns()) {
      const bool possible = pattern.start_kind == graph_->kind(from) && pattern.hops.size() == hops &&
                            !graph_->tails(from, pattern.hops[0].relation).empty();
      if (!possible) continue;
      patterns.push_back(&pattern);
      weights.push_back(pattern.weight);
    }
    if (patterns.empty()) continue;
    const Pattern& pattern = *patterns[pick(weights)];
    if (std::optional<Path> path = walk(pattern, from, visited, training)) {
      Step step{&pattern, std::move(*path), "", ""};
      ask(step);
      return step;
    }
  }
  return std::nullopt;
}

void DialogueWriter::ask(Step& step) {
  while (step.question.empty()) {
    const std::string& line = any(step.pattern->questions);
    const std::vector<int>& vertices = step.path.vertices;
    step.question = book_->fill(line, vertices).value_or("");
    step.short_question = book_->fill(book_->with_pronoun(line, vertices.front()), vertices).value_or("");
  }
}

std::vector<DialogueWriter::Step> DialogueWriter::plan(bool training, bool unseen) {
  const std::size_t length = pick({25, 40, 35}) + 1;
  std::vector<Step> steps;
  int from = start(unseen);
  std::set<int> visited = {from};
  while (steps.size() < length) {
    std::optional<Step> next = step(from, visited, training);
    if (!next) break;
    const std::vector<int>& vertices = next->path.vertices;
    visited.insert(vertices.begin(), vertices.end());
    from = vertices.size() == 3 && chance(15) ? vertices[1] : vertices.back();
    steps.push_back(std::move(*next));
  }
  return steps;
}

void DialogueWriter::open(Dialogue& dialogue, const Step& first, bool& vague) {
  const int entity = first.path.vertices.front();
  std::string text;
  if (chance(15)) append_sentence(text, any(book_->lines("hello", "")));
  vague = chance(20);
  const std::string& kind = graph_->kind(entity);
  const bool has_intro = kind == "film" || kind == "book" || kind == "person" || kind == "band" ||
                         kind == "song" || kind == "album" || kind == "team";
  const bool intro = !vague && has_intro && chance(35);
  if (intro) append_sentence(text, say("intro", entity));
  append_sentence(text, vague ? say("vague", entity) : intro ? first.short_question : first.question);
  dialogue.messages.push_back({Message::Type::kChat, true, text, {}});
}

void DialogueWriter::close(Dialogue& dialogue, const Step& last, bool speaker) {
  const int entity = last.path.vertices.back();
  const auto chat = [&](bool from_user, const std::string& text) {
    dialogue.messages.push_back({Message::Type::kChat, from_user, text, {}});
  };
  if (speaker) {  // the user spoke last
    chat(false, chance(50) ? any(book_->lines("agree", "")) : say("react", entity));
    chat(true, any(book_->lines("thanks", "")));
    if (chance(40)) chat(false, any(book_->lines("bye", "")));
    return;
  }
  std::string text = chance(60) ? say("react", entity) : std::string();
  append_sentence(text, any(book_->lines("thanks", "")));
  chat(true, text);
  const auto is_chat = [](const Message& message) { return message.type == Message::Type::kChat; };
  const auto chats = std::count_if(dialogue.messages.begin(), dialogue.messages.end(), is_chat);
  if (chats < 4 || chance(60)) chat(false, any(book_->lines("bye", "")));
}

Dialogue DialogueWriter::speak(const std::vector<Step>& steps) {
  Dialogue dialogue;
  bool vague = false;
  open(dialogue, steps.front(), vague);
  bool speaker = false;  // true: the user; the assistant answers the opening
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const bool last = i + 1 == steps.size();
    if (chance(4)) {
      dialogue.messages.push_back({Message::Type::kSideTalk, chance(50), any(book_->lines("side", "")), {}});
    }
    dialogue.messages.push_back({Message::Type::kPath, speaker, "", step.path});
    std::string text = i == 0 && vague ? say("warm", step.path.vertices.front()) : std::string();
    append_sentence(text, say(step.pattern->statements, step.path));
    const bool asks_back = !last && chance(40);
    // After two hops a pronoun could mean either of the entities named.
    const bool just_named = !last && steps[i + 1].path.vertices.front() == step.path.vertices.back() &&
                            step.path.relations.size() == 1;
    if (asks_back) append_sentence(text, just_named ? steps[i + 1].short_question : steps[i + 1].question);
    dialogue.messages.push_back({Message::Type::kChat, speaker, text, {}});
    if (!last && !asks_back) {
      std::string reply;
      const bool names = just_named && chance(35);
      if (names) append_sentence(reply, say("react", step.path.vertices.back()));
      if (!names && chance(60)) append_sentence(reply, any(book_->lines("nod", "")));
      append_sentence(reply, names ? steps[i + 1].short_question : steps[i + 1].question);
      dialogue.messages.push_back({Message::Type::kChat, !speaker, reply, {}});
    } else if (asks_back) {
      speaker = !speaker;
    }
  }
  close(dialogue, steps.back(), speaker);
  rate(dialogue);
  return dialogue;
}

void DialogueWriter::rate(Dialogue& dialogue) {
  if (chance(15)) return;
  for (auto& rater : dialogue.ratings) {
    for (int& stars : rater) stars = 5 - static_cast<int>(pick({65, 22, 10, 3}));
  }
}

std::vector<Dialogue> DialogueWriter::write(int count, bool training, int unseen_percent) {
  std::vector<Dialogue> dialogues;
  while (static_cast<int>(dialogues.size()) < count) {
    const std::vector<Step> steps = plan(training, !training && chance(unseen_percent));
    if (steps.empty()) continue;
    Dialogue dialogue = speak(steps);
    if (written_.insert(key_of(dialogue.paths())).second) dialogues.push_back(std::move(dialogue));
  }
  return dialogues;
}

}  // namespace kgwalk::sample
