#include "dialogue/response/wordings.h"

#include <algorithm>
#include <utility>

#include "dialogue/linking/spoken_relation.h"
#include "dialogue/questions/wording_text.h"
#include "dialogue/response/builtin_statements.h"
#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

// Sections of wordings for relations that no bank knows: by their form, in its order, then for values.
constexpr std::array<std::string_view, 9> kUnknownSections{
    ":noun", ":noun_of", ":verb", ":participle", ":nouns", ":present", ":dated", ":amount", ":plain"};

// Sections whose noun phrases make no statements: "9 is the employees of Nimbus Works".
bool is_told_by_statements(std::string_view section) {
  return section == ":nouns" || section == ":dated" || section == ":amount" || section == ":plain";
}

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_truth_value(std::string_view text) {
  return text == "true" || text == "false" || text == "yes" || text == "no";
}

// "9", "-3.5", "1,234", "2e-05".
bool is_plain_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && is_ascii_digit(text.front()) &&
         text.find_first_not_of("0123456789.,eE+-") == std::string_view::npos;
}

bool is_plain_year(std::string_view text) {
  return text.size() == 4 && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

// "1947-05-03" and "1947-05".
bool is_iso_date(std::string_view text) {
  if (text.size() != 10 && text.size() != 7) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : !is_ascii_digit(text[i])) return false;
  return true;
}

// Verbs that a year may follow: of others it is a title, as in "directed 1917".
bool is_event(std::string_view verb) {
  static constexpr std::array<std::string_view, 20> kEvents{
      "founded",  "established", "dissolved", "created",    "released", "published", "built",
      "opened",   "closed",      "completed", "launched",   "started",  "ended",     "abolished",
      "invented", "discovered",  "formed",    "introduced", "died",     "erected"};
  return std::find(kEvents.begin(), kEvents.end(), verb) != kEvents.end();
}

std::string at_time(const std::string& date) { return (date.size() == 10 ? "on " : "in ") + date; }

std::string listed_names(const std::vector<std::string>& names, bool article, const std::string& join) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + join + " " : ", ";
    const bool vowel =
        !names[i].empty() && std::string_view("AEIOUaeiou").find(names[i].front()) != std::string::npos;
    if (article) text += vowel ? "an " : "a ";
    text += names[i];
  }
  return text;
}

std::string as_owner(const std::string& name) { return name + (name.ends_with('s') ? "'" : "'s"); }

// "won the The Best" loses one of both, "Downey Jr.." a period.
void append_well(std::string& text, std::string_view more) {
  if (text.ends_with(" the ") && (more.starts_with("The ") || more.starts_with("the ")))
    text.resize(text.size() - 4);
  if (text.ends_with('.') && more.starts_with('.')) more.remove_prefix(1);
  text += more;
}

// The lines of a text with their numbers; comments and empty lines left out.
std::vector<std::pair<std::size_t, std::string>> lines_with_words(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string>> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') lines.emplace_back(number, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Template::Part Template::part_of(std::string_view inside) {
  constexpr std::pair<std::string_view, Mark> kMarks[] = {
      {"x", Mark::kX},          {"y", Mark::kY},
      {"x's", Mark::kOwnerX},   {"y's", Mark::kOwnerY},
      {"a x", Mark::kArticleX}, {"a y", Mark::kArticleY},
      {"s", Mark::kStatement},  {"p", Mark::kPhrase},
      {"r", Mark::kRelation},   {"r0", Mark::kBareRelation}};
  for (const auto& [name, mark] : kMarks)
    if (inside == name) return {mark, "", ""};
  const std::size_t bar = inside.find('|');
  if (bar != std::string_view::npos && (inside.starts_with("x:") || inside.starts_with("y:")))
    return {inside[0] == 'x' ? Mark::kNumberX : Mark::kNumberY, std::string(inside.substr(2, bar - 2)),
            std::string(inside.substr(bar + 1))};
  throw ConfigError("there is no mark {" + std::string(inside) + "} in wordings");
}

