#include "forms/text/relation_phrases.h"

#include <algorithm>
#include <cctype>

namespace kgwalk::forms {
namespace {

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string_view last_word(std::string_view words) {
  const std::size_t blank = words.find_last_of(' ');
  return blank == std::string_view::npos ? words : words.substr(blank + 1);
}

struct TestWords {
  const char *number, *time, *count;
};

TestWords words_of(Comparison test) {
  switch (test) {
    case Comparison::kLess:
      return {"under", "before", "fewer than"};
    case Comparison::kAtMost:
      return {"of at most", "no later than", "at most"};
    case Comparison::kEqual:
      return {"of", "in", "exactly"};
    case Comparison::kNotEqual:
      return {"other than", "not in", "other than"};
    case Comparison::kAtLeast:
      return {"of at least", "no earlier than", "at least"};
    case Comparison::kGreater:
      return {"over", "after", "more than"};
  }
  return {};
}

}  // namespace

std::string relation_words(const Relations& relations, const graph::KnowledgeGraph& graph) {
  std::string_view name = graph.relation_name(relations.front());
  if (name.starts_with('~')) name.remove_prefix(1);
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

bool is_backwards(const Relations& relations, const graph::KnowledgeGraph& graph) {
  return graph.relation_name(relations.front()).starts_with('~');
}

bool ends_open(std::string_view words) {
  constexpr std::string_view kPrepositions[] = {"by", "in",   "of", "from", "at",    "on",   "for",
                                                "to", "with", "as", "into", "about", "near", "after"};
  const std::string_view last = last_word(words);
  return last.size() < words.size() &&
         std::find(std::begin(kPrepositions), std::end(kPrepositions), last) != std::end(kPrepositions);
}

std::string type_words(std::string_view name) {
  const std::size_t bracket = name.find(" (");
  const bool told_apart = name.ends_with(')') && bracket != std::string_view::npos && bracket > 0;
  const std::string_view type = told_apart ? name.substr(0, bracket) : name;
  const auto is_upper = [](char c) { return is_alpha(c) && !is_lower(c); };
  std::string text;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool begins =
        i > 0 && i + 1 < type.size() && is_upper(type[i]) && is_lower(type[i - 1]) && is_lower(type[i + 1]);
    if (begins) text += ' ';
    text += type[i];
  }
  return text;
}

std::string plural_of(std::string_view name) {
  std::string text(name);
  if (text.size() < 2 ||
      !std::all_of(text.begin(), text.end(), [](char c) { return is_alpha(c) || c == ' '; }))
    return text;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)  // "Film" is a noun, "NASA" a name
    if ((i == 0 || text[i - 1] == ' ') && is_lower(text[i + 1]))
      text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  const char end = text.back(), before = text[text.size() - 2];
  if (end == 's' || !is_lower(end)) return text;
  if (end == 'y' && std::string_view("aeiou").find(before) == std::string_view::npos)
    return text.substr(0, text.size() - 1) + "ies";
  const bool hisses = end == 'x' || end == 'z' || (end == 'h' && (before == 's' || before == 'c'));
  return text + (hisses ? "es" : "s");
}

std::uint64_t place_of(const Set& set) {
  if (set.kind != SetKind::kBut || set.parts.size() != 2) return 0;
  const Set &some = set.parts[0], &before = set.parts[1];
  const bool ranked = some.kind == SetKind::kFirst || some.kind == SetKind::kLast;
  const bool alike = some.kind == before.kind && some.measure == before.measure && some.parts == before.parts;
  return ranked && alike && some.n == before.n + 1 ? some.n : 0;
}

std::string ordinal(std::uint64_t place) {
  constexpr std::string_view kWords[] = {"second",  "third",  "fourth", "fifth", "sixth",
                                         "seventh", "eighth", "ninth",  "tenth"};
  if (place >= 2 && place < 2 + std::size(kWords)) return std::string(kWords[place - 2]);
  const std::uint64_t ones = place % 100 / 10 == 1 ? 0 : place % 10;
  return std::to_string(place) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

std::string listed(const std::vector<std::string>& texts, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text += i + 1 == texts.size() ? ' ' + std::string(last) + ' ' : std::string(", ");
    text += texts[i];
  }
  return text;
}

std::string condition_words(const Condition& condition) {
  if (condition.upper)
    return "from " + graph::shown(condition.value) + " to " + graph::shown(*condition.upper);
  const bool time = graph::is_time(condition.value.kind) || condition.value.kind == graph::ValueKind::kTime;
  const TestWords words = words_of(condition.test);
  return std::string(time ? words.time : words.number) + ' ' + graph::shown(condition.value);
}

std::string count_words(const Condition& condition) {
  if (condition.upper) return graph::shown(condition.value) + " to " + graph::shown(*condition.upper);
  return std::string(words_of(condition.test).count) + ' ' + graph::shown(condition.value);
}

std::string qualified_words(const Qualified& given, const graph::TypedValues& values) {
  const std::string words = relation_words(given.relations, values.graph());
  if (given.entities.empty()) {
    const bool moment = words == "point in time" || words == "time" || words == "date" || words == "year";
    const bool plain = !given.condition.upper && given.condition.test == Comparison::kEqual;
    const graph::ValueKind kind = given.condition.value.kind;
    const bool day = kind == graph::ValueKind::kDate || kind == graph::ValueKind::kDateTime;
    if (moment && plain) return (day ? "on " : "in ") + graph::shown(given.condition.value);
    return "with " + words + ' ' + condition_words(given.condition);
  }
  std::vector<std::string> names;
  for (const EntityId entity : given.entities) names.push_back(values.shown(entity));
  return "with " + words + ' ' + listed(names, "or");
}

}  // namespace kgwalk::forms
