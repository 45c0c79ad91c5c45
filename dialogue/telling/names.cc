#include "dialogue/telling/names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forms/text/relation_phrases.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

std::string short_text(std::string_view text) {
  if (text.size() <= kLongestText) return std::string(text);
  const std::string_view head = text.substr(0, kLongestText);
  // "Dr. ", "J. " end no sentence: what is before the period has some length.
  for (std::size_t at = head.rfind(". "); at != head.npos && at > kLongestText / 3;
       at = head.rfind(". ", at - 1)) {
    const std::size_t word = head.rfind(' ', at - 1);
    if (word != head.npos && at - word > 4) return std::string(head.substr(0, at));
  }
  const std::size_t blank = head.rfind(' ');
  std::size_t end = blank == head.npos ? head.size() : blank;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // within a character
  std::string cut(head.substr(0, end));
  while (!cut.empty() && (cut.back() == ',' || cut.back() == ';' || cut.back() == ':')) cut.pop_back();
  return cut + " ...";
}

std::string said_name(const graph::TypedValues& values, graph::EntityId entity) {
  const std::string shown = values.shown(entity);
  return values.kind(entity) == graph::ValueKind::kText ? short_text(shown) : shown;
}

std::string said_tail(const graph::TypedValues& values, graph::RelationId relation, graph::EntityId tail) {
  const graph::TypedValue value = values.value(relation, tail);
  if (value.kind == graph::ValueKind::kThing) return said_name(values, tail);
  const std::string shown = graph::shown(value);
  return value.kind == graph::ValueKind::kText ? short_text(shown) : shown;
}

std::string when_text(const graph::TypedValue& time) {
  using graph::ValueKind;
  const bool day = time.kind == ValueKind::kDate || time.kind == ValueKind::kDateTime;
  return (day ? "on " : time.kind == ValueKind::kTime ? "at " : "in ") + graph::shown(time);
}

std::optional<graph::RelationId> kind_relation(const graph::KnowledgeGraph& graph) {
  if (const auto types = graph::details(graph).type_relation()) return types;
  // A sentence is made for every turn: looked up, since graphs have thousands of relations.
  for (const std::string_view name : {"is a", "is-a", "is_a", "isA", "Is a", "instance of", "instance-of",
                                      "instance_of", "instanceOf", "Instance of"})
    if (const auto relation = graph.find_relation(name)) return relation;
  return std::nullopt;
}

std::string noun_of(std::string_view type) {
  std::string noun = forms::type_words(type);
  const auto plain = [](char c) { return is_letter(c) || c == ' ' || c == '-' || c == '_'; };
  if (noun.size() < 2 || !std::all_of(noun.begin(), noun.end(), plain)) return noun;
  std::replace(noun.begin(), noun.end(), '_', ' ');
  for (std::size_t i = 0; i + 1 < noun.size(); ++i)
    if ((i == 0 || noun[i - 1] == ' ') && is_small(noun[i + 1]) && !is_small(noun[i]) && is_letter(noun[i]))
      noun[i] = static_cast<char>(noun[i] - 'A' + 'a');
  return noun;
}

std::string plural_noun(std::string_view noun) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOdd{
      {{"person", "people"},
       {"child", "children"},
       {"man", "men"},
       {"woman", "women"},
       {"wife", "wives"},
       {"series", "series"},
       {"species", "species"},
       {"software", "software"},
       {"equipment", "equipment"}}};
  for (const auto& [one, many] : kOdd)
    if (noun.ends_with(one) && (noun.size() == one.size() || noun[noun.size() - one.size() - 1] == ' '))
      return std::string(noun.substr(0, noun.size() - one.size())).append(many);
  // "member of parliament": the first noun is the one that is many.
  const std::size_t of = noun.find(" of ");
  if (of != noun.npos) return plural_noun(noun.substr(0, of)).append(noun.substr(of));
  // "language spoken": what was spoken is many.
  const std::size_t blank = noun.rfind(' ');
  if (blank != noun.npos) {
    const std::string_view last = noun.substr(blank + 1);
    const bool participle = last == "spoken" || last == "won" || last == "written" || last.ends_with("ed");
    if (participle) return plural_noun(noun.substr(0, blank)).append(noun.substr(blank));
  }
  if (noun.ends_with("ss")) return std::string(noun) + "es";
  return forms::plural_of(noun);
}

std::string whose(const std::string& noun) {
  static constexpr std::array<std::string_view, 6> kSingular{"ss", "us", "is", "series", "species", "news"};
  const auto ends = [&](std::string_view with) { return noun.ends_with(with); };
  const bool many = noun.ends_with('s') && std::none_of(kSingular.begin(), kSingular.end(), ends);
  return "whose " + noun + (many ? " include " : " is ");
}

std::string with_article(const std::string& noun) {
  static constexpr std::array<std::string_view, 7> kAsYou{"uni", "use", "usu", "eu", "one", "ute", "uto"};
  static constexpr std::array<std::string_view, 4> kSilent{"hour", "honor", "honest", "heir"};
  const std::string small = noun_of(noun);
  const auto begins = [&](std::string_view with) { return small.starts_with(with); };
  bool vowel = !small.empty() && std::string_view("aeiouAEIOU").find(small.front()) != std::string_view::npos;
  if (std::any_of(kAsYou.begin(), kAsYou.end(), begins) && !begins("unin") && !begins("unim")) vowel = false;
  if (std::any_of(kSilent.begin(), kSilent.end(), begins)) vowel = true;
  return (vowel ? "an " : "a ") + noun;
}

std::string number_text(std::uint64_t number) {
  return graph::shown(graph::number_value(static_cast<double>(number)));
}

std::string rounded_text(graph::TypedValue number, bool year) {
  // Years have no comma.
  if (year) {
    const double whole = std::round(number.from);
    return (whole == number.from ? "" : "about ") + std::to_string(static_cast<long>(whole));
  }
  if (number.from == 0) return graph::shown(number);
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(number.from))));
  const double rounded = std::round(number.from * scale) / scale;
  const bool exact = std::abs(rounded - number.from) <= 1e-12 * std::abs(number.from);
  number.from = number.to = rounded;
  return (exact ? "" : "about ") + graph::shown(number);
}

std::string capital(std::string text) {
  if (!text.empty() && is_small(text[0])) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string ended(std::string text) {
  if (text.empty() || std::string_view(".!?").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

}  // namespace kgwalk::dialogue