Template::Template(std::string_view text) {
  while (!text.empty()) {
    const std::size_t open = text.find('{'), close = text.find('}');
    if (open != 0) {
      parts_.push_back({Mark::kText, std::string(text.substr(0, open)), ""});
      text.remove_prefix(std::min(open, text.size()));
      continue;
    }
    if (close == std::string_view::npos) throw ConfigError("a mark of a wording ends with }");
    parts_.push_back(part_of(text.substr(1, close - 1)));
    text.remove_prefix(close + 1);
  }
}

Worded Template::fill(const Fillers& f) const {
  Worded result;
  for (const Part& part : parts_) {
    std::string more;
    bool name = false;
    switch (part.mark) {
      case Mark::kText:
        more = part.text;
        break;
      case Mark::kX:
      case Mark::kY:
        more = listed_names(part.mark == Mark::kX ? f.x : f.y, false, f.join);
        name = true;
        break;
      case Mark::kOwnerX:
      case Mark::kOwnerY:
        more = as_owner(listed_names(part.mark == Mark::kOwnerX ? f.x : f.y, false, f.join));
        name = true;
        break;
      case Mark::kArticleX:
      case Mark::kArticleY:
        more = listed_names(part.mark == Mark::kArticleX ? f.x : f.y, true, f.join);
        break;
      case Mark::kNumberX:
      case Mark::kNumberY:
        more = (part.mark == Mark::kNumberX ? f.x : f.y).size() > 1 ? part.many : part.text;
        break;
      case Mark::kStatement:
        more = f.statement;
        break;
      case Mark::kPhrase:
        more = f.phrase;
        break;
      case Mark::kRelation:
        more = f.relation;
        break;
      case Mark::kBareRelation:
        more = f.bare_relation;
        break;
    }
    if (result.text.empty()) result.begins_with_name = name;
    append_well(result.text, more);
  }
  return result;
}

Wordings::Wordings(std::string_view text, const std::string& name, const Bank& bank) {
  StatementWordings* family = nullptr;
  std::vector<Template>* frame = nullptr;
  const auto open = [&](std::string section) {
    family = nullptr;
    frame = nullptr;
    const bool known = std::any_of(bank.families.begin(), bank.families.end(),
                                   [&](const Family& f) { return f.name == section; });
    const bool unknown =
        std::find(kUnknownSections.begin(), kUnknownSections.end(), section) != kUnknownSections.end();
    if (known || unknown) {
      family = &families_[section];
    } else if (std::string_view(section).starts_with(':') &&
               std::find(kFrames.begin(), kFrames.end(), section.substr(1)) != kFrames.end()) {
      frame = &frames_[section.substr(1)];
    } else {
      throw ConfigError("[" + section + "] is no family of relations and no frame");
    }
  };
  const auto add = [&](std::string_view line) {
    const bool tail = line.starts_with("> "), head = line.starts_with("< ");
    if (family == nullptr && frame == nullptr) throw ConfigError("a wording stands below a section");
    if (family != nullptr) {
      (tail   ? family->tails
       : head ? family->heads
              : family->statements)
          .emplace_back(tail || head ? line.substr(2) : line);
    } else {
      frame->emplace_back(line);
    }
  };
  for (const auto& [number, line] : lines_with_words(text)) {
    try {
      if (line.front() == '[' && line.back() == ']') {
        open(line.substr(1, line.size() - 2));
      } else {
        add(line);
      }
    } catch (const ConfigError& error) {
      throw DataError(name, number, error.what());
    }
  }
  for (auto& [section, wordings] : families_) wordings.tails_tell = !is_told_by_statements(section);
  for (const Family& known : bank.families) need_words(known.name, name);
  for (const std::string_view section : kUnknownSections) need_words(std::string(section), name);
  for (const std::string_view one : kFrames)
    if (frame_or_null(one) == nullptr) throw ConfigError(name + " has no frame [:" + std::string(one) + "]");
  for (const Family& known : bank.families)
    for (const std::string& relation : known.relations) {
      const bool inverse = relation.starts_with('~');
      relations_.try_emplace(inverse ? relation.substr(1) : relation, Place{known.name, inverse});
      // What no relation of the bank is called is found by its words.
      by_words_.try_emplace(relation_key(inverse ? relation.substr(1) : relation),
                            Place{known.name, inverse});
    }
}

void Wordings::need_words(const std::string& family, const std::string& name) const {
  const auto found = families_.find(family);
  if (found == families_.end() || found->second.statements.empty() || found->second.tails.empty() ||
      found->second.heads.empty())
    throw ConfigError(name + ": [" + family +
                      "] needs a statement, a line that begins with > and one with <");
}

WordedRelation Wordings::of(std::string_view relation) const {
  const bool inverse = relation.starts_with('~');
  const std::string_view forward = inverse ? relation.substr(1) : relation;
  auto found = relations_.find(forward);
  bool known = found != relations_.end();
  if (!known) {
    found = by_words_.find(relation_key(forward));
    known = found != by_words_.end();
  }
  if (known) return {section(found->second.family), found->second.flipped != inverse};
  const SpokenRelation words = spoken_relation(forward);
  WordedRelation result{section(kUnknownSections[static_cast<std::size_t>(words.form)]), inverse, words.words,
                        words.words};
  if (words.form == RelationForm::kPresent) result.many_words = plural_verb(words.words);
  if (words.form == RelationForm::kNounOf) result.bare.resize(result.bare.size() - 3);
  return result;
}

WordedRelation Wordings::of(const graph::NamedTriple& fact) const {
  WordedRelation result = of(fact.relation);
  if (result.words.empty()) return result;
  const bool inverse = fact.relation.starts_with('~');
  const std::string& value = inverse ? fact.head : fact.tail;
  const SpokenRelation spoken = spoken_relation(std::string_view(fact.relation).substr(inverse ? 1 : 0));
  const std::string past = happened(spoken, false);
  if (!past.empty() && (is_iso_date(value) || (is_plain_year(value) && is_event(spoken.words)))) {
    result.wordings = section(":dated");
    result.words = past;
    result.many_words = happened(spoken, true);
    result.is_dated = true;
  } else if (is_plain_number(value) && spoken.form == RelationForm::kNouns) {
    result.wordings = section(":amount");
  } else if (is_truth_value(value) ||
             (is_plain_number(value) && (!past.empty() || spoken.words.starts_with("is ")))) {
    result.wordings = section(":plain");
    result.many_words.clear();
  }
  return result;
}

Fillers WordedRelation::fillers(std::vector<std::string> heads, std::vector<std::string> tails) const {
  Fillers out{.bare_relation = bare};
  out.x = std::move(flipped ? tails : heads);
  out.y = std::move(flipped ? heads : tails);
  out.relation = out.x.size() > 1 && !many_words.empty() ? many_words : words;
  if (is_dated) std::transform(out.y.begin(), out.y.end(), out.y.begin(), at_time);
  return out;
}

const std::vector<Template>* Wordings::frame_or_null(std::string_view name) const {
  const auto found = frames_.find(name);
  return found == frames_.end() || found->second.empty() ? nullptr : &found->second;
}

const std::vector<Template>& Wordings::frame(std::string_view name) const {
  const std::vector<Template>* found = frame_or_null(name);
  if (found == nullptr) throw ConfigError("there is no frame [:" + std::string(name) + "]");
  return *found;
}

const Wordings& builtin_wordings() {
  static const Wordings wordings(kBuiltinStatements, "data/responses/statements.txt", builtin_bank());
  return wordings;
}

}  // namespace kgwalk::dialogue
